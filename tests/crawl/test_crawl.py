"""The algorithm, by conversation: feed answers, look at events."""

from dataclasses import replace

import pytest
from conversation import SEED, crawl_all, csv, error, html, make, moved, nothing

from datahound.crawl.crawl import Crawl
from datahound.errors import InternalError
from datahound.events import (
    Chosen,
    Discovered,
    Fetched,
    Ground,
    GroupCreated,
    SiteMoved,
    Skipped,
    Stop,
    Stopped,
    TargetFound,
    Visited,
    VisitOutcome,
)
from datahound.learn.bandit import Arm
from datahound.model import Failure, Fetch, Kind, Postponed, Purpose, Response, Skip
from datahound.settings import CrawlSettings, EarlyStopSettings


def of(kind, events):
    return [event for event in events if isinstance(event, kind)]


def targets(events):
    return [event.link.url.removeprefix(SEED) for event in of(TargetFound, events)]


def test_a_small_site_is_crawled_to_its_end():
    """Every link is fetched once, in the strategy's order, and the story says all of it."""
    site = {
        "/": html("a", "b", "t.csv"),
        "a": html("b", "u.csv"),
        "b": error(),
        "t.csv": csv(7),
        "u.csv": csv(8),
    }
    crawl, events, asked = crawl_all(site)
    assert asked == [("GET", ""), ("GET", "a"), ("GET", "b"), ("GET", "t.csv"), ("GET", "u.csv")]
    assert targets(events) == ["t.csv", "u.csv"]
    assert events[-1] == Stopped(Stop.EXHAUSTED)
    assert (crawl.tally.requests, crawl.tally.gets, crawl.tally.targets) == (5, 5, 2)
    assert [e.status for e in of(Fetched, events)] == [200, 200, 404, 200, 200]
    assert [e.number for e in of(Fetched, events)] == [1, 2, 3, 4, 5]
    depths = {e.link.url.removeprefix(SEED): e.link.depth for e in of(Discovered, events)}
    assert depths == {"a": 1, "b": 1, "t.csv": 1, "u.csv": 2}


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_an_error_ends_the_visit(status):
    """Links of an error page are not followed, and an error with the type of a file is no file."""
    gone, lost = replace(html("x"), status=status), replace(csv(), status=status)
    site = {"/": html("gone", "lost.csv"), "gone": gone, "lost.csv": lost, "x": csv()}
    crawl, events, asked = crawl_all(site)
    assert [path for _, path in asked] == ["", "gone", "lost.csv"]
    assert (targets(events), crawl.tally.targets) == ([], 0)


def test_the_papers_reward():
    """12 links, 5 of them to targets, 2 of those known before: the reward is 3."""
    links = [f"p{n}" for n in range(7)] + [f"t{n}.csv" for n in range(5)]
    site = {"/": html("t0.csv", "t1.csv", "full"), "full": html(*links)}
    site |= {f"t{n}.csv": csv() for n in range(5)} | {f"p{n}": html() for n in range(7)}
    _, events, _ = crawl_all(site, "sb-oracle")
    rewards = {e.choice.link.url.removeprefix(SEED): e.reward for e in of(Visited, events)}
    assert rewards[""] == 2
    assert rewards["full"] == 3


def test_the_reward_counts_what_turned_out_to_be_a_target():
    """A predicted target that is dead, or a page, earns nothing."""
    site = {"/": html("go"), "go": html("dead.csv", "page.csv", "real.csv"), "dead.csv": error()}
    site |= {"page.csv": html(), "real.csv": csv()}
    _, events, _ = crawl_all(site, "sb-oracle")
    assert [e.reward for e in of(Visited, events) if e.choice.link.url == SEED + "go"] == [1]


@pytest.mark.parametrize("way", [moved("known"), moved("https://other.net/"), error(), nothing()])
def test_a_visit_without_a_page_leaves_the_mean(way):
    """A known URL, another site, an error, no answer: it counts, and nothing is credited."""
    site = {"/": html(("a", "x"), ("known", "x"), ("b", "x"), "t.csv")}
    site |= {"a": html("t1.csv", "t2.csv"), "known": html("t3.csv", "t4.csv"), "b": way}
    site |= {f"t{n}.csv": csv() for n in ("", 1, 2, 3, 4)}
    strategy = make("sb-oracle")
    crawl_all(site, strategy)
    assert strategy.bandit.arm(0) == Arm(3, 2.0)
    assert len(strategy.actions) == 1, "and the seed is of no action"


