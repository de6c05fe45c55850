"""Datahound's strategies inside a Scrapy project."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from datahound.archive import open_archive
from datahound.archive.server import serve_archive
from datahound.errors import UserError
from datahound.scrapy import Ordering, make_ordering
from datahound.strategies import make_strategy
from datahound.web.targets import DEFAULT_TARGETS

PROJECT = Path(__file__).parent.parent / "examples" / "scrapy_project"
SETTINGS = {
    "SCHEDULER": "datahound.scrapy.DatahoundScheduler",
    "SPIDER_MIDDLEWARES": {"datahound.scrapy.DatahoundMiddleware": 543},
}
SITE = "http://www.site.example/"


async def scrapy_crawl(spec, folder, *settings):
    """The files that the example project lists, and what it said."""
    listed = folder / "files.json"
    async with serve_archive(open_archive(spec), rewrite=True) as served:
        command = ["-m", "scrapy", "crawl", "files", "-a", f"url={served.start}", "-O", str(listed)]
        crawling = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            *(part for setting in settings for part in ("-s", setting)),
            cwd=PROJECT,
            env={**os.environ, "PYTHONWARNINGS": "error::UserWarning:datahound"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await crawling.communicate()
    found = json.loads(listed.read_text() or "[]") if listed.exists() else []
    files = [item for item in found if not item["type"].startswith("image/")]
    return files, said.decode()


def test_the_example_project_finds_every_file(tmp_path):
    """A Scrapy project that uses a strategy loses nothing of what its spider follows."""
    spec = "synthetic:demo?scale=0.05&size_mb=0.02&size_std_mb=0.001"
    files, _ = asyncio.run(scrapy_crawl(spec, tmp_path))
    assert len({item["url"] for item in files}) == len(list(open_archive(spec).targets()))


def test_a_strategy_finds_files_sooner_than_scrapy(tmp_path):
    """The same spider, stopped after so many answers, has more files with Datahound's order."""
    spec = "synthetic:demo?scale=0.25&size_mb=0.02&size_std_mb=0.001"
    stop = "CLOSESPIDER_PAGECOUNT=80"
    scrapy_own = ("SCHEDULER=scrapy.core.scheduler.Scheduler", "SPIDER_MIDDLEWARES={}")
    folders = [tmp_path / "datahound", tmp_path / "scrapy"]
    for folder in folders:
        folder.mkdir()

    async def both():
        ours = scrapy_crawl(spec, folders[0], stop)
        return await asyncio.gather(ours, scrapy_crawl(spec, folders[1], stop, *scrapy_own))

    (ours, _), (theirs, _) = asyncio.run(both())
    assert len(ours) > 1.5 * len(theirs)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("DATAHOUND_STRATEGY=omniscient", "DATAHOUND_STRATEGY: omniscient works on recorded"),
        ("JOBDIR=jobs", "JOBDIR: DatahoundScheduler keeps its requests in memory only"),
        ("SCHEDULER=scrapy.core.scheduler.Scheduler", "DatahoundMiddleware needs DatahoundSch"),
    ],
)
def test_settings_that_cannot_work_are_refused_in_one_clear_line(setting, words, tmp_path):
    """Not with a page of Scrapy's insides; nothing is asked for."""
    setting = setting.replace("jobs", str(tmp_path / "jobs"))
    files, said = asyncio.run(scrapy_crawl("synthetic:demo?scale=0.05", tmp_path, setting))
    (line,) = said.splitlines()
    assert f"ERROR: {words}" in line
    assert not files


def test_the_docs_show_the_example():
    """What docs/scrapy.md tells to write is what the example has."""
    docs = (PROJECT.parents[1] / "docs" / "scrapy.md").read_text()
    settings = (PROJECT / "statistics_site" / "settings.py").read_text()
    shown = re.search(r"```python\n(.*?)```", docs, re.DOTALL)[1]
    assert shown in settings


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"DATAHOUND_STRATEGY": "sb-oracle"}, "recorded sites only"),
        ({"DATAHOUND_STRATEGY": "best"}, "unknown strategy 'best'"),
        ({"DATAHOUND_TARGETS": ["nonsense"]}, "unknown target type"),
        ({"JOBDIR": "jobs"}, "in memory only"),
        ({"SPIDER_MIDDLEWARES": {}}, "DatahoundMiddleware"),
    ],
)
def test_settings_that_cannot_work_are_refused(settings, words):
    """A wrong setting is named when the crawl starts, not felt when it ends."""
    with pytest.raises(UserError, match=words):
        make_ordering(get_crawler(settings_dict=SETTINGS | settings).settings)


