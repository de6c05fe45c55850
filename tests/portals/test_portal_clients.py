"""Python clients of the platforms read the portals of the tests, all of them."""

import json
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from portal_servers import PORTALS, serving

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture
def portal(request):
    """A portal with 1,000 datasets."""
    portal = PORTALS[request.param](1000)
    with serving(portal):
        yield portal


def needed(name):
    return pytest.importorskip(name, reason=f"the client {name} is not installed")


def fetch(url, data=None, status=200):
    """What a plain request brings."""
    try:
        with urllib.request.urlopen(url, data, timeout=30) as answer:
            assert answer.status == status
            return answer.read()
    except urllib.error.HTTPError as error:
        if error.code != status:
            raise
        return error.read()


def of(name):
    return pytest.mark.parametrize("portal", [name], indirect=True)


@of("ckan")
def test_ckanapi_reads_all_packages(portal):
    """Both by name and by search, page by page; errors are those that it knows."""
    ckanapi = needed("ckanapi")
    with ckanapi.RemoteCKAN(portal.base) as client:
        names = client.action.package_list()
        found, urls = [], set()
        while len(found) < (total := client.action.package_search(rows=0)["count"]):
            part = client.action.package_search(rows=300, start=len(found), sort="name asc")
            found += part["results"]
        urls = {resource["url"] for package in found for resource in package["resources"]}
        assert total == 1000
        assert [package["name"] for package in found] == names == sorted(portal.by_name)
        assert urls == {portal.file_url(d, f) for d in portal.datasets for f in d.files}
        most = client.action.package_search(rows=5000)["results"]
        assert len(most) == 1000
        with pytest.raises(ckanapi.NotFound):
            client.action.package_show(id="nothing")
        with pytest.raises(ckanapi.ValidationError):
            client.action.package_search(rows=-1)
        with pytest.raises(ckanapi.errors.CKANAPIError):
            client.action.no_such_action()


@of("socrata")
def test_sodapy_reads_all_datasets(portal):
    """The catalogue, and a table as a whole."""
    sodapy = needed("sodapy")
    host = portal.base.removeprefix("http://")
    with sodapy.Socrata(host, "token") as client:
        client.uri_prefix = "http://"
        codes = {entry["resource"]["id"] for entry in client.datasets()}
        assert codes == {dataset.code for dataset in portal.datasets}
        tables = client.datasets(only=["dataset"])
        assert len(tables) == sum(portal.kind(d) == "dataset" for d in portal.datasets) > 500
        code = tables[0]["resource"]["id"]
        dataset = next(dataset for dataset in portal.datasets if dataset.code == code)
        rows = client.get(code, content_type="csv")
        assert rows[1:] == [[place, str(y), str(v)] for place, y, v in dataset.rows]
        assert list(client.get_all(code, limit=5))[-1]["value"] == str(dataset.rows[-1][2])
    export = fetch(f"{portal.base}/api/views/{code}/rows.csv?accessType=DOWNLOAD")
    assert export.decode() == dataset.csv
    assert b"too large" in fetch(f"{portal.base}/api/catalog/v1?limit=9999&offset=2", None, 400)


@of("opendatasoft")
def test_documented_requests_read_an_opendatasoft_portal(portal):
    """There is no client of its own: pages of a hundred, and the errors of the documentation."""
    base, found, total = f"{portal.base}/api/explore/v2.1/catalog/datasets", [], 1
    while len(found) < total:
        answer = json.loads(fetch(f"{base}?limit=100&offset={len(found)}"))
        total = answer["total_count"]
        found += answer["results"]
    assert [entry["dataset_id"] for entry in found] == [d.name for d in portal.datasets]
    for wrong in ("limit=101", "limit=-2", "limit=100&offset=9950"):
        error = json.loads(fetch(f"{base}?{wrong}", None, 400))
        assert error["error_code"] == "InvalidRESTParameterError"
    table = next(entry for entry in found if entry["has_records"])
    lines = fetch(f"{base}/{table['dataset_id']}/exports/csv").decode("utf-8-sig").splitlines()
    assert lines[0] == "place;year;value"
    assert len(lines) == 1 + table["metas"]["default"]["records_count"]


