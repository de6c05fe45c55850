"""Crawls that a limit ended are compared at the smallest size that all of them reached."""

from made_results import make_run, make_site, make_view, rows_of

from datahound.lab.report.crawler_tables import requests_table
from datahound.lab.report.partial_tables import common_size_table, find_common_size

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
