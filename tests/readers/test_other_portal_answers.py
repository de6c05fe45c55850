"""Answers that platforms give in other versions, and what a catalogue writes in its own way."""

import json
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import test_portal_variants

from datahound.model import Response, Role
from datahound.readers import read_listing

SITE = "https://x.example"
SCHEMA = "https://project-open-data.cio.gov/v1.1/schema"
SET = {"identifier": "a", "title": "T", "distribution": [{"downloadURL": f"{SITE}/f.csv"}]}
GEONETWORK = "/geonetwork/srv/eng/q?_content_type=json&from=1&to=1"
LINK = f"n|d|{SITE}/f.zip|WWW:DOWNLOAD-1.0-http--download|application/zip|1"
RECORD = {
    "id": "r",
    "type": "Feature",
    "properties": {"title": "T", "type": "dataset"},
    "links": [
        {"href": f"{SITE}/d.csv", "rel": "enclosure", "type": "text/csv"},
        {"href": f"{SITE}/about", "rel": "alternate", "type": "text/html"},
        {"href": f"{SITE}/collections/c/items/r", "rel": "self"},
    ],
}

CASES = {
    "DKAN 2: a search": (
        "/api/1/search?page-size=1&page=1",
        {"total": "5", "results": {"dkan_dataset/a": SET}, "facets": []},
        ["/f.csv"], "/api/1/search?page-size=1&page=2", 5,
    ),
    "DKAN 2: datasets beside their identifiers": (
        "/api/1/metastore/schemas/dataset/items?show-reference-ids",
        [{"identifier": "a", "data": {"title": "T", "distribution": [
            {"identifier": "d", "data": {"downloadURL": f"{SITE}/f.csv", "mediaType": "text/csv"}}
        ]}}],
        ["/f.csv"], None, 1,
    ),
    "DCAT-US 3: objects where version 1.1 has texts": (
        "/data.json",
        {
            "@type": "Catalog", "conformsTo": {"@id": "https://resources.data.gov/dcat-us/3.0.0"},
            "dataset": [{
                "@type": "Dataset", "title": {"en": "D", "fr": "E"},
                "distribution": [{"downloadURL": {"@id": f"{SITE}/f.csv"}}],
            }],
        },
        ["/f.csv"], None, 1,
    ),
    "DCAT-US: addresses in place of distributions": (
        "/data.json",
        {"conformsTo": SCHEMA, "dataset": [
            {"title": "t", "distribution": f"{SITE}/a.csv"},
            {"title": "t", "distribution": [f"{SITE}/b.csv", None, 7]},
            {"title": ["t"], "distribution": [{"downloadURL": [f"{SITE}/c.csv"]}]},
        ]},
        ["/a.csv", "/b.csv", "/c.csv"], None, 3,
    ),
    "DCAT-US: version 1.0": (
        "/data.json",
        [{"title": "t", "accessURL": f"{SITE}/a.csv", "format": "text/csv", "identifier": "1"}],
        ["/a.csv"], None, 1,
    ),
    "CKAN: one resource, not in a list": (
        "/api/3/action/package_show?id=n",
        {"success": True, "result": {"name": "n", "resources": {"url": f"{SITE}/f.csv"}}},
        ["/f.csv"], None, 1,
    ),
    "CKAN: a table without a file": (
        "/api/3/action/package_show?id=n",
        {"success": True, "result": {"name": "n", "resources": [
            {"id": "r", "url": "_datastore_only_resource", "datastore_active": True}
        ]}},
        ["/datastore/dump/r"], None, 1,
    ),
    "Opendatasoft: attachments by address, other exports": (
        "/api/explore/v2.1/catalog/datasets/a",
        {
            "dataset_id": "a", "has_records": False, "metas": {"default": {"title": "A"}},
            "attachments": [{"href": f"{SITE}/x", "metas": {"mime-type": "application/pdf"}}],
            "alternative_exports": [{"url": f"{SITE}/z.zip"}, {"url": "odsfile://z"}, None],
        },
        ["/x", "/z.zip"], None, 1,
    ),
    "udata: without the size of a page": (
        "/api/1/datasets/?page=1",
        {"data": [{"id": "a", "title": "T", "resources": [{"url": f"{SITE}/f.csv"}]}],
         "next_page": f"{SITE}/api/1/datasets/?page=2", "total": 2},
        ["/f.csv"], "/api/1/datasets/?page=2", 2,
    ),
    "GeoNetwork 3: a page of a search": (
        GEONETWORK,
        {"@from": "1", "@to": "1", "summary": {"@count": "3"},
         "metadata": [{"title": "T", "link": [LINK, f"w||{SITE}/wms?|OGC:WMS|x|2", "|"]}]},
        ["/f.zip"], GEONETWORK.replace("from=1&to=1", "from=2&to=2"), 3,
    ),
    "GeoNetwork 3: one record, one link": (
        GEONETWORK,
        {"@from": "1", "@to": "1", "summary": {"@count": "1"}, "metadata": {"link": LINK}},
        ["/f.zip"], None, 1,
    ),
    "GeoNetwork 4": (
        "/geonetwork/srv/api/search/records/_search",
        {"hits": {"total": {"value": 3}, "hits": [{"_id": "u", "_source": {
            "resourceTitleObject": {"default": "T"},
            "link": [{"protocol": "WWW:DOWNLOAD", "urlObject": {"default": f"{SITE}/f.zip"}}],
        }}]}},
        ["/f.zip"], None, 3,
    ),
    "OGC API: records": (
        "/collections/c/items?f=json",
        {
            "type": "FeatureCollection", "numberMatched": 2, "features": [RECORD],
            "links": [{"rel": "next", "href": f"{SITE}/collections/c/items?offset=1"}],
        },
        ["/d.csv"], "/collections/c/items?offset=1", 2,
    ),
    "OGC API: one record": ("/collections/c/items/r", RECORD, ["/d.csv"], None, 1),
}  # fmt: skip


