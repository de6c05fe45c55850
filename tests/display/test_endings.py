"""The end of crawls says what they brought, where it is, what was missed, and what to do next."""

from dataclasses import replace
from pathlib import Path

import pytest

from datahound.display.endings import describe_ending, describe_endings, wrap_lines
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


def test_a_crawl_that_found_no_page_has_nothing_to_look_at():
    failed = CrawlSummary(ONE.site, ONE.folder, "no start page", "host not found\x1b[2J", 1)
    assert describe_ending(failed) == ["www.a.example: host not found[2J"]
    down = replace(failed, requests=3, report=Path("a b/report.html"), missed=("1 request.",))
    assert describe_ending(down)[1:] == ["  folder    a b"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"files": 0, "tables": 0}, "no file, in"),
        ({"tables": 0}, "1 file (2.0 MB) without tables, in"),
        ({"tables": None}, "1 file (2.0 MB), in"),
        ({"files": 1_234, "copies": 3}, "1,234 files (2.0 MB; 3 of them copies) with 3 tables, in"),
        ({"files": 2, "list_only": True, "tables": None}, "2 files (listed), in"),
    ],
)
def test_what_was_found_is_said_in_words(given, said):
    """Of one crawl, and of several."""
    assert describe_ending(replace(ONE, **given))[1].startswith(f"  found     {said}")
    if "list_only" not in given:
        assert describe_endings([replace(ONE, **given)], None)[1].startswith(f"  found     {said}")


def test_a_terminal_breaks_no_words():
    """Lines go on under their text, and addresses stay in one piece."""
    url = "www.a.example/a/long/address/that-has-hyphens/index.html"
    lines = describe_ending(replace(ONE, missed=(f"4 files: --allow-host b.example {url} gets.",)))
    broken = wrap_lines(lines, 60)
    assert [line.strip() for line in broken if url in line] == [url]
    assert all(len(line) <= 60 or url in line for line in broken)
    assert broken[0] == lines[0]
    assert all(line.startswith("  ") for line in broken[1:])
    assert " ".join(" ".join(broken).split()) == " ".join(" ".join(lines).split())


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


def test_failures_fit_the_screen():
    """What every line would repeat is shortened, and names take the room of the longest."""
    reason = "the start page could not be fetched: can't connect: Connection refused"
    failed = CrawlSummary("http://www.b.example/", Path("x/b-files"), "no start page", reason, 1)
    line = describe_endings([failed, failed], None)[2]
    assert line == "  failed    b-files  start page: can't connect: Connection refused"


def test_interrupted_is_no_failure():
    lines = describe_endings([replace(ONE, status=130), ONE], None)
    assert lines[0] == "2 sites, 0 failed"
