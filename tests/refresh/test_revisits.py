"""What is learned from pages that are read again, and a site that has one page for every URL."""

import json

import numpy as np
import pytest

from datahound.crawl.strategy import Visit
from datahound.model import Kind, Link
from datahound.refresh.history import PageHistory, PageVisit
from datahound.refresh.pages import PageRates
from datahound.refresh.site_state import Revisits
from datahound.settings import RefreshSettings

SITE = "https://site.example/"
PAGES = [SITE, *(f"{SITE}p{n}.html" for n in range(12))]
SAME, OTHER = 7, 8
"""Hashes of contents."""


@pytest.fixture
def history():
    history = PageHistory()
    for number, url in enumerate(PAGES):
        history.add(PageVisit(url, 0.0, 0 if number == 0 else 2, 2, depth=min(number, 1)))
    return history


@pytest.fixture
def revisits(history):
    values = PageRates(history, RefreshSettings(), np.random.default_rng(0))
    values.begin_round(1.0, 1.0)
    return Revisits(history, values)


def read(revisits, place, content, *links, files=0, url=""):
    seen = PageVisit(url or PAGES[place], 1.0, files, 0)
    named = [Link(url) for url in links]
    revisits.learn(place, 0.0, seen, Visit(Kind.PAGE, named, content=content))


def test_equal_pages_without_their_links_call_for_the_start_page(revisits):
    """Two may be chance; the start page then tells."""
    for place in (1, 2):
        read(revisits, place, SAME)
        assert not revisits.needs_start_page
    read(revisits, 3, SAME)
    assert revisits.needs_start_page
    assert not revisits.are_same_page
    read(revisits, 0, SAME)
    assert revisits.are_same_page


def test_nothing_is_learned_from_the_same_page(revisits, history):
    """In the next round the pages are due as before."""
    for place in (1, 2, 3, 0):
        read(revisits, place, SAME)
    revisits.begin_round()
    assert history.last[:4].tolist() == [0, 0, 0, 0]
    assert history.files[1] == 2
    assert not revisits.are_same_page


def test_a_page_that_was_emptied_is_learned_from_once_another_differs(revisits, history):
    """It waits until then, at the latest until the next round."""
    read(revisits, 1, SAME)
    assert history.last[1] == 0
    read(revisits, 2, OTHER, files=2)
    assert history.last[1] == 1
    assert history.files[1] == 0
    revisits.begin_round()
    read(revisits, 3, SAME)
    revisits.begin_round()
    assert history.last[3] == 1


def test_another_start_page_means_that_pages_are_gone(revisits):
    """A page for what is missing, with status 200, is no maintenance."""
    for place in (1, 2, 3):
        read(revisits, place, SAME)
    read(revisits, 0, OTHER, PAGES[5])
    assert not revisits.needs_start_page
    assert not revisits.are_same_page


def test_one_page_in_ten_may_differ(revisits):
    """The host of the pictures has a page of its own, say."""
    read(revisits, 12, OTHER, files=2)
    for place in range(9):
        read(revisits, place, SAME)
    assert revisits.are_same_page
    read(revisits, 11, OTHER, files=2)
    assert not revisits.are_same_page


def test_pages_that_are_equal_and_have_their_files_are_as_before(revisits):
    """One title and one link per page, each to a file of its own."""
    for place in range(5):
        read(revisits, place, SAME, *PAGES[1:3], files=1)
    assert not revisits.are_same_page
    assert not revisits.needs_start_page


def test_files_with_a_page_in_their_place_count(revisits):
    """On a small site."""
    read(revisits, 0, SAME)
    revisits.count_file()
    read(revisits, 1, SAME)
    assert revisits.are_same_page


def test_a_page_that_has_moved_is_missed_where_it_was(revisits, history):
    """Its new address is a page like others."""
    read(revisits, 1, SAME, files=2, url=f"{SITE}moved.html")
    assert history.misses[1] == 1
    assert history.place(f"{SITE}moved.html") == len(PAGES)


def test_a_snapshot_goes_on_alike(revisits, history):
    """What was not learned from yet is kept."""
    read(revisits, 1, SAME)
    again = Revisits(history, revisits._values)
    again.restore(json.loads(json.dumps(revisits.snapshot())))
    read(again, 2, OTHER, files=2)
    assert history.last[1] == 1
