"""A state that is kept comes back, and only what has changed is written."""

import sqlite3
from array import array
from contextlib import closing, contextmanager

from hypothesis import given, settings
from hypothesis import strategies as st

from datahound.store.checkpoints import Checkpoints
from datahound.store.schema import TABLES

MOST = settings(max_examples=60)
NUMBERS = st.lists(st.integers(-(2**40), 2**40), max_size=30).map(lambda n: array("q", n))
FLOATS = st.lists(st.floats(allow_nan=False), max_size=30).map(lambda n: array("d", n))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=4)
)
KEYS = st.text("abc123", min_size=1, max_size=3)
STATES = st.recursive(
    st.dictionaries(KEYS, PLAIN | NUMBERS | FLOATS, max_size=4),
    lambda inner: st.dictionaries(KEYS, inner, max_size=4),
)


@contextmanager
def database():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        yield connection


@MOST
@given(st.lists(STATES.filter(bool), min_size=1, max_size=4))
def test_the_newest_state_comes_back(states):
    """Whatever was kept before it, and for a process that kept none of it."""
    with database() as connection:
        checkpoints = Checkpoints(connection)
        for state in states:
            checkpoints.write(state, [])
        assert Checkpoints(connection).read() == states[-1]


@MOST
@given(STATES.filter(bool), STATES.filter(bool))
def test_a_state_that_was_read_can_be_written_over(first, second):
    """A resumed process writes only differences, to what another one wrote."""
    with database() as connection:
        Checkpoints(connection).write(first, [])
        resumed = Checkpoints(connection)
        assert resumed.read() == first
        resumed.write(second, [])
        assert Checkpoints(connection).read() == second


def test_known_urls_come_back_in_their_order():
    """Each checkpoint adds the new ones."""
    with database() as connection:
        checkpoints = Checkpoints(connection)
        urls = [f"https://a.org/{n}" for n in range(1000)]
        for at in range(0, 1000, 300):
            checkpoints.write({"x": 1}, urls[at : at + 300])
        again = Checkpoints(connection)
        assert list(again.read_known()) == urls
        assert again.known == 1000


def test_only_what_changed_is_written():
    """One number more in a long list costs one chunk, not the list."""
    with database() as connection:
        checkpoints = Checkpoints(connection)
        numbers = array("q", range(200_000))
        checkpoints.write({"links": {"0": numbers, "1": numbers}}, [])
        before = connection.total_changes
        checkpoints.write({"links": {"0": array("q", [*numbers, 7]), "1": numbers[:]}}, [])
        assert connection.total_changes - before == 1
