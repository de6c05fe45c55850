"""`report.html`: whole and harmless, whatever the crawl and the website were like."""

import re
from contextlib import closing
from html.parser import HTMLParser

import pytest

from datahound import events
from datahound.errors import StorageError, UserError
from datahound.events import FileElsewhere, VisitOutcome
from datahound.model import Choice, Fetch, Kind, Link, NotFollowed, Purpose, Skip
from datahound.report.page import render_report, write_report
from datahound.report.phrases import CAUSES, SKIPS, Cause
from datahound.runs.outcome import Ended, no_start_page
from datahound.store.folder import Folder
from datahound.store.writer import Store

SEED = "https://www.example.org/"
NOTHING_MISSED = NotFollowed()
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "invoice\u202excod.exe",
    "nul\x00bell\x07escape\x1b[31m",
    "]]>--><!--",
    "javascript:alert(1)",
    "x" * 5000,
    "\u2066hidden\u2069\u200b\ufeff",
]


class Reader(HTMLParser):
    """Collects what a browser would act on."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text, self.ids = [], [], [], 0
        self._open = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "br", "line", "path", "rect"):
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("line", "path", "rect"):
            assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open and self._open[-1] != "style":
            self.text.append(data)


def read(html):
    """The page as a reader sees it; it is closed properly and runs and loads nothing."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader._open
    assert not {"script", "img", "iframe", "object", "link", "form", "base"} & set(reader.tags)
    for tag, name, value in reader.attributes:
        assert not name.startswith("on")
        if name in ("href", "src"):
            assert tag == "a"
            assert value.startswith(("https://", "http://", "files/"))
        if name == "style":
            assert "url(" not in value
    assert "default-src 'none'" in html
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\u200b\ufeff]", html)
    return " ".join(" ".join(reader.text).split())


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "crawl.db")) as store:
        store.note("identity", {"URL": SEED, "--strategy": "sb-classifier", "--seed": 0})
        yield store


def crawled(
    store, count=60, text=None, missed=NOTHING_MISSED, cause=Cause.SPENT_REQUESTS, reason=None
):
    """A story with a file on every other page; titles, anchors and paths are `text`'s."""
    text = text or (lambda n: f"Title {n}")
    told = [events.GroupCreated(0, text(0), SEED)]
    number = 0
    for n in range(count):
        page = Link(f"{SEED}s{n % 3}/p{n}.html", "html body a", text(n), "", SEED, 1, 3 * n + 1)
        number += 1
        told += [
            events.Discovered(page, Kind.PAGE, 0),
            events.Discovered(Link(f"{SEED}more{n}", number=3 * n + 2), Kind.PAGE, 0),
            events.Skipped(Link(f"https://other.example/{n}"), Skip.OTHER_SITE),
            events.Fetched(number, Fetch(page.url, Purpose.VISIT), 200, Kind.PAGE, Kind.PAGE, 900),
        ]
        reward = n % 2
        if reward:
            number += 1
            url = f"{SEED}files/report-{2000 + n % 20}-{n}.csv"
            file = Link(url, "html body a", text(n), "", page.url, 2, 3 * n + 3)
            fetch = Fetch(url, Purpose.COLLECT)
            told += [
                events.Fetched(number, fetch, 200, Kind.TARGET, Kind.TARGET, 5_000),
                events.TargetFound(number, file, "text/csv", 5_000),
            ]
        told.append(
            events.Visited(number, Choice(page, 0), VisitOutcome.READ, reward, 2, text(n), missed)
        )
    number += 1
    lost = Fetch(f"{SEED}gone", Purpose.VISIT)
    told.append(events.Fetched(number, lost, 404, Kind.OTHER, Kind.PAGE, 0))
    store.observe(told)
    store.flush()
    store.note("ended", Ended(cause, reason or CAUSES[cause].phrase).plain())
    return number


def test_it_tells_the_crawl(store, tmp_path):
    """What was found, by type, section and year; groups, skips, errors, the end, what is left."""
    crawled(store)
    text = read(render_report(tmp_path))
    assert "30 data files" in text
    assert "How it ended: the budget of requests is spent" in text
    assert "CSV tables" in text
    assert "/s0/" in text
    assert "2019" in text
    assert "30 files on 30 pages of 60" in text
    assert "leading to / Title 1" in text
    assert "They lead to other websites." in text
    assert "1 × 404 not found" in text
    assert "listed only" in text


def test_what_is_left_is_estimated_once_that_holds(store, tmp_path):
    """After 500 requests with enough files; before, it is too early."""
    crawled(store, count=400)
    text = read(render_report(tmp_path))
    assert "Probably about" in text
    assert "costs about 3 requests" in text


def test_what_was_probably_missed(store, tmp_path):
    """Pages that need a script, forms and files elsewhere are counted; without any, no block."""
    crawled(store, missed=NotFollowed(needs_script=True, forms=2, files_elsewhere=3))
    store.observe([FileElsewhere(Link("https://cdn.example/a.csv"), "cdn.example", ".csv")])
    store.flush()
    text = read(render_report(tmp_path))
    assert "60 pages need a script to show links" in text
    assert "120 forms on 60 pages were not filled in" in text
    assert "1 CSV file on cdn.example: --allow-host cdn.example gets them." in text


def test_links_that_were_left_out_are_said(store, tmp_path):
    """A limit that cost links must show after the run that met it, too."""
    crawled(store, missed=NotFollowed(links_left_out=2))
    text = read(render_report(tmp_path))
    assert "120 links were left out, beyond a limit" in text
    assert "--set max_links=N" in text


