"""Errands and postponed links survive a snapshot, field by field."""

import json
from dataclasses import fields

from datahound.crawl.errands import (
    Errand,
    Name,
    PostponedLinks,
    choice_row,
    errand_row,
    read_choice,
    read_errand,
)
from datahound.model import Choice, Kind, Link, Purpose

LINK = Link("https://a.example/x", "html body a", "X", "an X", "https://a.example/", 2, 7)


def test_every_field_of_an_errand_comes_back():
    """A field that is added later and not saved would be lost by each crash."""
    errand = Errand(
        Purpose.COLLECT, LINK, Kind.TARGET, Choice(LINK, 3, ("https://a.example/f",)), 5, True,
        "https://a.example/own", "https://a.example/better", Name.OWN_AFTER_BETTER, 4,
        "https://a.example/before", True, True,
    )  # fmt: skip
    default = Errand(Purpose.VISIT, Link(""), Kind.PAGE)
    same = [f.name for f in fields(Errand) if getattr(errand, f.name) == getattr(default, f.name)]
    assert not same, "give these another value here, or the test does not see them"
    assert read_errand(json.loads(json.dumps(errand_row(errand)))) == errand


def test_a_choice_comes_back_with_its_files():
    choice = Choice(LINK, None, ("https://a.example/f", "https://a.example/g"))
    assert read_choice(json.loads(json.dumps(choice_row(choice)))) == choice


def test_what_was_postponed_first_is_tried_first():
    postponed = PostponedLinks()
    others = [Link(f"https://a.example/{n}", number=n) for n in range(3)]
    for link in others:
        postponed.add(link)
    assert [postponed.take()[0] for _ in others] == others
    assert not postponed


def test_a_postponed_link_is_due_now_and_then():
    """Every tenth visit, and never while none waits."""
    postponed = PostponedLinks()
    assert not postponed.are_due(10)
    postponed.add(LINK)
    assert [visits for visits in range(1, 31) if postponed.are_due(visits)] == [10, 20, 30]


def test_postponed_links_come_back_with_their_urls_and_choices():
    """No choice, a choice without a group, and one with a group are three things."""
    first, second, third = (Link(f"https://a.example/{n}", number=n) for n in range(3))
    moved = Link("https://a.example/moved", number=0)
    postponed = PostponedLinks()
    postponed.add(moved)
    postponed.add(second, Choice(second, None))
    postponed.add(third, Choice(third, 4))
    other = PostponedLinks()
    other.restore(postponed.snapshot(), {0: first, 1: second, 2: third})
    taken = [other.take() for _ in range(3)]
    assert taken == [(moved, None), (second, Choice(second, None)), (third, Choice(third, 4))]
