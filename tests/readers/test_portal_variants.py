"""Answers of platforms as other portals give them: other versions, languages, shapes and errors."""

import gzip
import json
from typing import NamedTuple

import pytest

from datahound.model import Response, Role
from datahound.readers import read_listing

SITE = "https://x.example"


class Expected(NamedTuple):
    """What a user would want of an answer; the files without the host of the portal."""

    files: tuple[str, ...] = ()
    following: str | None = None
    total: int | None = None


def read(path, body, **headers):
    """What an answer at a path lists."""
    if not isinstance(body, bytes):
        body = (body if isinstance(body, str) else json.dumps(body)).encode()
    return read_listing(Response(SITE + path, 200, headers, body))


def found_in(page):
    """Files, next page and total of a page."""
    files = (e.url for e in page.listing.entries if e.role is Role.FILE)
    following = page.next_pages[0].url.removeprefix(SITE) if page.next_pages else None
    return Expected(
        tuple(sorted(url.removeprefix(SITE) for url in files)), following, page.listing.total
    )


def check(path, body, files=(), following=None, total=None):
    page = read(path, body)
    assert page is not None
    assert found_in(page) == Expected(tuple(sorted(files)), following, total)


def package(number, **changes):
    return {
        "id": f"id-{number}",
        "name": f"set-{number}",
        "title": f"Set {number}",
        "resources": [{"url": f"{SITE}/f/{number}.csv", "format": "CSV"}],
        **changes,
    }


CKAN = "/api/3/action/package_search"
CKAN_CASES = {
    "two of five": (
        f"{CKAN}?rows=2&start=0",
        {"success": True, "result": {"count": 5, "results": [package(1), package(2)]}},
        ["/f/1.csv", "/f/2.csv"],
        f"{CKAN}?rows=2&start=2",
        5,
    ),
    "the last page": (
        f"{CKAN}?rows=2&start=4",
        {"success": True, "result": {"count": 5, "results": [package(5)]}},
        ["/f/5.csv"],
        None,
        5,
    ),
    "beyond the last page": (
        f"{CKAN}?rows=2&start=6",
        {"success": True, "result": {"count": 5, "results": []}},
        [],
        None,
        5,
    ),
    "numbers as strings": (
        f"{CKAN}?rows=1",
        {"success": "true", "result": {"count": "2", "results": [package(1)]}},
        ["/f/1.csv"],
        f"{CKAN}?rows=1&start=1",
        2,
    ),
    "nulls": (
        f"{CKAN}?rows=9",
        {
            "success": True,
            "result": {
                "count": 2,
                "results": [
                    package(1, title=None, notes=None, license_id=None, resources=None),
                    package(
                        2, resources=[None, {"url": None}, {"url": "/f/b.xls", "format": None}]
                    ),
                ],
            },
        },
        ["/f/b.xls"],
        None,
        2,
    ),
    "current_package_list_with_resources": (
        "/api/3/action/current_package_list_with_resources?limit=2&offset=0",
        {"success": True, "result": [package(1), package(2)]},
        ["/f/1.csv", "/f/2.csv"],
        "/api/3/action/current_package_list_with_resources?limit=2&offset=2",
        None,
    ),
    "current_package_list, DKAN nests it": (
        "/api/3/action/current_package_list_with_resources",
        {"success": True, "result": [[package(1), package(2)]]},
        ["/f/1.csv", "/f/2.csv"],
        None,
        None,
    ),
    "package_show of DKAN is a list": (
        "/api/3/action/package_show?id=a",
        {"success": True, "result": [package(1)]},
        ["/f/1.csv"],
        None,
        1,
    ),
    "resource_search": (
        "/api/3/action/resource_search?query=format:csv",
        {
            "success": True,
            "result": {"count": 1, "results": [{"url": "/f/9.csv", "format": "csv"}]},
        },
        ["/f/9.csv"],
        None,
        1,
    ),
    "resource_show": (
        "/api/3/action/resource_show?id=9",
        {"success": True, "result": {"url": "/f/9.csv", "format": "csv", "package_id": "a"}},
        ["/f/9.csv"],
        None,
        1,
    ),
    "version 1 and 2 of the search": (
        "/api/2/search/dataset?q=a",
        {"count": 2, "results": ["set-1", "set-2"]},
        [],
        None,
        2,
    ),
    "organization_show with datasets": (
        "/api/3/action/organization_show?id=o&include_datasets=True",
        {"success": True, "result": {"package_count": 1, "packages": [package(1)]}},
        ["/f/1.csv"],
        None,
        1,
    ),
}


@pytest.mark.parametrize("name", CKAN_CASES)
def test_ckan(name):
    """Searches, lists and single answers, with all that portals leave out."""
    check(*CKAN_CASES[name])


def test_names_of_ckan_lead_to_their_datasets():
    """A list of names is a list of further requests."""
    for path in ("/api/3/action/package_list", "/api/action/package_list"):
        page = read(path, {"success": True, "result": ["set-1", "set/2"]})
        assert [link.url for link in page.endpoints] == [
            SITE + path.replace("package_list", "package_show?id=set-1"),
            SITE + path.replace("package_list", "package_show?id=set%2F2"),
        ]


def test_what_ckan_says_of_a_dataset():
    """Title, description, licence and date, in whichever language there is."""
    body = {
        "success": True,
        "result": package(
            1,
            title={"de": "Bäume", "fr": "Arbres"},
            notes_translated={"sv": "Alla"},
            notes=None,
            license_title="CC BY 4.0",
            organization={"title": "Stadt"},
            metadata_modified="2025-01-02T03:04:05",
        ),
    }
    (dataset,) = read("/api/3/action/package_show?id=a", body).listing.datasets
    assert (dataset.title, dataset.description) == ("Bäume", "Alla")
    assert (dataset.licence, dataset.modified) == ("CC BY 4.0", "2025-01-02T03:04:05")
    assert dataset.publisher == "Stadt"


