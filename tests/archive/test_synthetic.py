"""Synthetic websites as archives."""

import os
import random
import subprocess
import sys
import time
import tracemalloc
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest

from datahound.archive import glance
from datahound.archive.synthetic import SyntheticArchive, SyntheticSettings, open_synthetic
from datahound.errors import ArchiveError, UserError
from datahound.model import Fetch, Kind, Purpose, Response
from datahound.readers.html import read_page
from datahound.web.messages import header_size
from datahound.web.site import Site
from datahound.web.targets import kind_of
from datahound.web.urls import canonical

SMALL = SyntheticSettings(pages=600, targets=300, languages=("en", "fr"))


def get(archive, url, purpose=Purpose.VISIT):
    answer = archive.get(Fetch(url, purpose))
    assert isinstance(answer, Response)
    return answer


def kind_at(archive, url):
    """What a GET of the URL would bring, without making it."""
    seen = glance(archive, url)
    if seen is None:
        return Kind.OTHER
    return kind_of(Response(url, seen.status, {"content-type": seen.content_type}))


def fingerprint(archive):
    digest = sha256()
    for fetch, answer in archive:
        digest.update(repr((fetch.url, answer.status, answer.headers, answer.body)).encode())
    return digest.hexdigest()


def test_the_same_settings_are_the_same_bytes():
    """Two websites with equal settings are equal in every byte, another seed is another site."""
    once, again = (fingerprint(SyntheticArchive(SMALL)) for _ in range(2))
    assert once == again
    assert once != fingerprint(open_synthetic("synthetic:?pages=600&targets=300&seed=2"))


def test_the_same_in_any_process():
    """Hash randomisation changes nothing."""
    spec = "synthetic:qa?scale=0.2"
    code = (
        "import sys; sys.path[:0] = [sys.argv[1]]; from test_synthetic import *;"
        "print(fingerprint(open_synthetic(sys.argv[2])))"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parent), spec]
    env = {**os.environ, "PYTHONHASHSEED": "271828"}
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == fingerprint(open_synthetic(spec))


def test_every_link_leads_somewhere():
    """A link on the site names something that the rule knows, or is one of the few dead ones."""
    archive = SyntheticArchive(SMALL)
    site = Site(archive.seed)
    dead = known = 0
    for fetch, answer in archive:
        if kind_of(answer) is not Kind.PAGE:
            continue
        for link in read_page(answer).links:
            assert link.url == canonical(link.url)
            if not site.admits(link.url):
                continue
            status = get(archive, link.url, Purpose.PROBE).status
            if status >= 400:
                dead += 1
                assert "/archive/" in link.url or "/cgi-bin/" in link.url, (fetch.url, link.url)
            known += status < 400
    assert 0 < dead < 0.01 * known


def test_every_url_is_found_again():
    """What iteration yields is what a fetch of the URL answers; its kind is known before."""
    archive = SyntheticArchive(SMALL)
    statuses = set()
    for fetch, answer in archive:
        assert get(archive, fetch.url) == answer
        assert kind_at(archive, fetch.url) is kind_of(answer)
        statuses.add(answer.status)
    assert statuses == {200, 301, 302, 404, 500}


def test_every_url_is_recorded_once():
    """Iteration names no URL twice."""
    urls = [fetch.url for fetch, _ in SyntheticArchive(SMALL)]
    assert len(urls) == len(set(urls))


def test_total_targets_is_known_by_rule():
    """The number and the URLs of targets are known without visiting a page."""
    archive = SyntheticArchive(SMALL)
    urls = list(archive.targets())
    assert len(set(urls)) == len(urls) == SMALL.targets
    assert {kind_at(archive, url) for url in urls} == {Kind.TARGET}


def test_a_head_is_headers_only():
    """A probe gets the headers of the page, and its size is theirs."""
    archive = SyntheticArchive(SMALL)
    for url in (archive.seed, next(archive.targets()), archive.seed + "nothing"):
        whole, head = get(archive, url), get(archive, url, Purpose.PROBE)
        assert (head.status, head.headers, head.body) == (whole.status, whole.headers, b"")
        assert head.size == header_size(whole.status, whole.headers)


