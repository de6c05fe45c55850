"""Events become rows of their round, and a folder of round 0 is what it was before rounds."""

import sqlite3
from contextlib import closing
from uuid import UUID

import pytest

from datahound.archive import record_warc
from datahound.events import Discovered, Event, Fetched, TargetFound, Visited, VisitOutcome
from datahound.model import Choice, Fetch, Kind, Link, Response
from datahound.store.event_rows import Rows
from datahound.store.sqlite import create_or_open
from datahound.store.writer import Store

SEED = "https://www.example.org/"
RECORDER = "datahound.archive.warc.recorder"
PAGE = Link(SEED, number=0)
FILE = Link(SEED + "a.csv", anchor="A", found_on=SEED, number=1)


def story() -> list[Event]:
    """A page is read, and a file that it links to is found."""
    return [
        Discovered(FILE, Kind.TARGET, None),
        Fetched(1, Fetch(SEED), 200, Kind.PAGE, Kind.PAGE, 100),
        Visited(1, Choice(PAGE), VisitOutcome.READ, reward=1, new_links=1),
        Fetched(2, Fetch(FILE.url), 200, Kind.TARGET, Kind.TARGET, 5),
        TargetFound(2, FILE, "text/csv", 5),
    ]


def rows_of(path):
    """Every row of every table, without the state."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute(tables)]
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}


@pytest.mark.parametrize("round_number", [0, 3])
def test_rows_have_the_round_of_the_store(tmp_path, round_number):
    """Requests, visits and targets, once the fact says which round it is."""
    with closing(Store(tmp_path / "crawl.db")) as store:
        assert store.round == 0
        store.note("round", round_number)
    with closing(Store(tmp_path / "crawl.db")) as store:
        assert store.round == round_number
        store.observe(story())
        store.flush()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        for table in ("request", "visit", "target"):
            found = connection.execute(f"SELECT DISTINCT round FROM {table}").fetchall()
            assert found == [(round_number,)], table


def test_the_first_round_writes_what_was_written_without_rounds(tmp_path):
    """No fact and no other row: the database of a store without a round, byte by byte."""
    for name in ("given", "default"):
        with closing(create_or_open(tmp_path / name)) as connection, connection:
            connection.execute("BEGIN")
            arguments = (0,) if name == "given" else ()
            rows = Rows(connection, lambda: 1.5, *arguments)
            rows.add(story())
            rows.write()
    with closing(Store(tmp_path / "store", clock=lambda: 1.5)) as store:
        store.observe(story())
        store.flush()
    assert rows_of(tmp_path / "given") == rows_of(tmp_path / "default")
    assert rows_of(tmp_path / "store") == rows_of(tmp_path / "default")
    assert rows_of(tmp_path / "store")["fact"] == []
    assert (tmp_path / "given").read_bytes() == (tmp_path / "default").read_bytes()


def test_a_journal_of_the_first_round_has_no_round(tmp_path, monkeypatch):
    """Opened with round 0, it is the journal of a crawl that knows no rounds, byte by byte."""
    monkeypatch.setattr(
        "datahound.archive.warc.recorder._format_now", lambda: "2026-01-01T00:00:00Z"
    )
    answer = Response(SEED, 200, {"content-type": "text/html"}, b"<p>hello</p>")
    written = {}
    for name, options in {"plain": {}, "first": {"round": 0}, "second": {"round": 1}}.items():
        path = tmp_path / name / "site.warc"
        path.parent.mkdir()
        numbers = iter(range(1, 100))
        monkeypatch.setattr("uuid.uuid4", lambda numbers=numbers: UUID(int=next(numbers)))
        with closing(record_warc(path, SEED, **options)) as archive:
            archive.put(Fetch(SEED), answer)
        written[name] = path.read_bytes()
    assert written["first"] == written["plain"]
    assert written["second"] != written["plain"]


def test_rows_that_are_forgotten_keep_their_times(tmp_path):
    """A row replayed from the journal has the time at which its request was first made."""
    clock = iter(range(10, 1000))
    with closing(Store(tmp_path / "crawl.db", clock=lambda: float(next(clock)))) as store:
        store.observe(story())
        store.flush()
        before = rows_of(tmp_path / "crawl.db")
        store.forget()
        assert rows_of(tmp_path / "crawl.db")["request"] == []
        store.observe(story())
        store.flush()
    after = rows_of(tmp_path / "crawl.db")
    assert after["request"] == before["request"]
    times = {number: at for _, number, at, *_ in before["request"]}
    for table in ("visit", "target"):
        assert [times[number] == at for _, number, at, *_ in after[table]] == [True]


def test_texts_that_repeat_are_written_once(tmp_path):
    """Links of one page and one tag path share both."""
    links = [Link(f"{SEED}{n}", "html body a", found_on=SEED, number=n) for n in range(5)]
    with closing(Store(tmp_path / "crawl.db")) as store:
        store.observe([Discovered(link, Kind.PAGE, 0) for link in links])
        store.flush()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        texts = connection.execute("SELECT text FROM text ORDER BY text").fetchall()
    assert texts == [("html body a",), (SEED,)]
