"""Stand-in portals: a made-up catalogue behind the APIs and pages of real software."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

from aiohttp import web

WORDS = "rivers schools budgets forests prices bridges harvests tenders births museums".split()
LISTED = 20
"""Datasets per page of HTML."""


@dataclass(frozen=True)
class Dataset:
    number: int

    @property
    def name(self):
        return f"{WORDS[self.number % len(WORDS)]}-{self.number:04}"

    @property
    def title(self):
        return f"{self.name.replace('-', ' ').capitalize()}"

    @property
    def code(self):
        """A four-by-four, as Socrata names its datasets."""
        return f"{self.number:04}-abcd"

    @property
    def path(self):
        return f"/files/{self.name}.csv"

    @property
    def body(self):
        return f"year,value\n2024,{self.number}\n2025,{self.number * 3}\n"


class Portal:
    """What all stand-ins share: files, pages of HTML, a count of requests by path."""

    mark = ""
    header = ("", "")

    def __init__(self, count=100):
        self.datasets = [Dataset(number) for number in range(count)]
        self.by_name = {dataset.name: dataset for dataset in self.datasets}
        self.requests = []
        self.base = ""

    def app(self):
        @web.middleware
        async def note(request, handler):
            self.requests.append(request.path_qs)
            response = await handler(request)
            if self.header[0]:
                response.headers[self.header[0]] = self.header[1]
            return response

        app = web.Application(middlewares=[note])
        app.router.add_get("/", self.front)
        app.router.add_get("/dataset", self.listed)
        app.router.add_get("/dataset/{name}", self.page)
        app.router.add_get("/files/{name}.csv", self.file)
        self.add_api(app.router)
        return app

    def add_api(self, router):
        """Add the routes of the API."""

    def html(self, body):
        page = f"<html><head>{self.mark}</head><body>{body}</body></html>"
        return web.Response(text=page, content_type="text/html")

    async def front(self, _):
        return self.html('<h1>Data</h1><a href="/dataset">all datasets</a>')

    async def listed(self, request):
        page = int(request.query.get("page", "1"))
        some = self.datasets[(page - 1) * LISTED : page * LISTED]
        rows = [f'<li><h2><a href="/dataset/{d.name}">{d.title}</a></h2></li>' for d in some]
        more = f'<a class="next" href="/dataset?page={page + 1}">next</a>'
        return self.html(
            f"<ul>{''.join(rows)}</ul>{more if page * LISTED < len(self.datasets) else ''}"
        )

    async def page(self, request):
        dataset = self.by_name.get(request.match_info["name"])
        if dataset is None:
            raise web.HTTPNotFound
        return self.html(
            f'<h1>{dataset.title}</h1><a class="resource" href="{dataset.path}">CSV</a>'
        )

    async def file(self, request):
        dataset = self.by_name.get(request.match_info["name"])
        if dataset is None:
            raise web.HTTPNotFound
        return web.Response(text=dataset.body, content_type="text/csv")

    def paths(self):
        """The paths of all files, as the API names them."""
        return {dataset.path for dataset in self.datasets}


def some_of(datasets, start, size):
    return datasets[max(0, start) : max(0, start) + size]


class Ckan(Portal):
    mark = '<meta name="generator" content="ckan 2.10.5">'

    def add_api(self, router):
        router.add_get("/api/3/action/{name}", self.action)
        router.add_post("/api/3/action/{name}", self.action)

    def package(self, dataset):
        return {
            "id": dataset.name, "name": dataset.name, "title": dataset.title, "state": "active",
            "notes": f"About {dataset.title}.", "license_id": "cc-by",
            "license_title": "Creative Commons Attribution", "type": "dataset",
            "metadata_modified": "2025-01-01T00:00:00", "num_resources": 1,
            "resources": [
                {
                    "id": f"r-{dataset.name}", "package_id": dataset.name, "state": "active",
                    "name": f"{dataset.title} as CSV", "format": "CSV", "position": 0,
                    "url": f"{self.base}{dataset.path}", "size": len(dataset.body),
                }
            ],
        }  # fmt: skip

    async def action(self, request):
        asked = dict(request.query)
        if request.method == "POST" and request.can_read_body:
            asked |= await request.json()
        match request.match_info["name"]:
            case "package_search":
                start, rows = int(asked.get("start", 0)), min(int(asked.get("rows", 10)), 1000)
                found = [self.package(d) for d in some_of(self.datasets, start, rows)]
                result = {"count": len(self.datasets), "results": found, "sort": "", "facets": {}}
            case "package_list":
                result = [dataset.name for dataset in self.datasets]
            case "package_show" if asked.get("id") in self.by_name:
                result = self.package(self.by_name[asked["id"]])
            case "status_show":
                result = {"ckan_version": "2.10.5", "site_url": self.base}
            case _:
                error = {"__type": "Not Found Error", "message": "Not found"}
                return web.json_response({"success": False, "error": error}, status=404)
        return web.json_response({"help": "", "success": True, "result": result})


class Socrata(Portal):
    header = ("X-Socrata-RequestId", "7")

    def add_api(self, router):
        router.add_get("/api/catalog/v1", self.catalog)
        router.add_get("/api/views/{code}/rows.csv", self.rows)
        router.add_get("/resource/{code}.json", self.resource)

    def of(self, request):
        return self.datasets[int(request.match_info["code"][:4])]

    async def catalog(self, request):
        start, size = int(request.query.get("offset", 0)), int(request.query.get("limit", 100))
        results = [
            {
                "resource": {
                    "name": d.title, "id": d.code, "type": "dataset", "description": "",
                    "updatedAt": "2025-01-01T00:00:00.000Z",
                },
                "metadata": {"domain": "x", "license": "Public Domain"},
                "permalink": f"{self.base}/dataset/{d.name}",
            }
            for d in some_of(self.datasets, start, size)
        ]  # fmt: skip
        return web.json_response({"results": results, "resultSetSize": len(self.datasets)})

    async def rows(self, request):
        return web.Response(text=self.of(request).body, content_type="text/csv")

    async def resource(self, request):
        lines = self.of(request).body.split()
        names = lines[0].split(",")
        return web.json_response([dict(zip(names, x.split(","), strict=True)) for x in lines[1:]])

    async def page(self, request):
        dataset = self.by_name.get(request.match_info["name"])
        if dataset is None:
            raise web.HTTPNotFound
        return self.html(
            f'<a href="/api/views/{dataset.code}/rows.csv?accessType=DOWNLOAD">CSV</a>'
        )

    def paths(self):
        return {f"/api/views/{d.code}/rows.csv?accessType=DOWNLOAD" for d in self.datasets}


class Opendatasoft(Portal):
    mark = '<script src="https://static.opendatasoft.com/x.js"></script>'

    def add_api(self, router):
        router.add_get("/api/explore/v2.1/catalog/datasets", self.catalog)
        router.add_get("/api/explore/v2.1/catalog/datasets/{name}/exports/csv", self.file)

    async def catalog(self, request):
        start, size = int(request.query.get("offset", 0)), int(request.query.get("limit", 10))
        if size > 100:
            return web.json_response({"error_code": "InvalidRESTParameterError"}, status=400)
        results = [
            {
                "dataset_id": d.name, "has_records": True, "attachments": [], "fields": [],
                "metas": {
                    "default": {
                        "title": d.title, "license": "Open Licence", "records_count": 2,
                        "modified": "2025-01-01T00:00:00+00:00",
                    }
                },
            }
            for d in some_of(self.datasets, start, size)
        ]  # fmt: skip
        return web.json_response({"total_count": len(self.datasets), "results": results})

    async def page(self, request):
        address = f"/api/explore/v2.1/catalog/datasets/{request.match_info['name']}/exports/csv"
        return self.html(f'<a href="{address}">CSV</a>')

    def paths(self):
        return {f"/api/explore/v2.1/catalog/datasets/{d.name}/exports/csv" for d in self.datasets}


class Arcgis(Portal):
    mark = '<script src="https://hubcdn.arcgis.com/opendata-ui/x.js"></script>'

    def add_api(self, router):
        router.add_get("/api/feed/dcat-us/1.1.json", self.feed)

    async def feed(self, _):
        datasets = [
            {
                "@type": "dcat:Dataset", "identifier": f"{self.base}/datasets/{d.name}",
                "title": d.title, "license": "CC0", "modified": "2025-01-01",
                "landingPage": f"{self.base}/dataset/{d.name}", "accessLevel": "public",
                "distribution": [
                    {
                        "@type": "dcat:Distribution", "title": "CSV", "mediaType": "text/csv",
                        "format": "CSV", "accessURL": f"{self.base}{d.path}",
                    }
                ],
            }
            for d in self.datasets
        ]  # fmt: skip
        return web.json_response({
            "@type": "dcat:Catalog", "dataset": datasets,
            "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
        })  # fmt: skip


class Dataverse(Portal):
    mark = '<link href="/dataset.xhtml?persistentId=doi:10.5072/FK2">'

    def add_api(self, router):
        router.add_get("/api/search", self.search)
        router.add_get("/api/info/version", self.version)
        router.add_get("/api/access/datafile/{number}", self.access)

    async def version(self, _):
        return web.json_response({"status": "OK", "data": {"version": "6.2", "build": ""}})

    async def search(self, request):
        start, size = int(request.query.get("start", 0)), int(request.query.get("per_page", 10))
        items = [
            {
                "name": f"{d.name}.csv", "type": "file", "file_id": str(d.number),
                "url": f"{self.base}/api/access/datafile/{d.number}",
                "file_content_type": "text/csv", "size_in_bytes": len(d.body),
                "published_at": "2025-01-01T00:00:00Z", "dataset_name": d.title,
                "dataset_persistent_id": f"doi:10.5072/FK2/{d.number}",
            }
            for d in some_of(self.datasets, start, min(size, 1000))
        ]  # fmt: skip
        data = {"q": "*", "total_count": len(self.datasets), "start": start, "items": items}
        return web.json_response(
            {"status": "OK", "data": {**data, "count_in_response": len(items)}}
        )

    async def access(self, request):
        body = self.datasets[int(request.match_info["number"])].body
        return web.Response(text=body, content_type="text/csv")

    async def page(self, request):
        dataset = self.by_name[request.match_info["name"]]
        return self.html(f'<a href="/api/access/datafile/{dataset.number}">CSV</a>')

    def paths(self):
        return {f"/api/access/datafile/{d.number}" for d in self.datasets}


class Oai(Portal):
    mark = '<link rel="describedby" href="/oai?verb=Identify">'

    def add_api(self, router):
        router.add_get("/oai", self.oai)

    async def oai(self, request):
        base, verb = f"{self.base}/oai", request.query.get("verb", "")
        start, size = int(request.query.get("resumptionToken", "0")), 50
        records = "".join(
            f"<record><header><identifier>oai:x:{d.number}</identifier>"
            "<datestamp>2025-01-01</datestamp></header><metadata>"
            '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<dc:title>{escape(d.title)}</dc:title><dc:rights>CC0</dc:rights>"
            f"<dc:identifier>{self.base}{d.path}</dc:identifier></oai_dc:dc></metadata></record>"
            for d in some_of(self.datasets, start, size)
        )
        more = start + size < len(self.datasets)
        total = len(self.datasets)
        token = f'<resumptionToken completeListSize="{total}">{start + size if more else ""}'
        inner = {
            "Identify": f"<Identify><repositoryName>x</repositoryName><baseURL>{base}</baseURL>"
            "<protocolVersion>2.0</protocolVersion><adminEmail>a@x.example</adminEmail>"
            "<earliestDatestamp>2000-01-01</earliestDatestamp><deletedRecord>no</deletedRecord>"
            "<granularity>YYYY-MM-DD</granularity></Identify>",
            "ListRecords": f"<ListRecords>{records}{token}</resumptionToken></ListRecords>",
        }.get(verb, '<error code="badVerb"/>')
        text = (
            '<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
            f'<responseDate>2025-01-01T00:00:00Z</responseDate><request verb="{verb}">{base}'
            f"</request>{inner}</OAI-PMH>"
        )
        return web.Response(text=text, content_type="text/xml")


class Stac(Portal):
    mark = '<link rel="alternate" type="application/json" href="/stac/catalog.json">'

    def add_api(self, router):
        router.add_get("/stac/catalog.json", self.catalog)
        router.add_get("/stac/collections", self.collections)
        router.add_get("/stac/collections/one", self.collection)
        router.add_get("/stac/collections/one/items", self.items)

    def link(self, relation, path):
        kind = "application/geo+json" if relation in ("items", "next") else "application/json"
        return {"rel": relation, "href": f"{self.base}{path}", "type": kind, "method": "GET"}

    async def catalog(self, _):
        links = [
            self.link("self", "/stac/catalog.json"), self.link("root", "/stac/catalog.json"),
            self.link("child", "/stac/collections/one"), self.link("data", "/stac/collections"),
        ]  # fmt: skip
        core = [
            "https://api.stacspec.org/v1.0.0/core",
            "https://api.stacspec.org/v1.0.0/collections",
        ]
        return web.json_response({
            "type": "Catalog", "stac_version": "1.0.0", "id": "x", "description": "x",
            "conformsTo": core, "links": links,
        })  # fmt: skip

    def one(self):
        return {
            "type": "Collection", "stac_version": "1.0.0", "id": "one", "description": "x",
            "license": "CC0-1.0", "title": "One",
            "extent": {
                "spatial": {"bbox": [[0, 0, 1, 1]]},
                "temporal": {"interval": [[None, None]]},
            },
            "links": [
                self.link("self", "/stac/collections/one"), self.link("root", "/stac/catalog.json"),
                self.link("items", "/stac/collections/one/items?limit=100"),
            ],
        }  # fmt: skip

    async def collection(self, _):
        return web.json_response(self.one())

    async def collections(self, _):
        return web.json_response({"collections": [self.one()], "links": []})

    async def items(self, request):
        start, size = int(request.query.get("start", 0)), int(request.query.get("limit", 10))
        features = [
            {
                "type": "Feature", "stac_version": "1.0.0", "id": d.name, "collection": "one",
                "geometry": {"type": "Point", "coordinates": [0, 0]}, "bbox": [0, 0, 0, 0],
                "properties": {"datetime": "2025-01-01T00:00:00Z", "title": d.title},
                "links": [],
                "assets": {
                    "data": {"href": f"{self.base}{d.path}", "type": "text/csv", "roles": ["data"]}
                },
            }
            for d in some_of(self.datasets, start, size)
        ]  # fmt: skip
        more = start + size < len(self.datasets)
        following = f"/stac/collections/one/items?limit={size}&start={start + size}"
        return web.json_response({
            "type": "FeatureCollection", "features": features, "numberMatched": len(self.datasets),
            "links": [self.link("next", following)] if more else [],
        })  # fmt: skip


class Pxweb(Portal):
    mark = '<script src="/pxweb2/app.js"></script>'

    def add_api(self, router):
        router.add_get("/api/v2/config", self.config)
        router.add_get("/api/v2/tables", self.tables)
        router.add_get("/api/v2/tables/{name}/metadata", self.metadata)
        router.add_get("/api/v2/tables/{name}/data", self.data)

    async def config(self, _):
        return web.json_response({
            "apiVersion": "2.0.0", "languages": [{"id": "en", "label": "English"}],
            "defaultLanguage": "en", "maxDataCells": 150000, "maxCallsPerTimeWindow": 30,
            "timeWindow": 1, "dataFormats": ["json-stat2", "csv"],
            "defaultDataFormat": "json-stat2",
        })  # fmt: skip

    async def tables(self, request):
        asked = {name.lower(): value for name, value in request.query.items()}
        page, size = int(asked.get("pagenumber", 1)), int(asked.get("pagesize", 20))
        some = some_of(self.datasets, (page - 1) * size, size)
        pages = -(-len(self.datasets) // size)
        address = f"{self.base}/api/v2/tables"
        tables = [
            {
                "type": "Table", "id": d.name, "label": d.title, "updated": "2025-01-01T00:00:00Z",
                "variableNames": ["year"], "firstPeriod": "2024", "lastPeriod": "2025",
                "links": [
                    {
                        "rel": "data", "hreflang": "en",
                        "href": f"{address}/{d.name}/data?outputFormat=csv",
                    }
                ],
            }
            for d in some
        ]  # fmt: skip
        following = f"{address}?pageSize={size}&pageNumber={page + 1}"
        links = [{"rel": "next", "hreflang": "en", "href": following}] if page < pages else []
        return web.json_response({
            "language": "en", "tables": tables, "links": [],
            "page": {
                "pageNumber": page, "pageSize": size, "totalElements": len(self.datasets),
                "totalPages": pages, "links": links,
            },
        })  # fmt: skip

    def stat(self, dataset):
        years = {"2024": 0, "2025": 1}
        return {
            "version": "2.0", "class": "dataset", "label": dataset.title, "source": "x",
            "updated": "2025-01-01T00:00:00Z", "id": ["Tid"], "size": [2],
            "role": {"time": ["Tid"]},
            "dimension": {
                "Tid": {
                    "label": "year",
                    "category": {"index": years, "label": {year: year for year in years}},
                }
            },
        }  # fmt: skip

    async def metadata(self, request):
        return web.json_response(self.stat(self.by_name[request.match_info["name"]]))

    async def data(self, request):
        dataset = self.by_name[request.match_info["name"]]
        if "json" in request.query.get("outputFormat", "json-stat2"):
            value = [dataset.number, dataset.number * 3]
            return web.json_response({**self.stat(dataset), "value": value})
        return web.Response(text=dataset.body, content_type="text/csv")

    async def page(self, request):
        name = request.match_info["name"]
        return self.html(f'<a href="/api/v2/tables/{name}/data?outputFormat=csv">CSV</a>')

    def paths(self):
        return {f"/api/v2/tables/{d.name}/data?outputFormat=csv" for d in self.datasets}


PORTALS = {
    "ckan": Ckan, "socrata": Socrata, "opendatasoft": Opendatasoft, "arcgis": Arcgis,
    "dataverse": Dataverse, "oai-pmh": Oai, "stac": Stac, "pxweb": Pxweb,
}  # fmt: skip
