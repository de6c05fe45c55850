"""Files on other hosts, by `--linked-files` or `--allow-host`, also once a crawl has ended."""

import asyncio

import pytest
from websites import SEED, Website, data, page

from datahound.errors import UserError
from datahound.report.status import read_status
from datahound.runs.options import make_options
from datahound.runs.run import Run

CDN, OTHER = "static.example.net", "files.example.com"
LINKED = (f"{CDN}/1.csv", f"{CDN}/page", f"{OTHER}/2.csv")


def make_site():
    return Website(
        {
            "/": page(
                f"http://{CDN}/1.csv", f"http://{CDN}/page", f"http://{OTHER}/2.csv", "/own.csv"
            ),
            "/own.csv": data(b"own"),
            f"{CDN}/1.csv": data(b"one"),
            f"{CDN}/page": page("/hidden.csv"),
            f"{OTHER}/robots.txt": data(b"User-agent: *\nDisallow: /", "text/plain"),
            f"{OTHER}/2.csv": data(b"two"),
        }
    )


def crawl(site, folder, **given):
    async def run():
        async with site.served() as address:
            options = {"output": str(folder), "delay": 0, "connect-to": address, **given}
            return await Run(make_options(SEED, options)).go()

    return asyncio.run(run())


def kept(folder):
    return sorted(path.name for path in (folder / "files").rglob("*.csv"))


def test_linked_files_by_the_rules_of_each_host(tmp_path):
    """Files from any host that pages link to, never pages; each host has its robots.txt."""
    site = make_site()
    crawl(site, tmp_path / "crawl", **{"linked-files": True})
    assert kept(tmp_path / "crawl") == ["1.csv", "own.csv"]
    asked = {(exchange.host, exchange.path) for exchange in site.asked}
    assert (CDN, "/page") not in asked
    assert (OTHER, "/robots.txt") in asked
    assert (OTHER, "/2.csv") not in asked


def test_a_finished_crawl_gets_what_it_left_out(tmp_path):
    """Neither option asks for a page again; a third run finds nothing to do."""
    folder = tmp_path / "crawl"
    crawl(make_site(), folder)
    assert kept(folder) == ["own.csv"]
    assert any(f"--allow-host {CDN}" in sentence for sentence in read_status(folder).missed)
    site = make_site()
    assert crawl(site, folder, **{"allow-host": CDN}).status == 0
    assert kept(folder) == ["1.csv", "own.csv"]
    assert {(e.host, e.path) for e in site.asked} == {(CDN, "/robots.txt"), (CDN, "/1.csv")}
    site = make_site()
    crawl(site, folder, **{"allow-host": CDN, "linked-files": True})
    assert {(e.host, e.path) for e in site.asked} == {(OTHER, "/robots.txt")}
    site = make_site()
    ended = crawl(site, folder, **{"allow-host": CDN, "linked-files": True})
    assert "finished before" in ended.reason
    assert not site.asked


def test_hosts_can_be_added_and_not_taken_away(tmp_path):
    """Another crawl into the same folder is still refused."""
    folder = tmp_path / "crawl"
    crawl(make_site(), folder, **{"allow-host": CDN})
    with pytest.raises(UserError, match="another --allow-host"):
        crawl(make_site(), folder)
