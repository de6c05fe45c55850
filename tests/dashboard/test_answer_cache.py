"""Slow answers of the dashboard: kept while nothing changed, or for fifty times what they took."""

import os
import sqlite3
import threading

import pytest

from datahound.dashboard import cache as cache_module
from datahound.dashboard.cache import AnswerCache
from datahound.errors import UserError


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(cache_module, "time", clock)
    return clock


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "crawl.db"
    path.write_bytes(b"one")
    return path


class Question:
    """Counts how often it was answered; each answer takes `seconds`."""

    def __init__(self, clock, seconds=0.0):
        self.answers = 0
        self._clock = clock
        self._seconds = seconds

    def __call__(self):
        self.answers += 1
        self._clock.now += self._seconds
        return self.answers


def change(path):
    found = path.stat()
    path.write_bytes(path.read_bytes() + b"x")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns + 10**9))


def test_an_answer_is_kept_until_the_database_changes(clock, database):
    cache, ask = AnswerCache(), Question(clock)
    assert [cache.get(database, "a", ask) for _ in range(3)] == [1, 1, 1]
    clock.now += 10_000
    assert cache.get(database, "a", ask) == 1
    change(database)
    assert cache.get(database, "a", ask) == 2


def test_a_write_to_the_log_is_a_change(clock, database):
    cache, ask = AnswerCache(), Question(clock)
    cache.get(database, "a", ask)
    database.with_name("crawl.db-wal").write_bytes(b"rows")
    assert cache.get(database, "a", ask) == 2


@pytest.mark.usefixtures("clock")
def test_a_commit_of_sqlite_is_a_change(tmp_path):
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE one (a)")
    cache = AnswerCache()

    def count():
        return connection.execute("SELECT count(*) FROM one").fetchone()[0]

    assert cache.get(path, "count", count) == 0
    connection.execute("INSERT INTO one VALUES (1)")
    assert cache.get(path, "count", count) == 1
    connection.close()


@pytest.mark.parametrize(("waited", "answer"), [(4.9, 1), (5.1, 2)])
def test_a_slow_answer_outlives_changes_for_fifty_times_its_cost(clock, database, waited, answer):
    cache, ask = AnswerCache(), Question(clock, seconds=0.1)
    cache.get(database, "a", ask)
    change(database)
    clock.now += waited
    assert cache.get(database, "a", ask) == answer


def test_questions_and_databases_are_kept_apart(clock, tmp_path, database):
    other = tmp_path / "other.db"
    other.write_bytes(b"one")
    cache, ask = AnswerCache(), Question(clock)
    assert cache.get(database, "a", ask) == 1
    assert cache.get(database, ("a", 2), ask) == 2
    assert cache.get(other, "a", ask) == 3


def test_the_oldest_answers_are_given_up(clock, database):
    cache, ask = AnswerCache(), Question(clock)
    for number in range(1000):
        cache.get(database, number, ask)
    assert cache.get(database, 999, ask) == 1000
    assert cache.get(database, 0, ask) == 1001


def test_a_failure_is_not_kept(clock, database):
    cache = AnswerCache()

    def fail():
        raise UserError("broken")

    with pytest.raises(UserError, match="broken"):
        cache.get(database, "a", fail)
    assert cache.get(database, "a", Question(clock)) == 1


def test_a_slow_question_does_not_hold_up_another(database):
    cache, begun, may_end = AnswerCache(), threading.Event(), threading.Event()

    def be_slow():
        begun.set()
        assert may_end.wait(10)
        return "slow"

    thread = threading.Thread(target=cache.get, args=(database, "slow", be_slow))
    thread.start()
    assert begun.wait(10)
    assert cache.get(database, "quick", lambda: "quick") == "quick"
    may_end.set()
    thread.join(10)
    assert cache.get(database, "slow", lambda: "not asked") == "slow"
