"""What an answer means: redirects, HEADs, better names, other sites, and what each costs."""

import pytest

from datahound.crawl.errands import Ending, Errand
from datahound.crawl.event_log import EventLog
from datahound.crawl.fetches import Fetches
from datahound.crawl.portals import Portals
from datahound.crawl.strategy import CompleteStrategy
from datahound.events import ALL_EVENTS, FileElsewhere, SiteMoved, Skipped
from datahound.model import Failure, Kind, Link, Postponed, Purpose, Response, Skip
from datahound.settings import CrawlSettings, SiteSettings

SEED = "https://a.example/"


class Taught:
    """A strategy that notes what it is taught."""

    def __init__(self):
        self.kinds = []

    def add(self, link):
        pass

    def choose(self, gets, under_way):  # noqa: ARG002
        return None

    def learn_kind(self, link, kind):
        self.kinds.append((link.url, kind))


@pytest.fixture
def strategy():
    return Taught()


@pytest.fixture
def make(strategy):
    def make_fetches(*, names=False, **settings):
        log = EventLog(ALL_EVENTS)
        complete = CompleteStrategy(strategy)
        crawl = CrawlSettings(**settings)
        portals = Portals(crawl.services_for(faithful=False), log, crawl.max_table)
        fetches = Fetches(SEED, complete, crawl, log, portals, with_url_names=(names, names))
        return fetches, log

    return make_fetches


def link(path, number=1):
    return Link(SEED + path, number=number)


def visit(path, number=1):
    return Errand(Purpose.VISIT, link(path, number), Kind.PAGE)


def answer(path, status=200, mime_type="text/html", **headers):
    fields = {"content-type": mime_type, **headers}
    return Response(SEED + path, status, fields, b"<p>x", size=100)


def moved(path, to):
    return answer(path, 302, location=to)


def skips(log):
    return [event.reason for event in log.take() if isinstance(event, Skipped)]


def test_a_redirect_goes_on_under_its_new_url(make):
    """The same errand is asked for again, and ends under the last URL."""
    fetches, _ = make()
    errand = visit("old")
    assert fetches.begin(errand) is None
    assert fetches.receive(errand, moved("old", "/new")) is None
    assert errand.link.url == f"{SEED}new"
    assert errand.redirected_from == f"{SEED}old"
    assert fetches.under_way == {f"{SEED}new"}
    outcome = fetches.receive(errand, answer("new"))
    assert (outcome.ending, outcome.kind) == (Ending.ANSWERED, Kind.PAGE)
    assert outcome.link.url == f"{SEED}new"
    assert not fetches.under_way
    assert (fetches.tally.requests, fetches.tally.gets) == (2, 2)


def test_a_redirect_to_a_known_url_ends_the_errand(make):
    """The page has been met: it is not read for a second time."""
    fetches, _ = make()
    fetches.known[f"{SEED}new"] = None
    errand = visit("old")
    fetches.begin(errand)
    assert fetches.receive(errand, moved("old", "/new")).ending is Ending.NOTHING


@pytest.mark.parametrize("most", [0, 1, 3])
def test_redirects_in_a_row_have_a_limit(make, most):
    """So many are followed, and the next one ends the errand."""
    fetches, _ = make(max_redirects=most)
    errand = visit("0")
    fetches.begin(errand)
    for hop in range(most):
        assert fetches.receive(errand, moved(str(hop), f"/{hop + 1}")) is None
    last = fetches.receive(errand, moved(str(most), f"/{most + 1}"))
    assert last.ending is Ending.NOTHING
    assert fetches.tally.requests == most + 1


def test_a_redirect_off_the_site_is_left_out_with_its_reason(make):
    fetches, log = make()
    errand = visit("x")
    fetches.begin(errand)
    outcome = fetches.receive(errand, moved("x", "https://b.example/y.csv"))
    assert outcome.ending is Ending.NOTHING
    events = log.take()
    assert [e.reason for e in events if isinstance(e, Skipped)] == [Skip.OTHER_SITE]
    assert [e.link.url for e in events if isinstance(e, FileElsewhere)] == [
        "https://b.example/y.csv"
    ]


def test_the_seed_may_lead_to_another_site_which_is_then_the_site(make):
    """Only the seed, whose number is 0: what the user meant is where it leads."""
    fetches, log = make()
    errand = visit("", number=0)
    fetches.begin(errand)
    assert fetches.receive(errand, moved("", "https://www.b.example/")) is None
    assert fetches.site.seed == "https://www.b.example/"
    assert [event.seed for event in log.take() if isinstance(event, SiteMoved)] == [
        "https://www.b.example/"
    ]
    assert fetches.objection(f"{SEED}x") is Skip.OTHER_SITE


def test_a_redirect_back_with_a_cookie_is_followed_once(make):
    """A server that only wants its cookie back is asked again; one that goes on for ever is not."""
    fetches, _ = make()
    errand = visit("x")
    fetches.begin(errand)
    fetches.known[f"{SEED}x"] = None
    back = answer("x", 302, location="/x", **{"set-cookie": "a=1"})
    assert fetches.receive(errand, back) is None
    assert errand.fetch.again
    assert fetches.receive(errand, back).ending is Ending.NOTHING


