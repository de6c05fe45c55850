"""What observers read from a crawl's events."""

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.events import Fetched, Stop, TargetFound, Visited, VisitOutcome
from datahound.lab.metrics import Curve
from datahound.lab.observers import Confusion, EarlyCut, Rewards
from datahound.model import Choice, Fetch, Kind, Link, Purpose
from datahound.settings import CrawlSettings, EarlyStopSettings
from datahound.strategies import make_strategy

SEED = "https://www.a.example/"


def fetched(path, kind, expected, purpose=Purpose.VISIT, status=200, number=1):
    return Fetched(number, Fetch(SEED + path, purpose), status, kind, expected, 10)


def visited(group, reward, tag_path="html a"):
    return Visited(1, Choice(Link(SEED, tag_path), group), VisitOutcome.READ, reward)


def test_only_guesses_count_as_mistakes():
    """The seed, redirects and probed URLs are not guesses; the rest is right or wrong."""
    confusion = Confusion(SEED)
    confusion.observe(
        [
            fetched("", Kind.PAGE, Kind.PAGE),
            fetched("told", Kind.TARGET, Kind.UNKNOWN, Purpose.PROBE),
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
    failed = Visited(1, Choice(Link(SEED), 1), VisitOutcome.NOT_A_PAGE)
    rewards.observe([failed, visited(None, 9)])
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
    assert short.stopped == Stop.BARREN
    assert (cut.requests, cut.targets) == (told.requests, told.targets)
    assert cut.requests < full.tally.requests


def test_what_was_not_expected_is_not_a_guess():
    """A fetch without an expected kind says nothing of the classifier."""
    confusion = Confusion(SEED)
    confusion.observe(
        [fetched("a", Kind.PAGE, Kind.UNKNOWN), fetched("b", Kind.TARGET, Kind.UNKNOWN)]
    )
    assert confusion.counts == {}


def test_equal_guesses_add_up():
    """Counts go on over several batches of events."""
    confusion = Confusion(SEED)
    for path in "abc":
        confusion.observe([fetched(path, Kind.TARGET, Kind.TARGET)])
    assert confusion.counts == {(Kind.TARGET, Kind.TARGET): 3}


def test_without_rewards_there_is_nothing_to_rank():
    """Groups whose pages led to no target are not listed."""
    rewards = Rewards()
    rewards.observe([visited(0, 0), visited(1, 0)])
    assert rewards.rank_groups() == []
    assert rewards.list_page_rewards() == []


def test_a_group_keeps_its_first_tag_path():
    """The example of a group is the path of its first page."""
    rewards = Rewards()
    rewards.observe([visited(0, 1, "html ul a"), visited(0, 1, "html ol a")])
    assert rewards.rank_groups()[0].tag_path == "html ul a"


def test_a_crawl_that_keeps_finding_is_not_cut():
    """Without a barren stretch there is no cut."""
    cut = EarlyCut(EarlyStopSettings(window=2, min_slope=0.2, decay=0.5, patience=2))
    for number in range(1, 50):
        link = Link(f"{SEED}{number}")
        cut.observe([fetched(str(number), Kind.TARGET, None, number=number)])
        cut.observe([TargetFound(number, link, "text/csv", 1), visited(0, 1)])
    assert (cut.requests, cut.targets) == (None, None)


def test_probes_do_not_count_towards_the_cut():
    """Early stopping counts GETs, and the cut is told in requests, probes among them."""
    settings = EarlyStopSettings(window=1, min_slope=0.5, decay=0.5, patience=2)
    plain, probed = EarlyCut(settings), EarlyCut(settings)
    for number in range(1, 20):
        plain.observe([fetched(str(number), Kind.PAGE, Kind.UNKNOWN, number=number), visited(0, 0)])
        probe = fetched(str(number), Kind.PAGE, Kind.UNKNOWN, Purpose.PROBE, number=2 * number - 1)
        probed.observe([probe, fetched(str(number), Kind.PAGE, Kind.UNKNOWN, number=2 * number)])
        probed.observe([visited(0, 0)])
    assert plain.requests is not None
    assert probed.requests == 2 * plain.requests