def test_an_unknown_url_is_not_found():
    """A URL that the rule does not know answers 404 with a page; another host answers nothing."""
    archive = SyntheticArchive(SMALL)
    for path in ("nowhere", "themes/population/release/x-999999", "download/99999999", "news/?p=x"):
        answer = get(archive, archive.seed + path)
        assert answer.status == 404
        assert answer.body
    assert archive.get(Fetch("https://elsewhere.example/")) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda url: url.replace("https:", "http:"),
        lambda url: url.replace("www.", ""),
        lambda url: url.replace("population", "population", 1).replace("-by-", "-old-"),
    ],
)
def test_other_addresses_are_redirected(change):
    """A page asked for by an old scheme, host or slug redirects to its address of today."""
    archive = SyntheticArchive(SMALL)
    urls = [fetch.url for fetch, _ in archive]
    url = next(url for url in urls if "/release/" in url and "-by-" in url)
    answer = get(archive, change(url))
    assert answer.status == 301
    assert answer.headers["location"] == url


def test_headers_are_what_a_server_sends():
    """Every answer says its type and length; a length is that of the body where there is one."""
    archive = SyntheticArchive(SMALL)
    for fetch, answer in archive:
        assert all(name == name.lower() for name in answer.headers)
        assert answer.headers["content-length"] == str(answer.size)
        if kind_at(archive, fetch.url) is Kind.TARGET:
            assert answer.truncated
            assert answer.headers["last-modified"].endswith("GMT")
        else:
            assert len(answer.body) == answer.size


def test_nothing_can_be_recorded():
    """A rule can't be recorded into."""
    archive = SyntheticArchive(SMALL)
    with pytest.raises(ArchiveError, match="made by rule"):
        archive.put(Fetch(archive.seed), Response(archive.seed, 200))


def test_a_glance_agrees_with_a_fetch():
    """Status, type, place and a target's size are known at a glance."""
    archive = SyntheticArchive(SMALL)
    for fetch, answer in archive:
        seen = glance(archive, fetch.url)
        assert (seen.url, seen.status) == (fetch.url, answer.status)
        assert seen.content_type == answer.headers["content-type"]
        assert seen.location == answer.headers.get("location", "")
        if kind_at(archive, fetch.url) is Kind.TARGET:
            assert seen.size == answer.size


def test_pages_look_like_pages():
    """Pages have titles, dozens of links, menus, breadcrumbs; files have several tag paths."""
    archive = SyntheticArchive(SMALL)
    paths, languages = set(), set()
    for _, answer in archive:
        if kind_of(answer) is Kind.PAGE:
            page = read_page(answer)
            assert page.title
            assert len(page.links) > 20
            assert any(".breadcrumb" in link.tag_path for link in page.links)
            languages.add(answer.body.split(b'lang="')[1][:2])
            targets = [link for link in page.links if kind_at(archive, link.url) is Kind.TARGET]
            paths |= {link.tag_path.rpartition("article")[2] for link in targets}
            assert all(link.anchor for link in targets)
    assert languages == {b"en", b"fr"}
    assert len(paths) >= 4


def test_the_site_has_what_real_ones_have():
    """Subdomains, URLs that hide what they are, pictures, redirects to targets, pagination."""
    archive = open_synthetic("synthetic:demo")
    urls = [fetch.url for fetch, _ in archive]
    targets = list(archive.targets())
    assert any(url.startswith("https://data.demo.example/") for url in urls)
    assert 0.2 < sum("." not in url.rpartition("/")[2] for url in targets) / len(targets) < 0.4
    assert any("/images/" in url for url in urls)
    assert any("/go/" in url for url in urls)
    assert any("?page=2" in url or "page/2/" in url for url in urls)
    assert any("/search/?q=" in url or "/search/" in url for url in urls)


