"""What a portal states of its datasets reaches the list, the catalogue and the exports."""

import asyncio
import csv
import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from standins import Ckan
from test_crawling_portals import serving

from datahound.catalog.catalog import Catalog
from datahound.cli import run
from datahound.runs import Run
from datahound.runs.finish import update_catalog
from datahound.runs.options import make_options


class Stating(Ckan):
    """A portal whose files have names of their own, and datasets a licence and a publisher."""

    def package(self, dataset):
        found = super().package(dataset)
        found["license_title"] = "CC BY 4.0" if dataset.number % 2 else None
        found["license_id"] = None
        found["organization"] = {"title": "Office of Rivers"}
        found["notes"] = f"How much water <b>{dataset.name}</b> have."
        found["resources"][0]["name"] = "Download CSV"
        found["resources"][0]["last_modified"] = "2025-03-04T05:06:07"
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a crawl of the portal, with its files and its catalogue."""
    place = tmp_path_factory.mktemp("stated") / "crawl"
    portal = Stating(6)
    given = {"delay": 0.0, "early-stop": False, "output": place}
    with serving(portal) as base:
        asyncio.run(Run(make_options(f"{base}/", given)).go())
    update_catalog(place)
    return place


def test_the_list_of_files_says_it(folder):
    """`datasets.csv` has the dataset, its description, licence, publisher and date."""
    with (folder / "datasets.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["url"].rpartition("/")[2]: row for row in csv.DictReader(file)}
    row = rows["schools-0001.csv"]
    assert row["dataset_title"] == "Schools 0001"
    assert row["description"] == "How much water schools-0001 have."
    assert (row["licence"], row["publisher"]) == ("CC BY 4.0", "Office of Rivers")
    assert row["source_modified"] == "2025-03-04T05:06:07"
    assert rows["rivers-0000.csv"]["licence"] == ""
    assert len(rows) == 6


def test_the_catalogue_says_it(folder):
    """A dataset has a title that says something, and is found by its description."""
    with Catalog(folder) as catalog:
        entries = {entry.path.rpartition("/")[2]: entry for entry in catalog.entries()}
    entry = entries["schools-0001.csv"]
    assert entry.title == "Schools 0001"
    assert (entry.licence, entry.publisher) == ("CC BY 4.0", "Office of Rivers")
    assert entry.description == "How much water schools-0001 have."


def test_dcat_says_it(folder, tmp_path):
    """Description, licence and publisher of DCAT are the portal's."""
    place = tmp_path / "out.jsonld"
    assert run(["export", str(folder), "--format", "dcat", "--output", str(place)]) == 0
    nodes = json.loads(place.read_text())["@graph"]
    sets = {node["dct:title"]: node for node in nodes if node["@type"] == "dcat:Dataset"}
    about = sets["Schools 0001"]
    assert about["dct:description"] == "How much water schools-0001 have."
    assert about["dct:publisher"]["foaf:name"] == "Office of Rivers"
    assert about["dct:license"]["dct:title"] == "CC BY 4.0"
    assert about["dct:modified"]["@value"].startswith("2025-03-0")
    assert "dct:license" not in sets["Rivers 0000"]
    files = [node for node in nodes if node["@type"] == "dcat:Distribution"]
    assert sum("dct:license" in node for node in files) == 3


def test_a_data_package_says_it(folder, tmp_path):
    """So do the resources of a data package."""
    place = tmp_path / "package"
    assert run(["export", str(folder), "--format", "datapackage", "--output", str(place)]) == 0
    package = json.loads((place / "datapackage.json").read_text())
    about = {resource["title"]: resource for resource in package["resources"]}["Schools 0001"]
    assert about["licenses"] == [{"name": "cc-by-4.0", "title": "CC BY 4.0"}]
    assert about["description"] == "How much water schools-0001 have."
