"""Visits: what is read when, what a strategy is taught of it, and what is tried again."""

import json

import pytest
from conversation import SEED, Dictionary, crawl_all, csv, error, html, moved

from datahound.crawl.crawl import Crawl
from datahound.crawl.strategy import A_PAGE, A_TARGET, ASK_SERVER, Expectation
from datahound.events import Chosen, Discovered, Foreseen, TargetFound, Visited, VisitOutcome
from datahound.model import Choice, Kind, Postponed
from datahound.settings import CrawlSettings


class Script:
    """A strategy that visits links in the order of their coming, and notes what it is taught."""

    def __init__(self, expectations=()):
        self._expectations = dict(expectations)
        self._waiting = []
        self.taught = []
        self.kinds = {}
        self.foreseen = {}
        self.under_way = []

    def expect(self, link):
        path = link.url.removeprefix(SEED)
        usual = A_TARGET if path.endswith(".csv") else A_PAGE
        return self._expectations.get(path, usual)

    def add(self, link):
        self._waiting.append(link)
        return 1

    def add_again(self, link, files):
        self._waiting.append(link)
        self.taught.append(("again", link.url.removeprefix(SEED), len(files)))
        return 2

    def choose(self, gets, under_way):  # noqa: ARG002 as the interface has it
        self.under_way.append(dict(under_way))
        if not self._waiting:
            return None
        link = self._waiting.pop(0)
        return Choice(link, 1)

    def adopt(self, link):
        return Choice(link, 7)

    def learn_kind(self, link, kind):
        self.kinds[link.url.removeprefix(SEED)] = kind

    def learn_foreseen(self, link, url, *, found):  # noqa: ARG002 as the interface has it
        self.foreseen[url.removeprefix(SEED)] = found

    def learn_visit(self, choice, visit):
        path = choice.link.url.removeprefix(SEED)
        self.taught.append((path, choice.group, visit.kind, visit.reward, len(visit.new_links)))


def order(events):
    return [e.choice.link.url.removeprefix(SEED) for e in events if isinstance(e, Visited)]


def found(events):
    return [e.link.url.removeprefix(SEED) for e in events if isinstance(e, TargetFound)]


def test_a_page_is_learned_after_its_files():
    """The reward has all of them, and the seed is of no group."""
    site = {"/": html("a", "1.csv", "2.csv"), "a": html("3.csv", "1.csv")}
    site |= {f"{n}.csv": csv() for n in (1, 2, 3)}
    strategy = Script()
    crawl_all(site, strategy)
    assert strategy.taught == [
        ("", None, Kind.PAGE, 2, 3),
        ("a", 1, Kind.PAGE, 1, 1),
    ]


def test_files_of_a_page_are_collected_before_the_next_page_is_chosen():
    site = {"/": html("a", "1.csv", "2.csv"), "a": html(), "1.csv": csv(), "2.csv": csv()}
    _, _, asked = crawl_all(site, Script())
    assert [path for _, path in asked] == ["", "1.csv", "2.csv", "a"]


@pytest.mark.parametrize(
    ("answer", "kind"), [(error(), Kind.OTHER), (csv(), Kind.TARGET), (error(500), Kind.OTHER)]
)
def test_a_visit_that_brings_no_page_is_learned_as_what_it_was(answer, kind):
    strategy = Script()
    _, events, _ = crawl_all({"/": html("a"), "a": answer}, strategy)
    assert strategy.taught[-1] == ("a", 1, kind, 0, 0)
    (ended,) = [e for e in events if isinstance(e, Visited) and e.choice.link.url != SEED]
    assert ended.outcome is VisitOutcome.NOT_A_PAGE


def test_a_page_in_place_of_a_file_is_read_and_credited_to_a_group_of_its_own():
    """The page that linked to it gets no reward for it; what is on it belongs to its adopter."""
    site = {"/": html("f.csv", "b"), "f.csv": html("1.csv"), "1.csv": csv(), "b": html()}
    strategy = Script()
    _, events, _ = crawl_all(site, strategy)
    assert strategy.taught[:2] == [("f.csv", 7, Kind.PAGE, 1, 1), ("", None, Kind.PAGE, 0, 2)]
    assert order(events) == ["f.csv", "", "b"], "it is read before the page around it is over"


