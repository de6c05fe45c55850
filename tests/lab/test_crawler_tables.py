"""Tables of all crawlers, from results made by hand."""

import pytest
from made_results import make_run, make_site, make_view, rows_of

from datahound.lab.report.crawler_tables import (
    RequestCosts,
    against_baselines_table,
    area_table,
    pair_runs,
    requests_table,
    significance_table,
    steps_table,
    time_table,
    volume_table,
)

FOUR = (
    make_run("omniscient", requests_to_90=90, area=1.0),
    make_run("sb-classifier", seed=0, requests_to_90=400, area=0.6),
    make_run("sb-classifier", seed=1, requests_to_90=600, area=0.8),
    make_run("bfs", requests_to_90=800, area=0.5),
    make_run("dfs", requests_to_90=None, other_bytes_to_90=None, received_to_90=None, area=0.3),
)


def test_requests_are_percent_of_an_exhaustive_crawl():
    """Means over runs; the best competitor is bold, a bound never; what was not reached is +∞."""
    table = requests_table(make_view(*FOUR))
    assert rows_of(table) == {
        "omniscient": ["9.0"],
        "sb-classifier": ["*50.0 ± 14.1*"],
        "bfs": ["80.0"],
        "dfs": ["+∞"],
        "Saved req.": ["0.0 ± 0.0"],
        "Lost targets": ["0.0 ± 0.0"],
    }
    assert [row.head for row in table.rows if row.ruled] == ["Saved req."]
    assert table.note.startswith("Mean ± standard deviation over runs.")


def test_volume_is_percent_of_all_other_bytes():
    """2,000 of 8,000 bytes are 25 %; equal ones are all the best."""
    rows = rows_of(volume_table(make_view(*FOUR)))
    assert rows["sb-classifier"] == ["*25.0 ± 0.0*"]
    assert rows["bfs"] == ["*25.0*"]
    assert rows["omniscient"] == ["25.0"]
    assert rows["dfs"] == ["+∞"]


def test_the_papers_value_is_beside_ours():
    """On a site that imitates one of the paper's, its value is in brackets; the note says so."""
    sites = (make_site(preset="cl"), make_site("two"))
    table = requests_table(make_view(*FOUR, make_run(site="two"), sites=sites))
    row = next(row for row in table.rows if row.head == "sb-classifier")
    assert [cell.paper for cell in row.cells] == ["74.4", ""]
    assert "In brackets: the paper's value" in table.note
    assert "In brackets" not in requests_table(make_view(*FOUR)).note


def test_crawlers_have_a_fixed_order():
    """The known ones as the paper has them; any other after them, by name."""
    runs = [make_run(name) for name in ("zeta", "alpha", "random", "bfs", "omniscient")]
    assert list(rows_of(area_table(make_view(*runs)))) == [
        "omniscient", "bfs", "random", "alpha", "zeta",
    ]  # fmt: skip


def test_the_largest_area_is_the_best():
    """Bounds do not compete; the last column is the mean over the sites with runs."""
    two = [make_run("bfs", site="two", area=0.9), make_run("dfs", site="two", area=0.1)]
    rows = rows_of(area_table(make_view(*FOUR, *two, sites=(make_site(), make_site("two")))))
    assert rows == {
        "omniscient": ["1.000", "–", "1.000"],
        "sb-classifier": ["*0.700 ± 0.141*", "–", "*0.700*"],
        "bfs": ["0.500", "*0.900*", "*0.700 ± 0.283*"],
        "dfs": ["0.300", "0.100", "0.200 ± 0.141"],
    }


def test_one_competitor_is_not_the_best():
    """Bold needs somebody to be better than."""
    view = make_view(make_run("omniscient"), make_run("bfs"))
    assert rows_of(area_table(view))["bfs"] == ["0.500", "0.500"]
    assert rows_of(requests_table(view))["bfs"] == ["50.0"]


