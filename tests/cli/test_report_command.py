"""`datahound report`: a page for every crawl, and one line for what is no crawl."""

import asyncio

import pytest

from datahound.archive import open_archive
from datahound.archive.server import serve_archive
from datahound.cli.running import Manner, crawl_all
from datahound.runs.finish import replay_breadth_first
from datahound.runs.options import make_options


def crawl(output, **given):
    """Crawl a small built-in site over loopback."""

    async def go():
        archive = open_archive("synthetic:demo?pages=120&targets=40")
        async with serve_archive(archive) as served:
            address = served.address.removeprefix("http://")
            asked = {"output": str(output), "delay": "0", "connect-to": address, **given}
            return await crawl_all([make_options(archive.seed, asked)], Manner(as_json=True))

    return asyncio.run(go())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    output = tmp_path_factory.mktemp("whole") / "site"
    crawl(output, **{"list-only": True, "early-stop": False})
    return output


def test_a_report_of_a_whole_crawl(datahound, whole, tmp_path):
    """It says where it stands, and tells what breadth-first order would have taken."""
    status, out, _ = datahound("report", whole)
    assert status == 0
    assert out.strip() == str(whole / "report.html")
    html = (whole / "report.html").read_text("utf-8")
    assert "breadth-first order would have taken" in html
    assert "No file that links lead to." in html
    assert "listed only" in html
    elsewhere = tmp_path / "mine.html"
    assert datahound("report", whole, "--output", elsewhere)[0] == 0
    assert elsewhere.exists()


def test_breadth_first_order_finds_as_many(whole):
    """The journal answers all that a breadth-first crawl asks; in no time it is left out."""
    found = replay_breadth_first(whole, 60)
    assert len(found) == 40
    assert found == sorted(found)
    assert replay_breadth_first(whole, 0) is None


def test_a_crawl_cut_short(datahound, tmp_path):
    """A budget ends it: an estimate, and no breadth-first order."""
    crawl(tmp_path / "site", budget="60", **{"list-only": True})
    assert replay_breadth_first(tmp_path / "site", 60) is None
    assert datahound("report", tmp_path / "site")[0] == 0
    html = (tmp_path / "site" / "report.html").read_text("utf-8")
    assert "the budget of requests is spent" in html
    assert "breadth-first order would have taken is unknown" in html


def test_mistakes_are_one_line(datahound, tmp_path):
    """No crawl, no such folder, a folder to write to."""
    for arguments in ([tmp_path], [tmp_path / "none"], [tmp_path, "--output", tmp_path]):
        status, out, err = datahound("report", *arguments)
        assert status == 2
        assert not out
        assert len(err.strip().splitlines()) == 1