def test_the_bandit_counts_gets():
    """Its t is the number of GETs so far, those of targets included and HEADs left out."""
    site = {"/": html("t.csv", *[f"p{n}" for n in range(9)]), "t.csv": csv()}
    site |= {f"p{n}": html() for n in range(9)}
    strategy, asked, times = make("sb-classifier"), [], []
    choose = strategy.choose

    def spy(gets, under_way):
        times.append(gets)
        return choose(gets, under_way)

    strategy.choose = spy
    _, _, asked = crawl_all(site, strategy)
    assert ("HEAD", "t.csv") in asked
    # The seed, then t.csv, then a page per choice; the last choice finds nothing.
    assert times == list(range(2, 12))


def test_redirects_inside_the_site():
    """Each hop is a request; the target is known by its last URL; no URL is fetched again."""
    site = {
        "/": html("old", "new.csv2", "t.csv"),
        "old": moved("mid"),
        "mid": moved("t.csv"),
        "t.csv": csv(),
    }
    crawl, events, asked = crawl_all(site)
    assert asked == [
        ("GET", ""),
        ("GET", "old"),
        ("GET", "mid"),
        ("GET", "new.csv2"),
        ("GET", "t.csv"),
    ]
    assert targets(events) == ["t.csv"]
    assert crawl.tally.requests == 5


def test_a_redirect_to_something_new_is_followed_at_once():
    """The destination is fetched next, and keeps the link's place in the crawl."""
    site = {
        "/": html("old", "b"),
        "old": moved("/hidden.csv"),
        "hidden.csv": csv(),
        "b": html("hidden.csv"),
    }
    _, events, asked = crawl_all(site)
    assert [path for _, path in asked] == ["", "old", "hidden.csv", "b"]
    assert targets(events) == ["hidden.csv"]


def test_redirects_off_the_site_and_in_circles():
    """Neither leads anywhere, and an endless chain is cut."""
    site = {"/": html("away", "loop", "chain0"), "away": moved("https://other.net/x.csv")}
    site |= {"loop": moved("loop"), **{f"chain{n}": moved(f"chain{n + 1}") for n in range(100)}}
    crawl, events, asked = crawl_all(site, settings=CrawlSettings(max_redirects=5))
    assert len(asked) == 1 + 1 + 1 + 6
    assert (Skip.OTHER_SITE, True) in [(e.reason, e.redirected) for e in of(Skipped, events)]
    assert crawl.stopped == Stop.EXHAUSTED


def test_a_seed_that_moves_takes_the_site_along():
    """A seed that redirects to another host moves the site there and says so."""
    there = "https://www.new.example/"
    site = {"/": moved(there), there: html("t.csv"), there + "t.csv": csv()}
    crawl, events, _ = crawl_all(site)
    assert of(SiteMoved, events) == [SiteMoved(there)]
    assert crawl.site.admits("https://data.new.example/")
    assert crawl.tally.targets == 1


def test_probing_until_the_first_batch_is_full():
    """HEADs tell the kinds of the first links and count as requests; after that there are none."""
    names = [f"p{n}" for n in range(15)]
    site = {"/": html("t.csv", *names), "t.csv": csv(), **{name: html() for name in names}}
    crawl, events, asked = crawl_all(site, "sb-classifier")
    heads = [path for method, path in asked if method == "HEAD"]
    assert heads == ["t.csv", *names[:7]]  # with the GETs of the seed and of t.csv, ten examples
    assert asked[2] == ("GET", "t.csv")
    assert crawl.tally.gets == 1 + 1 + 15
    assert crawl.tally.requests == crawl.tally.gets + len(heads)
    probes = [e for e in of(Fetched, events) if e.fetch.purpose is Purpose.PROBE]
    assert {e.expected for e in probes} == {Kind.UNKNOWN}


def test_a_probe_that_is_redirected():
    """The target is collected where the probe found it; asking for the old URL would lose it."""
    site = {"/": html("old.csv"), "old.csv": moved("files/new.csv"), "files/new.csv": csv()}
    _, events, asked = crawl_all(site, "sb-classifier")
    assert asked == [
        ("GET", ""),
        ("HEAD", "old.csv"),
        ("HEAD", "files/new.csv"),
        ("GET", "files/new.csv"),
    ]
    assert targets(events) == ["files/new.csv"]


