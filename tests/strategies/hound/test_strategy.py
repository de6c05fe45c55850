"""How hound tells links apart, and what it learns of a page when the page's links are followed."""

import json
import tracemalloc

import pytest

from datahound.crawl.strategy import Visit
from datahound.model import Choice, Kind, Link
from datahound.strategies import make_strategy

SITE = "https://a.example"


def link(number, path, found_on="/", tag_path="html body a"):
    return Link(SITE + path, tag_path, "", "", SITE + found_on, 1, number)


def chance_and_yield(hound, one):
    group = hound.adopt(one).group
    return hound.link_model.estimate_chances([one])[0], hound.bandit.expect(group).per_chance


@pytest.fixture
def hound():
    return make_strategy("hound", seed=0)


def test_links_of_a_directory_are_one_group_wherever_they_were_found(hound):
    assert hound.add(link(1, "/data/a.html", "/")) == hound.add(link(2, "/data/b.html", "/list/"))
    assert hound.add(link(3, "/news/c.html")) != hound.add(link(4, "/data/c.html"))


def test_links_with_a_slash_at_the_end_are_grouped_by_the_page_they_were_found_on(hound):
    first, second = link(1, "/news/a/", "/news/1/"), link(2, "/news/b/", "/news/1/")
    assert hound.add(first) == hound.add(second)
    assert hound.add(link(3, "/news/c/", "/news/2/")) != hound.add(link(4, "/news/d/", "/news/1/"))


@pytest.mark.parametrize(("reward", "is_credited"), [(0, False), (30, True)])
def test_a_list_is_credited_for_what_its_links_turn_out_to_bring(hound, reward, is_credited):
    group = hound.add(link(1, "/lists/1.html"))
    items = [link(n, f"/items/{n}.html", "/lists/1.html", "html body ul li a") for n in (2, 3)]
    for item in items:
        hound.add(item)
    hound.learn_visit(
        Choice(link(1, "/lists/1.html"), group), Visit(Kind.PAGE, tuple(items), items, 0)
    )
    before = hound.bandit.expect(group).credit
    followed = Choice(items[0], hound.adopt(items[0]).group)
    hound.learn_visit(followed, Visit(Kind.PAGE, (), [], reward))
    assert (hound.bandit.expect(group).credit > before) is is_credited


def test_links_may_be_chosen_before_their_page_is_learned_from(hound):
    """As in Scrapy, where pages wait for their files: it is still known what the page led to."""
    group = hound.add(link(1, "/lists/1.html"))
    hound.choose(0, {})
    items = [link(n, f"/items/{n}.html", "/lists/1.html") for n in (2, 3)]
    for item in items:
        hound.add(item)
    assert {hound.choose(time, {}).link for time in (1, 2)} == set(items)
    hound.learn_visit(
        Choice(link(1, "/lists/1.html"), group), Visit(Kind.PAGE, tuple(items), items, 1)
    )
    assert hound.credits.snapshot()["urls"] == [f"{SITE}/lists/1.html"]


def test_no_group_scored_more_than_the_one_that_was_chosen(hound):
    """Groups are compared by the links that were looked at, and these differ from the last look."""
    number = 0
    for _ in range(60):
        for directory in "abcdef":
            number += 1
            hound.add(link(number, f"/{directory}/{number}"))
    for visit in range(100):
        choice = hound.choose(visit, {})
        why = hound.explain(choice)
        assert len(why.runners_up) == 3
        assert choice.group not in dict(why.runners_up)
        scores = [score for _, score in why.runners_up]
        assert [why.score, *scores] == sorted([why.score, *scores], reverse=True)
        hound.learn_visit(choice, Visit(Kind.PAGE, (), [], choice.link.number % 3))


def test_what_is_left_on_emptied_pages_says_nothing_about_others(hound):
    """Their groups learn that they are barren; links that look like theirs keep their chance."""
    for number in (1, 2, 3):
        page, file = link(number, f"/d/{number}.html"), link(100 + number, f"/d/{number}.csv")
        hound.learn_visit(
            Choice(page, hound.adopt(page).group), Visit(Kind.PAGE, (file,), [file], 1)
        )
    other = link(50, "/d/50.html")
    before = chance_and_yield(hound, other)
    for number in range(4, 30):
        page, url = link(number, f"/d/{number}.html"), f"{SITE}/d/{number}.csv"
        assert hound.expect(page).files == (url,)
        hound.learn_foreseen(page, url, found=True)
        group = hound.add_again(page, [url])
        hound.learn_visit(Choice(page, group), Visit(Kind.PAGE, (Link(url),), [], 0))
    assert chance_and_yield(hound, other)[0] == before[0]
    assert hound.bandit.expect(group).per_chance < 0.2 * before[1]
    assert group != hound.adopt(other).group


def test_a_new_strategy_takes_little_memory():
    make_strategy("hound")  # what is made once per process
    tracemalloc.start()
    try:
        hound = make_strategy("hound")
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert hound.choose(0, {}) is None
    assert used <= 500_000


def test_groups_are_looked_at_in_turn(hound):
    """A group that once looked barren is judged by what the link model has learned since."""
    groups = {hound.add(link(n, f"/d{n}/x.html")) for n in range(10)}
    seen = [group for _ in range(5) for group in hound._next_in_turn()]
    assert seen[:10] == sorted(groups)
    assert seen[10:] == [0, 1, 2, 3, 4, 5, 6, 7][: len(seen) - 10]
    hound.choose(0, {})
    assert len([group for _ in range(3) for group in hound._next_in_turn()]) <= 12


def test_a_snapshot_may_be_taken_while_a_page_is_being_read(hound):
    """Its links are added, and it is not learned from yet."""
    group = hound.add(link(1, "/lists/1.html"))
    items = [link(n, f"/items/{n}.html", "/lists/1.html") for n in range(2, 9)]
    for item in items:
        hound.add(item)
    links = {one.number: one for one in (link(1, "/lists/1.html"), *items)}
    other = make_strategy("hound", seed=9)
    other.restore(json.loads(json.dumps(hound.snapshot(), default=list)), links)
    for one in (hound, other):
        one.learn_visit(Choice(links[1], group), Visit(Kind.PAGE, tuple(items), items, 2))
    assert other.credits.snapshot() == hound.credits.snapshot() != make_strategy("hound").snapshot()
    assert other.bandit.expect(group) == hound.bandit.expect(group)
    assert [other.choose(n, {}) for n in range(8)] == [hound.choose(n, {}) for n in range(8)]
