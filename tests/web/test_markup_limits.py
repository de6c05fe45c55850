"""Pages that cost a parser far more than their length: read in a moment, their links kept."""

import resource
import subprocess
import sys

import pytest

from datahound.model import Response
from datahound.readers.html import HtmlReader, read_page
from datahound.readers.markup_limits import MAX_ATTRIBUTES, MAX_DEPTH, MAX_MARKUP, limit_markup
from datahound.settings import PageSettings

LINK = "<a href=x>x</a>"
COPIED = "<p>" + "".join(f"<b id={n}>" for n in range(1000)) + "<p>x" * 8000
HOSTILE = {
    "formatting": "<p>" + "".join(f"<b id={n}>" for n in range(1000)) + "<p>x" * 20_000,
    "small formatting": "<p>" + "".join(f"<b id={n}>" for n in range(1500)) + "<p>x" * 4000,
    "fonts": "".join(f"<font size={n}>" for n in range(60_000)),
    "unclosed tags": "<div " * 1_000_000,
    "attributes": "<p " + "".join(f"a{n}=1 " for n in range(120_000)) + ">",
    "quoted attributes": "<p " + "".join(f'a{n}=">" ' for n in range(60_000)) + ">",
    "slashes": "<p" + "".join(f"/a{n}" for n in range(120_000)) + ">",
    "spans": "<span>" * 100_000 + "<div>" * 100_000,
    "unclosed comments": "<!--" * 500_000,
    "scripts": "<script>" * 500_000,
    "quotes": "<a b='c\"" * 300_000,
    "elements": "<i>" * 3_000_000,
    "objects": "<a href=y><object>" * 40_000,
    "rows outside of tables": "x<tr a=1>" * 100_000,
    "rows in tables": "<table>" + "x<tr a=1>" * 100_000,
    "forms in a form": "<form>" + "x<form a=1>" * 100_000,
    "attributes of end tags": "x</b a=1>" * 100_000,
    "cells that are nested too deeply": "<span>" * 600 + "<table>" + "x<td a=1>" * 100_000,
    "one long text": "x" * 1_000_000 + "x<tr a=1>" * 4000,
    "markup in the title of a picture": "<svg><title>" + COPIED,
    "markup in the style of a picture": "<svg><style>" + COPIED,
    "markup in the script of a picture": "<svg><script>" + COPIED,
    "markup in the style of a formula": "<math><style>" + COPIED,
    "markup in styles": "<svg>" + ("<style>" + "<b id=N>" * 90 + "</style>") * 99 + "<p>x" * 9999,
    "markup behind a picture": "<svg><title></svg></title><style>" + COPIED,
    "a comment with an odd end": "<!--x--!>" + COPIED,
    "a comment that seems to end": "<!--!><a '-->" + COPIED,
    "long id": f"<div id={'i' * 1_000_000}>"
    + "".join(f"<a class={n} href=x>" for n in range(9999)),
}
SECONDS = 4.0
BYTES = 300 << 20
READ = """
import sys
from datahound.model import Response
from datahound.readers.html import read_page
read_page(Response("https://a.example/", 200, {}, sys.stdin.buffer.read()))
"""


def cpu_seconds_of_children():
    """CPU time, since the clock on the wall counts what else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_pages_are_read_within_limits_of_time_and_memory(shape):
    """A page of at most a few megabytes takes a few seconds and 300 MB, whatever its shape."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (BYTES + (150 << 20), BYTES + (150 << 20)))

    begun = cpu_seconds_of_children()
    body = (LINK + HOSTILE[shape]).encode()
    command = [sys.executable, "-c", READ]
    subprocess.run(command, input=body, timeout=60, check=True, preexec_fn=limit)
    assert cpu_seconds_of_children() - begun < SECONDS


@pytest.mark.parametrize("shape", ["formatting", "attributes", "spans", "objects"])
def test_links_before_and_behind_hostile_markup_are_found(shape):
    page = read_page(Response("https://a.example/", 200, {}, (HOSTILE[shape] + LINK).encode()))
    assert page.links[-1].url == "https://a.example/x"


def test_ordinary_pages_are_unchanged():
    """Even long ones, with thousands of elements, scripts and comments."""
    row = b'<tr><td class="a b">x <b>y</b><td><a href="/x?a=1&amp;b=2">z</a><!-- <p> --></tr>\n'
    html = b"<html><script>if (a<b) { x = '<div '; }</script><table>" + row * 20_000
    assert limit_markup(html) == html


def test_attributes_behind_the_cap_are_dropped_and_the_tag_stays():
    names = " ".join(f"a{n}" for n in range(2 * MAX_ATTRIBUTES)).encode()
    limited = limit_markup(b"<p " + names + b">text" + b" " * 2000)
    assert limited.startswith(b"<p a0 a1")
    assert limited.rstrip().endswith(b">text")
    assert len(limited.split(b">")[0].split()) == MAX_ATTRIBUTES + 1


def test_depth_counts_what_is_open_and_not_stray_end_tags():
    """An end tag of another element must not hide how deep the page is."""
    limited = limit_markup(b"<div></x></span>" * 6000)
    assert limited.count(b"<div>") == MAX_DEPTH


def test_closed_elements_are_not_nested():
    html = b"<div><span>x</span></div>" * 6000
    assert limit_markup(html) == html


def test_unclosed_formatting_in_cells_ends_with_the_cell():
    """Old pages leave tags open in each cell; they keep them."""
    html = b"<table>" + b"<tr><td><font color=red><b>x" * 3000 + b"</table>"
    assert limit_markup(html) == html


def test_a_page_is_cut_behind_its_last_allowed_tag():
    assert limit_markup(b"<p>" * (MAX_MARKUP + 50)).count(b"<") <= MAX_MARKUP + 1


def test_links_beyond_the_limit_are_counted():
    reader = HtmlReader(PageSettings(max_links=100))
    body = b"<a href=y>y</a>" * 98 + b"<a href=" + b"z" * 8001 + b">z</a>" + b"<a href=x>x</a>" * 6
    page = reader.read(Response("https://a.example/", 200, {}, body))
    assert len(page.links) == 99
    assert page.links_left_out == 6


def test_all_urls_of_a_page_are_bounded():
    """A long base does not make megabytes of URLs from a page of short links."""
    body = b"<base href='/" + b"b/" * 3500 + b"'>" + b"<a href=x.csv>" * 5000
    page = read_page(Response("https://a.example/", 200, {}, body))
    assert sum(len(link.url) for link in page.links) < 10_000_000
    assert page.links_left_out + len(page.links) == 5000


def test_long_urls_never_become_links():
    """A megabyte of URL is neither kept nor compared; pictures in data URLs are no links at all."""
    long = "y" * 1_000_000
    body = f"<a href='?{long}'></a><a href='data:image/png;base64,{long}'></a><a href=x></a>"
    page = read_page(Response("https://a.example/", 200, {}, body.encode()))
    assert [link.url for link in page.links] == ["https://a.example/x"]
    assert page.links_left_out == 1
