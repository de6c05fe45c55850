"""The website as a whole: what was asked for, and links that make no short cuts."""

import pytest

from datahound.archive.synthetic import SyntheticSettings
from datahound.archive.synthetic.layout import make_layout, plan_sections
from datahound.archive.synthetic.sections import Article

SETTINGS = SyntheticSettings(pages=2500, targets=500, linking=0.1, languages=("en", "es"))
LAYOUT = make_layout(SETTINGS)
ARTICLES = [place for place in LAYOUT.pages() if isinstance(place, Article)]


@pytest.mark.parametrize(
    "settings",
    [
        SETTINGS,
        SyntheticSettings(pages=100, targets=5),
        SyntheticSettings(pages=4000, targets=2000, linking=0.3, depth=4.5),
        SyntheticSettings(pages=6000, targets=300, depth=60.0, depth_std=10.0),
    ],
    ids=["usual", "small", "dense", "deep"],
)
def test_a_plan_has_the_pages_the_files_and_the_depth(settings):
    sections = plan_sections(settings)
    pages = sum(sum(s.shape.spine) + s.articles for s in sections)
    assert pages == settings.pages
    depths = [
        s.base + s.article_step(n) + 1
        for s in sections
        for n in range(s.articles)
        for _ in s.files_of(n)
    ]
    assert len(depths) == settings.targets
    assert sum(depths) / len(depths) == pytest.approx(settings.depth, rel=0.15)
    holders = sum(bool(s.files_of(n)) for s in sections for n in range(s.articles))
    assert holders == pytest.approx(settings.linking_pages, rel=0.05)


def test_the_first_section_is_home():
    root, *others = LAYOUT.sections
    assert (root.kind, root.language, root.base) == ("root", "en", 0)
    assert {s.language for s in others} == {"en", "es"}
    assert sum(s.kind == "portal" for s in others) == 1


def test_links_across_reach_one_level_deeper_at_most():
    """Otherwise files would lie less deep than asked for."""
    for place in ARTICLES[::7]:
        for other in LAYOUT.related(place):
            assert LAYOUT.level(other) <= LAYOUT.level(place) + 1
            assert other.section.language == place.section.language
            assert other.number < other.section.articles


def test_an_extra_file_is_of_the_same_level():
    found = 0
    for place in ARTICLES:
        also = LAYOUT.also(place) if place.section.files_of(place.number) else None
        if also is not None:
            found += 1
            cell = place.section.cells[place.section.article_step(place.number)]
            assert cell.first_file <= also < cell.first_file + cell.files
    assert found


@pytest.mark.parametrize(("dead", "redirects"), [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
def test_odd_links_are_as_frequent_as_asked(dead, redirects):
    layout = make_layout(SyntheticSettings(pages=500, dead_links=dead, redirects=redirects))
    articles = [p for p in layout.pages() if isinstance(p, Article)]
    odd = [layout.oddities(place) for place in articles]
    assert all(bool(o.dead) == bool(dead) for o in odd)
    first = [bool(p.number and redirects) for p in articles]
    assert [bool(o.redirected) for o in odd] == first


def test_a_dead_link_belongs_to_one_page():
    odd = [link for place in ARTICLES for link in LAYOUT.oddities(place) if link]
    assert len(odd) == len(set(odd))


def test_another_seed_is_another_site_of_the_same_size():
    other = make_layout(SyntheticSettings(pages=2500, targets=500, linking=0.1, seed=2))
    assert len(list(other.pages())) == 2500
    assert other.salt != LAYOUT.salt