def ordering(strategy="bfs"):
    return Ordering(make_strategy(strategy), DEFAULT_TARGETS)


def page(*links, url=SITE, request=None):
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return HtmlResponse(
        url,
        headers={"Content-Type": "text/html"},
        body=f"<title>A page</title><ul>{items}</ul>".encode(),
        request=request or Request(url),
    )


def data(request):
    return Response(request.url, headers={"Content-Type": "text/csv"}, body=b"1", request=request)


def give(order, response, requests):
    """The spider yields requests for a page."""
    reading = order.open_page(response)
    for request in requests:
        order.hand_ticket(request, reading)
        order.add(request)
    order.close_page(reading)


def rest(order):
    """The URLs of everything that is left, in order."""
    return [request.url.removeprefix(SITE) for request in iter(order.next, None)]


def test_what_is_no_link_is_made_first_in_first_out():
    """POSTs, forms and URLs of the spider's own keep the order in which they were yielded."""
    order = ordering("dfs")
    own = [Request(SITE + "api"), Request(SITE + "a", method="POST"), Request(SITE + "own")]
    links = [Request(SITE + "a"), Request(SITE + "b")]
    give(order, page("a", "b"), [links[0], *own, links[1]])
    assert len(order) == 5
    assert rest(order) == ["api", "a", "own", "b", "a"]
    assert len(order) == 0


def test_a_priority_of_its_own_is_kept():
    """A request that the spider gave a priority is made by it."""
    order = ordering()
    urgent = Request(SITE + "b", priority=5)
    give(order, page("a", "b"), [Request(SITE + "a"), Request(SITE + "login"), urgent])
    assert rest(order) == ["b", "login", "a"]


def test_redirects_and_retries_wait_no_longer():
    """What was chosen and must be asked for again is asked for next."""
    order = ordering()
    give(order, page("a", "b"), [Request(SITE + "a"), Request(SITE + "b")])
    chosen = order.next()
    order.add(chosen.replace(url=SITE + "moved", dont_filter=True))
    assert rest(order) == ["moved", "b"]


def test_meta_passed_on_is_no_ticket():
    """A spider may hand its response's meta to new requests: they are new all the same."""
    order = ordering()
    give(order, page("a"), [Request(SITE + "a")])
    first = order.next()
    response = page("b", url=SITE + "a", request=first)
    give(order, response, [Request(SITE + "c", meta=dict(response.meta)), Request(SITE + "b")])
    assert rest(order) == ["c", "b"]


def test_a_page_earns_what_its_links_bring():
    """The links of a page that led to files before are chosen before the others."""
    order = ordering("sb-classifier")
    first = "".join(
        f'<p><a href="p{n}">p</a></p><div><a href="d{n}">d</a></div>' for n in range(20)
    )
    start = page(url=SITE).replace(body=f"<body>{first}</body>".encode())
    names = [f"{kind}{n}" for n in range(20) for kind in "pd"]
    give(order, start, [Request(SITE + name) for name in names])
    visited = []
    for request in iter(order.next, None):
        name = request.url.removeprefix(SITE)
        if name.endswith(".csv"):
            order.learn(data(request), request)
            continue
        visited.append(name)
        files = [f"{name}-{n}.csv" for n in range(3)] if name.startswith("d") else []
        response = page(*files, url=request.url, request=request)
        order.learn(response, request)
        give(order, response, [Request(SITE + file) for file in files])
    assert sorted(visited) == sorted(names)
    assert sum(name.startswith("d") for name in visited[:25]) > 15


def test_a_file_that_never_comes_does_not_hold_up_learning():
    """A page is learned from sooner or later, even if one of its files is lost."""
    order = ordering("sb-classifier")
    give(order, page("lost"), [Request(SITE + "lost")])
    order.next()
    assert order._readings
    order._choices = 100
    order.next()
    assert not order._readings
