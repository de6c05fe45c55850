"""Readings and foresights survive a snapshot, and say what a page has brought."""

import json
from dataclasses import fields, replace

from datahound.crawl.readings import (
    Foresight,
    Reading,
    foresight_row,
    read_foresight,
    read_reading,
    reading_row,
)
from datahound.model import Choice, Kind, Link, Page

HERE = "https://a.example/"
LINKS = tuple(Link(f"{HERE}{n}", "html body a", str(n), "", HERE, 1, n) for n in range(1, 5))
PAGE = Page(
    HERE, "A title", LINKS, needs_script=True, forms=2, links_left_out=3, files_by_script=True
)
CHOICE = Choice(Link(f"{HERE}old"), 7)
USED_BEFORE = {
    "declared", "further", "endpoints", "next_pages", "listing", "form_links", "tables",
    "max_cells", "names_files", "unfetchable",
}  # fmt: skip
"""Fields of a page that are dealt with when its reading is opened."""


def full_reading():
    return Reading(
        4, CHOICE, HERE, PAGE, Kind.TARGET, 0, True, 2, 5, 3, 1, list(LINKS[:2]), list(LINKS[2:]), 6
    )


def through_json(row):
    return json.loads(json.dumps(row))


def test_every_field_of_a_reading_comes_back():
    reading = full_reading()
    assert read_reading(through_json(reading_row(reading))) == reading


def test_links_that_were_looked_at_are_not_kept():
    """The position begins at 0 again, among the links that are left."""
    reading = replace(full_reading(), unseen=list(LINKS), position=3)
    back = read_reading(through_json(reading_row(reading)))
    assert (back.position, back.unseen) == (0, [LINKS[3]])


def test_every_field_of_a_page_comes_back_or_was_used_before():
    """A field that is added later must be in one of the two."""
    plain = Page("", "", ())
    kept = {f.name for f in fields(Page)} - USED_BEFORE
    assert all(getattr(PAGE, name) != getattr(plain, name) for name in kept)
    back = read_reading(through_json(reading_row(full_reading()))).page
    assert all(getattr(back, name) == getattr(PAGE, name) for name in kept)


def test_every_field_of_a_foresight_comes_back():
    urls = (f"{HERE}a.csv", f"{HERE}b.csv")
    foresight = Foresight(3, LINKS[0], urls, CHOICE, 2, 1, True, 1, [urls[0]])
    default = Foresight(0, Link(""), ())
    assert all(getattr(foresight, f.name) != getattr(default, f.name) for f in fields(Foresight))
    assert read_foresight(through_json(foresight_row(foresight))) == foresight


def test_foreseen_files_are_part_of_the_reward():
    """They came from the page's links, though before the pages that the links lead to."""
    reading = full_reading()
    assert reading.visit().reward == 8
    event = reading.visited(10, lambda _: False)
    assert (event.reward, event.new_links) == (8, 5)
    assert event.choice.link.url == HERE
    assert event.choice.group == 7
    assert (event.not_followed.forms, event.not_followed.files_elsewhere) == (2, 1)