@of("dataverse")
def test_pydataverse_reads_all_files(portal):
    """By search and dataset by dataset; restricted files are refused."""
    api = needed("pyDataverse.api")
    search = api.SearchApi(portal.base)
    found, total = [], 1
    while len(found) < total:
        answer = search.search("*", data_type="file", start=len(found), per_page=1000).json()
        found, total = found + answer["data"]["items"], answer["data"]["total_count"]
    numbers = {item["file_id"] for item in found}
    assert numbers == {str(f.number) for d in portal.datasets for f in d.own_files}
    native, access = api.NativeApi(portal.base), api.DataAccessApi(portal.base)
    assert native.get_info_version().json()["data"]["version"] == "6.5"
    assert len(native.get_dataverse_contents("root").json()["data"]) == 1000
    dataset = next(d for d in portal.datasets if d.own_files)
    answer = native.get_dataset(portal.name(dataset)).json()["data"]["latestVersion"]
    assert [f["label"] for f in answer["files"]] == [f.name for f in dataset.own_files]
    file = dataset.own_files[0]
    assert access.get_datafile(file.number, is_pid=False).content == file.body
    closed = next(f for d in portal.datasets for f in d.own_files if not portal.is_open(f))
    assert access.get_datafile(closed.number, is_pid=False).status_code == 403
    assert b"per_page" in fetch(f"{portal.base}/api/search?q=*&per_page=1001", None, 400)
    assert b"missing" in fetch(f"{portal.base}/api/search", None, 400)


@of("oai-pmh")
def test_scythe_harvests_all_records(portal):
    """With and without the deleted ones, by date and by set; errors are those of the standard."""
    oaipmh = needed("oaipmh_scythe")
    with oaipmh.Scythe(f"{portal.base}/cgi/oai2") as client:
        assert client.identify().repositoryName == "Brovik"
        records = list(client.list_records(metadata_prefix="oai_dc"))
        left = [record for record in records if not record.deleted]
        assert len(records) == 1000
        assert len(left) == 990
        urls = {url for record in left for url in record.metadata.get("identifier", ())}
        assert {f"{portal.base}{path}" for path in portal.own_paths()} <= urls
        assert len(list(client.list_identifiers(metadata_prefix="oai_dc"))) == 1000
        sets = [found.setSpec for found in client.list_sets()]
        by_set = [list(client.list_records(metadata_prefix="oai_dc", set_=name)) for name in sets]
        assert sum(map(len, by_set)) == 1000
        name = left[0].header.identifier
        assert client.get_record(name, metadata_prefix="oai_dc").header.identifier == name
        late = list(client.list_records(metadata_prefix="oai_dc", from_="2020-01-01"))
        assert 0 < len(late) < 1000
        for wrong, error in (
            (lambda: list(client.list_records(metadata_prefix="marc")), "CannotDisseminateFormat"),
            (lambda: client.get_record("nothing", metadata_prefix="oai_dc"), "IdDoesNotExist"),
            (lambda: list(client.list_records(resumption_token="x")), "BadResumptionToken"),
        ):
            with pytest.raises(getattr(sys.modules["oaipmh_scythe.exceptions"], error)):
                wrong()
    for wrong, code in (
        ("verb=ListRecords", b"badArgument"),
        ("verb=Identify&metadataPrefix=oai_dc", b"badArgument"),
        ("verb=ListRecords&resumptionToken=100&metadataPrefix=oai_dc", b"badArgument"),
        ("verb=nothing", b"badVerb"),
    ):  # fmt: skip
        assert code in fetch(f"{portal.base}/cgi/oai2?{wrong}")


@of("stac")
def test_pystac_client_reads_all_items(portal):
    """Collections, items by collection, and the search, which goes on by POST and by GET."""
    pystac_client = needed("pystac_client")
    client = pystac_client.Client.open(f"{portal.base}/stac/")
    collections = list(client.get_collections())
    assert len(collections) == 4
    items = [item for collection in collections for item in collection.get_items()]
    assert {item.id for item in items} == set(portal.by_name)
    hrefs = {asset.href for item in items for asset in item.assets.values()}
    assert hrefs == {portal.file_url(d, f) for d in portal.datasets for f in d.files}
    for method in ("GET", "POST"):
        search = client.search(method=method, limit=150, collections=["part-1", "part-2"])
        assert search.matched() == 500
        assert len({item.id for item in search.items()}) == 500
    fetch(f"{portal.base}/stac/collections/part-9", None, 404)
    assert b"limit" in fetch(f"{portal.base}/stac/search?limit=10001", None, 400)


