"""Sessions: renewed by their owner, judged dead by others, and never at the same time."""

import pytest
from moved_clock import MovedClock as Clock

from datahound.fleet.records import WORKERS
from datahound.fleet.sessions import Session, Watch
from datahound.remote.objects import FolderObjects


@pytest.fixture
def objects(tmp_path):
    return FolderObjects(tmp_path / "store")


def test_a_silent_session_is_judged_dead_after_a_term(objects):
    """Its object is unchanged for a term: it is removed, and its owner cannot renew it."""
    own_clock, watch_clock = Clock(), Clock(wall=5e8)
    session = Session(objects, "frozen", 60, own_clock)
    watch = Watch(objects, 60, watch_clock)
    assert watch.watch_neighbours("me", watch.list_members()) == []
    watch_clock.pass_time(59)
    assert watch.watch_neighbours("me", watch.list_members()) == []
    watch_clock.pass_time(1)
    assert watch.watch_neighbours("me", watch.list_members()) == [session.name]
    assert watch.is_gone(session.name)
    assert not session.renew()
    assert session.is_lost
    assert not session.is_valid


def test_a_renewed_session_lives(objects):
    """However long it is watched: what counts is the time since its last change."""
    clock = Clock()
    session = Session(objects, "alive", 60, clock)
    watch = Watch(objects, 60, clock)
    for _ in range(20):
        assert watch.watch_neighbours("me", watch.list_members()) == []
        clock.pass_time(50)
        assert session.renew()
    assert session.is_valid


def test_the_owner_stops_before_anybody_may_judge(objects):
    """After two thirds of a term without a renewal, the owner trusts its session no longer."""
    clock = Clock()
    session = Session(objects, "late", 60, clock)
    clock.pass_time(39)
    assert session.is_valid
    clock.pass_time(2)
    assert not session.is_valid
    assert session.renew()
    assert session.is_valid


def test_a_suspended_machine_notices(objects):
    """Time that only the clock on the wall has seen counts too."""
    clock = Clock()
    session = Session(objects, "suspended", 60, clock)
    clock.wall += 3600
    assert not session.is_valid


def test_a_renewal_whose_answer_was_lost_is_ours(objects):
    """The store wrote it, the worker did not learn so: the next renewal goes on from there."""
    session = Session(objects, "unlucky", 60, Clock())
    mark = session._mark
    assert session.renew()
    session._mark = mark
    assert session.renew()
    assert not session.is_lost


def test_two_neighbours_are_watched(objects):
    """However many workers there are, each reads two sessions."""
    clock = Clock()
    sessions = [Session(objects, f"worker{n}", 60, clock) for n in range(6)]
    watch = Watch(objects, 60, clock)
    members = watch.list_members()
    watch.watch_neighbours(sessions[5].name, members)
    clock.pass_time(60)
    assert watch.watch_neighbours(sessions[5].name, members) == [s.name for s in sessions[:2]]
    assert len(list(objects.list(WORKERS))) == 4


def test_an_ended_session_is_gone(objects):
    """A worker that leaves removes its session: nobody waits for a term."""
    session = Session(objects, "leaving", 60, Clock())
    watch = Watch(objects, 60, Clock())
    assert not watch.is_gone(session.name)
    session.end()
    assert watch.is_gone(session.name)
    assert watch.list_members() == []
