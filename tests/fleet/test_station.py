"""What workers take: their share first, then what others left; the groups of the dead too."""

import logging
from collections import Counter
from dataclasses import replace

import pytest
from moved_clock import MovedClock as Clock

from datahound.fleet.board import Board
from datahound.fleet.records import GROUPS, FleetSite, Group
from datahound.fleet.sessions import Session, Watch, place_group
from datahound.fleet.station import Station
from datahound.remote.objects import FolderObjects


@pytest.fixture
def objects(tmp_path):
    return FolderObjects(tmp_path / "store")


@pytest.fixture
def clock():
    return Clock()


def fill(objects, count):
    board = Board(objects)
    for number in range(count):
        site = FleetSite(f"https://s{number}/", f"s{number}", priority=number)
        board.put(f"g{number}", lambda _, n=number, s=site: Group(f"g{n}", (), (s,)))


def join(objects, clock, name):
    session = Session(objects, name, 60, clock, number=lambda: "1")
    return Station(Board(objects), session, Watch(objects, 60, clock), clock)


def take_all(station):
    taken = []
    while (seen := station.take_next()) is not None:
        taken.append(seen.group.key)
    return taken


def finish(station, key):
    done = lambda group: Group(  # noqa: E731
        group.key, (), tuple(site.finish(cause="exhausted", reason="", requests=1, files=1)
                             for site in group.sites), "", group.epoch,
    )  # fmt: skip
    station.write(key, done)


def test_each_takes_its_share_in_order(objects, clock):
    """The most important first; no group is in two shares, and none is in no share."""
    fill(objects, 30)
    stations = [join(objects, clock, name) for name in "abc"]
    for station in stations:
        station.look_around()
    shares = [take_all(station) for station in stations]
    assert sorted(key for share in shares for key in share) == sorted(f"g{n}" for n in range(30))
    for share in shares:
        assert share == sorted(share, key=lambda key: -int(key[1:]))
        assert len(share) >= 3


def test_few_groups_move_when_a_worker_leaves():
    """Those of the others stay where they are."""
    keys = [f"{n:04x}" for n in range(1000)]
    before = {key: place_group(key, tuple("abcde")) for key in keys}
    after = {key: place_group(key, tuple("abcd")) for key in keys}
    assert all(after[key] == before[key] for key in keys if before[key] != "e")
    assert max(Counter(before.values()).values()) < 300


def test_groups_of_a_dead_worker_are_taken_after_a_term(objects, clock):
    """Not a moment before; then all of them, and the dead one can write none of them."""
    fill(objects, 10)
    dead, living = join(objects, clock, "dead"), join(objects, clock, "living")
    dead.look_around()
    held = [*take_all(dead)]
    living.look_around()
    living.look_at_others()
    own = take_all(living)
    assert sorted([*held, *own]) == sorted(f"g{n}" for n in range(10))
    for key in own:
        finish(living, key)
    clock.pass_time(45)
    living.session.renew()
    living.look_around()
    assert take_all(living) == []
    clock.pass_time(30)
    living.session.renew()
    living.look_around()
    living.look_at_others()
    assert sorted(take_all(living)) == sorted(held)
    assert not dead.session.is_valid
    assert dead.write(held[0], lambda group: group) is not None  # says nothing new, writes nothing
    finish(dead, held[0])
    assert held[0] not in dead.held
    assert Board(objects).read(held[0]).group.holder == living.session.name


def test_an_idle_worker_helps_and_knows_when_all_is_done(objects, clock):
    """It reads what others have, takes what is free, and ends when every site is finished."""
    fill(objects, 6)
    busy, idle = join(objects, clock, "busy"), join(objects, clock, "idle")
    busy.look_around()
    first = busy.take_next()
    idle.look_around()
    helped = take_all(idle)
    idle.look_at_others()
    helped += take_all(idle)
    assert len(helped) == 5
    for key in helped:
        finish(idle, key)
    assert not idle.look_at_others()
    finish(busy, first.group.key)
    assert idle.look_at_others()
    assert take_all(idle) == []


def test_a_new_priority_is_obeyed(objects, clock):
    """It changes one digit of the record, so its size says nothing."""
    fill(objects, 3)
    station = join(objects, clock, "w")
    station.look_around()

    def prefer(group):
        return group.put(replace(group.sites[0], priority=9))

    Board(objects).put("g0", prefer)
    clock.pass_time(15)
    station.look_around()
    assert take_all(station) == ["g0", "g2", "g1"]


def test_a_damaged_record_holds_nobody_up(objects, clock, caplog):
    """It is said once; the other groups are crawled, and the worker ends when they are finished."""
    fill(objects, 3)
    objects.put(GROUPS + "g1", b'{"sites"')
    station = join(objects, clock, "w")
    with caplog.at_level(logging.WARNING):
        station.look_around()
        for key in take_all(station):
            finish(station, key)
        clock.pass_time(15)
        station.look_around()
        assert station.look_at_others()
    assert caplog.messages == [
        "fleet/groups/g1: is damaged, or of another version of Datahound; its sites are left out"
    ]
