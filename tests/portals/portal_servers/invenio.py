"""InvenioRDM 12: the search for records, their files, and pages of records."""

from aiohttp import web

from .portal import Portal, read_number, send_file, some_of

_MAX_WINDOW = 10_000


class Invenio(Portal):
    head = '<script src="/static/dist/js/invenio-app-rdm.js"></script>'
    max_anonymous = 100

    def list_path(self, page):
        return f"/search?q=&l=list&p={page}&s=20"

    def name(self, dataset):
        return f"{dataset.id[:5]}-{dataset.number:05}"

    def dataset_path(self, dataset):
        return f"/records/{self.name(dataset)}"

    def file_path(self, dataset, file):
        return f"/api/records/{self.name(dataset)}/files/{file.name}/content"

    def page_links(self, dataset):
        return [
            (f"/records/{self.name(dataset)}/files/{f.name}?download=1", f.name)
            for f in dataset.own_files
        ]

    def own_paths(self):
        return {self.file_path(d, f) for d in self.datasets for f in d.own_files}

    def same_file(self, path):
        """Pages link to the bytes of a file under another address than the API."""
        begin, mark, rest = path.partition("/files/")
        is_page_link = mark and begin.startswith("/records/")
        return f"/api{begin}/files/{rest.partition('?')[0]}/content" if is_page_link else path

    def files(self):
        return ()

    def api(self):
        yield web.get("/api/records", self.records)
        yield web.get("/api/records/{name}", self.record)
        yield web.get("/api/records/{name}/files", self.listed)
        yield web.get("/api/records/{name}/files/{file}/content", self.content)
        yield web.get("/records/{name}/files/{file}", self.content)

    def find(self, request):
        for dataset in self.datasets:
            if self.name(dataset) == request.match_info["name"]:
                return dataset
        text = '{"status": 404, "message": "The persistent identifier does not exist."}'
        raise web.HTTPNotFound(text=text, content_type="application/json")

    async def records(self, request):
        page = read_number(request.query.get("page", "1"))
        size = read_number(request.query.get("size", "10"))
        if not page or not size or size > self.max_anonymous or page * size > _MAX_WINDOW:
            message = (
                f"Page size cannot be greater than {self.max_anonymous}. Please use "
                "authenticated requests to increase the limit to 100."
            )
            errors = [{"field": "size", "messages": [message]}]
            body = {"status": 400, "message": "A validation error occurred.", "errors": errors}
            return web.json_response(body, status=400)
        hits = [self.entry(d) for d in some_of(self.datasets, (page - 1) * size, size)]
        address = f"{self.base}/api/records?page={{}}&q=&size={size}&sort=newest"
        links = {"self": address.format(page)}
        if page * size < len(self.datasets):
            links["next"] = address.format(page + 1)
        answer = {"hits": {"hits": hits, "total": len(self.datasets)}, "links": links}
        return web.json_response({**answer, "aggregations": {}, "sortBy": "newest"})

    async def record(self, request):
        return web.json_response(self.entry(self.find(request)))

    def entry(self, dataset):
        own = f"{self.base}/api/records/{self.name(dataset)}"
        return {
            "id": self.name(dataset), "created": "2010-01-01T00:00:00+00:00",
            "updated": f"{dataset.modified}T00:00:00+00:00", "status": "published",
            "links": {
                "self": own, "self_html": self.landing(dataset), "files": f"{own}/files",
                "archive": f"{own}/files-archive",
            },
            "metadata": {
                "title": dataset.title, "description": f"<p>{dataset.description}</p>",
                "publication_date": dataset.modified, "resource_type": {"id": "dataset"},
                "rights": [{"id": dataset.licence[0], "title": {"en": dataset.licence[1]}}],
            },
            "files": {
                "enabled": bool(dataset.own_files), "count": len(dataset.own_files),
                "total_bytes": sum(file.size for file in dataset.own_files),
                "entries": {f.name: self.described(dataset, f) for f in dataset.own_files},
            },
            "access": {"record": "public", "files": "public", "status": "open"},
        }  # fmt: skip

    def described(self, dataset, file):
        own = f"{self.base}/api/records/{self.name(dataset)}/files/{file.name}"
        return {
            "id": f"{file.number:032x}", "key": file.name, "size": file.size, "ext": file.name[-3:],
            "mimetype": file.mime_type, "checksum": f"md5:{file.number:032x}", "metadata": {},
            "links": {"self": own, "content": f"{own}/content"},
        }  # fmt: skip

    async def listed(self, request):
        dataset = self.find(request)
        entries = [self.described(dataset, file) for file in dataset.own_files]
        return web.json_response({"enabled": bool(entries), "entries": entries, "links": {}})

    async def content(self, request):
        for file in self.find(request).own_files:
            if file.name == request.match_info["file"]:
                return send_file(file)
        return web.json_response({"status": 404, "message": "File not found."}, status=404)


class Zenodo(Invenio):
    """The largest of them, which gives little to those who are not known."""

    max_anonymous = 25
