"""What every archive promises, for every kind of archive there is."""

import importlib
import inspect
import pkgutil
import sqlite3

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import datahound.archive
from datahound.archive import (
    MemoryArchive,
    Recorded,
    WarcArchive,
    as_head,
    glance,
    key,
    open_archive,
    record_warc,
)
from datahound.archive.kit import KitArchive
from datahound.archive.synthetic import SyntheticArchive
from datahound.errors import ArchiveError
from datahound.model import Failure, Fetch, Postponed, Purpose, Response
from datahound.web.messages import header_size

SEED = "https://site.example/"
PAGE = Response(SEED, 200, {"content-type": "text/html"}, b"<a href=x>", 10)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


class Kept:
    """An archive that can be put aside and opened again."""

    def __init__(self, folder, name):
        self._path = folder / name if name else None
        self._memory = MemoryArchive(SEED)

    def record(self):
        return record_warc(self._path, SEED) if self._path else self._memory

    def read(self):
        return open_archive(str(self._path)) if self._path else self._memory


RECORDING = {"memory": "", "warc": "site.warc", "warc.gz": "site.warc.gz"}
KINDS = {
    MemoryArchive: "memory",
    WarcArchive: "warc, warc.gz",
    KitArchive: "kit",
    SyntheticArchive: "tests/archive/test_synthetic.py",
}


@pytest.fixture(params=RECORDING)
def kept(request, tmp_path):
    return Kept(tmp_path, RECORDING[request.param])


def store(kept, exchanges):
    archive = kept.record()
    for fetch, answer in exchanges:
        archive.put(fetch, answer)
    archive.close()
    return kept.read()


def test_every_kind_of_archive_is_tested():
    """An archive that is added to the package without a place in this suite is noticed."""
    found = set()
    for module in pkgutil.walk_packages(datahound.archive.__path__, "datahound.archive."):
        found |= {
            kind
            for _, kind in inspect.getmembers(importlib.import_module(module.name), is_archive)
            if kind.__module__ == module.name
        }
    assert found == set(KINDS)


def is_archive(thing):
    verbs = ("get", "put", "__iter__", "close")
    is_interface = getattr(thing, "_is_protocol", False)
    return inspect.isclass(thing) and all(hasattr(thing, v) for v in verbs) and not is_interface


EXCHANGES = [
    (Fetch(SEED), PAGE),
    (Fetch(SEED + "gone"), Response(SEED + "gone", 404, {}, b"no", 2)),
    (
        Fetch(SEED + "data.csv", Purpose.COLLECT),
        Response(SEED + "data.csv", 200, {"content-length": "99"}, b"", 99, truncated=True),
    ),
    (
        Fetch(SEED + "unsized", Purpose.COLLECT, patient=True),
        Response(SEED + "unsized", 200, {"content-type": "text/csv"}, b"a,b", 12345, 2, True),
    ),
    (
        Fetch(SEED + "probed", Purpose.PROBE),
        Response(SEED + "probed", 405, {"content-length": "7"}, b"", 50, 3),
    ),
    (Fetch(SEED + "slow"), Failure(SEED + "slow", "no answer in 30 s", 17, 4)),
    (Fetch(SEED + "forbidden"), Failure(SEED + "forbidden", "robots.txt\r\nü", 0, 0)),
    (Fetch(SEED + "later"), Postponed(SEED + "later")),
    (
        Fetch(SEED + "packed"),
        Response(SEED + "packed", 200, {"content-encoding": "gzip"}, b"plain now", 40),
    ),
    (
        Fetch(SEED + "chunked"),
        Response(SEED + "chunked", 200, {"transfer-encoding": "chunked"}, b"5\r\nab", 5),
    ),
]


def test_what_was_put_is_what_is_got(kept):
    """Pages, cut answers, HEADs, failures and postponements come back to the letter."""
    archive = store(kept, EXCHANGES)
    for fetch, answer in EXCHANGES:
        assert archive.get(fetch) == answer
    archive.close()


def test_iteration_is_the_recording(kept):
    """Iterating gives every exchange in the order in which it was put."""
    again = [(Fetch(SEED), Response(SEED, 500, {}, b"", 0))]
    archive = store(kept, EXCHANGES + again)
    assert list(archive) == [Recorded(*exchange) for exchange in EXCHANGES + again]
    archive.close()


def test_the_last_recording_wins(kept):
    """A URL that was recorded twice answers as it did the second time."""
    archive = store(kept, [(Fetch(SEED), PAGE), (Fetch(SEED), Failure(SEED, "down"))])
    assert archive.get(Fetch(SEED)) == Failure(SEED, "down")
    archive.close()


def test_a_get_answers_a_head_but_never_the_reverse(kept):
    """A recorded GET tells what a HEAD would have, with the size of its headers and no body."""
    head = Response(SEED + "h", 200, {}, b"", 30)
    archive = store(kept, [(Fetch(SEED), PAGE), (Fetch(SEED + "h", Purpose.PROBE), head)])
    answer = archive.get(Fetch(SEED, Purpose.PROBE))
    assert answer == as_head(PAGE)
    assert (answer.body, answer.size) == (b"", header_size(200, PAGE.headers))
    assert archive.get(Fetch(SEED + "h")) is None
    archive.close()


def test_a_recorded_head_is_preferred_for_a_head(kept):
    """A server that refuses HEADs but answers GETs is remembered as such."""
    refused = Response(SEED, 405, {}, b"", 30)
    archive = store(kept, [(Fetch(SEED, Purpose.PROBE), refused), (Fetch(SEED), PAGE)])
    assert archive.get(Fetch(SEED, Purpose.PROBE)) == refused
    assert archive.get(Fetch(SEED)) == PAGE
    archive.close()