@of("pxweb-2")
def test_pxwebpy_reads_all_tables(portal):
    """All tables, and all of one; errors for selections that the API refuses."""
    pxweb = needed("pxweb")
    api = pxweb.PxApi(f"{portal.base}/api/v2")
    assert {table["id"] for table in api.all_tables()} == set(portal.tables)
    table = next(iter(portal.tables.values()))
    name, rows = table.dataset.name, table.dataset.rows
    cells = api.get_table_data_all(name)
    assert [(c["region"], int(c["year"]), c["value"]) for c in cells] == rows
    address = f"{portal.base}/api/v2/tables"
    for wrong, status in (
        (f"{name}/data?valueCodes[Region]=*", 400),
        (f"{name}/data?valueCodes[Nothing]=*", 400),
        (f"{name}/data?outputFormat=gif", 400),
        ("nothing/metadata", 404),
    ):
        fetch(f"{address}/{wrong}", None, status)


@of("pxweb-1")
def test_documented_requests_read_version_1_of_pxweb(portal):
    """Levels lead to tables; a POST brings a table, and errors for wrong ones."""
    base, tables = f"{portal.base}/pxweb/api/v1/en", []
    for database in json.loads(fetch(f"{base}/")):
        for subject in json.loads(fetch(f"{base}/{database['dbid']}")):
            path = f"{database['dbid']}/{subject['id']}"
            tables += [f"{path}/{t['id']}" for t in json.loads(fetch(f"{base}/{path}"))]
    assert {f"/pxweb/api/v1/en/{path}" for path in tables} == portal.table_paths()
    variables = json.loads(fetch(f"{base}/{tables[0]}"))["variables"]
    query = [
        {"code": v["code"], "selection": {"filter": "all", "values": ["*"]}} for v in variables
    ]
    body = json.dumps({"query": query, "response": {"format": "csv"}}).encode()
    lines = fetch(f"{base}/{tables[0]}", body).decode().splitlines()
    assert len(lines) == 1 + len(variables[0]["values"])
    top = {"code": "Tid", "selection": {"filter": "top", "values": ["1"]}}
    body = json.dumps({"query": [top], "response": {"format": "json-stat2"}}).encode()
    assert json.loads(fetch(f"{base}/{tables[0]}", body))["size"][-1] == 1
    for wrong in (b"{}", b'{"query":[],"response":{"format":"gif"}}'):
        fetch(f"{base}/{tables[0]}", wrong, 400)


@of("arcgis")
def test_owslib_and_esridump_read_a_hub(portal):
    """The records of the Hub, and all features of a layer that gives few at a time."""
    records = needed("owslib.ogcapi.records")
    esridump = needed("esridump.dumper")
    client, found, page = records.Records(f"{portal.base}/api/search/v1"), [], None
    while page is None or len(found) < page["numberMatched"]:
        page = client.collection_items("dataset", limit=100, startindex=len(found) + 1)
        found += page["features"]
    assert {record["id"] for record in found} == {d.id for d in portal.datasets}
    portal.max_records = 7
    dataset = max(portal.layers[:20], key=lambda d: len(d.rows))
    layer = esridump.EsriDumper(portal.base + portal.layer_path(dataset), pause_seconds=0)
    rows = [tuple(f["properties"][n] for n in ("place", "year", "value")) for f in layer]
    assert rows == dataset.rows
    assert len(rows) > 14
    query = f"{portal.base}{portal.layer_path(dataset)}/query"
    assert json.loads(fetch(f"{query}?f=json"))["error"]["code"] == 400
    cut = json.loads(fetch(f"{query}?where=1%3D1&f=geojson"))
    assert cut["properties"]["exceededTransferLimit"]
    assert len(cut["features"]) == 7
    fetch(f"{portal.base}/api/search/v1/collections/dataset/items?limit=101", None, 400)


