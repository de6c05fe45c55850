"""A fleet in the browser: sites, a search in all catalogues, and crawls brought from the store."""

import shutil
import zipfile
from io import BytesIO

import fleet_trial as trial
import polars as pl
import pytest
from crawled import Client, in_thread

from datahound.catalog.catalog import Catalog, Query
from datahound.catalog.merge import MergedCatalog
from datahound.cli import run
from datahound.dashboard.app import serve_dashboard
from datahound.fleet.view import FleetView


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with two sites that were crawled, and one that cannot be reached."""
    folder = tmp_path_factory.mktemp("fleet")
    place = str(folder / "store")
    with trial.served_sites(folder, ["127.7.9.1", "127.7.9.2"], 2, 2) as (sites, _):
        listed = folder / "sites.txt"
        listed.write_text("".join(f"{site}/\n" for site in sites))
        words = ["--delay", "0.05", "--term", "8s", "--work", str(folder / "work")]
        assert run(["fleet", "run", str(listed), "--store", place, *words]) == 0
        listed.write_text("http://127.7.9.3:1/ --priority 2\n")
        assert run(["fleet", "add", str(listed), "--store", place]) == 0
    return place


@pytest.fixture
def view(store, tmp_path):
    return FleetView(store, tmp_path / "copies")


@pytest.fixture
def client(view):
    view.merge_catalogs()
    with in_thread(lambda: serve_dashboard([view.crawls], fleet=view)) as serving:
        yield Client(serving)


def test_the_start_page_lists_sites_and_states(client):
    """Sites with their figures, those that can't be reached too; a filter finds some of them."""
    found = client.json("/index.json")
    assert found["crawls"] == []
    found = client.json("/fleet.json")
    assert found["states"] == {
        "running": 0, "waiting": 1, "paused": 0, "finished": 2, "failed": 0
    }  # fmt: skip
    assert (found["files"], found["in_all"]) == (8, 3)
    assert client.json("/fleet.json?state=waiting")["matching"] == 1
    assert client.json("/fleet.json?q=127.7.9.2")["matching"] == 1
    assert client.json("/fleet.json?offset=100")["sites"] == []
    assert "3 sites" in client.ask("/").text


def test_all_catalogues_are_searched_together(client):
    """A dataset of a site leads to its page, in the crawl that is brought from the store."""
    found = client.json("/fleet/data.json?q=value")
    assert found["total"] == 8
    assert {row["label"] for row in found["sections"]} == {"127.7.9.1", "127.7.9.2"}
    entry = next(e for e in found["entries"] if e["section"] == "127.7.9.2")
    opened = client.ask(f"/fleet/crawl/{entry['crawl']}?url={entry['url']}")
    assert opened.status == 303
    page = client.ask(opened.headers["Location"])
    assert page.status == 200
    assert entry["url"] in page.text
    assert client.json("/fleet/data.json?section=127.7.9.1")["total"] == 4
    assert client.ask("/fleet/data?q=value").status == 200


def test_files_are_brought_when_they_are_asked_for(client, view):
    """One file, and several in a ZIP; none was there before."""
    entry = client.json("/fleet/data.json")["entries"][0]
    client.ask(f"/fleet/crawl/{entry['crawl']}")
    assert not list(view.crawls.glob("*/files/**/*.csv"))
    file = client.ask(f"/crawl/{entry['crawl']}/file?url={entry['url']}")
    assert file.text.startswith("year,value\n")
    form = {"form_token": client.form_token(f"/crawl/{entry['crawl']}/data"), "what": "all"}
    made = client.ask(f"/crawl/{entry['crawl']}/zip", "POST", form=form)
    with zipfile.ZipFile(BytesIO(made.body)) as archive:
        assert len([name for name in archive.namelist() if name.endswith(".csv")]) == 4 + 1


