"""Groups are taken by one worker at a time, and written by their holder only."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from datahound.errors import UserError
from datahound.fleet.board import Board
from datahound.fleet.records import GROUPS, FleetSite, Group
from datahound.remote.objects import open_objects

SITE = FleetSite("https://www.example.org/", "www.example.org-1")


@pytest.fixture(params=["folder", "bucket"])
def objects(request, tmp_path):
    if request.param == "folder":
        return open_objects(str(tmp_path / "objects"))
    return open_objects(request.getfixturevalue("bucket")[0])


@pytest.fixture
def board(objects):
    board = Board(objects)
    board.put("g", lambda _: Group("g", ("127.0.0.1",), (SITE,)))
    return board


def test_one_of_eight_takes_a_group(board):
    """Eight threads that saw the same free group: one holds it."""
    seen = board.read("g")
    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(lambda n: board.take(seen, f"w{n}"), range(8)))
    (winner,) = [each for each in taken if each]
    assert board.read("g") == winner
    assert winner.group.epoch == 1


def test_a_zombie_writes_nothing(board):
    """A worker whose group was taken by another is refused, and what the other wrote stays."""
    zombie = board.take(board.read("g"), "zombie")
    taken = board.take(zombie, "successor")
    done = board.write(taken, lambda group: group.put(replace(SITE, requests=7)))
    assert board.write(zombie, lambda group: group.put(replace(SITE, requests=1))) is None
    assert board.read("g") == done
    assert done.group.sites[0].requests == 7


def test_the_same_worker_in_a_later_epoch_is_another_holder(board):
    """What it began under its former hold does not count."""
    first = board.take(board.read("g"), "w")
    second = board.take(first, "w")
    assert board.write(first, lambda group: replace(group, holder="")) is None
    assert board.read("g") == second


def test_sites_can_be_added_to_a_group_that_is_held(board):
    """The holder's next write keeps them."""
    held = board.take(board.read("g"), "w")
    other = FleetSite("https://other.example/", "other.example-1")
    board.put("g", lambda group: group.put(other))
    written = board.write(held, lambda group: group.put(replace(SITE, due=None)))
    assert {site.slug for site in written.group.sites} == {SITE.slug, other.slug}


def test_a_record_of_something_else_is_bad_input(objects):
    """The line names the object."""
    objects.put(GROUPS + "x", b"[1, 2]")
    with pytest.raises(UserError, match="fleet/groups/x"):
        Board(objects).read("x")