HTML = "<!DOCTYPE html><html><head><title>x</title></head></html>"
SEARCH = "/data/api/search?q=*&type=file&per_page=2&start=0"
OAI = "/oai?verb=ListRecords&metadataPrefix=oai_dc"


def results(*rows, **rest):
    return {"results": list(rows), **rest}


def socrata_result(name, kind="dataset", **changes):
    return {
        "resource": {"id": name, "name": f"Set {name}", "type": kind},
        "permalink": f"{SITE}/d/{name}",
        "metadata": {"domain": "x.example"},
        **changes,
    }


CASES = {
    "dataverse: files of a search": (
        SEARCH,
        {
            "status": "OK",
            "data": {
                "total_count": 3,
                "items": [
                    {
                        "type": "file",
                        "name": "a.tab",
                        "file_id": "7",
                        "url": "/data/api/access/datafile/7",
                    },
                    {"type": "file", "name": "b.csv", "file_id": 8},
                ],
            },
        },
        ["/data/api/access/datafile/7", "/data/api/access/datafile/8"],
        SEARCH.replace("start=0", "start=2"),
        3,
    ),
    "dataverse: a search that says what is closed": (
        SEARCH,
        {
            "status": "OK",
            "data": {
                "total_count": 3,
                "items": [
                    {"type": "file", "name": "a", "file_id": "1", "restricted": True},
                    {"type": "file", "name": "b", "file_id": "2", "canDownloadFile": False},
                    {
                        "type": "file",
                        "name": "c",
                        "file_id": "3",
                        "restricted": True,
                        "canDownloadFile": True,
                    },
                ],
            },
        },
        ["/data/api/access/datafile/3"],
        None,
        3,
    ),
    "dataverse: the files of a version": (
        "/api/datasets/24/versions/1.0/files",
        {
            "status": "OK",
            "data": [
                {"label": "a.csv", "restricted": False, "dataFile": {"id": 7, "filename": "a.csv"}},
                {"label": "b.csv", "restricted": True, "dataFile": {"id": 8, "filename": "b.csv"}},
            ],
        },
        ["/api/access/datafile/7"],
        None,
        2,
    ),
    "dataverse: all versions": (
        "/api/datasets/24/versions",
        {
            "status": "OK",
            "data": [
                {"versionNumber": 2, "files": [{"label": "a.csv", "dataFile": {"id": 9}}]},
                {"versionNumber": 1, "files": [{"label": "a.csv", "dataFile": {"id": 7}}]},
            ],
        },
        ["/api/access/datafile/9"],
        None,
        1,
    ),
    "dataverse: an export as schema.org": (
        "/api/datasets/export?exporter=schema.org&persistentId=doi:1",
        {
            "@context": "http://schema.org",
            "@type": "Dataset",
            "name": "A",
            "distribution": [
                {"@type": "DataDownload", "name": "a.csv", "contentUrl": "/api/access/datafile/7"}
            ],
        },
        ["/api/access/datafile/7"],
        None,
        1,
    ),
    "schema.org: distribution as an object, context as an object": (
        "/a.jsonld",
        {
            "@context": {"@vocab": "https://schema.org/"},
            "@type": ["Dataset", "CreativeWork"],
            "name": "A",
            "distribution": {
                "@type": "DataDownload",
                "contentUrl": "a.csv",
                "encodingFormat": "text/csv",
            },
        },
        ["/a.csv"],
        None,
        1,
    ),
    "schema.org: a catalogue of datasets": (
        "/catalogue.jsonld",
        {
            "@context": "https://schema.org",
            "@type": "DataCatalog",
            "dataset": [
                {"@type": "Dataset", "name": "A", "distribution": {"contentUrl": "/a.csv"}},
                {"@type": "Dataset", "name": "B", "distribution": [{"contentUrl": "/b.csv"}, "x"]},
            ],
        },
        ["/a.csv", "/b.csv"],
        None,
        2,
    ),
    "schema.org: full names of properties": (
        "/a.jsonld",
        [
            {
                "@type": ["http://schema.org/Dataset"],
                "http://schema.org/name": [{"@value": "A"}],
                "http://schema.org/distribution": [
                    {"http://schema.org/contentUrl": [{"@id": f"{SITE}/a.csv"}]}
                ],
            }
        ],
        ["/a.csv"],
        None,
        1,
    ),
    "dcat-ap: a graph whose parts refer to each other": (
        "/catalog.jsonld",
        {
            "@context": {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/"},
            "@graph": [
                {
                    "@id": f"{SITE}/d/1",
                    "@type": "dcat:Dataset",
                    "dct:title": [{"@value": "Ett", "@language": "sv"}],
                    "dcat:distribution": [{"@id": f"{SITE}/r/1"}, {"@id": f"{SITE}/r/2"}],
                },
                {
                    "@id": f"{SITE}/r/1",
                    "@type": "dcat:Distribution",
                    "dcat:downloadURL": {"@id": f"{SITE}/1.csv"},
                    "dct:format": {
                        "@id": "http://publications.europa.eu/resource/authority/file-type/CSV"
                    },
                },
                {
                    "@id": f"{SITE}/r/2",
                    "@type": "dcat:Distribution",
                    "dcat:accessURL": f"{SITE}/1.xlsx",
                },
            ],
        },
        ["/1.csv", "/1.xlsx"],
        None,
        1,
    ),
    "dcat-ap: pages by hydra": (
        "/catalog.jsonld?page=1",
        [
            {
                "@id": f"{SITE}/d/1",
                "@type": ["http://www.w3.org/ns/dcat#Dataset"],
                "http://www.w3.org/ns/dcat#distribution": [{"@id": f"{SITE}/r/1"}],
            },
            {
                "@id": f"{SITE}/r/1",
                "@type": ["http://www.w3.org/ns/dcat#Distribution"],
                "http://www.w3.org/ns/dcat#downloadURL": [{"@id": f"{SITE}/1.csv"}],
            },
            {
                "@id": f"{SITE}/catalog.jsonld?page=1",
                "@type": ["http://www.w3.org/ns/hydra/core#PagedCollection"],
                "http://www.w3.org/ns/hydra/core#nextPage": [
                    {"@value": f"{SITE}/catalog.jsonld?page=2"}
                ],
                "http://www.w3.org/ns/hydra/core#totalItems": [{"@value": 7}],
            },
        ],
        ["/1.csv"],
        "/catalog.jsonld?page=2",
        7,
    ),
    "dcat-ap: Turtle with blank nodes and pages": (
        "/catalog.ttl",
        f"""@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix hydra: <http://www.w3.org/ns/hydra/core#> .
<{SITE}/catalog.ttl?page=1> a hydra:PagedCollection ; hydra:totalItems 12 ;
  hydra:next "{SITE}/catalog.ttl?page=2" .
<{SITE}/> a dcat:Catalog ; dct:title "All"@en ; dcat:dataset <{SITE}/d/1>, <{SITE}/d/2> .
<{SITE}/d/1> a dcat:Dataset ; dct:title "Eins"@de, "One"@en ;
  dcat:distribution [ a dcat:Distribution ; dcat:downloadURL <{SITE}/1.csv> ; dct:format "CSV" ] .
<{SITE}/d/2> a dcat:Dataset ; dct:title '''Two
lines''' ; dcat:distribution <{SITE}/r/2> .
<{SITE}/r/2> a dcat:Distribution ; dcat:downloadURL <{SITE}/2.xml> ; dcat:byteSize 12.0 .
""",
        ["/1.csv", "/2.xml"],
        "/catalog.ttl?page=2",
        12,
    ),
    "dcat-ap: RDF/XML, nested": (
        "/catalog.rdf",
        f"""<?xml version="1.0" encoding="utf-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="http://purl.org/dc/terms/">
<dcat:Catalog rdf:about="{SITE}/"><dct:title>All</dct:title><dcat:dataset>
<dcat:Dataset rdf:about="{SITE}/d/1"><dct:title xml:lang="it">Uno</dct:title>
<dcat:distribution><dcat:Distribution rdf:about="{SITE}/r/1">
<dcat:downloadURL rdf:resource="{SITE}/1.csv"/><dct:format>CSV</dct:format>
</dcat:Distribution></dcat:distribution></dcat:Dataset></dcat:dataset></dcat:Catalog></rdf:RDF>""",
        ["/1.csv"],
        None,
        1,
    ),
    "dcat-us: items of DKAN": (
        "/api/1/metastore/schemas/dataset/items",
        [
            {
                "@type": "dcat:Dataset",
                "accessLevel": "public",
                "identifier": "a",
                "title": "A",
                "distribution": [{"downloadURL": "/a.csv", "mediaType": "text/csv"}],
            },
            {"@type": "dcat:Dataset", "identifier": "b", "title": "B", "distribution": None},
        ],
        ["/a.csv"],
        None,
        2,
    ),
    "dcat-us: one dataset, one distribution": (
        "/data.json",
        {
            "conformsTo": {"@id": "https://resources.data.gov/dcat-us/3.0"},
            "dataset": {
                "title": "A",
                "distribution": {"accessURL": "/a.csv", "format": "CSV"},
            },
        },
        ["/a.csv"],
        None,
        1,
    ),
    "dcat-us: a list alone": (
        "/data.json",
        [{"title": "A", "accessLevel": "public", "distribution": [{"downloadURL": "/a.csv"}]}],
        ["/a.csv"],
        None,
        1,
    ),
    "dcat-us: no datasets yet": (
        "/data.json",
        {
            "@type": "dcat:Catalog",
            "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
            "dataset": [],
        },
        [],
        None,
        0,
    ),
    "socrata: the last page": (
        "/api/catalog/v1?domains=x.example&limit=2&offset=2",
        results(socrata_result("aaaa-bbbb"), resultSetSize=3),
        ["/api/views/aaaa-bbbb/rows.csv?accessType=DOWNLOAD"],
        None,
        3,
    ),
    "socrata: numbers as strings, kinds of assets": (
        "/api/catalog/v1?limit=4",
        results(
            socrata_result("aaaa-bbbb", "map"),
            socrata_result("aaaa-cccc", "href"),
            socrata_result("aaaa-dddd", "file"),
            socrata_result("aaaa-eeee", "filter"),
            resultSetSize="9",
        ),
        [
            "/download/aaaa-dddd/application/octet-stream",
            "/api/views/aaaa-eeee/rows.csv?accessType=DOWNLOAD",
        ],
        "/api/catalog/v1?limit=4&offset=4",
        9,
    ),
    "socrata: a view": (
        "/api/views/aaaa-bbbb.json",
        {
            "id": "aaaa-bbbb",
            "name": "A",
            "assetType": "dataset",
            "viewType": "tabular",
            "columns": [],
        },
        ["/api/views/aaaa-bbbb/rows.csv?accessType=DOWNLOAD"],
        None,
        1,
    ),
    "socrata: a list of views": (
        "/api/views.json?limit=2&page=1",
        [
            {"id": "aaaa-bbbb", "name": "A", "viewType": "tabular", "displayType": "table"},
            {"id": "aaaa-cccc", "name": "B", "viewType": "blobby", "blobFilename": "b.pdf"},
        ],
        [
            "/api/views/aaaa-bbbb/rows.csv?accessType=DOWNLOAD",
            "/download/aaaa-cccc/application/octet-stream",
        ],
        "/api/views.json?limit=2&page=2",
        None,
    ),
    "socrata: metadata v1": (
        "/api/views/metadata/v1?limit=1&page=1",
        [
            {
                "id": "aaaa-bbbb",
                "name": "A",
                "dataUri": f"{SITE}/resource/aaaa-bbbb",
                "webUri": f"{SITE}/d/aaaa-bbbb",
            }
        ],
        ["/api/views/aaaa-bbbb/rows.csv?accessType=DOWNLOAD"],
        "/api/views/metadata/v1?limit=1&page=2",
        None,
    ),
    "opendatasoft: version 2.1": (
        "/api/explore/v2.1/catalog/datasets?limit=1&offset=0",
        results(
            {
                "dataset_id": "a",
                "has_records": True,
                "metas": {"default": {"title": "A", "records_count": 5}},
                "attachments": [{"id": "x_pdf", "title": "x.pdf", "mimetype": "application/pdf"}],
            },
            total_count=2,
        ),
        [
            "/api/explore/v2.1/catalog/datasets/a/attachments/x_pdf",
            "/api/explore/v2.1/catalog/datasets/a/exports/csv",
        ],
        "/api/explore/v2.1/catalog/datasets?limit=1&offset=1",
        2,
    ),
    "opendatasoft: version 1": (
        "/api/datasets/1.0/search/?rows=1&start=0",
        {
            "nhits": 3,
            "parameters": {"rows": 1, "start": 0},
            "datasets": [
                {
                    "datasetid": "a",
                    "has_records": True,
                    "metas": {"title": "A", "license": "ODbL", "records_count": 3},
                    "attachments": [{"id": "x_pdf", "title": "x", "mimetype": "application/pdf"}],
                }
            ],
        },
        [
            "/api/datasets/1.0/a/attachments/x_pdf/",
            "/explore/dataset/a/download/?format=csv",
        ],
        "/api/datasets/1.0/search/?rows=1&start=1",
        3,
    ),
    "opendatasoft: all datasets at once": (
        "/api/explore/v2.1/catalog/exports/json",
        [{"dataset_id": "a", "has_records": True, "metas": {"default": {"title": "A"}}}],
        ["/api/explore/v2.1/catalog/datasets/a/exports/csv"],
        None,
        1,
    ),
    "arcgis: records of Hub": (
        "/api/search/v1/collections/dataset/items?limit=1&startindex=1",
        {
            "type": "FeatureCollection",
            "numberMatched": 2,
            "numberReturned": 1,
            "features": [
                {
                    "id": "a" * 32,
                    "properties": {"title": "A", "type": "CSV", "url": None, "license": "CC0"},
                }
            ],
            "links": [
                {
                    "rel": "next",
                    "href": "/api/search/v1/collections/dataset/items?limit=1&startindex=2",
                }
            ],
        },
        [f"https://www.arcgis.com/sharing/rest/content/items/{'a' * 32}/data"],
        "/api/search/v1/collections/dataset/items?limit=1&startindex=2",
        2,
    ),
    "arcgis: Hub version 3, no data": (
        "/api/v3/datasets?page[number]=3&page[size]=10",
        {"data": [], "meta": {"stats": {"totalCount": 20, "count": 0}}},
        [],
        None,
        20,
    ),
    "arcgis: an error with status 200": (
        "/arcgis/rest/services/a/FeatureServer/0?f=json",
        {"error": {"code": 499, "message": "Token Required", "details": []}},
        [],
        None,
        None,
    ),
    "arcgis: a layer that can't be queried": (
        "/arcgis/rest/services/a/MapServer/3?f=json",
        {"id": 3, "name": "A", "type": "Feature Layer", "capabilities": "Map"},
        [],
        None,
        1,
    ),
    "arcgis: a group of layers": (
        "/arcgis/rest/services/a/MapServer/0?f=json",
        {"id": 0, "name": "A", "type": "Group Layer", "capabilities": "Map,Query,Data"},
        [],
        None,
        1,
    ),
    "arcgis: a layer behind capital letters": (
        "/server/REST/services/a/FEATURESERVER/0?f=pjson",
        {
            "id": 0,
            "name": "A",
            "type": "Feature Layer",
            "capabilities": "Query",
            "geometryType": "esriGeometryPoint",
            "supportedQueryFormats": "JSON, geoJSON",
        },
        ["/server/REST/services/a/FEATURESERVER/0/query?where=1%3D1&outFields=*&f=geojson"],
        None,
        1,
    ),
    "arcgis: the end of a portal's search": (
        "/sharing/rest/search?q=a&f=json&num=1&start=1",
        {
            "total": 1,
            "start": 1,
            "num": 1,
            "nextStart": -1,
            "results": [{"id": "b" * 32, "type": "Microsoft Excel", "title": "B", "url": None}],
        },
        [f"/sharing/rest/content/items/{'b' * 32}/data"],
        None,
        1,
    ),
    "invenio: a record without a list": (
        "/api/records/5",
        {
            "id": "5",
            "metadata": {"title": "A"},
            "links": {"files": f"{SITE}/api/records/5/files", "self": f"{SITE}/api/records/5"},
            "files": {
                "enabled": True,
                "count": 2,
                "entries": {
                    "a.csv": {
                        "key": "a.csv",
                        "links": {"content": "/api/records/5/files/a.csv/content"},
                    }
                },
            },
        },
        ["/api/records/5/files/a.csv/content"],
        None,
        1,
    ),
    "invenio: no hits": (
        "/api/records?q=x",
        {"hits": {"hits": [], "total": 0}, "links": {}},
        [],
        None,
        0,
    ),
    "invenio: total as an object": (
        "/api/records/?page=1&size=1",
        {
            "hits": {
                "total": {"value": 2, "relation": "eq"},
                "hits": [
                    {
                        "id": 1,
                        "metadata": {"title": "A"},
                        "files": [
                            {
                                "key": "a b.csv",
                                "size": "5",
                                "links": {"self": "/api/files/u-1/a%20b.csv"},
                            }
                        ],
                    }
                ],
            },
            "links": {"next": "/api/records/?page=2&size=1"},
        },
        ["/api/files/u-1/a%20b.csv"],
        "/api/records/?page=2&size=1",
        2,
    ),
    "erddap: the last page of a list": (
        "/erddap/griddap/index.json?page=2&itemsPerPage=2",
        {
            "table": {
                "columnNames": ["griddap", "Title", "Summary", "Dataset ID"],
                "rows": [[f"{SITE}/erddap/griddap/g", "G", "s", "g"]],
            }
        },
        ["/erddap/griddap/g.nc"],
        None,
        1,
    ),
    "erddap: all datasets as a table": (
        "/erddap/tabledap/allDatasets.json",
        {
            "table": {
                "columnNames": [
                    "datasetID",
                    "accessible",
                    "institution",
                    "dataStructure",
                    "title",
                    "tabledap",
                    "griddap",
                ],
                "rows": [
                    [
                        "allDatasets",
                        "public",
                        "x",
                        "table",
                        "* List *",
                        f"{SITE}/erddap/tabledap/allDatasets",
                        "",
                    ],
                    ["t", "public", "x", "table", "T", f"{SITE}/erddap/tabledap/t", ""],
                    ["g", "public", "x", "grid", "G", "", f"{SITE}/erddap/griddap/g"],
                ],
            }
        },
        ["/erddap/griddap/g.nc", "/erddap/tabledap/t.csv", "/erddap/tabledap/allDatasets.csv"],
        None,
        3,
    ),
    "erddap: the first page is full": (
        "/erddap/tabledap/index.json?page=1&itemsPerPage=1",
        {
            "table": {
                "columnNames": ["tabledap", "Dataset ID", "Title"],
                "rows": [[f"{SITE}/erddap/tabledap/t", "t", None]],
            }
        },
        ["/erddap/tabledap/t.csv"],
        "/erddap/tabledap/index.json?page=2&itemsPerPage=1",
        1,
    ),
    "udata": (
        "/api/1/datasets/?page=1&page_size=1",
        {
            "data": [
                {
                    "id": "1",
                    "slug": "a",
                    "title": "A",
                    "license": "lov2",
                    "page": f"{SITE}/fr/datasets/a/",
                    "resources": [{"url": "/a.csv", "format": "csv", "filesize": 5}],
                }
            ],
            "next_page": f"{SITE}/api/1/datasets/?page=2&page_size=1",
            "previous_page": None,
            "page": 1,
            "page_size": 1,
            "total": 2,
        },
        ["/a.csv"],
        "/api/1/datasets/?page=2&page_size=1",
        2,
    ),
    "udata: the resources of a dataset, version 2": (
        "/api/2/datasets/1/resources/?page=1&page_size=1",
        {
            "data": [{"id": "r", "title": "a", "url": "/a.csv", "format": "csv"}],
            "next_page": None,
            "previous_page": None,
            "page": 1,
            "page_size": 1,
            "total": 1,
        },
        ["/a.csv"],
        None,
        1,
    ),
    "datasette: tables, one of them hidden": (
        "/db.json",
        {
            "database": "db",
            "queries": [],
            "tables": [
                {"name": "a b", "count": 3, "hidden": False},
                {"name": "fts", "hidden": True},
            ],
        },
        ["/db/a+b.csv?_stream=on&_size=max"],
        None,
        2,
    ),
    "datasette: a list of databases at the root": (
        "/.json",
        {"databases": {"db": {"name": "db", "path": "/db", "tables_count": 1}}, "metadata": {}},
        [],
        None,
        1,
    ),
    "wordpress: media": (
        "/wp-json/wp/v2/media?per_page=2&page=1",
        [
            {
                "id": 1,
                "source_url": f"{SITE}/wp-content/uploads/a.csv",
                "media_type": "file",
                "mime_type": "text/csv",
                "title": {"rendered": "A &#8211; B"},
            },
            {
                "id": 2,
                "source_url": f"{SITE}/wp-content/uploads/b.jpg",
                "media_type": "image",
                "mime_type": "image/jpeg",
                "title": {"rendered": ""},
            },
        ],
        ["/wp-content/uploads/a.csv"],
        "/wp-json/wp/v2/media?per_page=2&page=2",
        2,
    ),
    "wordpress: without pretty addresses": (
        "/index.php?rest_route=/wp/v2/media&per_page=2&page=1",
        [
            {
                "id": 1,
                "source_url": "/wp-content/uploads/a.csv",
                "media_type": "file",
                "mime_type": "text/csv",
                "title": {"rendered": "A"},
            }
        ],
        ["/wp-content/uploads/a.csv"],
        None,
        1,
    ),
    "wordpress: a page beyond the last": (
        "/wp-json/wp/v2/media?per_page=2&page=9",
        {"code": "rest_post_invalid_page_number", "message": "no", "data": {"status": 400}},
        [],
        None,
        None,
    ),
    "stac: items, a POST for the next page": (
        "/stac/search",
        {
            "type": "FeatureCollection",
            "features": [
                {
                    "type": "Feature",
                    "id": "i",
                    "stac_version": "1.0.0",
                    "properties": {},
                    "assets": {
                        "data": {
                            "href": "../i.tif",
                            "type": "image/tiff; application=geotiff",
                            "roles": ["data"],
                        }
                    },
                }
            ],
            "links": [
                {
                    "rel": "next",
                    "href": f"{SITE}/stac/search",
                    "method": "POST",
                    "body": {"token": "next:i", "limit": 1, "collections": ["a", "b"]},
                }
            ],
            "numberMatched": 2,
        },
        ["/i.tif"],
        "/stac/search?token=next:i&limit=1&collections=a,b",
        2,
    ),
    "stac: items, next by GET": (
        "/stac/collections/a/items?limit=1",
        {
            "type": "FeatureCollection",
            "features": [
                {
                    "type": "Feature",
                    "id": "i",
                    "properties": None,
                    "assets": {"x": {"href": f"{SITE}/i.csv"}},
                }
            ],
            "links": [
                {
                    "rel": "next",
                    "href": "/stac/collections/a/items?limit=1&token=2",
                    "type": "application/geo+json",
                }
            ],
            "context": {"matched": "2", "returned": 1},
        },
        ["/i.csv"],
        "/stac/collections/a/items?limit=1&token=2",
        2,
    ),
    "stac: items, none": (
        "/stac/search",
        {
            "type": "FeatureCollection",
            "features": [],
            "links": [],
            "numberMatched": 0,
            "stac_version": "1.0.0",
        },
        [],
        None,
        0,
    ),
    "stac: version 0.9": (
        "/stac/item.json",
        {
            "stac_version": "0.9.0",
            "type": "Feature",
            "id": "i",
            "properties": {"datetime": "2020"},
            "assets": {"B1": {"href": "./B1.TIF", "title": "b"}},
            "links": [],
        },
        ["/stac/B1.TIF"],
        None,
        None,
    ),
    "pxweb: a page of tables with capital letters": (
        "/api/v2/tables?lang=en&pageSize=1&pageNumber=1",
        {
            "language": "en",
            "tables": [
                {
                    "type": "Table",
                    "id": "T1",
                    "label": "A",
                    "updated": "2025-01-01T00:00:00Z",
                    "links": [
                        {"rel": "self", "hreflang": "en", "href": "/api/v2/tables/T1"},
                        {"rel": "metadata", "href": "/api/v2/tables/T1/metadata"},
                        {"rel": "data", "href": "/api/v2/tables/T1/data?outputFormat=json-stat2"},
                    ],
                }
            ],
            "page": {
                "pageNumber": 1,
                "pageSize": 1,
                "totalElements": 2,
                "totalPages": 2,
                "links": None,
            },
        },
        ["/api/v2/tables/T1/data?outputFormat=json-stat2"],
        "/api/v2/tables?lang=en&pageSize=1&pageNumber=2",
        2,
    ),
    "sdmx: flows in JSON of version 2": (
        "/rest/dataflow/all/all/latest?detail=allstubs",
        {
            "meta": {},
            "data": {
                "dataflows": [
                    {"id": "F", "agencyID": "A", "version": "1.0", "names": {"fr": "Flux"}}
                ]
            },
        },
        ["/rest/data/A,F,1.0/all?format=csv"],
        None,
        1,
    ),
    "sdmx: flows in JSON with references": (
        "/rest/dataflow/A/all/latest",
        {
            "resources": [],
            "references": {
                "urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=A:F(1.0)": {
                    "id": "F",
                    "agencyID": "A",
                    "version": "1.0",
                    "name": "F",
                }
            },
        },
        ["/rest/data/A,F,1.0/all?format=csv"],
        None,
        1,
    ),
    "sdmx: no flows": (
        "/rest/dataflow/A/all/latest",
        "<m:Structure><m:Header><m:ID>x</m:ID></m:Header><m:Structures/></m:Structure>",
        [],
        None,
        None,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_answers_in_json(name):
    """What JSON lists, as its platform writes it in other versions and elsewhere."""
    check(*CASES[name])


RSS_09 = """<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://channel.netscape.com/rdf/simple/0.9/"><channel><title>c</title><link>/</link></channel>
<item><title>One</title><link>/one</link></item><item><title>Two</title><link>/two</link></item>
</rdf:RDF>"""
RSS_091 = """<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "x.dtd">
<rss version="0.91"><channel>
<title>c</title><item><title>One</title><link>one</link></item></channel></rss>"""
RSS_20 = """<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>c</title>
<item><title>A &amp; B</title><guid isPermaLink="true">https://x.example/p</guid>
<enclosure url="/a.csv" length="12" type="text/csv"/>
<pubDate>Mon, 06 Jan 2025 00:00:00 GMT</pubDate>
</item><item><enclosure url="/b.zip" length="" type="application/zip"/></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://x.example/base/"><title>t</title>
<link rel="next" href="feed?page=2"/>
<entry xml:base="deep/"><title>A</title>
<link rel="enclosure" href="a.csv" type="text/csv" length="3"/>
<link href="page"/></entry><entry><title>B</title>
<content type="application/zip" src="b.zip"/><link rel="alternate" href="b"/></entry></feed>"""
INSPIRE = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Download service</title>
<entry><title>Roads</title><link rel="alternate" href="/roads.xml" type="application/atom+xml"/>
<link rel="describedby" href="/roads-metadata.xml"/></entry>
<entry><title>Roads in 25832</title>
<link rel="alternate" href="/roads.gml" type="application/gml+xml"
 hreflang="de" length="99"/><link rel="section" href="/roads-1.zip" type="application/zip"/>
</entry></feed>"""


def oai(inner, attributes=""):
    return f"""<?xml version="1.0" encoding="UTF-8"?><oai:OAI-PMH xmlns:oai="o" xmlns:dc="d">
<oai:responseDate>2025</oai:responseDate>
<oai:request {attributes}>https://x.example/oai</oai:request>{inner}</oai:OAI-PMH>"""


def oai_record(*identifiers, status=""):
    names = "".join(f"<dc:identifier>{name}</dc:identifier>" for name in identifiers)
    return f"""<oai:record><oai:header {status}><oai:identifier>i</oai:identifier></oai:header>
<oai:metadata><oai_dc:dc><dc:title>A</dc:title>{names}</oai_dc:dc></oai:metadata></oai:record>"""


def csw_answer(version, results, inner):
    return f"""<?xml version="1.0"?>
<csw:GetRecordsResponse xmlns:csw="c{version}" version="{version}">
<csw:SearchResults {results}>{inner}</csw:SearchResults></csw:GetRecordsResponse>"""


DUBLIN = """<csw:Record><dc:identifier>i</dc:identifier><dc:title>A</dc:title>
<dct:references scheme="WWW:DOWNLOAD-1.0-http--download">https://x.example/a.zip</dct:references>
<dct:references scheme="OGC:WMS-1.1.1-http-get-map">https://x.example/wms?</dct:references>
<dc:URI protocol="WWW:LINK-1.0-http--link">https://x.example/page</dc:URI></csw:Record>"""
ISO = """<gmd:MD_Metadata><gmd:fileIdentifier><gco:CharacterString>i</gco:CharacterString>
</gmd:fileIdentifier><gmd:distributionInfo><gmd:MD_Distribution><gmd:transferOptions>
<gmd:MD_DigitalTransferOptions><gmd:onLine><gmd:CI_OnlineResource><gmd:linkage>
<gmd:URL>https://x.example/get?id=7</gmd:URL></gmd:linkage><gmd:protocol><gmx:Anchor>WWW:DOWNLOAD-1.0-http--download
</gmx:Anchor></gmd:protocol></gmd:CI_OnlineResource></gmd:onLine></gmd:MD_DigitalTransferOptions>
</gmd:transferOptions></gmd:MD_Distribution></gmd:distributionInfo></gmd:MD_Metadata>"""
CSW = "/csw?service=CSW&version=2.0.2&request=GetRecords&startPosition=1&maxRecords=1"
THREDDS = """<catalog xmlns="t" xmlns:xlink="x" name="A">
<service name="all" serviceType="Compound" base="">
<service name="dap" serviceType="OPENDAP" base="/thredds/dodsC/"/>
<service name="http" serviceType="HTTPServer" base="/thredds/fileServer/"/></service>
<dataset name="top" ID="top"><metadata inherited="true"><serviceName>all</serviceName></metadata>
<dataset name="a.nc" urlPath="d/a.nc"><dataSize units="Mbytes">1.5</dataSize></dataset>
<dataset name="inner">
<dataset name="b.nc" urlPath="d/b.nc"><date type="modified">2025</date></dataset></dataset>
<catalogRef xlink:href="sub/catalog.xml" xlink:title="Sub" name=""/></dataset>
<catalogRef xlink:href="/thredds/other.xml" xlink:title="Other"/></catalog>"""
XML_CASES = {
    "RSS 0.9": ("/feed", RSS_09, [], None, 2),
    "RSS 0.91": ("/feed/x", RSS_091, [], None, 1),
    "RSS 2.0": ("/feed", RSS_20, ["/a.csv", "/b.zip"], None, 2),
    "Atom with bases": (
        "/elsewhere/feed",
        ATOM,
        ["/base/deep/a.csv", "/base/b.zip"],
        "/base/feed?page=2",
        2,
    ),
    "Atom of a download service": ("/feed", INSPIRE, ["/roads.gml", "/roads-1.zip"], None, 2),
    "OAI-PMH: a file among the names": (
        OAI,
        oai(
            f"""<oai:ListRecords>{oai_record("https://x.example/a.csv", "https://x.example/p")}
<oai:resumptionToken completeListSize="9" cursor="0">a b/c</oai:resumptionToken>
</oai:ListRecords>""",
            'verb="ListRecords"',
        ),
        ["/a.csv"],
        "/oai?verb=ListRecords&resumptionToken=a%20b%2Fc",
        9,
    ),
    "OAI-PMH: the last page": (
        OAI,
        oai(f"<oai:ListRecords>{oai_record('x')}<oai:resumptionToken/></oai:ListRecords>"),
        [],
        None,
        None,
    ),
    "OAI-PMH: identifiers alone": (
        "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc",
        oai(
            """<oai:ListIdentifiers><oai:header><oai:identifier>i</oai:identifier></oai:header>
<oai:resumptionToken>t</oai:resumptionToken></oai:ListIdentifiers>""",
        ),
        [],
        "/oai?verb=ListIdentifiers&resumptionToken=t",
        None,
    ),
    "OAI-PMH: nothing matches": (OAI, oai('<oai:error code="noRecordsMatch"/>'), [], None, None),
    "CSW 2.0.2, Dublin Core": (
        CSW,
        csw_answer(
            "2.0.2", 'numberOfRecordsMatched="2" numberOfRecordsReturned="1" nextRecord="2"', DUBLIN
        ),
        ["/a.zip"],
        CSW.replace("startPosition=1", "startPosition=2"),
        2,
    ),
    "CSW 3.0, ISO": (
        CSW.replace("2.0.2", "3.0.0"),
        csw_answer(
            "3.0.0", 'numberOfRecordsMatched="1" numberOfRecordsReturned="1" nextRecord="0"', ISO
        ),
        ["/get?id=7"],
        None,
        1,
    ),
    "CSW: none": (
        CSW,
        csw_answer("2.0.2", 'numberOfRecordsMatched="0" nextRecord="0"', ""),
        [],
        None,
        0,
    ),
    "CSW: an error": (
        CSW,
        """<ows:ExceptionReport><ows:Exception exceptionCode="InvalidParameterValue">
<ows:ExceptionText>no</ows:ExceptionText></ows:Exception></ows:ExceptionReport>""",
        [],
        None,
        None,
    ),
    "THREDDS: nested": (
        "/thredds/catalog/x/catalog.xml",
        THREDDS,
        ["/thredds/fileServer/d/a.nc", "/thredds/fileServer/d/b.nc"],
        None,
        2,
    ),
    "SDMX 3.0: flows": (
        "/sdmx/v2/structure/dataflow/*/*/+",
        """<mes:Structure xmlns:mes="m"><mes:Header/><mes:Structures><str:Dataflows>
<str:Dataflow id="F" agencyID="A" version="1.0">
<com:Name xml:lang="en">Flow</com:Name></str:Dataflow>
</str:Dataflows></mes:Structures></mes:Structure>""",
        [],
        None,
        1,
    ),
    "SDMX 2.1: stubs": (
        "/ws/public/sdmxapi/rest/dataflow/all/all/latest?detail=allstubs",
        """<m:Structure xmlns:m="m"><m:Header/><m:Structures><s:Dataflows><s:Dataflow id="F"
 agencyID="A" version="2.1" isExternalReference="false"><c:Name xml:lang="fr">Flux</c:Name>
</s:Dataflow></s:Dataflows></m:Structures></m:Structure>""",
        ["/ws/public/sdmxapi/rest/data/A,F,2.1/all?format=csv"],
        None,
        1,
    ),
}


@pytest.mark.parametrize("name", XML_CASES)
def test_answers_in_xml(name):
    """What XML lists, as its platform writes it in other versions and elsewhere."""
    check(*XML_CASES[name])


def test_pages_of_feeds():
    """The pages that items are about, by whatever names them."""
    assert [x.url for x in read("/feed", RSS_09).links] == [f"{SITE}/one", f"{SITE}/two"]
    assert [x.url for x in read("/feed/x", RSS_091).links] == [f"{SITE}/feed/one"]
    pages = [x.url for x in read("/elsewhere/feed", ATOM).links]
    assert f"{SITE}/base/deep/page" in pages
    assert f"{SITE}/base/b" in pages


def test_catalogues_in_catalogues():
    """Catalogues of THREDDS lead to others, at whatever depth they are named."""
    page = read("/thredds/catalog/x/catalog.xml", THREDDS)
    assert {x.url for x in page.endpoints} == {
        f"{SITE}/thredds/catalog/x/sub/catalog.xml",
        f"{SITE}/thredds/other.xml",
    }
    assert page.listing.entries[0].size == 1_500_000


def test_services_are_no_files():
    """A map service is named as a service, and a page as a page."""
    body = csw_answer("2.0.2", 'numberOfRecordsMatched="1"', DUBLIN)
    roles = {e.url.removeprefix(SITE): e.role for e in read(CSW, body).listing.entries}
    assert roles == {"/a.zip": Role.FILE, "/wms?": Role.SERVICE, "/page": Role.PAGE}


URLSET = (
    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{}</loc></url></urlset>"
)


@pytest.mark.parametrize(
    "body",
    [
        URLSET.format(f"{SITE}/a?b=1&amp;c=2").encode(),
        URLSET.format(f"{SITE}/a?b=1&c=2").encode(),
        URLSET.format(f"\n  {SITE}/a?b=1&amp;c=2  \n").encode("utf-16"),
        URLSET.format(f"<![CDATA[{SITE}/a?b=1&c=2]]>").encode(),
        gzip.compress(URLSET.format(f"{SITE}/a?b=1&amp;c=2").encode(), mtime=0),
        gzip.compress(f"{SITE}/a?b=1&c=2\r\n".encode(), mtime=0),
        f"\ufeff{SITE}/a?b=1&c=2\n\n".encode(),
        URLSET.format("/a?b=1&amp;c=2").encode(),
        f"<x:urlset><x:url><x:loc>{SITE}/a?b=1&amp;c=2</x:loc></x:url></x:urlset>".encode(),
        f"<sm:urlset><sm:url><sm:loc>{SITE}/a?b=1&#x26;c=2</sm:loc></sm:url></sm:urlset>".encode(),
        f"<URLSET><URL><LOC>{SITE}/a?b=1&amp;c=2</LOC></URL></URLSET>".encode(),
        f"<!-- x --><?xml version='1.0'?>{URLSET.format(SITE + '/a?b=1&amp;c=2')}".encode(),
    ],
)
def test_sitemaps_however_they_are_written(body):
    """Packed or not, with whatever prefix, encoding and quoting: the same address."""
    page = read("/sitemap", body)
    assert [x.url for x in page.links] == [f"{SITE}/a?b=1&c=2"]


@pytest.mark.parametrize(
    ("moment", "date"),
    [
        (951_782_400_000, "2000-02-29"),
        (951_868_799_999, "2000-02-29"),
        (951_868_800_000, "2000-03-01"),
        (1_767_225_599_000, "2025-12-31"),
        (1_767_225_600_000, "2026-01-01"),
        ("2024-05-06", "2024-05-06"),
        (None, ""),
    ],
)
def test_moments_are_dates(moment, date):
    """A portal counts milliseconds; a user wants a date."""
    item = {"id": "b" * 32, "type": "CSV", "title": "B", "modified": moment}
    page = read("/sharing/rest/search?f=json", {"nextStart": -1, "total": 1, "results": [item]})
    assert page.listing.datasets[0].modified == date