@pytest.mark.parametrize(
    ("head", "is_visited"),
    [
        (error(405), True),
        (error(501), True),
        (nothing(), True),
        (error(404), False),
        (error(500), False),
    ],
)
def test_probes_that_tell_nothing(head, is_visited):
    """Unsupported or unanswered: the link is taken for a page. An error drops it."""

    def answer(fetch):
        return head if fetch.method == "HEAD" else html()

    _, _, asked = crawl_all({"/": html("x"), "x": answer}, "sb-classifier")
    assert (("GET", "x") in asked) == is_visited


def test_a_probe_of_another_type_drops_the_link():
    """Neither page nor target: it is not fetched, and the story says why."""
    picture = Response("", 200, {"content-type": "image/png"}, b"")
    _, events, asked = crawl_all({"/": html("logo"), "logo": picture}, "sb-classifier")
    assert asked == [("GET", ""), ("HEAD", "logo")]
    assert [e.reason for e in of(Skipped, events)] == [Skip.NEITHER]


def test_a_page_mistaken_for_a_target_is_adopted():
    """It is read at once under the action of its own tag path, and counts as a pull of it."""
    site = {"/": html(("go", "menu"), ("also", "menu")), "also": html()}
    site |= {
        "go": html(("mistaken.csv", "files")),
        "mistaken.csv": html(("deep", "menu")),
        "deep": html(),
    }
    strategy = make("sb-oracle")
    _, events, asked = crawl_all(site, strategy)
    by_url = {e.choice.link.url.removeprefix(SEED): e for e in of(Visited, events)}
    order = [path for _, path in asked]
    assert order.index("mistaken.csv") == order.index("go") + 1
    adopted = by_url["mistaken.csv"]
    assert adopted.choice.group is not None
    assert adopted.choice.group != by_url["go"].choice.group
    assert strategy.bandit.arm(adopted.choice.group).pulls == 1
    founded = [e.number for e in of(GroupCreated, events)]
    assert adopted.choice.group not in founded or len(founded) == len(set(founded))


def test_collected_targets_found_no_action():
    """Only links that wait, and adopted pages, have an action."""
    site = {"/": html(*[(f"t{n}.csv", f"class{n}") for n in range(20)])}
    site |= {f"t{n}.csv": csv() for n in range(20)}
    strategy = make("sb-oracle")
    crawl_all(site, strategy)
    assert len(strategy.actions) == 0


def test_mistakes_in_a_row_need_no_recursion():
    """A chain of 3,000 pages, each mistaken for a target, is read without running out of stack."""
    site = {"/": html("m0.csv")}
    site |= {f"m{n}.csv": html(f"m{n + 1}.csv") for n in range(3000)} | {"m3000.csv": csv()}
    crawl, events, _ = crawl_all(site, "sb-oracle")
    assert crawl.tally.requests == 3002
    assert targets(events) == ["m3000.csv"]


def test_what_is_left_out():
    """Other sites and blocked extensions are skipped once each, with the reason."""
    page = html("https://other.net/", "logo.PNG", "https://other.net/", "a")
    _, events, asked = crawl_all({"/": page, "a": page})
    assert [path for _, path in asked] == ["", "a"]
    assert [(e.link.url, e.reason) for e in of(Skipped, events)] == [
        ("https://other.net/", Skip.OTHER_SITE),
        (SEED + "logo.PNG", Skip.BLOCKED_EXTENSION),
    ]
    _, _, asked = crawl_all({"/": page}, settings=CrawlSettings(block_extensions=False))
    assert ("GET", "logo.PNG") in asked


def test_budgets():
    """A crawl ends at its budget of requests or bytes, in the middle of a page if need be."""
    site = {
        "/": html(*[f"t{n}.csv" for n in range(9)]),
        **{f"t{n}.csv": csv(1000) for n in range(9)},
    }
    crawl, events, asked = crawl_all(site, "sb-oracle", settings=CrawlSettings(max_requests=4))
    assert (len(asked), crawl.stopped) == (4, Stop.SPENT_REQUESTS)
    assert events[-1] == Stopped(Stop.SPENT_REQUESTS)
    crawl, _, _ = crawl_all(site, "sb-oracle", settings=CrawlSettings(max_bytes=3000))
    assert crawl.stopped == Stop.SPENT_BYTES
    assert 3000 <= crawl.tally.bytes < 4500


def test_blocked_types_cost_their_headers_only():
    """A picture behind a plain link is cut at its headers: its bytes do not count."""
    picture = Response("", 200, {"content-type": "video/mp4"}, b"x" * 1000)
    crawl, events, _ = crawl_all({"/": html("film"), "film": picture})
    assert of(Fetched, events)[-1].size == 0
    assert crawl.tally.bytes < 1000


