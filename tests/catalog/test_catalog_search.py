import json

import pytest
from catalog_files import FIGURES, catalogue, keep

from datahound.catalog.catalog import Catalog, Query
from datahound.catalog.families import Member, find_families
from datahound.catalog.titles import choose_title


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("catalogue")
    sources = keep(path, {"a.csv": FIGURES}, title="Élèves par école, 2019")
    sources += keep(path, {"b.csv": FIGURES.replace("North", "東京都")}, title="都道府県別人口")
    records = json.dumps([{"Gemeinde": "Köln", "Einwohner": number} for number in (5, 6, 7)])
    bildung = "https://example.org/bildung/x"
    sources += keep(path, {"c.json": records}, title="Schülerzahlen der Städte", page=bildung)
    sources += keep(path, {"d.txt": "Nothing but words about schools.\n"}, title="Annual report")
    catalogue(path, sources)
    return path


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("eleves", "Élèves par école, 2019"),
        ("ÉCOLES", "Élèves par école, 2019"),
        ("人口", "都道府県別人口"),
        ("道府", "都道府県別人口"),
        ("東京", "都道府県別人口"),
        ("schuler", "Schülerzahlen der Städte"),
        ("koln", "Schülerzahlen der Städte"),
        ("gemeinde einwohner", "Schülerzahlen der Städte"),
        ("annual rep", "Annual report"),
    ],
)
def test_search_in_any_language(folder, text, title):
    """Words are found without accents, by their beginning, in scripts without spaces too."""
    with Catalog(folder) as catalog:
        assert catalog.search(Query(text)).entries[0].title == title


def test_titles_weigh_most(folder):
    """A word in a title comes before the same word in a column or on a page."""
    with Catalog(folder) as catalog:
        assert catalog.search(Query("schul")).entries[0].path == "c.json"


def test_filters_and_facets(folder):
    """Hits can be narrowed by format, year, section and statistics; the counts agree."""
    with Catalog(folder) as catalog:
        assert catalog.search(Query(formats=("csv",))).total == 2
        assert catalog.search(Query(section="bildung")).total == 1
        assert catalog.search(Query(statistics_only=True)).total == 2
        assert catalog.search(Query(first_year=2020, last_year=2030)).total == 2
        assert catalog.search(Query(first_year=2021)).total == 0
        facets = catalog.facets(Query())
        assert facets.formats == {"csv": 2, "json": 1, "text": 1}
        assert (facets.statistics, facets.years) == (2, {2019: 2, 2020: 2})
        assert catalog.facets(Query("人口")).formats == {"csv": 1}
        assert catalog.search(Query("no such word")).total == 0


def test_pages_of_hits(folder):
    """Every dataset is on one page of the hits, whatever they are sorted by."""
    with Catalog(folder) as catalog:
        for sort in ("relevance", "title", "newest", "size"):
            pages = [catalog.search(Query(sort=sort), offset=n, limit=1) for n in range(4)]
            assert len({page.entries[0].id for page in pages}) == 4
            assert {page.total for page in pages} == {4}
        summary = catalog.summary()
        assert (summary.datasets, summary.targets_with_statistics, summary.sd_yield) == (4, 2, 0.5)


def test_families_are_formats_and_years_of_one_table():
    """Years and formats of a table belong together; tables that only sound alike do not."""

    def member(id_, url, title, page="https://e.org/p", columns="x"):
        return Member(id_, url, title, page, str(id_), columns)

    found = find_families([
        member(1, "https://e.org/a/pupils-2019.csv", "Pupils by school, 2019"),
        member(2, "https://e.org/a/pupils-2019.xlsx", "Pupils by school, 2019 (XLSX)"),
        member(3, "https://e.org/b/x.csv", "Pupils by school, 2020", "https://e.org/q"),
        member(4, "https://e.org/c/y.csv", "Pupils by region, 2020"),
        member(5, "https://e.org/d/1.csv", "Download", "https://e.org/p", ""),
        member(6, "https://e.org/e/2.csv", "Download", "https://e.org/p", ""),
    ])  # fmt: skip
    assert found == {1: 1, 2: 1, 3: 1, 4: 4, 5: 5, 6: 6}


@pytest.mark.parametrize(
    ("link", "own", "page", "title"),
    [
        ("Pupils by school (CSV, 1.2 MB)", "x", "Page", "Pupils by school"),
        ("Download", "Table of schools", "Page", "Table of schools"),
        ("PDF", "Microsoft Word - ", "Statistics of schools", "Statistics of schools"),
        ("here", "", "", "pupils 2019"),
    ],
)
def test_titles(link, own, page, title):
    """The link's words, unless they say nothing; then the file's, the page's, the name's."""
    expected = "here" if (link, page) == ("here", "") else title
    assert choose_title(link, own, [], page, "https://e.org/pupils_2019.csv") == expected