@pytest.mark.parametrize(
    ("head", "asked"),
    [
        (csv(), [("HEAD", "x"), ("GET", "x"), ("GET", "b")]),
        (html(), [("HEAD", "x"), ("GET", "x"), ("GET", "b")]),
        (error(), [("HEAD", "x"), ("GET", "b")]),
    ],
)
def test_what_a_head_says_decides_over_a_link(head, asked):
    """A file is collected, a page is visited, and all else is dropped."""
    site = {"/": html("x", "b"), "x": head, "b": html()}
    _, _, every = crawl_all(site, Script({"x": ASK_SERVER}))
    assert every == [("GET", ""), *asked]


def test_a_link_that_is_neither_is_dropped():
    """Nothing is asked for it, and it does not come again."""
    site = {"/": html("x", "a"), "a": html("x"), "x": html()}
    _, events, asked = crawl_all(site, Script({"x": Expectation(Kind.OTHER)}))
    assert ("GET", "x") not in asked
    assert order(events) == ["", "a"]


def crawl_foreseeing(p_csv):
    """A site with a page whose file is expected."""
    site = {"/": html("p", "b"), "p": html("p.csv", "more.csv"), "b": html(), "more.csv": csv()}
    strategy = Script({"p": Expectation(Kind.PAGE, (f"{SEED}p.csv",))})
    _, events, asked = crawl_all({**site, "p.csv": p_csv}, strategy)
    return strategy, events, [path for _, path in asked]


def test_a_foreseen_file_comes_before_its_page_which_waits_again():
    """No file is lost, and none comes twice."""
    strategy, events, asked = crawl_foreseeing(csv())
    assert asked.index("p.csv") < asked.index("p")
    assert strategy.foreseen == {"p.csv": True}
    assert [e.found for e in events if isinstance(e, Foreseen)] == [True]
    assert ("again", "p", 1) in strategy.taught
    assert sorted(found(events)) == ["more.csv", "p.csv"]


def test_a_foreseen_file_that_is_not_there_costs_one_request():
    """Its page is read in its turn, and earns what else it has."""
    strategy, events, asked = crawl_foreseeing(error())
    assert strategy.foreseen == {"p.csv": False}
    assert asked.count("p.csv") == 1
    assert found(events) == ["more.csv"]
    assert "again" not in {taught[0] for taught in strategy.taught}


def resting(times):
    """An answer that asks for patience so many times."""
    left = iter(range(times))

    def answer(fetch):
        if next(left, None) is not None and not fetch.patient:
            return Postponed(fetch.url)
        return csv() if fetch.url.endswith(".csv") else html()

    return answer


@pytest.mark.parametrize("times", [1, 3, 50])
def test_what_is_postponed_is_tried_again_until_it_is_waited_for(times):
    """No link is lost, and the crawl ends."""
    site = {"/": html("busy", "busy.csv", *(f"p{n}" for n in range(30)))}
    site |= {f"p{n}": html() for n in range(30)}
    site |= {"busy": resting(times), "busy.csv": resting(times)}
    crawl, events, _ = crawl_all(site, Script())
    assert crawl.ended
    assert order(events).count("busy") == 1
    assert found(events) == ["busy.csv"]


def test_a_retry_comes_between_two_choices_and_not_in_place_of_all():
    """Hosts that rest get one visit in ten; the others go on meanwhile."""
    site = {"/": html(*(f"busy{n}" for n in range(5)), *(f"p{n}" for n in range(60)))}
    site |= {f"p{n}": html() for n in range(60)} | {f"busy{n}": resting(9) for n in range(5)}
    _, _, asked = crawl_all(site, Script())
    first = [path for _, path in asked[:40]]
    tries = [number for number, path in enumerate(first) if path.startswith("busy") and number > 6]
    assert tries, "they are tried before all else is done"
    assert len(tries) <= len(first) // 8