def read(path, body):
    body = body if isinstance(body, str) else json.dumps(body)
    return read_listing(Response(SITE + path, 200, {}, body.encode()))


@pytest.mark.parametrize("name", CASES)
def test_what_a_user_would_want_of_it(name):
    """Files, the next page and the total."""
    path, body, files, following, total = CASES[name]
    page = read(path, body)
    found = [e.url.removeprefix(SITE) for e in page.listing.entries if e.role is Role.FILE]
    assert sorted(found) == sorted(files)
    nexts = [link.url.removeprefix(SITE) for link in page.next_pages]
    assert nexts == ([following] if following else [])
    assert page.listing.total == total


def test_thredds_names_services_by_attribute():
    """As the first versions of its schema have it."""
    catalogue = (
        "<catalog><service name='h' serviceType='HttpServer' base='/thredds/fileServer/'/>"
        "<dataset name='d' urlPath='a/b.nc' serviceName='h'/></catalog>"
    )
    (entry,) = read("/thredds/catalog.xml", catalogue).listing.entries
    assert entry.url == f"{SITE}/thredds/fileServer/a/b.nc"


def test_collections_of_records_are_asked_for():
    """Those of features are data, not lists."""
    collections = [
        {
            "id": kind,
            "itemType": kind,
            "links": [{"rel": "items", "href": f"{SITE}/c/{kind}/items"}],
        }
        for kind in ("record", "feature")
    ]
    page = read("/collections?f=json", {"collections": collections, "links": []})
    assert [link.url for link in page.endpoints] == [f"{SITE}/c/record/items?limit=100"]


def test_features_are_no_records():
    """GeoJSON that is data lists nothing, whatever its properties are called."""
    feature = {
        "type": "Feature",
        "id": 1,
        "geometry": None,
        "properties": {"title": "x", "type": "y"},
    }
    body = {"type": "FeatureCollection", "features": [feature]}
    page = read("/data.geojson", body)
    assert page is None or not page.links


def _broken(value):
    """Every way to replace one part of a value by something else."""
    yield from (None, [], {}, "", 7, "text", [None], {"en": "x"}, True)
    if isinstance(value, dict):
        for key, part in value.items():
            for other in _broken(part):
                yield {**value, key: other}
            yield {name: rest for name, rest in value.items() if name != key}
    elif isinstance(value, list) and value:
        for other in _broken(value[0]):
            yield [other, *value[1:]]


def _bodies():
    """The answers in JSON of this file and of the tests of variants."""
    known = (test_portal_variants.CKAN_CASES, test_portal_variants.CASES, CASES)
    for name, (path, body, *_) in (item for cases in known for item in cases.items()):
        if isinstance(body, dict | list):
            yield pytest.param(path, body, id=name)


@pytest.mark.parametrize(("path", "body"), list(_bodies()))
def test_no_broken_part_is_an_error(path, body):
    """Whatever one part of an answer is replaced by, it is read or it is no list."""
    broken = list(_broken(body))
    for other in Random(0).sample(broken, min(len(broken), 150)):
        read(path, other)
    assert broken