def test_a_redirect_back_without_a_cookie_is_a_loop(make):
    fetches, _ = make()
    fetches.known[f"{SEED}x"] = None
    errand = visit("x")
    fetches.begin(errand)
    assert fetches.receive(errand, moved("x", "/x")).ending is Ending.NOTHING


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (answer("x"), Kind.PAGE),
        (answer("x", mime_type="text/csv"), Kind.TARGET),
        (answer("x", mime_type="image/png"), Kind.OTHER),
        (answer("x", 405), Kind.PAGE),
        (answer("x", 501), Kind.PAGE),
        (answer("x", 404), Kind.OTHER),
        (Failure(SEED + "x", "timed out", requests=3), Kind.PAGE),
        (Failure(SEED + "x", "robots.txt", requests=0), Kind.OTHER),
    ],
)
def test_what_a_head_says(make, given, kind):
    """A HEAD that is not supported, or that fails, says nothing: the link stays a page."""
    fetches, _ = make()
    errand = Errand(Purpose.PROBE, link("x"), Kind.UNKNOWN)
    fetches.begin(errand)
    assert fetches.receive(errand, given).kind is kind


def test_a_head_costs_a_request_and_no_get(make):
    """Early stopping and the bandit count GETs."""
    fetches, _ = make()
    errand = Errand(Purpose.PROBE, link("x"), Kind.UNKNOWN)
    fetches.begin(errand)
    fetches.receive(errand, answer("x"))
    assert (fetches.tally.requests, fetches.tally.gets) == (1, 0)


def test_retries_are_paid_for(make):
    """An answer that took three requests costs three."""
    fetches, _ = make()
    errand = visit("x")
    fetches.begin(errand)
    outcome = fetches.receive(errand, Failure(SEED + "x", "timed out", requests=3))
    assert (outcome.ending, outcome.is_missing) == (Ending.NOTHING, True)
    assert fetches.tally.requests == 3


def test_a_picture_costs_its_headers_only(make):
    """Its body is cut, so it does not count against the budget of bytes."""
    fetches, _ = make()
    for path, mime_type in (("p.x", "image/png"), ("q", "text/html")):
        errand = visit(path)
        fetches.begin(errand)
        fetches.receive(errand, answer(path, mime_type=mime_type))
    assert fetches.tally.bytes == 100


def test_a_target_is_counted_and_taught(make, strategy):
    fetches, _ = make()
    errand = Errand(Purpose.COLLECT, link("f"), Kind.TARGET)
    fetches.begin(errand)
    assert fetches.receive(errand, answer("f", mime_type="text/csv")).kind is Kind.TARGET
    assert fetches.tally.targets == 1
    assert strategy.kinds == [(f"{SEED}f", Kind.TARGET)]


def test_a_postponed_fetch_costs_nothing_and_comes_back_under_its_own_name(make):
    fetches, _ = make()
    errand = visit("x")
    fetches.begin(errand)
    outcome = fetches.receive(errand, Postponed(SEED + "x"))
    assert (outcome.ending, outcome.link.url) == (Ending.POSTPONED, f"{SEED}x")
    assert fetches.tally.requests == 0


def test_a_patient_fetch_is_not_postponed_again(make):
    fetches, _ = make()
    errand = Errand(Purpose.VISIT, link("x"), Kind.PAGE, patient=True)
    fetches.begin(errand)
    assert fetches.receive(errand, Postponed(SEED + "x")).ending is Ending.NOTHING


def test_a_url_under_way_is_not_asked_for_twice(make):
    fetches, log = make()
    fetches.begin(visit("x"))
    assert fetches.begin(visit("x", 2)).ending is Ending.ALIAS
    assert skips(log) == [Skip.ALIAS]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a.png", Skip.BLOCKED_EXTENSION),
        ("in/x", None),
        ("out/x", Skip.EXCLUDED),
        ("a.csv", None),
    ],
)
def test_objections_to_a_url(make, path, reason):
    """Each has its own reason; what has none is followed."""
    fetches, _ = make(site=SiteSettings(exclude=("/out/",)))
    assert fetches.objection(SEED + path) is reason


def test_redirects_teach_the_names_to_ask_for(make):
    """After two alike the third URL is asked for under its new name, with no redirect to pay."""
    fetches, _ = make(names=True)
    for name in ("one", "two"):
        errand = visit(name)
        fetches.begin(errand)
        fetches.receive(errand, moved(name, f"/{name}/"))
        fetches.receive(errand, answer(f"{name}/"))
    errand = visit("three")
    assert fetches.begin(errand) is None
    assert errand.link.url == f"{SEED}three/"
    assert fetches.receive(errand, answer("three/", 404)) is None
    assert errand.link.url == f"{SEED}three"
    assert fetches.receive(errand, answer("three")).kind is Kind.PAGE


def test_a_snapshot_continues_with_what_was_known(make):
    fetches, _ = make(names=True)
    errand = visit("x")
    fetches.begin(errand)
    fetches.receive(errand, answer("x", mime_type="text/csv"))
    other, _ = make(names=True)
    other.restore(fetches.snapshot(), [SEED, f"{SEED}x"], [f"{SEED}y"])
    assert other.tally == fetches.tally
    assert list(other.known) == [SEED, f"{SEED}x"]
    assert other.under_way == {f"{SEED}y"}