def test_names_that_are_not_of_the_fleet_are_refused(client, view):
    """A site that is not there, one without a shipment, paths that leave the folder."""
    for name in ("nobody", "..", "%2e%2e%2fstore", "127.7.9.3"):
        assert client.ask(f"/fleet/crawl/{name}").status == 404
    unshipped = next(s["slug"] for s in view.describe()["sites"] if s["state"] == "waiting")
    assert client.ask(f"/fleet/crawl/{unshipped}").status == 404
    slug = view.describe()["sites"][-1]["slug"]
    view.fetch_file(slug, "../../escaped")
    view.fetch_file(slug, "/escaped")
    assert not list(view.crawls.parent.rglob("escaped"))


def test_metrics_are_those_of_the_fleet(client):
    """Prometheus reads the states of sites."""
    assert 'datahound_fleet_sites{state="finished"} 2' in client.ask("/metrics").text


def test_the_start_page_says_why_nobody_works(store, tmp_path):
    """The fleet is stopped, and a record can't be read; as figures, too."""
    place = tmp_path / "store"
    shutil.copytree(store, place)
    (place / "fleet/groups/x").write_text("{")
    assert run(["fleet", "stop", "--store", str(place)]) == 0
    view = FleetView(str(place), tmp_path / "copies")
    with in_thread(lambda: serve_dashboard([view.crawls], fleet=view)) as serving:
        page = Client(serving).ask("/").text
        metrics = Client(serving).ask("/metrics").text
    assert "stopped: datahound fleet stop --undo" in page
    assert "fleet/groups/x: is damaged" in page
    assert "datahound_fleet_halted 1" in metrics
    assert "datahound_fleet_damaged_records 1" in metrics


def test_a_damaged_catalogue_is_left_out(store, tmp_path, capsys, caplog):
    """Of the search and of the table; those of the other sites are there, and it is said once."""
    place, output = tmp_path / "store", tmp_path / "all.parquet"
    shutil.copytree(store, place)
    command = ["fleet", "catalog", "--store", str(place), "--output", str(output)]
    assert run(command) == 0
    assert "8 datasets of 2 sites" in capsys.readouterr().out
    schema = pl.read_parquet_schema(output)
    # The same types every night, also where no dataset has a value.
    assert schema["places"] == pl.List(pl.String)
    damaged = min((place / "crawls").iterdir())
    for break_it in (_cut_catalog, _remove_catalog, _cut_manifest):
        break_it(damaged)
        caplog.clear()
        assert run(command) == 0
        assert "4 datasets of 1 site" in capsys.readouterr().out
        assert pl.read_parquet_schema(output) == schema
        assert len(caplog.messages) == 1
    caplog.clear()
    view = FleetView(str(place), tmp_path / "copies")
    assert [view.merge_catalogs(), view.merge_catalogs()] == [1, 0]
    assert len(caplog.messages) == 1


def _cut_catalog(folder):
    (path,) = folder.rglob("catalog.db")
    path.write_bytes(path.read_bytes()[:3000])


def _remove_catalog(folder):
    next(folder.rglob("catalog.db")).unlink()


def _cut_manifest(folder):
    (folder / "manifest.json").write_text("{")


def test_catalogues_are_merged_once_and_replaced_when_they_change(view):
    """What was merged is not read again; a crawl that is merged again has no datasets twice."""
    assert view.merge_catalogs() == 2
    assert view.merge_catalogs() == 0
    merged = MergedCatalog(view.find_catalog())
    slug = next(iter(merged.read_marks()))
    source = view.fetch_crawl(slug)
    merged.replace_crawl(slug, "one.example", "other mark", source)
    with Catalog(view.find_catalog()) as catalog:
        assert catalog.summary().datasets == 8
        assert catalog.search(Query(section="one.example")).total == 4
        assert sum(catalog.facets(Query()).sections.values()) == 8
    merged.remove_crawl(slug)
    merged.close()
    with Catalog(view.find_catalog()) as catalog:
        assert catalog.summary().datasets == 4
        assert "one.example" not in catalog.facets(Query()).sections
        assert catalog.search(Query(text="value")).total == 4