def test_what_was_not_recorded_is_none(kept):
    """Neither a GET nor a HEAD of an unknown URL has an answer."""
    archive = store(kept, [(Fetch(SEED), PAGE)])
    assert archive.get(Fetch(SEED + "x")) is None
    assert archive.get(Fetch(SEED + "x", Purpose.PROBE)) is None
    assert glance(archive, SEED + "x") is None
    archive.close()


def test_urls_are_compared_in_canonical_form(kept):
    """Case, default port, dots and fragments don't hide a recording."""
    archive = store(kept, [(Fetch(SEED + "a/b"), PAGE)])
    assert archive.get(Fetch("HTTPS://SITE.example:443/x/../a/b#top")) == PAGE
    archive.close()


def test_the_seed_is_kept(kept):
    """The start page is the one given when the recording began."""
    archive = store(kept, [(Fetch(SEED + "other"), PAGE)])
    assert archive.seed == SEED
    archive.close()


def test_a_glance_needs_no_body(kept):
    """Status, type, size and destination are known for each URL, as last recorded."""
    moved = Response(SEED + "m", 301, {"location": "/n"}, b"", 0)
    archive = store(kept, [(Fetch(SEED), moved), (Fetch(SEED + "m"), moved), (Fetch(SEED), PAGE)])
    assert glance(archive, SEED) == (SEED, 200, "text/html", 10, "")
    assert glance(archive, SEED + "m") == (SEED + "m", 301, "", 0, "/n")
    archive.close()


def test_recording_can_be_read_while_it_grows(kept):
    """What was put is there at once, also for somebody who iterates meanwhile."""
    archive = kept.record()
    for exchange in EXCHANGES:
        archive.put(*exchange)
        assert archive.get(exchange[0]) == exchange[1]
    for number, _ in enumerate(archive):
        if number < 3:
            archive.put(Fetch(f"{SEED}{number}"), PAGE)
    assert len(list(archive)) == len(EXCHANGES) + 3
    archive.close()


texts = st.text(st.characters(codec="utf-8"), max_size=20)
lines = st.text(st.characters(), max_size=20)
urls = st.one_of(texts.map(lambda text: SEED + text), texts)
headers = st.dictionaries(
    st.one_of(
        st.sampled_from(
            ["content-type", "content-length", "content-encoding", "transfer-encoding", "location"]
        ),
        lines.map(str.lower),
    ),
    st.one_of(lines, st.sampled_from(["gzip", "chunked", "10", "text/html; charset=x"])),
    max_size=4,
)
sizes = st.integers(0, 2**40)
responses = st.builds(
    Response,
    urls,
    st.integers(0, 999),
    headers,
    st.binary(max_size=60),
    sizes,
    st.integers(0, 9),
    st.booleans(),
)
answers = st.one_of(
    responses,
    st.builds(Failure, urls, lines, sizes, st.integers(0, 9)),
    st.builds(Postponed, urls),
)
fetches = st.builds(Fetch, urls, st.sampled_from(Purpose), st.booleans())


@pytest.mark.parametrize("name", RECORDING.values(), ids=RECORDING)
@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(exchanges=st.lists(st.tuples(fetches, answers), min_size=1, max_size=4))
@example(exchanges=[(Fetch(SEED), Response(SEED, 200, {"\ud800": "\udcff"}))])
def test_anything_comes_back(name, exchanges, tmp_path_factory):
    """Whatever the headers, bodies and URLs are, a recording gives them back to the letter."""
    archive = store(Kept(tmp_path_factory.mktemp("any"), name), exchanges)
    assert list(archive) == exchanges
    last = {(key(fetch.url), fetch.method): (fetch, answer) for fetch, answer in exchanges}
    for fetch, answer in last.values():
        assert archive.get(fetch) == answer
    archive.close()


def kit_database(path):
    with sqlite3.connect(path) as database:
        columns = "url TEXT, http_response INTEGER, headers TEXT, body BLOB, content_length INTEGER"
        database.execute(f"CREATE TABLE site ({columns})")
        row = (SEED, 200, repr({b"Content-Type": [b"text/html"]}), PAGE.body, 10)
        database.execute("INSERT INTO site VALUES (?, ?, ?, ?, ?)", row)
    database.close()


@pytest.fixture(params=["warc", "kit"])
def read_only(request, tmp_path):
    path = tmp_path / ("site.warc.gz" if request.param == "warc" else "site.db")
    if request.param == "kit":
        kit_database(path)
    else:
        archive = record_warc(path, SEED)
        archive.put(Fetch(SEED), PAGE)
        archive.close()
    archive = open_archive(str(path))
    yield archive
    archive.close()


def test_an_archive_opened_for_reading_is_not_changed(read_only):
    """Putting into it is refused with one line that names it."""
    with pytest.raises(ArchiveError, match="site"):
        read_only.put(Fetch(SEED), PAGE)
    assert [fetch.url for fetch, _ in read_only] == [SEED]


def test_a_site_has_a_name_a_seed_and_its_page(read_only):
    """What was recorded can be asked for, as GET and as HEAD."""
    assert (read_only.name, read_only.seed) == ("site", SEED)
    assert read_only.get(Fetch(SEED)) == PAGE
    assert read_only.get(Fetch(SEED, Purpose.PROBE)) == as_head(PAGE)
    assert glance(read_only, SEED) == (SEED, 200, "text/html", 10, "")
