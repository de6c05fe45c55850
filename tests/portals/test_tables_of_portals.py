"""Tables that portals give by queries: in parts, within limits, as their own clients get them."""

import asyncio
import contextlib
import csv
import io
import json
import sqlite3
import sys
import urllib.request
from pathlib import Path
from urllib.parse import unquote

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from portal_servers import PORTALS, crawl_portal, serving

from datahound.archive import MemoryArchive, open_archive, record_warc
from datahound.archive.archive import Recorded
from datahound.model import Fetch, Purpose, Response, name_query, split_query
from datahound.readers import add_queries, read_listing
from datahound.report.status import read_status
from datahound.runs import Run
from datahound.runs.options import make_options

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def read_files(folder):
    """The bytes of the files of a crawl, by their URLs."""
    with contextlib.closing(sqlite3.connect(folder / "crawl.db")) as database:
        found = database.execute("SELECT url, path FROM file WHERE path != ''").fetchall()
    return {url: (folder / "files" / path).read_bytes() for url, path in found}


def post(url, query):
    """What a client that keeps to the documentation gets for a query."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, query.encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read()


def by_cell(text):
    """Values of a table of the stand-in by place and year."""
    rows = csv.DictReader(io.StringIO(text))
    heads = [head for head in rows.fieldnames if head.startswith("Number ")]
    return {(row["region"], int(head[7:])): int(row[head]) for row in rows for head in heads}


@pytest.mark.parametrize("max_cells", [100_000, 12, 1])
def test_tables_of_version_1_come_by_post(max_cells, tmp_path):
    """Whole tables, or parts within the limit, whose bytes are those of the documented request."""
    portal = PORTALS["pxweb-1"](12)
    portal.max_cells = max_cells
    crawl_portal(portal, tmp_path, list_only=False)
    files = read_files(tmp_path)
    cells = {}
    with serving(portal) as base:
        for name, body in files.items():
            url, query = split_query(name)
            path = "/" + url.split("/", 3)[3]
            assert post(base + path, query) == body
            cells.setdefault(path, []).append(by_cell(body.decode()))
    assert cells.keys() == portal.table_paths()
    for path, parts in cells.items():
        rows = portal.tables[path.rpartition("/")[2].removesuffix(".px")].dataset.rows
        found = [cell for part in parts for cell in part.items()]
        assert sorted(found) == sorted(((place, year), value) for place, year, value in rows)
        assert all(len(part) <= max_cells for part in parts)
        assert len(parts) > 1 or len(rows) <= max_cells
    assert read_status(tmp_path).portals == (
        f"PxWeb: {len(cells)} of {len(cells)} datasets; recognized by 'pxweb'",
    )


@pytest.mark.parametrize("max_cells", [100_000, 10])
def test_pxwebpy_gets_the_same_tables(max_cells, tmp_path):
    """The cells of version 2, whole or in parts, are those that the client gets of each table."""
    pxweb = pytest.importorskip("pxweb", reason="the client pxwebpy is not installed")
    portal = PORTALS["pxweb-2"](12)
    crawl_portal(portal, tmp_path / "whole", list_only=False)
    portal.max_cells = max_cells
    crawl_portal(portal, tmp_path / "parts", list_only=False)
    portal.max_cells = 100_000
    with serving(portal) as base:
        client = pxweb.PxApi(f"{base}/api/v2")
        wanted = {
            name: {
                (c["region"], int(c["year"])): c["value"] for c in client.get_table_data_all(name)
            }
            for name in portal.tables
        }
    found = {}
    for url, body in read_files(tmp_path / "parts").items():
        if "outputFormat=csv" in url:
            found.setdefault(url.split("/")[6], {}).update(by_cell(body.decode()))
    assert found == wanted


def layers_of(portal):
    """A portal whose start page links to its server."""
    portal.front_links = lambda: [("/arcgis/rest/services", "Map services")]
    return portal


@pytest.mark.parametrize("can_page", [True, False])
def test_esridump_gets_the_same_features(can_page, tmp_path):
    """All features of layers that are longer than one answer, with and without paging."""
    esridump = pytest.importorskip("esridump.dumper", reason="esridump is not installed")
    portal = layers_of(PORTALS["arcgis"](15))
    portal.max_records, portal.can_page = 7, can_page
    crawl_portal(portal, tmp_path, list_only=False)
    found = {}
    for url, body in read_files(tmp_path).items():
        path = unquote(url).partition("/query?")[0]
        if path != unquote(url):
            path = "/" + path.split("/", 3)[3]
            features = json.loads(body)["features"]
            assert len(features) <= 7
            about = (f["properties"] for f in features)
            found.setdefault(path, {}).update((a["OBJECTID"], a) for a in about)
    assert found.keys() == {portal.layer_path(dataset) for dataset in portal.layers}
    with serving(portal) as base:
        for path, features in found.items():
            dumper = esridump.EsriDumper(base + path, pause_seconds=0)
            assert {f["properties"]["OBJECTID"]: f["properties"] for f in dumper} == features


def test_sdmx_flows_are_those_that_its_client_gets(tmp_path):
    """The bytes of each flow are those of the registry, and its values those of the client."""
    sdmx = pytest.importorskip("sdmx", reason="the client sdmx1 is not installed")
    portal = PORTALS["sdmx"](6)
    crawl_portal(portal, tmp_path, list_only=False)
    files = read_files(tmp_path)
    assert len(files) == len(portal.flows)
    with serving(portal) as base:
        sdmx.add_source({"id": "TOWN", "name": "x", "url": f"{base}/rest"}, override=True)
        client = sdmx.Client("TOWN")
        for url, body in files.items():
            with urllib.request.urlopen(f"{base}/{url.split('/', 3)[3]}", timeout=30) as answer:
                assert answer.read() == body
            name = url.partition("/data/")[2].split("/")[0].split(",")[1]
            values = [float(row["OBS_VALUE"]) for row in csv.DictReader(body.decode().splitlines())]
            series = sdmx.to_pandas(client.data(name).data[0])
            assert sorted(values) == sorted(series.tolist())


def test_large_tables_are_left_out_and_it_is_said(tmp_path):
    """Tables above the size that the user sets are not asked for, and a line names the option."""
    portal = PORTALS["pxweb-1"](12)
    crawl_portal(portal, tmp_path, max_table=20)
    small = [table for table in portal.tables.values() if len(table.values) <= 20]
    posted = [path for path in portal.requests if "#post" in path]
    assert len(posted) == len(small)
    status = read_status(tmp_path)
    assert any("--max-table" in line for line in status.missed)
    with contextlib.closing(sqlite3.connect(tmp_path / "crawl.db")) as database:
        found = database.execute("SELECT count(*) FROM target").fetchone()[0]
    assert 0 < found == len(small) < len(portal.tables)


def test_a_query_is_recorded_and_replayed(tmp_path):
    """Each query of one URL has its own record, with the request, beside the answer to a GET."""
    url = "https://x.example/t.px"
    names = [name_query(url, json.dumps({"part": part, "é": "ü/?#%"})) for part in (1, 2)]
    answers = {
        name: Response(name, 200, {"content-type": "text/csv"}, name.encode(), 9) for name in names
    }
    answers[url] = Response(url, 200, {"content-type": "application/json"}, b"{}", 2)
    path = tmp_path / "x.warc"
    with record_warc(path, url) as archive:
        for name, answer in answers.items():
            archive.put(Fetch(name, Purpose.COLLECT), answer)
    recorded = path.read_bytes()
    assert recorded.count(b"POST /t.px HTTP/1.1") == 2
    assert b"WARC-Target-URI: https://x.example/t.px\r\n" in recorded
    assert json.dumps({"part": 1, "é": "ü/?#%"}).encode() in recorded
    archives = [
        open_archive(str(path)),
        MemoryArchive(url, [Recorded(Fetch(n), a) for n, a in answers.items()]),
    ]
    for archive in archives:
        for name, answer in answers.items():
            assert archive.get(Fetch(name)).body == answer.body
        assert archive.get(Fetch(name_query(url, "{}"))) is None
        archive.close()
    assert [split_query(name)[0] for name in names] == [url, url]


def test_a_crawl_goes_on_from_its_journal(tmp_path):
    """A crawl that was broken off asks again for no table that it has."""
    portal = PORTALS["pxweb-1"](12)
    with serving(portal) as base:
        given = {"delay": 0.0, "early-stop": False, "output": tmp_path}
        asyncio.run(Run(make_options(f"{base}/", {**given, "budget": 25})).go())
        asyncio.run(Run(make_options(f"{base}/", given)).go())
    asked = [path for path in portal.requests if ".px" in path]
    assert len(read_files(tmp_path)) == len(portal.tables)
    assert len(asked) <= 2 * len(portal.tables) + 1


@pytest.mark.parametrize(
    "variables",
    [
        [],
        [{"code": "A"}],
        [{"code": "A", "values": []}],
        [{"code": "", "values": ["1"]}],
        [{"code": f"V{n}", "values": [str(i) for i in range(1000)]} for n in range(40)],
        [{"code": "A", "values": [None, {}, 7]}],
        [
            {"code": "A", "values": [f"{i}{'x' * 1000}" for i in range(1000)]},
            {"code": "B", "values": ["1", "2"]},
        ],
        [
            {"code": "A", "values": [f"{i}{'x' * 150}" for i in range(700)]},
            {"code": "B", "values": [str(i) for i in range(800)]},
            {"code": "C", "values": ["1", "2"]},
        ],
        "many",
    ],
)
def test_strange_descriptions_of_tables(variables):
    """Descriptions that make no sense, or far too many queries, bring no query and no error."""
    body = json.dumps({"title": "T", "variables": variables}).encode()
    page = read_listing(Response("https://x.example/api/v1/en/t.px", 200, {}, body))
    if page is not None:
        page, left_out = add_queries(page, "", 1000, 10**200)
        assert not page.links
        assert len(left_out) == bool(variables)
