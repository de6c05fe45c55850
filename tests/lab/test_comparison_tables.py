"""Crawls that a limit ended are compared at the smallest size that all of them reached."""

from made_results import make_run, make_site, make_view, rows_of

from datahound.lab.report.comparison_tables import (
    common_size_table,
    comparison_tables,
    find_common_size,
    matching_table,
)
from datahound.lab.report.crawler_tables import RequestCosts, requests_table

CURVES = {
    ("one", "bfs", "", 0): ((100, 10, 0, 0), (400, 20, 0, 0), (1000, 100, 0, 0)),
    ("one", "tres", "", 0): ((40, 10, 0, 0), (90, 18, 0, 0), (400, 30, 0, 0)),
    ("one", "dfs", "", 0): ((900, 1, 0, 0), (1000, 100, 0, 0)),
}
RUNS = [
    make_run("bfs", stopped="exhausted"),
    make_run("dfs", stopped="exhausted"),
    make_run("tres", stopped="step over 60 s", requests=400),
]


def test_the_smallest_size_is_that_of_a_crawl_that_was_ended():
    """One that visited everything in fewer requests does not make the others shorter."""
    view = make_view(*RUNS, curves=CURVES)
    assert find_common_size(view, "one") == 400
    whole = make_view(*RUNS[:2], curves=CURVES)
    assert find_common_size(whole, "one") is None
    assert common_size_table(whole) is None


def test_targets_and_requests_at_that_size():
    """Ninety percent is of what bfs has found by then: 18 of 20."""
    table = common_size_table(make_view(*RUNS, curves=CURVES))
    assert table.columns == ("crawler", "one, 400 requests")
    assert rows_of(table) == {
        "bfs": ["20 | 85.0"], "dfs": ["0 | +∞"], "tres": ["30 | 22.5"],
    }  # fmt: skip


def test_captions_say_what_a_share_is_of():
    """With a limit, shares are of what bfs visits up to it, and the table says so."""
    sites = (make_site(),)
    whole, partial = (make_view(*RUNS, sites=sites, is_partial=is_it) for is_it in (False, True))
    assert requests_table(whole).title.endswith("those that visit everything")
    table = requests_table(partial)
    assert table.title.endswith("those that bfs makes up to the limit")
    assert "90 % is of the targets that bfs finds up to it" in table.note


def test_the_time_to_match_is_extrapolated():
    """What bfs found until sb-classifier had 90 %, at its rate, gives the time to the rest."""
    curves = {
        ("one", "sb-classifier", "", 0): ((100, 50, 0, 0), (1000, 90, 0, 0)),
        ("one", "bfs", "", 0): ((1000, 30, 0, 0), (4000, 90, 0, 0)),
        ("one", "dfs", "", 0): ((1001, 1, 0, 0), (1002, 90, 0, 0)),
        ("one", "random", "", 0): ((1000, 60, 0, 0),),
        ("one", "random", "", 1): ((1000, 120, 0, 0),),
    }
    runs = [make_run(requests_to_90=1000), make_run("bfs"), make_run("dfs")]
    runs += [make_run("random", seed=seed) for seed in (0, 1)]
    table = matching_table(make_view(*runs, curves=curves), RequestCosts(3600))
    assert table.columns == ("crawler", "one, after 1,000 requests")
    # 1,000 hours for 30 targets, so 2,000 for the other 60: 2.7 months of 730.5 hours.
    assert rows_of(table) == {"bfs": ["2.7 months"], "dfs": ["+∞"], "random": ["0"]}
    assert matching_table(make_view(*runs[1:], curves=curves), RequestCosts()) is None


def test_partial_crawls_are_matched_at_their_common_size():
    """Where a limit ended crawls, the targets are those found by the smallest one."""
    curves = {
        ("one", "sb-classifier", "", 0): ((40, 10, 0, 0), (800, 11, 0, 0)),
        ("one", "tres", "", 0): ((40, 4, 0, 0), (50, 5, 100, 0), (70, 6, 0, 0), (80, 50, 0, 0)),
    }
    runs = [make_run(stopped="max requests", requests=800)]
    runs.append(make_run("tres", stopped="step over 60 s", requests=60))
    view = make_view(*runs, curves=curves, is_partial=True)
    table = matching_table(view, RequestCosts(1))
    assert table.columns == ("crawler", "one, after 60 requests")
    assert rows_of(table) == {"tres": ["1.0 minutes"]}


def test_settings_of_one_crawler_compete():
    """The best of each crawler is bold: an oracle takes it from nobody."""
    runs = [
        make_run("sb-classifier", requests_to_90=700),
        make_run("sb-classifier", variant="epochs=1 max_balance=1", requests_to_90=600),
        make_run("sb-oracle", requests_to_90=200),
        make_run("sb-oracle", variant="normalize=no", requests_to_90=300),
        make_run("focused", requests_to_90=900),
    ]
    (table,) = comparison_tables(make_view(*runs))
    cells = {head: row[0].split(" | ")[0] for head, row in rows_of(table).items()}
    assert [head for head, cell in cells.items() if "*" in cell] == [
        "sb-classifier, one pass, equal classes", "sb-oracle",
    ]  # fmt: skip
    assert [row.head for row in table.rows if row.ruled] == ["sb-oracle", "focused", "tp-off"]
    assert "Bold: the best of each crawler." in table.note
