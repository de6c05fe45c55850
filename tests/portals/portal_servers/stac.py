"""STAC API 1.0: collections, items and searches, beside a browser of pages made by the server."""

from urllib.parse import urlencode

from aiohttp import web

from .portal import Portal, read_number, some_of

_DEFAULT_LIMIT, _MAX_LIMIT = 10, 10_000
_CONFORMS = [
    f"https://api.stacspec.org/v1.0.0/{name}"
    for name in ("core", "collections", "ogcapi-features", "item-search")
] + [
    f"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/{name}" for name in ("core", "geojson")
]
_COLLECTIONS = 4
_GEOJSON = "application/geo+json"


class Stac(Portal):
    """A dataset is an item of one of four collections; its files are assets."""

    def front_links(self):
        return [("/stac/", "STAC API")]

    def api(self):
        yield web.get("/stac", self.root)
        yield web.get("/stac/", self.root)
        yield web.get("/stac/conformance", self.conformance)
        yield web.get("/stac/collections", self.collections)
        yield web.get("/stac/collections/{name}", self.collection)
        yield web.get("/stac/collections/{name}/items", self.items)
        yield web.get("/stac/collections/{name}/items/{item}", self.item)
        yield web.get("/stac/search", self.search)
        yield web.post("/stac/search", self.search)

    def link(self, relation, path, kind="application/json", **more):
        return {"rel": relation, "type": kind, "href": f"{self.base}/stac/{path}", **more}

    async def root(self, _):
        names = [f"part-{number}" for number in range(_COLLECTIONS)]
        links = [
            self.link("self", ""), self.link("root", ""), self.link("data", "collections"),
            self.link("conformance", "conformance"),
            self.link("search", "search", "application/geo+json", method="GET"),
            self.link("search", "search", "application/geo+json", method="POST"),
            *(self.link("child", f"collections/{name}", title=name) for name in names),
        ]  # fmt: skip
        return web.json_response(
            {
                "type": "Catalog", "stac_version": "1.0.0", "id": "brovik", "title": "Brovik",
                "description": "Open data of Brovik", "conformsTo": _CONFORMS, "links": links,
            }
        )  # fmt: skip

    async def conformance(self, _):
        return web.json_response({"conformsTo": _CONFORMS})

    def part(self, number):
        name = f"part-{number}"
        return {
            "type": "Collection", "stac_version": "1.0.0", "id": name, "title": f"Part {number}",
            "description": "Every fourth dataset", "license": "CC-BY-4.0",
            "extent": {
                "spatial": {"bbox": [[9, 50, 11, 52]]},
                "temporal": {"interval": [["2010-01-01T00:00:00Z", None]]},
            },
            "links": [
                self.link("items", f"collections/{name}/items", "application/geo+json"),
                self.link("parent", ""), self.link("root", ""),
                self.link("self", f"collections/{name}"),
            ],
        }  # fmt: skip

    async def collections(self, _):
        parts = [self.part(number) for number in range(_COLLECTIONS)]
        links = [self.link("root", ""), self.link("self", "collections")]
        return web.json_response({"collections": parts, "links": links})

    def number(self, request):
        name = request.match_info["name"]
        number = read_number(name.removeprefix("part-"))
        return number if number is not None and number < _COLLECTIONS else None

    async def collection(self, request):
        number = self.number(request)
        if number is None:
            return refuse("NotFound", "Collection does not exist.", 404)
        return web.json_response(self.part(number))

    def feature(self, dataset):
        name = f"part-{dataset.number % _COLLECTIONS}"
        place = [10 + dataset.number % 7 / 10, 51 + dataset.number % 5 / 10]
        return {
            "type": "Feature", "stac_version": "1.0.0", "stac_extensions": [], "id": dataset.name,
            "geometry": {"type": "Point", "coordinates": place}, "bbox": [*place, *place],
            "properties": {
                "datetime": f"{dataset.modified}T00:00:00Z", "title": dataset.title,
                "description": dataset.description,
            },
            "links": [
                self.link("self", f"collections/{name}/items/{dataset.name}", _GEOJSON),
                self.link("parent", f"collections/{name}"), self.link("root", ""),
                self.link("collection", f"collections/{name}"),
            ],
            "assets": {
                f"file-{file.number}": {
                    "href": self.file_url(dataset, file), "type": file.mime_type,
                    "title": file.title, "roles": ["data"],
                }
                for file in dataset.files
            },
            "collection": name,
        }  # fmt: skip

    async def items(self, request):
        number = self.number(request)
        if number is None:
            return refuse("NotFound", "Collection does not exist.", 404)
        path = f"collections/part-{number}/items"
        return self.page(self.datasets[number::_COLLECTIONS], dict(request.query), path, "GET")

    async def item(self, request):
        dataset = self.by_name.get(request.match_info["item"])
        if dataset is None or dataset.number % _COLLECTIONS != self.number(request):
            return refuse("NotFound", "Item does not exist.", 404)
        return web.json_response(self.feature(dataset))

    async def search(self, request):
        asked = await request.json() if request.method == "POST" else dict(request.query)
        names = asked.get("collections") or ""
        names = names.split(",") if isinstance(names, str) else names
        found = [
            dataset
            for dataset in self.datasets
            if not any(names) or f"part-{dataset.number % _COLLECTIONS}" in names
        ]
        if asked.get("ids"):
            ids = asked["ids"].split(",") if isinstance(asked["ids"], str) else asked["ids"]
            found = [dataset for dataset in found if dataset.name in ids]
        return self.page(found, asked, "search", request.method)

    def page(self, found, asked, path, method):
        limit = read_number(str(asked.get("limit", _DEFAULT_LIMIT)))
        start = read_number(str(asked.get("token", "next:0")).removeprefix("next:"))
        if not limit or limit > _MAX_LIMIT:
            return refuse("RequestValidationError", "limit must be between 1 and 10000", 400)
        if start is None:
            return refuse("InvalidQueryParameter", "unknown token", 400)
        links = [self.link("root", ""), self.link("self", path, "application/geo+json")]
        if start + limit < len(found):
            following = {**asked, "limit": limit, "token": f"next:{start + limit}"}
            if method == "POST":
                more = {"method": "POST", "body": following, "merge": False}
                links.append(self.link("next", path, "application/geo+json", **more))
            else:
                query = f"{path}?{urlencode(following)}"
                links.append(self.link("next", query, "application/geo+json", method="GET"))
        features = [self.feature(dataset) for dataset in some_of(found, start, limit)]
        answer = {
            "type": "FeatureCollection", "features": features, "links": links,
            "numberMatched": len(found), "numberReturned": len(features),
        }  # fmt: skip
        return web.json_response(answer, content_type="application/geo+json")


def refuse(code, description, status):
    return web.json_response({"code": code, "description": description}, status=status)
