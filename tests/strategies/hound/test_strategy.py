"""How hound tells links apart, and what it learns of a page when the page's links are followed."""

import math

import pytest

from datahound.crawl.strategy import Visit
from datahound.model import Choice, Kind, Link
from datahound.strategies import make_strategy

SITE = "https://a.example"


def link(number, path, found_on="/", tag_path="html body a"):
    return Link(SITE + path, tag_path, "", "", SITE + found_on, 1, number)


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
    before = hound.bandit.outlook(group)[1]
    followed = Choice(items[0], hound.adopt(items[0]).group)
    hound.learn_visit(followed, Visit(Kind.PAGE, (), [], reward))
    assert (hound.bandit.outlook(group)[1] > before) is is_credited


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
    assert hound.leads.snapshot()["urls"] == [f"{SITE}/lists/1.html"]


def test_it_says_when_a_link_is_chosen_since_its_group_was_never_visited():
    """In the long run every 16th is, though nothing else speaks for it."""
    hound = make_strategy("hound", seed=0)
    for number in range(100):
        hound.add(link(number, f"/rich/{number}.html"))
    barren = hound.add(link(100, "/other/x.pdf", tag_path="html footer a"))
    said = []
    for time in range(32):
        choice = hound.choose(time, {})
        why = hound.explain(choice)
        assert ("turn" in why.basis) == (why.score == why.bonus == math.inf)
        said.append((choice.group == barren, "turn" in why.basis))
        hound.learn_visit(choice, Visit(Kind.PAGE, (), [], 0 if choice.group == barren else 9))
    assert (True, True) in said
    assert (False, True) not in said


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
        assert len(why.runners_up) == 3 or why.score == math.inf
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
    before = hound.worth.chances([other])[0], hound.bandit.outlook(hound.adopt(other).group)[0]
    for number in range(4, 30):
        page, url = link(number, f"/d/{number}.html"), f"{SITE}/d/{number}.csv"
        assert hound.companions(page) == [url]
        hound.learn_companion(page, url, found=True)
        group = hound.add_emptied(page, [url])
        hound.learn_visit(Choice(page, group), Visit(Kind.PAGE, (Link(url),), [], 0))
    assert hound.worth.chances([other])[0] == before[0]
    assert hound.bandit.outlook(group)[0] < 0.2 * before[1]
    assert group != hound.adopt(other).group
