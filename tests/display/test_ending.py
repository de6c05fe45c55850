"""The end of a crawl says what it brought, where it is and what to do next."""

from dataclasses import replace
from pathlib import Path

from datahound.display.ending import describe_ending, describe_endings
from datahound.operate.summary import CrawlSummary

ONE = CrawlSummary(
    site="https://www.a.example/",
    folder=Path("a b"),
    cause="requests spent",
    reason="the budget of requests is spent",
    status=0,
    files=1,
    kept=1,
    kept_bytes=2_000_000,
    tables=3,
    requests=1_234,
    seconds=61.0,
    report=Path("a b/report.html"),
    left="Probably none.",
    missed=("2 forms on 1 page were not filled in.",),
    hint="to go on, run the same command with a larger --budget",
)


def test_one_crawl():
    assert describe_ending(ONE, ["the site has moved"]) == [
        "www.a.example: the budget of requests is spent",
        "  note      the site has moved",
        "  found     1 file (2.0 MB) with 3 tables, in 1,234 requests and 1m 01s",
        "  folder    a b",
        "  report    a b/report.html",
        "  missed    2 forms on 1 page were not filled in.",
        "  left      Probably none.",
        "  next      datahound serve 'a b'",
        "  go on     run the same command with a larger --budget",
    ]


def test_a_crawl_that_found_no_page_has_no_folder_to_look_at():
    failed = CrawlSummary(ONE.site, ONE.folder, "no start page", "host not found\x1b[2J", 1)
    assert describe_ending(failed) == ["www.a.example: host not found[2J"]


def test_many_crawls_have_totals_and_a_table_of_failures():
    failed = CrawlSummary("https://b.example/", Path("b"), "no start page", "timed out", 1)
    lines = describe_endings([ONE, ONE, *[failed] * 30], Path("out/summary.csv"))
    text = "\n".join(lines)
    assert lines[0] == "32 sites, 30 failed"
    assert "2 files (4.0 MB) with 6 tables, in 2,468 requests" in text
    assert "2 sites: the budget of requests is spent" in text
    assert text.count("timed out") == 20
    assert "and 10 more" in text
    assert lines[-2:] == ["  summary   out/summary.csv", "  next      datahound serve out"]


def test_interrupted_is_no_failure():
    lines = describe_endings([replace(ONE, status=130), ONE], None)
    assert lines[0] == "2 sites, 0 failed"