def test_nothing_to_follow_is_not_mentioned(store, tmp_path):
    crawled(store)
    assert "What was probably missed" not in read(render_report(tmp_path))


def test_every_reason_has_words():
    """A reason without a phrase would break every page that shows it."""
    assert set(SKIPS) == set(Skip)
    assert set(CAUSES) == set(Cause)
    for wording in (*SKIPS.values(), *CAUSES.values()):
        assert wording.phrase
        assert wording.explanation.endswith(".")


def test_what_failed_is_red_whatever_else_there_is(store, tmp_path):
    """What requests were spent on has its own colour, also where nothing was asked by HEAD."""
    crawled(store)
    html = render_report(tmp_path)
    assert 'background:var(--trouble)"></i>1 failed' in html
    assert "--probe:" in html
    assert "var(--probe)" not in html


def test_hostile_content_is_shown_as_text(store, tmp_path):
    """Titles, link texts and tag paths that are markup, script or worse are text in the page."""
    crawled(store, text=lambda n: HOSTILE[n % len(HOSTILE)])
    html = render_report(tmp_path)
    text = read(html)
    assert "<script>alert(1)</script>" in text
    assert "{{ 7 * 7 }}" in text
    assert "‹U+202E›" in text
    assert len(html) < 100_000


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_reasons_hosts_and_types(store, tmp_path, text):
    """The same for what servers say: reasons, MIME types, endings, hosts, seeds, files' names."""
    crawled(store, cause=Cause.OTHER, reason=text)
    url = f"https://{text}/x"
    store.observe(
        [
            events.Fetched(500, Fetch(url, Purpose.VISIT), None, Kind.OTHER, Kind.UNKNOWN, 0, text),
            events.Skipped(Link(text), Skip.ROBOTS),
            events.TargetFound(500, Link(text, found_on=text), text, 10**9),
        ]
    )
    store.flush()
    with store.transaction():
        store.connection.execute(
            "INSERT INTO file (url, state, path, size, sha256, mime_type, last_modified, note, at)"
            " VALUES (?, ?, ?, 10, 'ab', ?, ?, ?, 0)",
            (text,) * 6,
        )
    store.note("identity", {"URL": SEED, "--strategy": text, "--seed": text})
    read(render_report(tmp_path))


def test_text_that_is_no_text(store, tmp_path):
    """Bytes that are no UTF-8 cost a sign, not the report."""
    crawled(store)
    with store.transaction():
        store.connection.execute("UPDATE visit SET title = CAST(x'ff3cff' AS TEXT)")
    assert "\ufffd<\ufffd" in read(render_report(tmp_path))


@pytest.mark.usefixtures("store")
def test_a_crawl_that_has_just_begun(tmp_path):
    """Not one request yet: a page all the same."""
    text = read(render_report(tmp_path))
    assert "Nothing has been asked for yet" in text
    assert "cut off" in text


def test_a_running_crawl(store, tmp_path):
    """While a process is at work, it says so, and does not say how it ended."""
    crawled(store, cause=Cause.INTERRUPTED)
    with Folder(tmp_path).claimed():
        text = read(render_report(tmp_path))
    assert "still running" in text
    assert "How it ended" not in text


def test_a_crawl_that_failed(store, tmp_path):
    """The start page could not be fetched: the reason, and no estimate."""
    fetch = Fetch(SEED, Purpose.VISIT)
    store.observe(
        [
            events.Fetched(1, fetch, None, Kind.OTHER, Kind.UNKNOWN, 0, "host not found"),
            events.Visited(1, Choice(Link(SEED)), VisitOutcome.NOT_A_PAGE),
        ]
    )
    store.flush()
    reason = "the start page could not be fetched: host not found"
    store.note("ended", no_start_page("host not found").plain())
    text = read(render_report(tmp_path))
    assert "failed" in text
    assert reason in text
    assert "1 × host not found" in text
    assert "What is left" not in text


def test_a_crawl_too_short_to_judge(store, tmp_path):
    """After a few requests nothing is estimated."""
    crawled(store, count=10)
    text = read(render_report(tmp_path))
    assert "It is too early to tell." in text


def test_nothing_is_left_of_a_whole_site(store, tmp_path):
    """Every link followed: nothing is left, whatever an estimate would say."""
    crawled(store, cause=Cause.EXHAUSTED)
    text = read(render_report(tmp_path))
    assert "No file that links lead to." in text


def test_breadth_first_beside_it(store, tmp_path):
    """Where it is known what breadth-first order takes, it is drawn and told."""
    crawled(store, cause=Cause.EXHAUSTED)
    html = render_report(tmp_path, bfs_found_at=[200 + 10 * n for n in range(30)])
    assert "breadth-first order would have taken 460" in read(html)
    assert 'class="theirs"' in html
    assert 'class="theirs"' not in render_report(tmp_path)


def test_it_is_written_whole_or_not_at_all(store, tmp_path):
    """A report that can't be written leaves the old one, and no draft."""
    crawled(store)
    path = write_report(tmp_path)
    assert path == tmp_path / "report.html"
    assert path.read_text("utf-8").rstrip().endswith("</html>")
    assert not list(tmp_path.glob(".report*"))
    assert write_report(tmp_path, output=tmp_path / "x.html").name == "x.html"
    assert write_report(tmp_path, output=tmp_path / "new" / "x.html").is_file()
    with pytest.raises(StorageError, match="can't be written"):
        write_report(tmp_path, output=path / "x.html")
    assert path.read_text("utf-8").rstrip().endswith("</html>")


def test_no_crawl_no_report(tmp_path):
    """A folder without a crawl is refused in one line."""
    with pytest.raises(UserError, match="no crawl in this folder"):
        render_report(tmp_path)