def test_early_stopping():
    """A barren stretch of 15 windows ends the crawl, whatever still waits."""
    site = {"/": html(*[f"p{n}" for n in range(500)]), **{f"p{n}": html() for n in range(500)}}
    stop = EarlyStopSettings(window=10, patience=15)
    crawl, _, asked = crawl_all(site, settings=CrawlSettings(early_stop=stop))
    assert (crawl.stopped, len(asked)) == (Stop.BARREN, 150)


def test_failures_cost_what_they_say():
    """A forbidden link costs nothing and is skipped with its reason; retries cost each try."""
    site = {
        "/": html("no", "flaky"),
        "no": Failure("", "forbidden by robots.txt", 0, 0, Skip.ROBOTS),
    }
    site |= {"flaky": Failure("", "timed out", 0, 3)}
    crawl, events, _ = crawl_all(site)
    assert crawl.tally.requests == 1 + 0 + 3
    assert [e.reason for e in of(Skipped, events)] == [Skip.ROBOTS]
    failed = [e for e in of(Visited, events) if e.outcome is VisitOutcome.NOT_A_PAGE]
    assert len(failed) == 2


def test_a_resting_host_stalls_nobody():
    """A postponed link is laid aside and tried again later; the last ones are waited for."""
    times = {}

    def resting(fetch):
        times[fetch.url] = times.get(fetch.url, 0) + 1
        return html("late.csv") if fetch.patient else Postponed(fetch.url)

    pages = [f"p{n}" for n in range(25)]
    site = {
        "/": html("slow", *pages),
        "slow": resting,
        **{p: html() for p in pages},
        "late.csv": csv(),
    }
    crawl, events, asked = crawl_all(site)
    order = [path for _, path in asked]
    assert order[:3] == ["", "slow", "p0"]
    assert order[-2:] == ["slow", "late.csv"]
    assert 3 <= times[SEED + "slow"] <= 5
    assert targets(events) == ["late.csv"]
    assert crawl.tally.requests == 1 + 25 + 2


@pytest.mark.parametrize("strategy", ["sb-classifier", "sb-oracle"])
def test_postponed_targets_are_not_lost(strategy):
    """A target whose host must rest is collected in the end."""

    def resting(fetch):
        return csv() if fetch.patient else Postponed(fetch.url)

    site = {"/": html("t.csv", "a"), "a": html(), "t.csv": resting}
    _, events, _ = crawl_all(site, strategy)
    assert targets(events) == ["t.csv"]


def test_choices_are_explained():
    """Each choice says its action's score, the part due to exploration, and the next best."""
    site = {"/": html(("a", "x"), ("b", "y"), ("c", "y")), "a": html("t.csv"), "t.csv": csv()}
    site |= {"b": html(), "c": html()}
    _, events, _ = crawl_all(site, "sb-oracle")
    first, second, third = of(Chosen, events)
    assert first.why.score is None
    assert first.why.grounds == (Ground.UNTRIED,)
    assert first.why.runners_up == ((1, None),)
    assert third.why.expected == 0.0
    assert third.why.score > 0
    assert second.choice.group == 1


def test_misuse_is_refused():
    """An answer to what was not asked is our own mistake."""
    crawl = Crawl(SEED, make("bfs"))
    with pytest.raises(InternalError):
        crawl.answer(Fetch(SEED), Failure(SEED, "x"))
    fetch = crawl.next_fetch()
    assert fetch == Fetch(SEED, Purpose.VISIT, patient=True)
    assert crawl.next_fetch() is None
    assert not crawl.ended
    crawl.answer(fetch, Failure(SEED, "x"))
    with pytest.raises(InternalError):
        crawl.answer(fetch, Failure(SEED, "x"))


def test_events_nobody_watches_are_not_made():
    """A crawl that is watched for targets tells of nothing else."""
    _, events, _ = crawl_all({"/": html("t.csv"), "t.csv": csv()}, watch=[TargetFound])
    assert {type(e) for e in events} == {TargetFound}


def test_reading_is_handed_in():
    """An experiment can hand in a reader that remembers."""
    from datahound.model import Link, Page

    page = Page(SEED, "t", (Link(SEED + "t.csv"),))
    _, events, _ = crawl_all({"/": html(), "t.csv": csv()}, read=lambda _: page)
    assert targets(events) == ["t.csv"]
    assert of(Fetched, events)[-1].kind is Kind.TARGET
