"""Settings by name: whatever can be set works, and what can't be set is said in one line."""

from dataclasses import fields, is_dataclass
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import UserError
from datahound.parameters import (
    apply_values,
    live_parameters,
    parameters,
    parse_pairs,
    read_setting,
    with_parameters,
)
from datahound.readers.html import HtmlReader
from datahound.runs.options import OPTIONS, make_options
from datahound.settings import Settings
from datahound.strategies import make_strategy

NUMBERS = [parameter for parameter in parameters() if parameter.type in (int, float, int | None)]


@pytest.mark.parametrize("parameter", NUMBERS, ids=lambda parameter: parameter.name)
@pytest.mark.parametrize("strategy", ["hound", "sb-classifier"])
def test_the_least_that_can_be_set_works(parameter, strategy):
    least = f"{parameter.within.least:g}"
    others = ["dimension_bits=1"] if parameter.name == "hash_bits" else []
    settings = with_parameters(Settings(), [*others, f"{parameter.name}={least}"])
    site = open_archive("synthetic:?pages=100")
    chooser = make_strategy(strategy, settings.strategy)
    reader = HtmlReader(settings.pages)
    crawl = Crawl(site.seed, chooser, settings=settings.crawl, read=reader.read)
    replay(crawl, site)
    assert crawl.tally.targets > 0 or parameter.name in ("max_requests", "max_bytes")


ENDINGS = [p for p in live_parameters() if p.group in (("crawl", "early_stop"), ("crawl", "traps"))]


@pytest.mark.parametrize("parameter", ENDINGS, ids=lambda parameter: parameter.path)
def test_the_least_of_early_stopping_and_traps_works(parameter):
    """No least value divides by zero or ends a crawl before its first page."""
    least = "no" if parameter.type is bool else f"{parameter.within.least:g}"
    values = parse_pairs([f"{parameter.path}={least}"], live_parameters())
    settings = apply_values(Settings(), values)
    assert read_setting(settings, parameter.path) == values[parameter.path]
    site = open_archive("synthetic:?pages=100")
    reader = HtmlReader(settings.pages)
    chooser = make_strategy("hound", settings.strategy)
    replay(crawl := Crawl(site.seed, chooser, settings=settings.crawl, read=reader.read), site)
    assert crawl.tally.visits > 1


def test_a_replay_and_a_live_crawl_share_what_concerns_both():
    """A live crawl has the web, downloads, early stopping and traps besides; names are unique."""
    in_replays = {parameter.path for parameter in parameters()}
    live = {parameter.path for parameter in live_parameters()}
    assert in_replays - live == {"crawl.in_flight"}
    more = {path.rpartition(".")[0] for path in live - in_replays}
    assert more == {"web", "downloads", "crawl.early_stop", "crawl.traps", "crawl.site", "refresh"}
    names = [parameter.name for parameter in parameters()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("parameter", list(live_parameters()), ids=lambda parameter: parameter.path)
def test_every_setting_is_reached_by_its_full_name(parameter):
    """Its default, written as text, is its default again."""
    number = str(int(max(7, parameter.within.least)))
    text = "auto" if parameter.default is None and parameter.type == bool | None else number
    text = text if parameter.default is None else str(parameter.default)
    values = parse_pairs([f"{parameter.path}={text}"], live_parameters())
    expected = int(number) if text == number else parameter.default
    assert values == {parameter.path: expected}
    assert read_setting(apply_values(Settings(), values), parameter.path) == expected


def choose_another(parameter):
    """A value that a setting may have, and that is not its default."""
    if get_origin(parameter.type) is Literal:
        return next(one for one in get_args(parameter.type) if one != parameter.default)
    if parameter.type in (bool, bool | None):
        return not parameter.default
    low, high = parameter.within.least, parameter.within.most
    usual = low if parameter.default is None else parameter.default
    value = usual + 1 if usual + 1 <= high else (low + high) / 3
    return value if parameter.type is float else int(value)


@pytest.mark.parametrize("parameter", list(live_parameters()), ids=lambda parameter: parameter.path)
def test_a_live_crawl_gets_every_setting(parameter):
    """From `--set` on the command line and in files, to the settings that its parts obey."""
    value = choose_another(parameter)
    assert value != parameter.default
    options = make_options("https://a.example/", {"set": f"{parameter.path}={value}"})
    assert read_setting(options.settings(), parameter.path) == value


def test_every_field_of_the_settings_can_be_set():
    """By name, or by an option of its own where it is a text or a list."""
    by_name = {parameter.path for parameter in live_parameters()}
    by_option = {path for option in OPTIONS.values() for path in option.setting}
    every = set(list_fields(Settings))
    # A live crawl has as many fetches in flight as its hosts may have.
    assert every - by_name - by_option == {"crawl.in_flight"}
    assert by_name <= every


def list_fields(holder, group=""):
    """The full names of all fields of a dataclass, and of those inside it."""
    types = get_type_hints(holder)
    for field in fields(holder):
        kinds = (types[field.name], *get_args(types[field.name]))
        inner = [kind for kind in kinds if is_dataclass(kind)]
        if inner:
            yield from list_fields(inner[0], f"{group}{field.name}.")
        else:
            yield f"{group}{field.name}"


@pytest.mark.parametrize("name", ["strategy.hound.credit", "hound.credit", "credit"])
def test_a_name_may_be_shortened_to_its_end(name):
    assert with_parameters(Settings(), [f"{name}=0.3"]).strategy.hound.credit == 0.3


@pytest.mark.parametrize("name", ["redit", "hound-credit", "strategy.credit", "strategy.hound", ""])
def test_other_parts_of_a_name_are_unknown(name):
    with pytest.raises(UserError, match="unknown parameter"):
        with_parameters(Settings(), [f"{name}=0.3"])


def test_a_name_that_is_nearly_one_is_answered_with_it():
    """Nobody finds a name in a list of a hundred."""
    for wrong in ("web.outage_seconds=0.2", "max_outage_second=0.2"):
        with pytest.raises(UserError, match=r"did you mean max_outage_seconds\?") as error:
            parse_pairs([wrong], live_parameters())
        assert len(str(error.value)) < 120
    with pytest.raises(UserError, match="where KEY is "):
        parse_pairs(["xyzzy=1"], live_parameters())


def test_a_short_name_of_two_settings_is_refused():
    with pytest.raises(UserError, match=r"give web.retry_seconds or downloads.retry_seconds"):
        parse_pairs(["retry-seconds=3"], live_parameters())
    assert parse_pairs(["web.retry-seconds=3"], live_parameters()) == {"web.retry_seconds": 3.0}


def test_a_replay_has_no_web():
    """A setting without effect is refused rather than ignored."""
    with pytest.raises(UserError, match="unknown parameter 'idle_seconds=3'"):
        with_parameters(Settings(), ["idle_seconds=3"])


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ("samples=0", "samples can't be '0': it is a whole number of at least 1"),
        ("samples=1.5", "it is a whole number of at least 1"),
        ("max_groups=-1", "it is a whole number of at least 0"),
        ("min_similarity=1.01", "it is a number from 0 to 1"),
        ("min_similarity=nan", "it is a number from 0 to 1"),
        ("prior_weight=inf", "it is a number of at least 0.01"),
        ("max_requests=-1", "it is a whole number of at least 0"),
        ("hash_bits=11", "it is at least dimension_bits, 12"),
        ("aliases=maybe", "it is one of auto, yes, no"),
    ],
)
def test_what_makes_no_sense_is_refused(pair, reason):
    with pytest.raises(UserError, match=reason):
        with_parameters(Settings(), [pair])