@of("csw")
def test_owslib_reads_all_records(portal):
    """By POST, in both schemas, a hundred at a time; errors are exceptions of OWS."""
    csw = needed("owslib.csw")
    client = csw.CatalogueServiceWeb(f"{portal.base}/srv/eng/csw")
    assert client.identification.title == "Brovik"
    for schema in ("http://www.isotc211.org/2005/gmd", "http://www.opengis.net/cat/csw/2.0.2"):
        found, urls, start = set(), set(), 1
        while start:
            names = {"typenames": "gmd:MD_Metadata", "outputschema": schema, "esn": "full"}
            client.getrecords2(startposition=start, maxrecords=500, **names)
            found |= set(client.records)
            urls |= {url for record in client.records.values() for url in urls_of(record)}
            start = client.results["nextrecord"]
        assert found == {dataset.id for dataset in portal.datasets}
        assert urls >= {portal.file_url(d, f) for d in portal.datasets for f in d.files}
    for wrong in ("request=GetRecords&startPosition=0&typeNames=gmd:MD_Metadata", "request=x", ""):
        assert b"ExceptionReport" in fetch(f"{portal.base}/srv/eng/csw?{wrong}")


def urls_of(record):
    if hasattr(record, "distribution"):
        return [resource.url for resource in record.distribution.online]
    return [reference["url"] for reference in record.references]


@of("sdmx")
def test_sdmx1_reads_all_flows(portal):
    """The flows of the registry, and the data of one."""
    sdmx = needed("sdmx")
    source = {"id": "BROVIK", "name": "Brovik", "url": f"{portal.base}/rest"}
    sdmx.add_source(source, override=True)
    client = sdmx.Client("BROVIK")
    assert set(client.dataflow().dataflow) == set(portal.flows)
    name, dataset = next(iter(portal.flows.items()))
    series = sdmx.to_pandas(client.data(name).data[0])
    assert sorted(series.tolist()) == sorted(float(value) for _, _, value in dataset.rows)


@of("udata")
def test_documented_requests_read_a_udata_portal(portal):
    """Each answer has the address of the next; behind the last there is none."""
    address, names = f"{portal.base}/api/1/datasets/?page_size=300", []
    while address:
        answer = json.loads(fetch(address))
        names += [entry["slug"] for entry in answer["data"]]
        address = answer["next_page"]
    assert names == [dataset.name for dataset in portal.datasets]
    fetch(f"{portal.base}/api/1/datasets/?page=99", None, 404)


@of("zenodo")
def test_documented_requests_read_an_invenio(portal):
    """Pages of 25, the most that is given to the unknown."""
    address, names = f"{portal.base}/api/records?size=25", []
    while address:
        answer = json.loads(fetch(address))
        names += [hit["metadata"]["title"] for hit in answer["hits"]["hits"]]
        address = answer["links"].get("next")
    assert names == [dataset.title for dataset in portal.datasets]
    fetch(f"{portal.base}/api/records?size=26", None, 400)


@of("wordpress")
def test_documented_requests_read_the_media_of_wordpress(portal):
    """Pages of a hundred, by kind; behind the last, and for more than a hundred, an error."""
    base, urls = f"{portal.base}/wp-json/wp/v2/media", set()
    for kind in ("application", "text"):
        with urllib.request.urlopen(f"{base}?media_type={kind}&per_page=100") as answer:
            pages = int(answer.headers["X-WP-TotalPages"])
        for page in range(1, pages + 1):
            entries = json.loads(fetch(f"{base}?media_type={kind}&per_page=100&page={page}"))
            urls |= {entry["source_url"] for entry in entries}
        fetch(f"{base}?media_type={kind}&per_page=100&page={pages + 1}", None, 400)
    assert urls == {portal.base + path for path in portal.own_paths()}
    fetch(f"{base}?per_page=101", None, 400)


@of("dcat-us")
def test_one_document_has_a_whole_dkan(portal):
    """As the schema says: required fields, and files as downloads."""
    entries = json.loads(fetch(f"{portal.base}/data.json"))["dataset"]
    assert [entry["identifier"] for entry in entries] == [d.id for d in portal.datasets]
    needed_fields = {"title", "description", "keyword", "modified", "publisher", "accessLevel"}
    assert all(needed_fields <= entry.keys() for entry in entries)
    urls = {part["downloadURL"] for entry in entries for part in entry["distribution"]}
    assert urls == {portal.file_url(d, f) for d in portal.datasets for f in d.files}