def test_a_strategy_is_told_of_visits_that_are_under_way():
    """Each group with its number of visits; of none where one fetch is made at a time."""
    site = {"/": html("a", "b", "c"), "a": html(), "b": error(), "c": html()}
    strategy = Script()
    crawl_all(site, strategy)
    assert strategy.under_way == [{}] * 4
    strategy = Script()
    crawl_all(site, strategy, in_flight=3)
    assert {1: 2} in strategy.under_way
    assert all(counts.get(1, 0) <= 2 for counts in strategy.under_way)
    assert strategy.under_way[-1] == {}


def test_a_redirect_to_a_page_that_was_read_brings_no_page():
    """It is a visit without reward, and the page is not read again."""
    site = {"/": html("a", "b"), "a": html("1.csv"), "b": moved("a"), "1.csv": csv()}
    strategy = Script()
    crawl, events, asked = crawl_all(site, strategy)
    assert [e.outcome for e in events if isinstance(e, Visited)] == [
        VisitOutcome.READ,
        VisitOutcome.READ,
        VisitOutcome.NOT_A_PAGE,
    ]
    assert strategy.taught[-1] == ("b", 1, Kind.OTHER, 0, 0)
    assert asked.count(("GET", "a")) == 1
    assert crawl.tally.visits == 3


@pytest.mark.parametrize("cut", range(1, 14))
def test_a_snapshot_at_any_moment_continues_the_same_visits(cut):
    """Readings, foresights, postponed links and pages found by chance are in it."""
    site = {
        "/": html("p", "busy", "f.csv", "x", "a"), "p": html("p.csv"), "p.csv": csv(),
        "busy": resting(2), "f.csv": html("2.csv"), "2.csv": csv(), "x": csv(), "a": html("3.csv"),
        "3.csv": csv(),
    }  # fmt: skip
    expectations = {"p": Expectation(Kind.PAGE, (f"{SEED}p.csv",)), "x": ASK_SERVER}

    def go(crawl, archive, most):
        events = []
        for _ in range(most):
            if (fetch := crawl.next_fetch()) is None:
                break
            crawl.answer(fetch, archive.get(fetch))
            events += crawl.take_events()
        return events

    class Saved(Script):
        def snapshot(self):
            return {"waiting": [link.number for link in self._waiting]}

        def restore(self, state, links):
            self._waiting = [links[number] for number in state["waiting"]]

        def waiting(self):
            return list(self._waiting)

    whole = go(Crawl(SEED, Saved(expectations)), Dictionary(site), 1000)
    site["busy"] = resting(2)
    archive = Dictionary(site)
    first = Crawl(SEED, Saved(expectations))
    before = go(first, archive, cut)
    state = json.loads(json.dumps(first.snapshot(), default=list))
    second = Crawl(SEED, Saved(expectations))
    second.restore(state)
    assert before + go(second, archive, 1000) == whole


def test_events_that_nobody_watches_change_no_visit():
    site = {"/": html("a", "1.csv"), "a": html("2.csv"), "1.csv": csv(), "2.csv": csv()}
    _, all_events, asked = crawl_all(site, Script())
    _, some, same = crawl_all(site, Script(), watch={TargetFound})
    assert asked == same
    assert some == [e for e in all_events if isinstance(e, TargetFound)]
    assert any(isinstance(e, Chosen | Discovered) for e in all_events)


def test_a_budget_ends_amid_a_page():
    """What was found counts; the page is not learned from."""
    site = {"/": html(*(f"{n}.csv" for n in range(9)))} | {f"{n}.csv": csv() for n in range(9)}
    strategy = Script()
    _, events, _ = crawl_all(site, strategy, settings=CrawlSettings(max_requests=4))
    assert found(events) == ["0.csv", "1.csv", "2.csv"]
    assert strategy.taught == []
