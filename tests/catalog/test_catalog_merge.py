"""One catalogue of many crawls: searched together, replaced and removed crawl by crawl."""

from contextlib import closing

import pytest
from catalog_files import FIGURES, catalogue, keep

from datahound.catalog.catalog import Catalog
from datahound.catalog.merge import MergedCatalog
from datahound.catalog.model import Query
from datahound.errors import UserError


def make_crawl(folder, files, **facts):
    """A catalogued folder; the URLs of its files are of its own host."""
    sources = [
        type(source)(**{**{name: getattr(source, name) for name in source.__slots__},
                        "url": f"https://{folder.name}.example/{source.path}"})
        for source in keep(folder, files, **facts)
    ]  # fmt: skip
    catalogue(folder, sources)
    return folder


@pytest.fixture
def crawls(tmp_path):
    return {
        "north": make_crawl(tmp_path / "north", {"a.csv": FIGURES, "b.json": '[{"x": 1}]'}),
        "south": make_crawl(tmp_path / "south", {"c.csv": FIGURES.replace("pupils", "teachers")}),
    }


@pytest.fixture
def merged(tmp_path, crawls):
    with closing(MergedCatalog(tmp_path / "all")) as catalog:
        for name, folder in crawls.items():
            catalog.replace_crawl(name, f"{name}.example", "1", folder)
        yield catalog


def search(merged, text="", **more):
    with Catalog(merged.folder) as catalog:
        return sorted(entry.path for entry in catalog.search(Query(text, **more)).entries)


def test_all_crawls_are_searched_together(merged):
    assert search(merged) == ["north/a.csv", "north/b.json", "south/c.csv"]
    assert search(merged, "pupils") == ["north/a.csv"]
    assert search(merged, "teachers") == ["south/c.csv"]


def test_sections_are_the_sites(merged):
    assert search(merged, section="south.example") == ["south/c.csv"]
    with Catalog(merged.folder) as catalog:
        assert dict(catalog.facets(Query()).sections) == {"north.example": 2, "south.example": 1}


def test_facets_and_totals_are_sums(merged, crawls):
    with Catalog(merged.folder) as catalog:
        formats, summary = dict(catalog.facets(Query()).formats), catalog.summary()
    assert formats == {"csv": 2, "json": 1}
    parts = []
    for folder in crawls.values():
        with Catalog(folder) as catalog:
            parts.append(catalog.summary())
    assert summary.datasets == sum(part.datasets for part in parts)
    assert summary.bytes == sum(part.bytes for part in parts)
    assert summary.rows == sum(part.rows for part in parts)


def test_a_crawl_is_replaced_and_the_others_stay(merged, crawls, tmp_path):
    make_crawl(tmp_path / "north", {"new.csv": FIGURES.replace("pupils", "buses")})
    merged.replace_crawl("north", "north.example", "2", crawls["north"])
    assert merged.read_marks() == {"north": "2", "south": "1"}
    assert search(merged, "buses") == ["north/new.csv"]
    assert search(merged, "teachers") == ["south/c.csv"]
    assert search(merged, "pupils") == []


def test_a_crawl_is_removed_with_its_facets(merged):
    merged.remove_crawl("north")
    assert merged.read_marks() == {"south": "1"}
    assert search(merged) == ["south/c.csv"]
    with Catalog(merged.folder) as catalog:
        facets = catalog.facets(Query())
    assert dict(facets.sections) == {"south.example": 1}
    assert dict(facets.formats) == {"csv": 1}


def test_to_remove_what_is_not_there_changes_nothing(merged):
    merged.remove_crawl("never")
    assert len(search(merged)) == 3


def test_a_file_of_two_crawls_is_there_once(merged, tmp_path):
    folder = tmp_path / "twin"
    catalogue(folder, [
        type(source)(**{**{name: getattr(source, name) for name in source.__slots__},
                        "url": "https://south.example/c.csv"})
        for source in keep(folder, {"c.csv": FIGURES})
    ])  # fmt: skip
    merged.replace_crawl("twin", "twin.example", "1", folder)
    assert search(merged) == ["north/a.csv", "north/b.json", "south/c.csv"]
    # The copy that was there first is not the twin's to take away.
    merged.remove_crawl("twin")
    assert search(merged, "teachers") == ["south/c.csv"]


def test_families_of_two_crawls_stay_apart(merged, tmp_path):
    files = {f"jobs-{year}.csv": FIGURES for year in (2019, 2020, 2021)}
    for name in ("east", "west"):
        folder = make_crawl(tmp_path / name, files)
        merged.replace_crawl(name, f"{name}.example", "1", folder)
    with Catalog(merged.folder) as catalog:
        entries = catalog.search(Query(), limit=100).entries
    families = {}
    for entry in entries:
        families.setdefault(entry.family, set()).add(entry.path.partition("/")[0])
    assert all(len(owners) == 1 for owners in families.values())


def test_a_folder_without_a_catalogue_is_refused_and_nothing_is_lost(merged, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="no catalogue"):
        merged.replace_crawl("north", "north.example", "2", tmp_path / "empty")
    assert len(search(merged)) == 3
    assert merged.read_marks()["north"] == "1"


@pytest.mark.usefixtures("merged")
def test_it_is_found_again_by_the_next_process(tmp_path):
    with closing(MergedCatalog(tmp_path / "all")) as again:
        assert again.read_marks() == {"north": "1", "south": "1"}