def test_differences_are_tested_over_sites_and_runs():
    """One pair per site of medians, one per seed of runs; no p-value where none could be small."""
    sites = [make_site(f"site{n}") for n in range(5)]
    runs = [
        make_run(name, site=site.name, seed=seed, area=area + seed / 100 + n / 1000)
        for n, site in enumerate(sites)
        for seed in range(3)
        for name, area in (("sb-classifier", 0.7), ("hound", 0.8))
    ] + [make_run("bfs", site=site.name, area=0.2) for site in sites]
    rows = rows_of(significance_table(make_view(*runs, sites=sites)))
    assert rows == {
        "hound": ["-0.100", "0/5", "too few", "0/15", "< 0.001"],
        "bfs": ["+0.512", "5/5", "too few", "15/15", "< 0.001"],
    }


def test_nothing_to_compare_is_no_table():
    """Without another crawler on the same site, or without the studied one, there is no table."""
    assert significance_table(make_view(make_run())) is None
    assert significance_table(make_view(make_run("bfs"), make_run("dfs"))) is None
    assert against_baselines_table(make_view(make_run())) is None
    assert against_baselines_table(make_view(make_run("bfs"))) is None


def test_the_best_baseline_is_named():
    """hound and bounds are not baselines; the distance to the paper is in points."""
    runs = (*FOUR, make_run("hound", area=0.99))
    table = against_baselines_table(make_view(*runs, sites=(make_site(preset="cl"),)))
    assert rows_of(table) == {"one": ["0.700", "bfs, 0.500", "yes", "50.0 ± 14.1", "74.4", "-24.4"]}
    assert "on 1 of 1 sites" in table.note
    losing = make_view(make_run(area=0.5), make_run("dfs", area=0.5))
    assert rows_of(against_baselines_table(losing)) == {
        "one": ["0.500", "dfs, 0.500", "no", "50.0", "–", "–"]
    }


def test_time_is_requests_and_bytes():
    """Requests times delay, plus bits over bandwidth."""
    assert RequestCosts(2.0, 8.0).count_hours(1800, 3_600_000_000) == pytest.approx(1 + 1)
    assert RequestCosts().count_hours(3600, 0) == 1.0


def test_hours_are_compared_with_bfs():
    """The fastest competitor is bold; what the studied crawler saves is below, ruled."""
    view = make_view(
        make_run(requests_to_90=3600, received_to_90=0),
        make_run("bfs", requests_to_90=9000, received_to_90=0),
        make_run("omniscient", requests_to_90=360, received_to_90=0),
        make_run("dfs", requests_to_90=None, received_to_90=None),
    )
    table = time_table(view, RequestCosts(1.0, 50.0))
    assert rows_of(table) == {
        "omniscient": ["0.10"],
        "sb-classifier": ["*1.00*"],
        "bfs": ["2.50"],
        "dfs": ["+∞"],
        "sb-classifier saves over bfs": ["+1.50"],
    }
    assert table.rows[-1].ruled
    assert table.title == "Hours to 90 % of the targets, at 1 s a request and 50 Mbit/s"
    alone = time_table(make_view(make_run()), RequestCosts())
    assert rows_of(alone)["sb-classifier saves over bfs"] == ["–"]


def test_runs_are_paired_by_seed():
    """Seeds that only one has are left out; a single run is paired with each of the other."""
    a = [make_run(seed=seed, area=seed) for seed in (0, 1, 2)]
    b = [make_run("bfs", seed=seed, area=10 + seed) for seed in (1, 2, 3)]
    assert [(x.seed, y.seed) for x, y in pair_runs(a, b)] == [(1, 1), (2, 2)]
    assert [(x.seed, y.seed) for x, y in pair_runs(a, b[:1])] == [(0, 1), (1, 1), (2, 1)]
    assert list(pair_runs([], b)) == []


def test_steps_have_a_mean_and_a_longest():
    """Seconds of all runs over their requests; the longest step of any run."""
    runs = [
        make_run(seed=0, requests=1000, seconds=2.0, slowest_step=0.5),
        make_run(seed=1, requests=3000, seconds=4.0, slowest_step=0.25),
        make_run("bfs", requests=1000, seconds=0.1),
    ]
    view = make_view(*runs, make_run("bfs", site="two"), sites=(make_site(), make_site("two")))
    rows = rows_of(steps_table(view))
    assert rows["sb-classifier"] == ["1.50 | 500.0", "–"]
    assert rows["bfs"][0] == "0.10"