def test_rewards_have_a_heavy_tail():
    """Most pages with files have one or two, a few have very many."""
    archive = open_synthetic("synthetic:ce?scale=0.02")
    layout = archive._layout
    held = sorted(
        len(section.files_of(number))
        for section in layout.sections
        for number in range(section.articles)
        if section.files_of(number)
    )
    assert sum(held) == len(list(archive.targets()))
    assert held[len(held) // 4] <= 4
    assert held[-1] > 100


def test_traps_are_endless_but_off_by_default():
    """With traps on, the calendar and session ids go on for ever; without, they are not there."""
    sober = SyntheticArchive(SMALL)
    month = f"{sober.seed}calendar/2024/01"
    assert get(sober, month).status == 404
    assert b"sid=" not in get(sober, sober.seed).body
    trapped = open_synthetic("synthetic:?pages=600&targets=300&traps=on")
    seen = {month, trapped.seed}
    for start, mark in ((month, "calendar-next"), (trapped.seed, "print")):
        url = start
        for _ in range(50):
            links = read_page(get(trapped, url)).links
            url = next(link.url for link in links if link.tag_path.endswith(f"a.{mark}"))
            assert url not in seen
            seen.add(url)
        assert kind_at(trapped, url) is Kind.PAGE


def test_ten_million_pages_cost_nothing():
    """The largest site opens at once, keeps next to nothing and answers pages quickly."""
    tracemalloc.start()
    start = time.perf_counter()
    archive = open_synthetic("synthetic:?pages=10000000&targets=4000000&linking=0.1&depth=7")
    opened = time.perf_counter() - start
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert opened < 2.5
    assert kept < 10_000_000
    chance = random.Random(3)
    start = time.perf_counter()
    for _ in range(300):
        node = f"{archive.seed}node/{chance.randrange(9_000_000)}"
        page = get(archive, get(archive, node).headers["location"])
        assert page.status == 200
    assert time.perf_counter() - start < 3
    assert len(list(islice(archive.targets(), 1000))) == 1000


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("demo", "not a synthetic site"),
        ("synthetic:zz", "unknown synthetic site 'zz': give one of demo, ab, as"),
        ("synthetic:ju?size=3", "unknown setting 'size'.*scale, host, seed, pages"),
        ("synthetic:ju?scale=tiny", "scale='tiny'"),
        ("synthetic:ju?scale=0.0001", "possible are 100 to 10,000,000"),
        ("synthetic:ju?scale=nan", "scale='nan'"),
        ("synthetic:?pages=20000000", "possible are 100 to 10,000,000"),
        ("synthetic:?pages=ten", "give a whole number"),
        ("synthetic:?linking=0.9", "linking=0.9 is not possible"),
        ("synthetic:?languages=en,xx", "out of en, fr, es, ja, ar"),
        ("synthetic:?traps=perhaps", "give on or off"),
        ("synthetic:?host=", "host is empty"),
        ("synthetic:?host=data.x.org", "give a host name"),
        ("synthetic:?size_mb=0", "size_mb=0.0 is not possible"),
    ],
)
def test_a_bad_spec_is_told_in_one_line(spec, message):
    """What can't be made is refused with the thing's name and what is allowed."""
    with pytest.raises(UserError, match=message) as raised:
        open_synthetic(spec)
    assert "\n" not in str(raised.value)


def test_a_spec_sets_every_setting():
    """Every setting can be given, targets keep their proportion, the name is the spec."""
    spec = "synthetic:be?pages=1000&seed=7&traps=on&max_body=50000&bodies=on&languages=fr,en"
    archive = open_synthetic(spec)
    settings = archive.settings
    assert archive.name == spec
    assert (settings.seed, settings.traps, settings.bodies, settings.max_body) == (
        7,
        True,
        True,
        50000,
    )
    assert settings.languages == ("fr", "en")
    assert settings.targets == pytest.approx(1000 * 15.84 / 15.39, abs=1)


def test_a_site_without_targets():
    """A website may have no targets at all."""
    archive = open_synthetic("synthetic:?pages=200&targets=0")
    assert not list(archive.targets())
    assert {kind_at(archive, fetch.url) for fetch, _ in archive} == {Kind.PAGE, Kind.OTHER}
