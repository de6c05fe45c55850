"""Strategies by name: ours, those of other modules, and what is wrong with a name."""

import sys
import types

import pytest

from datahound import strategies
from datahound.errors import UserError
from datahound.model import Choice
from datahound.strategies import make_strategy, registered
from datahound.web.targets import find_wanted


class Plain:
    def __init__(self):
        self.links = []

    def add(self, link):
        self.links.append(link)

    def choose(self, gets, under_way):  # noqa: ARG002
        return Choice(self.links.pop()) if self.links else None


class Demanding(Plain):
    def __init__(self, settings, rng, targets):
        super().__init__()
        self.given = (settings, rng, targets)


class Knowing(Plain):
    def __init__(self, oracle):
        super().__init__()
        self.oracle = oracle


class NotOne:
    pass


@pytest.fixture(autouse=True)
def module(monkeypatch):
    made = types.ModuleType("my_strategies")
    for thing in (Plain, Demanding, Knowing, NotOne):
        setattr(made, thing.__name__, thing)
    made.broken = lambda: 1 / 0
    monkeypatch.setitem(sys.modules, "my_strategies", made)


def test_a_class_of_a_module():
    assert isinstance(make_strategy("my_strategies:Plain"), Plain)
    assert not registered("my_strategies:Plain").is_random


def test_it_is_given_what_its_parameters_name():
    made = make_strategy("my_strategies:Demanding", seed=3, targets=frozenset({"text/csv"}))
    settings, rng, targets = made.given
    assert settings.hound.credit > 0
    assert rng.random() == pytest.approx(0.23796462709189137)
    assert targets == find_wanted(frozenset({"text/csv"})).mime_types
    assert registered("my_strategies:Demanding").is_random


def test_one_that_wants_an_oracle_needs_a_recorded_site():
    assert registered("my_strategies:Knowing").needs_oracle
    with pytest.raises(UserError, match="recorded sites only"):
        make_strategy("my_strategies:Knowing")


def test_an_entry_point(monkeypatch):
    class Point:
        value = "my_strategies:Plain"

    def found(group, name):
        return [Point()] if (group, name) == ("datahound.strategies", "plain") else []

    monkeypatch.setattr(strategies, "entry_points", found)
    assert isinstance(make_strategy("plain"), Plain)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("best", "unknown strategy 'best'"),
        ("no_such_module_anywhere:X", "can't be imported"),
        ("my_strategies:Missing", "can't be imported"),
        ("my_strategies:NotOne", "no methods `add` and `choose`"),
        ("my_strategies:broken", "no methods `add` and `choose`"),
        (":", "can't be imported"),
    ],
)
def test_a_mistake_is_one_line(name, said):
    with pytest.raises(UserError) as error:
        make_strategy(name)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
