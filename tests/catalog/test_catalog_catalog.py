import json

import pytest
from catalog_files import FIGURES, catalogue, keep

from datahound.catalog.catalog import Catalog, Query


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
