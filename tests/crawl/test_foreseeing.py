"""Files that are collected before their pages are read: nothing is lost, nothing is asked twice."""

import json
from dataclasses import replace
from random import Random

import pytest
from conversation import SEED, Dictionary, crawl_all, csv, error, html, moved

from datahound.crawl.crawl import Crawl
from datahound.crawl.strategy import Expectation
from datahound.engines.replay import not_recorded, replay
from datahound.events import (
    Chosen,
    Discovered,
    Fetched,
    Ground,
    TargetFound,
    Visited,
    VisitOutcome,
)
from datahound.model import Kind, Postponed
from datahound.settings import CrawlSettings, HoundSettings, SiteSettings, StrategySettings
from datahound.strategies import make_strategy
from datahound.strategies.simple import SimpleStrategy
from datahound.web.urls import canonical

NUMBERS = range(1, 41)


def site(**more):
    """Four lists of ten pages each, and a file for each page, beside it."""
    lists = {
        f"list{n}.html": html(*(f"d/{i}.html" for i in NUMBERS[n * 10 :][:10])) for n in range(4)
    }
    pages = {f"d/{i}.html": html(f"/d/{i}.csv", "/about.html") for i in NUMBERS}
    files = {f"d/{i}.csv": csv() for i in NUMBERS}
    return {"/": html(*lists), "about.html": html("/"), **lists, **pages, **files, **more}


def without():
    return make_strategy("hound", StrategySettings(hound=HoundSettings(companions=False)))


def told(events, kind):
    return [event for event in events if isinstance(event, kind)]


def requests_to(events, count):
    return [event.number for event in events if isinstance(event, TargetFound)][count - 1]


def fetched(events):
    return [event.fetch.url.removeprefix(SEED) for event in events if isinstance(event, Fetched)]


def files(events):
    return {e.link.url.removeprefix(SEED) for e in events if isinstance(e, TargetFound)}


def test_half_of_the_requests_bring_the_files():
    """Most files come for one request each; the pages are read all the same, in the end."""
    _, events, _ = crawl_all(site(), "hound")
    _, plain, _ = crawl_all(site(), without())
    assert requests_to(events, 36) < 36 + 4 + 12
    assert requests_to(plain, 36) >= 36 * 2
    assert sorted(fetched(events)) == sorted(fetched(plain))


def test_a_file_says_whose_it_is():
    """The page that it belongs to, the words of the link to that page, and no tag path."""
    _, events, _ = crawl_all(site(), "hound")
    foreseen = [e.link for e in events if isinstance(e, TargetFound) and not e.link.tag_path]
    assert len(foreseen) > 30
    for link in foreseen:
        assert link.found_on == link.url.replace(".csv", ".html")
        assert link.anchor == link.found_on.removeprefix(SEED)
        assert link.depth == 3


def test_a_page_that_waits_again_is_another_link_of_another_group():
    """Each link is chosen once and visited once, and what was not read has no new links."""
    _, events, _ = crawl_all(site(), "hound")
    kept = [e for e in events if isinstance(e, Discovered) and e.expected is Kind.PAGE]
    chosen = [e.choice.link.number for e in events if isinstance(e, Chosen)]
    visited = [e for e in events if isinstance(e, Visited)]
    assert sorted(chosen) == sorted(e.link.number for e in kept)
    assert len(visited) == len(chosen) + 1
    unread = [e for e in visited if e.outcome is VisitOutcome.FORESEEN_ONLY]
    for visit in unread:
        assert visit.reward == 1
        groups = [e.group for e in kept if e.link.url == visit.choice.link.url]
        assert len(groups) == 2
        assert groups[0] != groups[1]
    assert unread
    assert len({e.link.url for e in kept}) == len(kept) - len(unread)


def test_where_files_have_other_names_nothing_is_asked_for_in_vain():
    """As for every site before."""
    answers = site()
    for i in NUMBERS:
        answers[f"d/{i}.html"] = html(f"/f/{i * 7919 % 1000}x.csv")
        answers[f"f/{i * 7919 % 1000}x.csv"] = csv()
    _, events, _ = crawl_all(answers, "hound")
    assert not [e for e in events if isinstance(e, Fetched) and e.status == 404]


