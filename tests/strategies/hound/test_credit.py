"""What a page led to is known for as long as its links are followed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.strategies.hound import credit as credit_module
from datahound.strategies.hound.credit import CreditLedger, estimate_promise


def test_a_page_is_worth_more_when_its_links_bring_more_than_foreseen():
    ledger = CreditLedger()
    ledger.add_page("https://a.example/list", group=7, reward=0, promise=1.0)
    assert ledger.follow_link("https://a.example/list", 2) is None  # (0 + 1 + 2) / 3
    assert ledger.follow_link("https://a.example/list", 5) == (7, pytest.approx(1.0))  # 8 / 4
    assert ledger.follow_link("https://a.example/list", 2) is None
    assert ledger.follow_link("https://a.example/list", 8) == (7, pytest.approx(1.0))  # 18 / 6


def test_what_it_was_once_worth_is_never_told_twice():
    ledger = CreditLedger()
    ledger.add_page("https://a.example/list", group=0, reward=0, promise=0.0)
    rewards = [9, 0, 0, 9, 1, 30, 0, 0, 0, 2]
    told = [ledger.follow_link("https://a.example/list", reward) for reward in rewards]
    worth = [sum(rewards[: n + 1]) / (n + 3) for n in range(len(rewards))]
    assert sum(more for _, more in filter(None, told)) == pytest.approx(max(worth))


def test_links_of_pages_never_read_tell_nothing():
    assert CreditLedger().follow_link("https://a.example/", 3) is None


def test_pages_are_forgotten_when_no_link_of_theirs_was_followed_for_long(monkeypatch):
    monkeypatch.setattr(credit_module, "_MAX_PAGES", 3)
    ledger = CreditLedger()
    for number in range(3):
        ledger.add_page(f"https://a.example/{number}", number, 0, 0.0)
    ledger.follow_link("https://a.example/0", 0)
    ledger.add_page("https://a.example/3", 3, 0, 0.0)
    assert ledger.follow_link("https://a.example/1", 1) is None
    assert [ledger.follow_link(f"https://a.example/{n}", 9) is not None for n in (0, 2, 3)] == [
        True
    ] * 3


def test_it_goes_on_as_if_nothing_had_happened():
    first = CreditLedger()
    for number in range(20):
        first.add_page(f"https://a.example/{number}", number, number % 3, number % 3 + 0.5)
    first.follow_link("https://a.example/4", 6)
    second = CreditLedger()
    second.restore(json.loads(json.dumps(first.snapshot())))
    again = [f"https://a.example/{number % 20}" for number in range(7, 60, 3)]
    assert [second.follow_link(url, 2) for url in again] == [
        first.follow_link(url, 2) for url in again
    ]
    assert second.snapshot() == first.snapshot()


@pytest.mark.parametrize(
    ("reward", "prospects", "promise"),
    [
        (0, [], 0),
        (3, [], 3),
        (0, [1.0, 1.0], 2 / 3),
        (3, [2.0, 1.0], 3),
        (1, [0.5, 4.0, 0.25], 2.5),
    ],
)
def test_a_page_promises_what_it_and_its_best_links_bring_per_request(reward, prospects, promise):
    assert estimate_promise(reward, prospects) == pytest.approx(promise)


@given(reward=st.integers(0, 9), prospects=st.lists(st.floats(0, 50), max_size=8))
def test_no_other_number_of_links_gives_more_per_request(reward, prospects):
    best = sorted(prospects, reverse=True)
    quotients = [(reward + sum(best[:n])) / (1 + n) for n in range(len(best) + 1)]
    assert estimate_promise(reward, prospects) == pytest.approx(max(quotients))
