"""Opendatasoft: version 2.1 of the explore API, and its pages of datasets."""

import re

from aiohttp import web

from .portal import Portal, send_file, some_of

_MAX_LIMIT, _MAX_WINDOW = 100, 10_000
_BASE = "/api/explore/v2.1/catalog/datasets"


class Opendatasoft(Portal):
    """Every third dataset with files has them as attachments, the rest are tables."""

    head = '<script src="https://static.opendatasoft.com/ods-front/app.js"></script>'
    headers = (("ODS-Explore-API-Deprecation", "false"),)

    def list_path(self, page):
        return f"/explore/?sort=modified&start={(page - 1) * 20}"

    def dataset_path(self, dataset):
        return f"/explore/dataset/{dataset.name}/"

    def is_table(self, dataset):
        return bool(dataset.files) and dataset.number % 3 != 0

    def attached(self, dataset):
        return () if self.is_table(dataset) else dataset.files

    def attachment_path(self, dataset, file):
        return f"{_BASE}/{dataset.name}/attachments/{place_of(file)}"

    def own_paths(self):
        tables = {f"{_BASE}/{d.name}/exports/csv" for d in self.datasets if self.is_table(d)}
        return tables | {
            self.attachment_path(d, file) for d in self.datasets for file in self.attached(d)
        }

    def files(self):
        return ()

    def page_links(self, dataset):
        links = [(self.attachment_path(dataset, f), f.title) for f in self.attached(dataset)]
        if self.is_table(dataset):
            links.append((f"{_BASE}/{dataset.name}/exports/csv", "CSV"))
        return links

    def api(self):
        yield web.get(_BASE, self.catalog)
        yield web.get(f"{_BASE}/{{name}}", self.one)
        yield web.get(f"{_BASE}/{{name}}/records", self.records)
        yield web.get(f"{_BASE}/{{name}}/attachments", self.attachments)
        yield web.get(f"{_BASE}/{{name}}/attachments/{{place}}", self.attachment)
        yield web.get(f"{_BASE}/{{name}}/exports/{{format}}", self.export)

    def find(self, request):
        dataset = self.by_name.get(request.match_info["name"])
        if dataset is None:
            raise Unknown
        return dataset

    async def catalog(self, request):
        window = read_window(request)
        if isinstance(window, web.Response):
            return window
        shown = [self.entry(dataset) for dataset in some_of(self.datasets, *window)]
        return web.json_response({"total_count": len(self.datasets), "results": shown})

    def entry(self, dataset):
        return {
            "visibility": "domain", "dataset_id": dataset.name,
            "dataset_uid": f"da_{dataset.id[:6]}",
            "has_records": self.is_table(dataset), "features": [], "data_visible": True,
            "fields": [{"name": name, "label": name, "type": "text"} for name in ("place", "year")],
            "attachments": [
                {"mimetype": file.mime_type, "id": place_of(file), "title": file.title}
                for file in self.attached(dataset)
            ],
            "alternative_exports": [],
            "metas": {
                "default": {
                    "title": dataset.title, "description": f"<p>{dataset.description}</p>",
                    "modified": f"{dataset.modified}T10:00:00+00:00", "publisher": "Brovik",
                    "license": dataset.licence[1], "license_url": dataset.licence[2],
                    "records_count": len(dataset.rows) if self.is_table(dataset) else 0,
                }
            },
        }  # fmt: skip

    async def one(self, request):
        return web.json_response(self.entry(self.find(request)))

    async def records(self, request):
        dataset, window = self.find(request), read_window(request)
        if isinstance(window, web.Response):
            return window
        rows = [dict(zip(("place", "year", "value"), row, strict=True)) for row in dataset.rows]
        return web.json_response({"total_count": len(rows), "results": some_of(rows, *window)})

    async def attachments(self, request):
        dataset = self.find(request)
        files = [
            {
                "href": self.base + self.attachment_path(dataset, file),
                "metas": {
                    "id": place_of(file), "title": file.title, "mime-type": file.mime_type,
                    "url": f"odsfile://{file.name}",
                },
            }
            for file in self.attached(dataset)
        ]  # fmt: skip
        return web.json_response({"attachments": files})

    async def attachment(self, request):
        for file in self.attached(self.find(request)):
            if place_of(file) == request.match_info["place"]:
                return send_file(file)
        raise Unknown

    async def export(self, request):
        dataset = self.find(request)
        if request.match_info["format"] != "csv" or not self.is_table(dataset):
            raise Unknown
        separator = request.query.get("delimiter", ";")
        name = {"Content-Disposition": f'attachment; filename="{dataset.name}.csv"'}
        text = "\N{BYTE ORDER MARK}" + dataset.csv.replace(",", separator)
        return web.Response(text=text, content_type="text/csv", headers=name)


class Unknown(web.HTTPNotFound):
    def __init__(self):
        text = '{"error_code": "UnknownDatasetError", "message": "Unknown dataset"}'
        super().__init__(text=text, content_type="application/json")


def place_of(file):
    return re.sub(r"\W", "_", file.name)


def read_window(request):
    """Start and size of a page, or the error for a page that the service refuses."""
    limit, start = request.query.get("limit", "10"), request.query.get("offset", "0")
    is_right = re.fullmatch(r"-1|\d+", limit) and int(limit) <= _MAX_LIMIT
    if not is_right:
        return refuse("limit", limit, "-1 <= limit <= 100")
    size = _MAX_LIMIT if limit == "-1" else int(limit)
    if not start.isdigit() or int(start) + size > _MAX_WINDOW:
        return refuse("offset", start, "offset + limit should be lower or equal to 10000")
    return int(start), size


def refuse(name, value, right):
    message = f"Invalid value for {name} API parameter: {value} was found but {right} is expected."
    body = {"error_code": "InvalidRESTParameterError", "message": message}
    return web.json_response(body, status=400)
