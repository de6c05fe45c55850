"""Datahound and Scrapy side by side: the same served site, one machine, one run, no delay.

    .venv/bin/python benchmarks/speed/against_scrapy.py [rounds] [pages] \
        > benchmarks/results/against_scrapy.csv

Scrapy has its default settings and a spider that follows all links; Datahound visits all links
too (bfs), with its journal, its database and its checkpoints: once with `--list-only`, once with
every file kept. Neither reads robots.txt, as is Scrapy's default, and imports are not counted.
The server has a process of its own and files are small: what is measured is the crawler. Crawlers
take turns, since others use the machine too; the last rows are the medians.
"""

import asyncio
import csv
import json
import logging
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess
from served import site_process

from datahound.events import Visited
from datahound.runs.options import make_options
from datahound.runs.run import Run

CRAWLERS = ("scrapy", "datahound", "datahound-files")
COLUMNS = ("round", "crawler", "pages", "answers", "pages_per_s", "cpu_ms_per_page")
SMALL_FILES = "bodies=on&size_mb=0.02&size_std_mb=0.001&max_body=20000"


def crawl_with_scrapy(url):
    """What is counted, and what to call to follow all links."""
    counts = {"pages": 0, "answers": 0}

    class FollowAll(scrapy.Spider):
        name = "follow-all"
        start_urls = (url,)
        allowed_domains = ("127.0.0.1",)

        def parse(self, response):
            counts["answers"] += 1
            if not isinstance(response, scrapy.http.HtmlResponse):
                return
            counts["pages"] += 1
            for address in response.css("a::attr(href)").getall():
                if not address.startswith(("mailto:", "tel:", "javascript:")):
                    yield response.follow(address, self.parse)

    process = CrawlerProcess({"LOG_LEVEL": "CRITICAL", "TELNETCONSOLE_ENABLED": False})
    process.crawl(FollowAll)
    return counts, process.start


def crawl_with_datahound(url, **more):
    """What is counted, and what to call to visit all links."""
    counts = {"pages": 0, "answers": 0}
    folder = tempfile.TemporaryDirectory()
    given = {"output": folder.name, "delay": 0, "strategy": "bfs", "early-stop": False}

    def watch(run, events):
        pages = sum(isinstance(e, Visited) and e.reward is not None for e in events)
        counts["pages"] += pages
        counts["answers"] = run.crawl.tally.requests

    run = Run(make_options(url, given | more), watch=watch)

    def go():
        ended = asyncio.run(run.go())
        assert run.crawl.stopped, ended
        folder.cleanup()

    return counts, go


def measure(crawler, url):
    """One crawl in this process, as one line of JSON."""
    if crawler == "scrapy":
        counts, go = crawl_with_scrapy(url)
    else:
        files = crawler == "datahound-files"
        counts, go = crawl_with_datahound(url, **{"list-only": not files, "ignore-robots": True})
    logging.disable(logging.ERROR)
    wall, processor = time.perf_counter(), time.process_time()
    go()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(
        json.dumps([*counts.values(), counts["pages"] / wall, 1000 * processor / counts["pages"]])
    )


def main(rounds=5, pages=2100):
    table = csv.writer(sys.stdout)
    table.writerow(COLUMNS)
    measured = {crawler: [] for crawler in CRAWLERS}
    with site_process(f"synthetic:demo?pages={pages}&{SMALL_FILES}") as url:
        for number in range(1, rounds + 1):
            for crawler in CRAWLERS:
                command = [sys.executable, str(Path(__file__)), "measure", crawler, url]
                said = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
                figures = json.loads(said.splitlines()[-1])
                measured[crawler].append(figures)
                write(table, number, crawler, figures)
    for crawler, figures in measured.items():
        write(
            table,
            "median",
            crawler,
            [statistics.median(column) for column in zip(*figures, strict=True)],
        )


def write(table, number, crawler, figures):
    pages, answers, per_second, processor = figures
    row = (int(pages), int(answers), round(per_second, 1), round(processor, 3))
    table.writerow([number, crawler, *row])
    sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(*sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