def test_lists_earn_the_files_of_the_pages_they_list():
    """A list that is read once the rule is known brings ten files, among its new links."""
    _, events, _ = crawl_all(site(), "hound")
    lists = [e for e in events if isinstance(e, Visited) and "list" in e.choice.link.url]
    assert {(visit.reward, visit.new_links) for visit in lists} <= {(0, 10), (10, 20)}
    assert lists[-1].reward == 10


@pytest.mark.parametrize("missing", [range(1, 41, 3), range(21, 41)])
def test_what_is_not_there_is_asked_for_a_few_times_and_no_page_is_lost(missing):
    """A third of the pages, or all of the later ones, have their file somewhere else."""
    answers = site()
    for i in missing:
        answers[f"d/{i}.html"] = html(f"/other/{i * 7919 % 1000}x.csv")
        answers[f"other/{i * 7919 % 1000}x.csv"] = csv()
        answers[f"d/{i}.csv"] = error(404)
    for seed in range(5):
        _, events, _ = crawl_all(answers, "hound", seed=seed)
        asked = [e for e in events if isinstance(e, Fetched) and e.status == 404]
        assert len(asked) <= 8
        assert len(files(events)) == len(NUMBERS)
        assert {f"d/{i}.html" for i in NUMBERS} <= set(fetched(events))


def test_a_server_that_has_a_file_for_every_name_is_soon_found_out():
    """Some pages are read at once, and two in a row do not link to the file."""
    answers = site(**{f"d/{i}.html": html("/about.html") for i in NUMBERS[12:]})
    for seed in range(5):
        _, events, _ = crawl_all(answers, "hound", seed=seed)
        invented = {f"d/{i}.csv" for i in NUMBERS[12:]} & files(events)
        assert len(invented) <= 20
        assert {f"d/{i}.csv" for i in NUMBERS[:12]} <= files(events)


def test_pages_that_prove_a_rule_are_read_at_once_and_say_so():
    _, events, _ = crawl_all(site(), "hound")
    proofs = [e for e in events if isinstance(e, Chosen) and Ground.PROVES_RULE in e.why.grounds]
    assert len(proofs) >= 5
    assert all(proof.why.score is None and not proof.why.runners_up for proof in proofs)
    order = [url for url in fetched(events) if url.startswith("d/")]
    page = proofs[0].choice.link.url.removeprefix(SEED)
    assert order.index(page) <= order.index(page.replace("html", "csv")) + 10


@pytest.mark.parametrize(
    ("page", "file", "odd"),
    [
        ("v?f={}", "files/{}/x.csv", "../private"),
        ("v?f={}", "http://{}.e.org/x.csv", "a?b"),
        ("v?f={}", "http://{}.e.org/x.csv", "[a"),
        ("v?f={}", "http://e.org:{}/x.csv", "abc"),
    ],
)
def test_names_never_make_a_url_that_is_none(page, file, odd):
    """Whatever stands in a query, what is asked for is what a link could have said."""
    names = [str(8000 + n) for n in range(12)]
    steps = [*(page.format(name) for name in names), "/last.html"]
    answers = {"/": html(steps[0]), "/last.html": html(page.format(odd))}
    for name, step, following in zip(names, steps, steps[1:], strict=False):
        answers[step] = html(file.format(name), following)
        answers[file.format(name)] = csv()
    crawl, events, asked = crawl_all(answers, "hound")
    assert crawl.stopped
    assert ("GET", page.format(odd)) in asked
    assert file.format(odd) not in {e.fetch.url.removeprefix(SEED) for e in told(events, Fetched)}
    assert all(canonical(e.fetch.url) == e.fetch.url for e in told(events, Fetched))


def test_pages_without_a_name_do_no_harm():
    answers = {"/": html("/a//", "//index.html", "/a//index.html", "/a///"), "a//": html("/1.csv")}
    answers |= {"a//index.html": html("/2.csv"), "a///": html("/3.csv")}
    answers |= {f"{n}.csv": csv() for n in (1, 2, 3)}
    _, events, _ = crawl_all(answers, "hound")
    assert files(events) == {"1.csv", "2.csv", "3.csv"}


