"""Groups are drawn anew in turn: each as often as the others, those met later too."""

import pytest

from datahound.strategies.hound.levels import Level


def level(size):
    made = Level()
    for number in range(size):
        made.add(-1, str(number))
    return made


def drawn(made, count):
    turn = made.next_in_turn(count)
    return list(range(turn.start, turn.stop))


@pytest.mark.parametrize(("size", "count"), [(10, 4), (8, 4), (3, 4), (1, 1)])
def test_after_the_last_comes_the_first(size, count):
    made = level(size)
    turns = -(-size // count)
    for _ in range(3):
        assert [group for _ in range(turns) for group in drawn(made, count)] == list(range(size))


def test_groups_met_later_have_their_turn():
    made = level(4)
    assert drawn(made, 4) == [0, 1, 2, 3]
    made.add(-1, "new")
    assert drawn(made, 4) == [4]
    assert drawn(made, 4) == [0, 1, 2, 3]


def test_no_groups_no_turn():
    assert drawn(level(0), 4) == []


def test_restored_it_goes_on_where_it_was():
    made = level(10)
    made.next_in_turn(4)
    again = Level()
    again.restore(made.snapshot())
    assert drawn(again, 4) == drawn(made, 4) == [4, 5, 6, 7]
