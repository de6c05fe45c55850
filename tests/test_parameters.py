"""Settings by name: whatever can be set works, and what can't be set is said in one line."""

import pytest

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import UserError
from datahound.parameters import parameters, with_parameters
from datahound.readers.html import HtmlReader
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
