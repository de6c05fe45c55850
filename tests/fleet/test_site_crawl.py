"""What of a site is in the store, and when."""

import asyncio

import fleet_trial as trial
from warcio.archiveiterator import ArchiveIterator

from datahound.engines.reading_pool import ReadingPool
from datahound.fleet import site_crawl
from datahound.fleet.orders import make_site
from datahound.remote.objects import join_place, open_objects
from datahound.remote.pull import pull_folder


def list_answers(folder):
    """The URLs whose answers are in the journal of a folder."""
    found = []
    for path in folder.glob("pages/*.warc.gz"):
        with path.open("rb") as stream:
            found += [
                record.rec_headers.get_header("WARC-Target-URI")
                for record in ArchiveIterator(stream)
                if record.rec_type == "response"
            ]
    return found


def test_answers_are_in_the_store_before_the_catalogue_is_made(tmp_path, monkeypatch):
    """A worker that dies while it makes a catalogue repeats no request."""
    store, shipped = str(tmp_path / "store"), []
    finish = site_crawl.finish_crawl

    def look_and_finish(options, ended):
        pulled = tmp_path / "pulled"
        pull_folder(open_objects(join_place(store, f"crawls/{site.slug}")), pulled)
        shipped.extend(list_answers(pulled))
        finish(options, ended)

    monkeypatch.setattr(site_crawl, "finish_crawl", look_and_finish)

    async def go():
        async with ReadingPool() as reader:
            crawler = site_crawl.SiteCrawler(store, tmp_path / "work", reader, ship_seconds=3600)
            return await crawler.crawl(site, 1, lambda: True)

    with trial.served_sites(tmp_path, ["127.7.9.1"], pages=2, files=2) as (sites, _):
        site, _ = make_site(f"{sites[0]}/", {"delay": 0.05})
        ending = asyncio.run(go())
    assert ending.files == 4
    assert {f"{sites[0]}{path}" for path in ("/", "/p/0.html", "/p/1.html")} <= set(shipped)
