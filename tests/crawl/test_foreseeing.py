"""Files that are collected before their pages are read: nothing is lost, nothing is asked twice."""

import json

import pytest
from conversation import SEED, Dictionary, crawl_all, csv, error, html, moved

from datahound.crawl.crawl import Crawl
from datahound.engines.replay import not_recorded, replay
from datahound.events import Chosen, Discovered, Fetched, TargetFound, Visited
from datahound.model import Kind, Postponed
from datahound.settings import CrawlSettings, GroupSettings, SiteSettings, StrategySettings
from datahound.strategies import make_strategy

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
    return make_strategy("hound", StrategySettings(groups=GroupSettings(companions=False)))


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
    kept = [e for e in events if isinstance(e, Discovered) and e.expected is Kind.HTML]
    chosen = [e.choice.link.number for e in events if isinstance(e, Chosen)]
    visited = [e for e in events if isinstance(e, Visited)]
    assert sorted(chosen) == sorted(e.link.number for e in kept)
    assert len(visited) == len(chosen) + 1
    unread = [e for e in visited if e.new_links is None]
    for visit in unread:
        assert visit.reward == 1
        actions = [e.action for e in kept if e.link.url == visit.choice.link.url]
        assert len(actions) == 2
        assert actions[0] != actions[1]
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


def test_what_is_not_there_is_asked_for_a_few_times_and_no_page_is_lost():
    """A third of the pages have their file somewhere else."""
    answers = site()
    for i in NUMBERS[::3]:
        answers[f"d/{i}.html"] = html(f"/other/{i * 7919 % 1000}x.csv")
        answers[f"other/{i * 7919 % 1000}x.csv"] = csv()
        answers[f"d/{i}.csv"] = error(404)
    _, events, _ = crawl_all(answers, "hound")
    missing = [e for e in events if isinstance(e, Fetched) and e.status == 404]
    assert len(missing) <= 5
    assert len(files(events)) == len(NUMBERS)
    assert {f"d/{i}.html" for i in NUMBERS} <= set(fetched(events))


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


def test_the_story_goes_on_from_any_boundary():
    """Rules, groups and what waits again are all in a snapshot."""
    archive = Dictionary(site())
    crawl = Crawl(SEED, make_strategy("hound"))
    whole = []
    replay(crawl, archive, whole.extend)
    for stop in range(5, 60, 9):
        first, told, visits = Crawl(SEED, make_strategy("hound")), [], 0
        for fetch in first:
            first.answer(archive.get(fetch) or not_recorded(fetch))
            told += first.take_events()
            visits += first.at_boundary
            if visits == stop:
                break
        second = Crawl(SEED, make_strategy("hound"))
        second.restore(json.loads(json.dumps(first.snapshot(), default=list)))
        replay(second, archive, told.extend)
        assert told == whole
