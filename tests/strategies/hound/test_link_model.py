"""What can be seen of a link tells its model: words, directories and places are learned apart."""

import json

import numpy as np
import pytest

from datahound.model import Link
from datahound.settings import HoundSettings
from datahound.strategies.hound import link_model as link_model_module
from datahound.strategies.hound.link_model import LinkModel


def link(number, url, anchor="", tag_path="html body a", found_on="https://a.example/"):
    return Link(url, tag_path, anchor, "", found_on, 1, number)


def taught(pairs, **settings):
    model = LinkModel(HoundSettings(**settings))
    for _ in range(40):
        for example, brought in pairs:
            model.learn(example, brought=brought)
    return model


def chance(model, one):
    return model.estimate_chances([one])[0]


def test_nothing_known_nothing_told():
    assert chance(LinkModel(), link(1, "https://a.example/x.html", "data")) == 0.5


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (link(1, "https://a.example/1", "Annual report"), link(2, "https://a.example/2", "Photos")),
        (link(1, "https://a.example/statistics-7"), link(2, "https://a.example/contact-8")),
        (link(1, "https://a.example/data/7"), link(2, "https://a.example/people/7")),
        (link(1, "https://a.example/x-2024"), link(2, "https://a.example/x")),
        (link(1, "https://a.example/a.php"), link(2, "https://a.example/a.jpg")),
        (
            link(1, "https://a.example/", "", "html body main a"),
            link(2, "https://a.example/", "", "html body footer a"),
        ),
        (
            link(1, "https://a.example/", found_on="https://a.example/lists/3"),
            link(2, "https://a.example/", found_on="https://a.example/news/3"),
        ),
    ],
    ids=["anchor", "name", "directory", "shape", "extension", "tag path", "page"],
)
def test_each_thing_that_can_be_seen_of_a_link_tells(good, bad):
    model = taught([(good, True), (bad, False)])
    chances = model.estimate_chances([good, bad])
    assert chances[0] > 0.6 > 0.4 > chances[1]


def test_a_new_corner_is_judged_by_what_it_shares_with_those_visited():
    model = taught(
        [
            (link(1, "https://a.example/de/downloads.html"), True),
            (link(2, "https://a.example/fr/downloads.html"), True),
            (link(3, "https://a.example/de/why.html"), False),
            (link(4, "https://a.example/fr/why.html"), False),
        ]
    )
    new = [link(5, "https://a.example/it/downloads.html"), link(6, "https://a.example/it/why.html")]
    chances = model.estimate_chances(new)
    assert chances[0] > chances[1] + 0.2


def test_one_page_says_less_about_a_word_than_about_a_place():
    model = LinkModel()
    model.learn(link(1, "https://a.example/x", "plans", "html body nav a"), brought=False)
    same_place = link(2, "https://b.example/2.y", "", "html body nav a")
    same_word = link(3, "https://b.example/3.y", "plans", "main div p b")
    nothing = link(4, "https://b.example/4.y", "", "main div p b")
    by_place, by_word, by_none = model.estimate_chances([same_place, same_word, nothing])
    assert by_none - by_place > 4 * (by_none - by_word) > 0


def test_words_tell_in_directories_as_in_names():
    model = taught(
        [
            (link(1, "https://a.example/figures-torreon/7"), True),
            (link(2, "https://a.example/people-torreon/7"), False),
        ]
    )
    elsewhere, named, other = model.estimate_chances(
        [
            link(3, "https://a.example/figures-lerdo/7"),
            link(4, "https://a.example/figures.html"),
            link(5, "https://a.example/people-lerdo/7"),
        ]
    )
    assert min(elsewhere, named) > other + 0.1


def test_no_link_is_hopeless():
    barren = link(1, "https://a.example/x")
    model = taught([(barren, False)] * 50)
    assert chance(model, barren) == pytest.approx(0.001)


def test_a_url_of_endless_directories_is_only_barren():
    """The first of them have their say, and no more than other links' features have."""
    endless = link(1, f"https://a.example/{'/'.join(map(str, range(20_000)))}/x")
    model = taught([(endless, False)] * 20)
    assert chance(model, endless) == model.estimate_chances([endless])[0] == pytest.approx(0.001)


def test_a_barren_site_is_not_equally_barren_everywhere():
    """When nothing was found for long, what was seen less often is model more."""
    seen = [link(n, f"https://a.example/{'old' if n % 8 else 'new'}/p.html") for n in range(16)]
    model = taught([(one, False) for one in seen])
    old, new = model.estimate_chances(
        [link(100, "https://a.example/old/q.html"), link(101, "https://a.example/new/q.html")]
    )
    assert old * 1.5 < new < 0.01


def test_without_a_rate_all_links_are_alike():
    good, bad = link(1, "https://a.example/a"), link(2, "https://a.example/b")
    assert set(
        taught([(good, True), (bad, False)], worth_rate=0).estimate_chances([good, bad])
    ) == {0.5}


def test_many_at_once_are_as_one_by_one():
    links = [link(n, f"https://a.example/{n % 7}/x{n}.html", f"word {n}") for n in range(50)]
    model = taught([(one, one.number % 3 == 0) for one in links])
    assert np.allclose(model.estimate_chances(links), [chance(model, one) for one in links])


def test_more_links_than_it_remembers(monkeypatch):
    monkeypatch.setattr(link_model_module, "_MAX_ROWS", 1024)
    monkeypatch.setattr(link_model_module, "_MAX_SHARED", 1000)
    model = LinkModel()
    first = link(0, "https://a.example/first", "first")
    for _ in range(9):
        model.learn(first, brought=True)
    before = chance(model, first)
    for number in range(1, 2100):
        chance(model, link(number, f"https://a.example/d{number}/", f"w{number}"))
    assert chance(model, first) == before
    assert len(model._rows) == 1024
    assert len(model._shared) <= 1000


def test_links_that_share_a_row_are_told_apart(monkeypatch):
    """Whichever was read before, and though they are asked for together."""
    monkeypatch.setattr(link_model_module, "_MAX_ROWS", 2)
    good, bad = link(1, "https://a.example/data", "data"), link(3, "https://a.example/x", "x")
    model = taught([(good, True), (bad, False)])
    for _ in range(2):
        first, second, third = model.estimate_chances([good, bad, good])
        assert first == third > 0.6 > 0.4 > second
        assert chance(model, good) == first


def test_what_a_lesson_gives_is_the_chance_before_it():
    one = link(1, "https://a.example/data", "data")
    model = taught([(one, True)])
    before = chance(model, one)
    assert model.learn(one, brought=False) == pytest.approx(before)
    assert chance(model, one) < before


def test_it_survives_a_snapshot():
    pairs = [(link(n, f"https://a.example/{n}/", f"word {n}"), n % 2 == 0) for n in range(30)]
    model, other = taught(pairs), LinkModel()
    other.restore(json.loads(json.dumps(model.snapshot(), default=list)))
    links = [one for one, _ in pairs]
    assert (other.estimate_chances(links) == model.estimate_chances(links)).all()


def test_memory_grows_with_the_links(monkeypatch):
    """And the links that were read before are not read again."""
    model = LinkModel()
    links = [link(n, f"https://a.example/{n}", f"word{n}") for n in range(1000)]
    sizes = []
    for one in links:
        chance(model, one)
        sizes.append(len(model._rows))
    assert (sizes[0], sizes[-1]) == (64, 1024)
    monkeypatch.setattr(model, "_read_link", None)
    assert (model.estimate_chances(links) == 0.5).all()
