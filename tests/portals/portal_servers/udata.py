"""udata: version 1 of its API, and its pages of datasets."""

from aiohttp import web

from .portal import Portal, read_number, some_of


class Udata(Portal):
    head = '<meta name="generator" content="udata 10.1">'

    def list_path(self, page):
        return f"/en/datasets/?page={page}"

    def dataset_path(self, dataset):
        return f"/en/datasets/{dataset.name}/"

    def api(self):
        yield web.get("/api/1/datasets/", self.listed)
        yield web.get("/api/1/datasets/{name}/", self.one)

    async def listed(self, request):
        page = read_number(request.query.get("page", "1"))
        size = read_number(request.query.get("page_size", "20"))
        if not page or not size:
            errors = {"page": "must be a natural number"}
            body = {"message": "Input payload validation failed", "errors": errors}
            return web.json_response(body, status=400)
        some = some_of(self.datasets, (page - 1) * size, size)
        if not some and page > 1:
            return web.json_response({"message": "Not found"}, status=404)
        address = f"{self.base}/api/1/datasets/?page_size={size}&page="
        return web.json_response(
            {
                "data": [self.entry(dataset) for dataset in some], "page": page, "page_size": size,
                "total": len(self.datasets), "facets": {},
                "next_page": f"{address}{page + 1}" if page * size < len(self.datasets) else None,
                "previous_page": f"{address}{page - 1}" if page > 1 else None,
            }
        )  # fmt: skip

    async def one(self, request):
        dataset = self.by_name.get(request.match_info["name"])
        if dataset is None:
            return web.json_response({"message": "Not found"}, status=404)
        return web.json_response(self.entry(dataset))

    def entry(self, dataset):
        return {
            "id": dataset.id[:24], "slug": dataset.name, "title": dataset.title, "acronym": None,
            "description": dataset.description, "license": dataset.licence[0], "private": False,
            "page": self.landing(dataset), "uri": f"{self.base}/api/1/datasets/{dataset.name}/",
            "last_modified": f"{dataset.modified}T10:00:00+00:00", "tags": [], "badges": [],
            "created_at": "2010-01-01T00:00:00+00:00", "frequency": "annual", "metrics": {},
            "resources": [
                {
                    "id": f"{file.number:032x}", "title": file.title,
                    "format": file.name.rpartition(".")[2],
                    "url": self.file_url(dataset, file), "mime": file.mime_type, "type": "main",
                    "filetype": "remote" if file.is_elsewhere else "file", "description": None,
                    "filesize": None if file.is_elsewhere else file.size, "extras": {},
                    "latest": f"{self.base}/en/datasets/r/{file.number:032x}",
                    "last_modified": f"{dataset.modified}T10:00:00+00:00",
                }
                for file in dataset.files
            ],
        }  # fmt: skip
