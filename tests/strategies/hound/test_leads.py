"""What a page led to is known for as long as its links are followed."""

import json

import pytest

from datahound.strategies.hound import leads as leads_module
from datahound.strategies.hound.leads import Leads


def test_a_page_is_worth_more_when_its_links_bring_more_than_foreseen():
    leads = Leads()
    leads.add("https://a.example/list", group=7, reward=0, foreseen=1.0)
    assert leads.follow("https://a.example/list", 2) is None  # (0 + 1 + 2) / 3 is what was foreseen
    assert leads.follow("https://a.example/list", 5) == (7, pytest.approx(1.0))  # 8 / 4
    assert leads.follow("https://a.example/list", 2) is None
    assert leads.follow("https://a.example/list", 8) == (7, pytest.approx(1.0))  # 18 / 6


def test_what_it_was_once_worth_is_never_told_twice():
    leads = Leads()
    leads.add("https://a.example/list", group=0, reward=0, foreseen=0.0)
    rewards = [9, 0, 0, 9, 1, 30, 0, 0, 0, 2]
    told = [leads.follow("https://a.example/list", reward) for reward in rewards]
    worth = [sum(rewards[: n + 1]) / (n + 3) for n in range(len(rewards))]
    assert sum(more for _, more in filter(None, told)) == pytest.approx(max(worth))


def test_links_of_pages_never_read_tell_nothing():
    assert Leads().follow("https://a.example/", 3) is None


def test_pages_are_forgotten_when_no_link_of_theirs_was_followed_for_long(monkeypatch):
    monkeypatch.setattr(leads_module, "_MOST_PAGES", 3)
    leads = Leads()
    for number in range(3):
        leads.add(f"https://a.example/{number}", number, 0, 0.0)
    leads.follow("https://a.example/0", 0)
    leads.add("https://a.example/3", 3, 0, 0.0)
    assert leads.follow("https://a.example/1", 1) is None
    assert [leads.follow(f"https://a.example/{n}", 9) is not None for n in (0, 2, 3)] == [True] * 3


def test_it_goes_on_as_if_nothing_had_happened():
    first = Leads()
    for number in range(20):
        first.add(f"https://a.example/{number}", number, number % 3, number % 3 + 0.5)
    first.follow("https://a.example/4", 6)
    second = Leads()
    second.restore(json.loads(json.dumps(first.snapshot())))
    again = [f"https://a.example/{number % 20}" for number in range(7, 60, 3)]
    assert [second.follow(url, 2) for url in again] == [first.follow(url, 2) for url in again]
    assert second.snapshot() == first.snapshot()