def test_a_page_where_a_file_was_expected_is_read_and_never_asked_for_again():
    answers = site(**{"d/40.csv": html("/hidden.csv", "d/more.html"), "hidden.csv": csv()})
    answers["more.html"] = html("/d/40.csv")
    _, events, _ = crawl_all(answers, "hound")
    assert len(fetched(events)) == len(set(fetched(events)))
    assert "hidden.csv" in files(events)


def test_files_that_have_moved_are_known_by_where_they_are():
    answers = site()
    for i in NUMBERS:
        answers[f"d/{i}.csv"] = moved(f"/store/{i}.csv")
        answers[f"store/{i}.csv"] = csv()
    _, events, _ = crawl_all(answers, "hound")
    assert files(events) == {f"store/{i}.csv" for i in NUMBERS}
    assert len(fetched(events)) == len(set(fetched(events)))


def test_rules_about_the_site_hold_for_them_too():
    """What may not be followed is not asked for, whatever its page is called."""
    settings = CrawlSettings(site=SiteSettings(exclude=(r"d/3\d\.csv",)))
    _, events, _ = crawl_all(site(), "hound", settings=settings)
    assert not {f"d/{i}.csv" for i in range(30, 40)} & set(fetched(events))


def test_a_host_that_must_rest_loses_nothing():
    """A file that is postponed is taken up again, and counts for nobody till then."""
    resting = set()

    def rests_once(fetch):
        if fetch.url in resting:
            return csv()
        resting.add(fetch.url)
        return Postponed(fetch.url)

    answers = site(**{f"d/{i}.csv": rests_once for i in NUMBERS[::5]})
    _, events, _ = crawl_all(answers, "hound")
    assert files(events) == {f"d/{i}.csv" for i in NUMBERS}


@pytest.mark.parametrize("strategy", ["sb-classifier", "bfs"])
def test_other_strategies_ask_for_links_alone(strategy):
    _, events, _ = crawl_all(site(), strategy)
    assert all(e.link.tag_path for e in events if isinstance(e, TargetFound))


def test_the_story_goes_on_from_any_answer():
    """Rules, groups and what waits again are all in a snapshot."""
    archive = Dictionary(site())
    crawl = Crawl(SEED, make_strategy("hound"))
    whole = []
    replay(crawl, archive, whole.extend)
    for stop in range(1, 75):
        first, told = Crawl(SEED, make_strategy("hound")), []
        for _ in range(stop):
            fetch = first.next_fetch()
            first.answer(fetch, archive.get(fetch) or not_recorded(fetch))
            told += first.take_events()
        second = Crawl(SEED, make_strategy("hound"))
        second.restore(json.loads(json.dumps(first.snapshot(), default=list)))
        replay(second, archive, told.extend)
        assert told == whole


class Foreseer(SimpleStrategy):
    """Breadth first, and sure that each page has a file of its name."""

    def expect(self, link):
        return Expectation(Kind.PAGE, self._files(link))

    def choose(self, gets, under_way):
        choice = super().choose(gets, under_way)
        return choice and replace(choice, files=self._files(choice.link))

    def _files(self, link):
        return (link.url.replace(".html", ".csv"),)


def test_pages_met_by_chance_are_read_before_the_visit_is_over():
    """On the first page, too: they are read before the next choice."""
    answers = {"/": html("a.html"), "a.html": html(), "a.csv": html("b.html"), "b.html": html()}
    archive = Dictionary(answers)
    crawl = Crawl(SEED, Foreseer("bfs", Random(0)))
    replay(crawl, archive)
    assert [path for _, path in archive.asked][:4] == ["", "a.csv", "b.csv", "a.html"]


def test_few_pages_met_by_chance_are_held_at_a_time():
    """A page whose links all have a page where a file was expected does not fill the memory."""
    answers = {"/": html(*(f"{n}.html" for n in range(30)))}
    answers |= {f"{n}.{ending}": html() for n in range(30) for ending in ("html", "csv")}
    _, events, _ = crawl_all(answers, Foreseer("bfs", Random(0)))
    first = [e.fetch.url for e in told(events, Fetched)][1:31]
    assert sum(url.endswith(".csv") for url in first[:8]) == 8
    assert not first[8].endswith(".csv")
    assert {f"{n}.html" for n in range(30)} <= set(fetched(events))
