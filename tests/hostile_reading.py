"""Reads hostile answers in a process of its own, and measures the time and memory of each.

usage: hostile_reading.py FIRST COUNT    prints a row of JSON per answer
"""

import ctypes
import json
import sys
import time
from pathlib import Path

from hostile import Hostile

from datahound.downloads.file_names import name_for
from datahound.http.politeness import seconds_in
from datahound.http.robots import parse_robots
from datahound.model import Response
from datahound.readers.job import BodyReading, ReadingJob, ResultReader, pack_result
from datahound.readers.link_sources import find_in_headers, find_references
from datahound.readers.linked_data import declared_files
from datahound.settings import PageSettings, TrapSettings
from datahound.web.messages import clean_headers, content_length, header_size, unpack_tolerantly
from datahound.web.site import Site, Traps
from datahound.web.targets import kind_of
from datahound.web.types import looks_like_html
from datahound.web.urls import extension_of

URL = "https://www.site.example/a/b?c=1"
LIMIT = 16 << 20
LINKS = 2000


def read_answer(answer):
    """Do with an answer whatever a crawl does with it, and return the number of its links."""
    headers = clean_headers(answer.fields)
    response = Response(URL, answer.status, headers, answer.payload)
    kind_of(response)
    content_length(headers)
    header_size(answer.status, headers)
    seconds_in(headers.get("retry-after", ""), 0.0)
    looks_like_html(answer.payload)
    name_for(URL, headers, answer.payload[:4096])
    find_in_headers(headers)
    is_list = answer.kind in ("json", "xml")
    job = ReadingJob(URL, headers, answer.payload, LIMIT, PageSettings(), is_list=is_list)
    records = pack_result(job, BodyReading().read(job))
    taken = ResultReader(job)
    for record in records:
        taken.take(json.loads(json.dumps(record)))
    result = taken.result
    _read_text(answer.kind, result.body)
    unpack_tolerantly(answer.payload, headers.get("content-encoding", ""), LIMIT)
    return _judge_links(result.page)


def _read_text(kind, body):
    if kind == "robots":
        rules = parse_robots(body, "datahound")
        for path in ("/", "/a" * 50, "/abababab", "/%61"):
            rules.can_fetch(f"https://www.site.example{path}", "datahound")
        rules.crawl_delay("datahound")
    if kind == "json":
        text = body.decode("utf-8", "replace")
        declared_files(text)
        list(find_references(text))


def _judge_links(page):
    if page is None:
        return 0
    site, traps = Site(URL), Traps(TrapSettings())
    links = [*page.links, *page.declared, *page.further]
    for link in links[:LINKS]:
        site.objection(link.url)
        traps.objection(link.url)
        extension_of(link.url)
        name_for(link.url, {})
    return len(links)


def measure(seed):
    """Seconds of CPU time and the peak of memory, in MB, that one answer needs."""
    answer = Hostile(seed).answer()
    # What the answers before have left behind is not of this one.
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    begun = time.thread_time()
    links = read_answer(answer)
    seconds = time.thread_time() - begun
    status = Path("/proc/self/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    size = len(answer.payload)
    return {"seed": seed, "kind": answer.kind, "bytes": size, "links": links,
            "seconds": round(seconds, 3), "peak_mb": round(peak)}  # fmt: skip


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:])
    for number in range(first, first + count):
        print(json.dumps({"begun": number}), flush=True)
        print(json.dumps(measure(number)), flush=True)
