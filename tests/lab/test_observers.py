"""What is read from a crawl's events, and from several runs."""

import pytest
from scipy.stats import wilcoxon

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.crawl.stopping import BARREN
from datahound.engines.replay import replay
from datahound.events import Fetched, TargetFound, Visited
from datahound.lab.metrics import Curve
from datahound.lab.observers import Confusion, EarlyCut, Rewards
from datahound.lab.report.signed_rank import adjust_by_holm, run_signed_rank
from datahound.lab.report.summary import find_lowest, summarize_runs
from datahound.model import Choice, Fetch, Kind, Link, Purpose
from datahound.settings import CrawlSettings, EarlyStopSettings
from datahound.strategies import make_strategy

SEED = "https://www.a.example/"


def fetched(path, kind, expected, purpose=Purpose.VISIT, status=200, number=1):
    return Fetched(number, Fetch(SEED + path, purpose), status, kind, expected, 10)


def visited(group, reward, tag_path="html a"):
    return Visited(1, Choice(Link(SEED, tag_path), group), reward, 0)


def test_only_guesses_count_as_mistakes():
    """The seed, redirects and what a HEAD told are no guesses; the rest is right or wrong."""
    confusion = Confusion(SEED)
    confusion.observe(
        [
            fetched("", Kind.PAGE, Kind.PAGE),
            fetched("told", Kind.TARGET, None, Purpose.PROBE),
            fetched("told", Kind.TARGET, Kind.TARGET, Purpose.COLLECT),
            fetched("moved", Kind.OTHER, Kind.PAGE, status=301),
            fetched("right", Kind.PAGE, Kind.PAGE),
            fetched("wrong", Kind.PAGE, Kind.TARGET, Purpose.COLLECT),
            fetched("gone", Kind.OTHER, Kind.PAGE, status=404),
        ]
    )
    assert confusion.counts == {
        (Kind.PAGE, Kind.PAGE): 1,
        (Kind.PAGE, Kind.TARGET): 1,
        (Kind.OTHER, Kind.PAGE): 1,
    }


def test_groups_are_ranked_by_what_their_pages_brought():
    """Failed visits and the seed credit nobody; groups without a reward are left out."""
    rewards = Rewards()
    rewards.observe([visited(0, 2, "html ul a"), visited(0, 0), visited(1, 3), visited(2, 0)])
    rewards.observe([visited(1, None), visited(None, 9)])
    assert [(g.mean, g.pages, g.tag_path) for g in rewards.rank_groups()] == [
        (3, 1, "html a"),
        (1, 2, "html ul a"),
    ]
    assert sorted(rewards.list_page_rewards()) == [2, 3]


def test_the_cut_is_where_a_crawl_would_have_stopped():
    """A full crawl tells to the request where the same crawl with early stopping ends."""
    site = open_archive("synthetic:demo?scale=0.2")
    stop = EarlyStopSettings(window=20, min_slope=0.2, decay=0.5, patience=3)
    cut, told = EarlyCut(stop), Curve()
    watch = (Fetched, TargetFound, Visited)
    full = Crawl(site.seed, make_strategy("sb-classifier"), watch=watch)
    replay(full, site, cut.observe)
    settings = CrawlSettings(early_stop=stop)
    short = Crawl(site.seed, make_strategy("sb-classifier"), settings=settings, watch=watch)
    replay(short, site, told.observe)
    assert short.stopped == BARREN
    assert (cut.requests, cut.targets) == (told.requests, told.targets)
    assert cut.requests < full.tally.requests


def test_bytes_received_by_a_share_of_targets():
    """All bytes up to the target that completes the share, targets and others."""
    curve = Curve(found_at=[2, 5], sizes=[100, 50], other_bytes_at=[10, 40])
    assert curve.received_to(0.5, 2) == 110
    assert curve.received_to(0.9, 2) == 190
    assert curve.received_to(0.9, 3) is None


@pytest.mark.parametrize("count", [5, 12, 30])
def test_the_signed_rank_test_is_scipys(count):
    """Without ties and zeros the p-value is that of scipy's exact test."""
    differences = [((7919 * i) % 101 - 40) / 10 + i / 1000 for i in range(1, count + 1)]
    expected = wilcoxon(differences, method="exact").pvalue
    assert run_signed_rank(differences).p == pytest.approx(expected)


def test_pairs_without_a_difference_say_nothing():
    """Equal pairs are left out; without any others nothing is significant."""
    assert run_signed_rank([0.0, 0.0]).p == 1.0
    assert run_signed_rank([0.0, 1.0, 2.0]) == run_signed_rank([1.0, 2.0])


def test_several_tests_are_adjusted():
    """Holm's method: the smallest p-value is multiplied most, and order is kept."""
    assert adjust_by_holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_a_summary_says_what_it_stands_for():
    """Mean and spread; no spread for one run; how many got there; never; no runs at all."""
    texts = [
        summarize_runs(values).show() for values in ([1, 2, 3], [1], [1, None], [None, None], [])
    ]
    assert texts == ["2.0 ± 1.0", "1.0", "1.0 (1/2)", "+∞", "–"]


def test_the_best_always_got_there():
    """A crawler that did not get there in every run is not the best; what looks equal is."""
    summaries = [summarize_runs(v) for v in ([1, None], [5.01], [5.02], [7], [])]
    assert find_lowest(summaries) == {1, 2}
