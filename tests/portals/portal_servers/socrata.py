"""Socrata: the discovery API, tables by SODA 2.1 and as a whole, attached files, pages."""

import json

from aiohttp import web

from .catalogue import ELSEWHERE
from .portal import Portal, read_number, send_file, some_of

_DEFAULT_LIMIT, _MAX_WINDOW = 100, 10_000
_ROWS = 1000
_KNOWN = {
    "domains", "search_context", "limit", "offset", "order", "only", "ids", "q", "scroll_id",
    "categories", "tags", "names", "provenance",
}  # fmt: skip


class Socrata(Portal):
    """Datasets with files are uploads, those with none charts; the others are tables."""

    head = '<link rel="stylesheet" href="/packages/base.css" data-by="Powered by Socrata">'
    headers = (("X-Socrata-Region", "aws-us-east-1"), ("X-Socrata-RequestId", "0a1b2c"))

    def list_path(self, page):
        return f"/browse?limitTo=datasets&page={page}"

    def dataset_path(self, dataset):
        return f"/d/{dataset.code}"

    def kind(self, dataset):
        if not dataset.files:
            return "chart"
        if dataset.files[0].is_elsewhere:
            return "href"
        return "file" if dataset.number % 10 == 0 else "dataset"

    def own_path(self, dataset):
        """The path of the file of a dataset; None where it has none."""
        if self.kind(dataset) == "file":
            return f"/download/{dataset.code}/application/octet-stream"
        is_table = self.kind(dataset) == "dataset"
        return f"/api/views/{dataset.code}/rows.csv?accessType=DOWNLOAD" if is_table else None

    def own_paths(self):
        return set(filter(None, map(self.own_path, self.datasets)))

    def files(self):
        return ()

    def page_links(self, dataset):
        path = self.own_path(dataset)
        if self.kind(dataset) == "href":
            path = f"{ELSEWHERE}/{dataset.files[0].name}"
        return [(path, "Download")] if path else []

    def api(self):
        yield web.get("/api/catalog/v1", self.catalog)
        yield web.get("/api/views/{code}/rows.csv", self.export)
        yield web.get("/api/views/{code}.json", self.view)
        yield web.get("/resource/{code}.{format}", self.resource)
        yield web.get("/download/{code}/{rest:.*}", self.upload)

    def find(self, request, kinds):
        """The dataset that a request names, if it is of one of these kinds."""
        code = request.match_info["code"]
        found = [d for d in self.datasets if d.code == code and self.kind(d) in kinds]
        if not found:
            error = {"code": "dataset.missing", "error": True, "message": "Not found", "data": {}}
            raise web.HTTPNotFound(text=json.dumps(error), content_type="application/json")
        return found[0]

    async def catalog(self, request):
        asked = request.query
        if unknown := sorted(set(asked) - _KNOWN):
            return refuse(f"Unrecognized arguments [{', '.join(unknown)}]")
        host = self.base.removeprefix("http://").partition(":")[0]
        for domain in filter(None, asked.get("domains", "").split(",")):
            if domain.partition(":")[0] != host:
                return refuse(f"Domain not found: {domain}", 404)
        start = read_number(asked.get("offset", "0"))
        size = read_number(asked.get("limit", str(_DEFAULT_LIMIT)))
        if start is None or size is None:
            return refuse("Invalid limit or offset")
        if start + size > _MAX_WINDOW:
            return refuse("Result window is too large: offset + limit must be at most 10000")
        only = asked.get("only", "").removesuffix("s")
        found = [d for d in self.datasets if not only or self.kind(d) == only]
        if "order" in asked:
            found = sorted(found, key=lambda d: d.title)
        results = [self.result(dataset, host) for dataset in some_of(found, start, size)]
        return web.json_response(
            {
                "results": results, "resultSetSize": len(found),
                "timings": {"serviceMillis": 40, "searchMillis": [3, 5]}, "warnings": [],
            }
        )  # fmt: skip

    def result(self, dataset, host):
        kind = self.kind(dataset)
        names = ["place", "year", "value"] if kind == "dataset" else []
        return {
            "resource": {
                "name": dataset.title, "id": dataset.code, "parent_fxf": [], "type": kind,
                "description": dataset.description, "attribution": "Town of Brovik",
                "updatedAt": f"{dataset.modified}T10:00:00.000Z",
                "data_updated_at": f"{dataset.modified}T09:00:00.000Z",
                "columns_name": names, "columns_field_name": names, "provenance": "official",
                "lens_view_type": "tabular", "blob_mime_type": None, "hide_from_data_json": False,
            },
            "classification": {"categories": [], "tags": [], "domain_category": "Town"},
            "metadata": {"domain": host, "license": dataset.licence[1]},
            "permalink": f"{self.base}/d/{dataset.code}",
            "link": f"{self.base}/Town/{dataset.name}/{dataset.code}",
            "owner": {"id": "abcd-1234", "user_type": "interactive", "display_name": "Brovik"},
        }  # fmt: skip

    async def view(self, request):
        dataset = self.find(request, {"dataset", "file", "chart", "href"})
        return web.json_response({"id": dataset.code, "name": dataset.title, "columns": []})

    async def export(self, request):
        dataset = self.find(request, {"dataset"})
        name = {"Content-Disposition": f"attachment; filename={dataset.name}.csv"}
        return web.Response(text=dataset.csv, content_type="text/csv", headers=name)

    async def upload(self, request):
        return send_file(self.find(request, {"file"}).files[0])

    async def resource(self, request):
        """Rows, as CSV or JSON: a thousand, unless $limit says otherwise."""
        dataset, asked = self.find(request, {"dataset"}), request.query
        start = read_number(asked.get("$offset", "0"))
        size = read_number(asked.get("$limit", str(_ROWS)))
        if start is None or size is None:
            error = {"code": "query.soql.invalid", "error": True, "message": "Invalid SoQL query"}
            return web.json_response(error, status=400)
        rows = some_of(dataset.rows, start, size)
        if request.match_info["format"] == "csv":
            text = "".join(f'"{p}","{y}","{v}"\n' for p, y, v in rows)
            return web.Response(text='"place","year","value"\n' + text, content_type="text/csv")
        shown = [{"place": p, "year": str(y), "value": str(v)} for p, y, v in rows]
        return web.json_response(shown)


def refuse(error, status=400):
    return web.json_response({"error": error}, status=status)
