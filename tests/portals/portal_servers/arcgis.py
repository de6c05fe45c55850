"""ArcGIS Hub: its feed and its records; and an ArcGIS Server with feature layers."""

import json
import re

from aiohttp import web

from .portal import Portal, read_number, some_of

_LAYERS = 10
"""Layers per service."""
_CONFORMS = "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/core"
_RANGE = re.compile(r"\(?OBJECTID\s*>=\s*(\d+) AND OBJECTID\s*<=\s*(\d+)\)?", re.IGNORECASE)
_SERVICES = "/arcgis/rest/services"


class Hub(Portal):
    """A dataset without files is a web page; the rest are layers, in services of ten."""

    head = '<script src="https://hubcdn.arcgis.com/opendata-ui/assets/app.js"></script>'
    formats = ("CSV", "GeoJSON", "Shapefile")
    has_pages = False
    max_records = 1000
    can_page = True
    """Whether layers are given page by page; older servers give them by ranges of object ids."""

    def __init__(self, count=1000):
        super().__init__(count)
        self.layers = [dataset for dataset in self.datasets if dataset.files]

    def dataset_path(self, dataset):
        return f"/datasets/{dataset.name}"

    def file_path(self, dataset, file):
        return f"/api/download/v1/items/{dataset.id}/{file}?layers={self.place(dataset)[1]}"

    def place(self, dataset):
        """The number of the service, and of the layer in it."""
        return divmod(self.layers.index(dataset), _LAYERS)

    def layer_path(self, dataset):
        service, layer = self.place(dataset)
        return f"{_SERVICES}/Town/Service_{service}/FeatureServer/{layer}"

    def own_paths(self):
        downloads = (("CSV", "csv"), ("GeoJSON", "geojson"), ("Shapefile", "shapefile"))
        return {self.file_path(d, name) for d in self.layers for _, name in downloads}

    def files(self):
        return ()

    def api(self):
        yield web.get("/api/feed/dcat-us/1.1.json", self.feed)
        yield web.get("/api/search/v1", self.landing_page)
        yield web.get("/api/search/v1/", self.landing_page)
        yield web.get("/api/search/v1/conformance", self.conformance)
        yield web.get("/api/search/v1/collections", self.collections)
        yield web.get("/api/search/v1/collections/{name}", self.collection)
        yield web.get("/api/search/v1/collections/dataset/items", self.records)
        yield web.get("/api/download/v1/items/{id}/{format}", self.download)
        yield web.get("/arcgis/rest/services", self.folder)
        yield web.get("/arcgis/rest/services/Town", self.folder)
        service = "/arcgis/rest/services/Town/Service_{service}/FeatureServer"
        yield web.get(service, self.service)
        yield web.get(f"{service}/{{layer}}", self.layer)
        yield web.get(f"{service}/{{layer}}/query", self.query)
        yield web.post(f"{service}/{{layer}}/query", self.query)

    async def feed(self, _):
        return web.json_response(
            {
                "@context": "https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld",
                "@type": "dcat:Catalog",
                "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
                "describedBy": "https://project-open-data.cio.gov/v1.1/schema/catalog.json",
                "dataset": [self.entry(dataset) for dataset in self.datasets],
            }
        )  # fmt: skip

    def entry(self, dataset):
        identifier = f"https://www.arcgis.com/home/item.html?id={dataset.id}"
        parts = [("ArcGIS Hub Dataset", "Web Page", "text/html", self.landing(dataset))]
        if dataset.files:
            service = self.base + self.layer_path(dataset)
            name = "ArcGIS GeoServices REST API"
            parts.append((name, name, "application/json", service))
            for format_, mime_type in (
                ("CSV", "text/csv"), ("GeoJSON", "application/vnd.geo+json"),
                ("Shapefile", "application/zip"),
            ):  # fmt: skip
                url = self.base + self.file_path(dataset, format_.lower())
                parts.append((format_, "ZIP" if "zip" in mime_type else format_, mime_type, url))
        return {
            "@type": "dcat:Dataset", "identifier": identifier, "title": dataset.title,
            "landingPage": self.landing(dataset), "description": dataset.description,
            "license": dataset.licence[2], "accessLevel": "public", "keyword": ["town"],
            "issued": f"{dataset.modified}T00:00:00.000Z",
            "modified": f"{dataset.modified}T00:00:00.000Z",
            "publisher": {"name": "Brovik"}, "theme": ["geospatial"], "spatial": "9,50,11,52",
            "contactPoint": {"@type": "vcard:Contact", "fn": "gis"},
            "distribution": [
                {
                    "@type": "dcat:Distribution", "title": title, "format": format_,
                    "mediaType": mime_type, "accessURL": url,
                }
                for title, format_, mime_type, url in parts
            ],
        }  # fmt: skip

    async def landing_page(self, _):
        root = f"{self.base}/api/search/v1"
        links = [
            {"rel": "self", "href": root, "type": "application/json"},
            {"rel": "conformance", "href": f"{root}/conformance", "type": "application/json"},
            {"rel": "data", "href": f"{root}/collections", "type": "application/json"},
        ]
        return web.json_response({"title": "Hub", "description": "", "links": links})

    async def conformance(self, _):
        return web.json_response({"conformsTo": [_CONFORMS]})

    def part(self):
        address = f"{self.base}/api/search/v1/collections/dataset"
        return {
            "id": "dataset", "title": "dataset", "itemType": "record", "type": "Collection",
            "links": [{"rel": "items", "href": f"{address}/items", "type": "application/geo+json"}],
        }  # fmt: skip

    async def collections(self, _):
        return web.json_response({"collections": [self.part()], "links": []})

    async def collection(self, request):
        if request.match_info["name"] != "dataset":
            return web.json_response({"message": "Not found", "statusCode": 404}, status=404)
        return web.json_response(self.part())

    async def records(self, request):
        start = read_number(request.query.get("startindex", "1"))
        size = read_number(request.query.get("limit", "10"))
        if not start or not size or size > 100:
            message = ["limit must not be greater than 100"]
            return web.json_response({"statusCode": 400, "message": message}, status=400)
        some = some_of(self.datasets, start - 1, size)
        address = f"{self.base}/api/search/v1/collections/dataset/items"
        links = [{"rel": "self", "href": str(request.url), "type": "application/geo+json"}]
        if start - 1 + size < len(self.datasets):
            href = f"{address}?limit={size}&startindex={start + size}"
            links.append({"rel": "next", "href": href, "type": "application/geo+json"})
        return web.json_response(
            {
                "type": "FeatureCollection", "features": [self.record(d) for d in some],
                "numberMatched": len(self.datasets), "numberReturned": len(some), "links": links,
                "timestamp": "2026-01-01T00:00:00Z",
            }
        )  # fmt: skip

    def record(self, dataset):
        is_layer = bool(dataset.files)
        return {
            "id": dataset.id, "type": "Feature", "geometry": None, "time": None, "links": [],
            "properties": {
                "id": dataset.id, "title": dataset.title, "name": dataset.name,
                "type": "Feature Service" if is_layer else "Web Mapping Application",
                "description": dataset.description, "license": dataset.licence[1],
                "modified": 1_700_000_000_000, "slug": f"brovik::{dataset.name}",
                "url": self.base + self.layer_path(dataset) if is_layer else "",
            },
        }  # fmt: skip

    async def download(self, request):
        for dataset in self.layers:
            if dataset.id == request.match_info["id"]:
                break
        else:
            return web.json_response({"message": "Item not found", "statusCode": 404}, status=404)
        match request.match_info["format"]:
            case "csv":
                return web.Response(text=dataset.csv, content_type="text/csv")
            case "geojson":
                body = self.features(dataset, 0, len(dataset.rows), "geojson")
                return web.json_response(body, content_type="application/geo+json")
            case "shapefile":
                return web.Response(body=b"PK\3\4" + bytes(400), content_type="application/zip")
        message = ["format must be one of csv, geojson, shapefile"]
        return web.json_response({"statusCode": 400, "message": message}, status=400)

    def service_names(self):
        return [f"Town/Service_{n}" for n in range(-(-len(self.layers) // _LAYERS))]

    async def folder(self, request):
        if request.query.get("f") not in ("json", "pjson"):
            return web.Response(text="<html>Services Directory</html>", content_type="text/html")
        is_root = not request.path.endswith("/Town")
        services = [{"name": name, "type": "FeatureServer"} for name in self.service_names()]
        return web.json_response(
            {
                "currentVersion": 11.1, "folders": ["Town"] if is_root else [],
                "services": [] if is_root else services,
            }
        )  # fmt: skip

    def of_service(self, request):
        number = read_number(request.match_info["service"])
        return some_of(self.layers, number * _LAYERS, _LAYERS) if number is not None else []

    async def service(self, request):
        layers = self.of_service(request)
        if not layers:
            return fail(404, "Service not found")
        return web.json_response(
            {
                "currentVersion": 11.1, "serviceDescription": "", "capabilities": "Query",
                "maxRecordCount": self.max_records, "tables": [],
                "layers": [
                    {
                        "id": i, "name": dataset.title, "parentLayerId": -1, "subLayerIds": None,
                        "type": "Feature Layer", "geometryType": "esriGeometryPoint",
                    }
                    for i, dataset in enumerate(layers)
                ],
            }
        )  # fmt: skip

    def of_layer(self, request):
        number, layers = read_number(request.match_info["layer"]), self.of_service(request)
        return layers[number] if number is not None and number < len(layers) else None

    async def layer(self, request):
        dataset = self.of_layer(request)
        if dataset is None:
            return fail(404, "Layer not found")
        return web.json_response(
            {
                "currentVersion": 11.1, "id": self.place(dataset)[1], "name": dataset.title,
                "type": "Feature Layer", "description": dataset.description,
                "copyrightText": dataset.licence[1], "geometryType": "esriGeometryPoint",
                "objectIdField": "OBJECTID", "maxRecordCount": self.max_records,
                "supportedQueryFormats": "JSON, geoJSON, PBF", "capabilities": "Query,Extract",
                "supportsPagination": self.can_page, "fields": fields(), "hasAttachments": False,
                "advancedQueryCapabilities": {
                    "supportsPagination": self.can_page, "supportsOrderBy": True
                },
            }
        )  # fmt: skip

    def all_rows(self, dataset):
        return dataset.rows

    def features(self, dataset, start, size, format_):
        """Features by their number; those behind the most that a query gives are left out."""
        rows = self.all_rows(dataset)
        found = []
        for number, (place, year, value) in some_of(list(enumerate(rows, 1)), start, size):
            about = {"OBJECTID": number, "place": place, "year": year, "value": value}
            x, y = 9 + number % 200 / 100, 50 + number % 150 / 100
            if format_ == "geojson":
                point = {"type": "Point", "coordinates": [x, y]}
                found.append(
                    {"type": "Feature", "id": number, "geometry": point, "properties": about}
                )
            else:
                found.append({"attributes": about, "geometry": {"x": x, "y": y}})
        is_cut = start + size < len(rows)
        if format_ == "geojson":
            more = {"properties": {"exceededTransferLimit": True}} if is_cut else {}
            crs = {"type": "name", "properties": {"name": "EPSG:4326"}}
            return {"type": "FeatureCollection", "crs": crs, **more, "features": found}
        return {
            "objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPoint",
            "spatialReference": {"wkid": 4326, "latestWkid": 4326}, "fields": fields(),
            **({"exceededTransferLimit": True} if is_cut else {}), "features": found,
        }  # fmt: skip

    async def query(self, request):
        """A query; errors come with status 200, as the software has it."""
        asked = dict(request.query)
        if request.method == "POST":
            asked |= await request.post()
        dataset = self.of_layer(request)
        if dataset is None:
            return fail(400, "Invalid URL")
        if "where" not in asked and "objectIds" not in asked:
            details = ["'where' clause must be specified"]
            return fail(400, "Cannot perform query. Invalid query parameters.", details)
        count = len(self.all_rows(dataset))
        if asked.get("returnCountOnly") == "true":
            return web.json_response({"count": count})
        if asked.get("returnIdsOnly") == "true":
            ids = list(range(1, count + 1))
            return web.json_response({"objectIdFieldName": "OBJECTID", "objectIds": ids})
        format_ = asked.get("f", "html").lower()
        if not self.can_page and {"resultOffset", "resultRecordCount"} & asked.keys():
            return fail(400, "Pagination is not supported.")
        start = read_number(asked.get("resultOffset") or "0")
        size = read_number(asked.get("resultRecordCount") or str(self.max_records))
        if format_ not in ("json", "pjson", "geojson") or start is None or size is None:
            return fail(400, "Unable to complete operation.", ["Invalid parameters"])
        size = min(size, self.max_records)
        if found := _RANGE.fullmatch(asked.get("where", "")):
            first, last = map(int, found.groups())
            start, size = first - 1, min(size, last - first + 1)
        body = self.features(dataset, start, size, format_)
        kind = "application/geo+json" if format_ == "geojson" else "application/json"
        return web.json_response(body, content_type=kind)


def fields():
    kinds = ("OID", "String", "Integer", "Integer")
    names = ("OBJECTID", "place", "year", "value")
    return [
        {"name": n, "type": f"esriFieldType{k}", "alias": n}
        for n, k in zip(names, kinds, strict=True)
    ]


def fail(code, message, details=()):
    body = {"error": {"code": code, "message": message, "details": list(details)}}
    return web.Response(text=json.dumps(body), content_type="application/json")
