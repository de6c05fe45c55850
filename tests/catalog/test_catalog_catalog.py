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
        assert catalog.search(Query("xylophone zither")).total == 0


def test_pages_of_hits(folder):
    """Every dataset is on one page of the hits, whatever they are sorted by."""
    with Catalog(folder) as catalog:
        for sort in ("relevance", "title", "newest", "size"):
            pages = [catalog.search(Query(sort=sort), offset=n, limit=1) for n in range(4)]
            assert len({page.entries[0].id for page in pages}) == 4
            assert {page.total for page in pages} == {4}
        summary = catalog.summary()
        assert (summary.datasets, summary.targets_with_statistics, summary.sd_yield) == (4, 2, 0.5)


def test_words_that_are_nowhere_are_left_out(folder):
    """And named."""
    with Catalog(folder) as catalog:
        found = catalog.search(Query("pupils xylophone"))
        all_ = catalog.search(Query("pupils"))
        nothing = catalog.search(Query("xylophone"))
    assert found.missing == ["xylophone"]
    assert [e.id for e in found.entries] == [e.id for e in all_.entries]
    assert found.entries
    assert (nothing.total, nothing.remark) == (0, "found nowhere: xylophone")


def test_some_words_are_enough_where_no_dataset_has_all(tmp_path):
    """Those with the rarest words, and with words in titles, come first."""
    files = {f"{name}.csv": f"region,{name},x\nNorth,1,2\nSouth,2,3\nWest,3,4\n"
             for name in ("pupils", "wages", "prices")}  # fmt: skip
    catalogue(tmp_path, keep(tmp_path, files))
    with Catalog(tmp_path) as catalog:
        found = catalog.search(Query("pupils wages region"))
        facets = catalog.facets(Query("pupils wages region"))
    assert found.partial
    assert (found.total, sum(facets.formats.values())) == (3, 3)
    assert found.entries[2].url.endswith("prices.csv")


def test_all_values_of_a_dimension_are_found(tmp_path):
    """Up to a bound, and in large files, too."""
    small = "town,pupils,wages\n" + "".join(f"Town{n}ville,{n},{n}\n" for n in range(900))
    large = small + "".join(f"Big{n}ton,{n},{n}\n" for n in range(20_000))
    catalogue(tmp_path, keep(tmp_path, {"small.csv": small, "large.csv": large}))
    with Catalog(tmp_path) as catalog:
        assert catalog.search(Query("town899ville")).total == 2
        assert catalog.search(Query("big500ton")).total == 1


def test_units_and_notes_are_kept(tmp_path):
    """As they stand above and below the table."""
    text = (
        "Pupils by region\n(thousands)\n\nregion,2019,2020\nNorth,1,2\nSouth,2,3\nSource: survey\n"
    )
    catalogue(tmp_path, keep(tmp_path, {"a.csv": text}))
    with Catalog(tmp_path) as catalog:
        (table,) = catalog.tables(catalog.search(Query()).entries[0].id)
    assert (table.title, table.unit, table.notes) == (
        "Pupils by region", "thousands", "Source: survey",
    )  # fmt: skip
