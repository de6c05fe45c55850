"""Sections as arithmetic: every page has one parent, every file one holder."""

from collections import Counter

import pytest

from datahound.archive.synthetic import SyntheticSettings
from datahound.archive.synthetic.layout import plan_sections
from datahound.archive.synthetic.sections import Spine, name_article, name_hub

SECTIONS = plan_sections(SyntheticSettings(pages=3000, targets=700, languages=("en", "fr")))


@pytest.fixture(params=SECTIONS, ids=lambda section: f"{section.number}-{section.kind}")
def section(request):
    return request.param


def spines(section):
    return [
        Spine(step, column)
        for step, width in enumerate(section.shape.spine)
        for column in range(width)
    ]


def test_hubs_are_numbered_once(section):
    numbers = [section.hub_number(section.hub(number)) for number in range(section.hubs)]
    assert numbers == list(range(section.hubs))
    assert section.hub(0) == Spine(0, 0)


def test_parents_and_children_agree(section):
    """A hub lies under its parent, a list page after the one before it."""
    for spine in spines(section):
        for column in section.hubs_under(spine):
            assert section.parent(Spine(spine.step + 1, column)) == spine
        after = section.next_page(spine)
        assert after is None or section.parent(after) == spine
        assert after is None or section.has_list_page(*after)
    under = Counter(Spine(s.step + 1, c) for s in spines(section) for c in section.hubs_under(s))
    paged = Counter(filter(None, map(section.next_page, spines(section))))
    assert under + paged == Counter(s for s in spines(section) if s.step)


def test_every_article_is_listed_on_one_page(section):
    listed = [number for spine in spines(section) for number in section.articles_under(spine)]
    assert sorted(listed) == list(range(section.articles))
    for spine in spines(section):
        for number in section.articles_under(spine):
            assert section.article_parent(number) == spine
            assert section.article_step(number) == spine.step + 1


def test_articles_of_a_level_have_the_lower_numbers(section):
    steps = [section.article_step(number) for number in range(section.articles)]
    assert steps == sorted(steps)
    for level in range(section.base, section.base + len(section.cells) + 1):
        within = sum(section.base + step <= level for step in steps)
        assert section.articles_within(level) == within


def test_every_file_has_one_holder():
    held = Counter(f for s in SECTIONS for n in range(s.articles) for f in s.files_of(n))
    assert held == Counter(range(700))


def test_articles_are_counted_through_all_sections():
    before = 0
    for section in SECTIONS:
        assert section.first_article == before
        before += section.articles


def test_names_do_not_depend_on_anything_but_the_number(section):
    hubs = [name_hub(section, number) for number in range(section.hubs)]
    assert hubs == [name_hub(section, number) for number in range(section.hubs)]
    assert all(name and slug.isascii() for name, slug in hubs)
    for number in range(min(50, section.articles)):
        title = name_article(section, number)
        assert title == name_article(section, number)
        assert " " not in title.slug
        assert 1998 <= title.year <= 2024
