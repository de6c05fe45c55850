"""CKAN 2.11: the action API, and its pages of datasets."""

from aiohttp import web

from .portal import Portal, read_number, some_of

ROWS_MAX = 1000
_SORTED_BY = {"name", "title_string", "metadata_modified", "metadata_created", "score"}


class Ckan(Portal):
    @property
    def head(self):
        return '<meta name="generator" content="ckan 2.11.3">'

    def list_path(self, page):
        return f"/dataset/?page={page}"

    def dataset_path(self, dataset):
        return f"/dataset/{dataset.name}"

    def file_path(self, dataset, file):
        return f"/dataset/{dataset.id}/resource/{file.number:032x}/download/{file.name}"

    def page_links(self, dataset):
        """The page and the file of each resource."""
        for file in dataset.files:
            page = f"/dataset/{dataset.name}/resource/{file.number:032x}"
            yield page, file.title
            yield self.file_url(dataset, file), "Go to resource"

    def documents(self):
        yield from super().documents()
        for dataset in self.datasets:
            for file in dataset.files:
                link = (self.file_url(dataset, file), self.file_url(dataset, file))
                page = f"/dataset/{dataset.name}/resource/{file.number:032x}"
                yield page, self.html(file.title, [link, (self.dataset_path(dataset), "All")])

    def api(self):
        for version in ("", "/3"):
            yield web.get(f"/api{version}/action/{{name}}", self.action)
            yield web.post(f"/api{version}/action/{{name}}", self.action)

    def package(self, dataset):
        short, title, url = dataset.licence
        resources = [self.resource(dataset, file, i) for i, file in enumerate(dataset.files)]
        return {
            "id": dataset.id, "name": dataset.name, "title": dataset.title, "type": "dataset",
            "notes": dataset.description, "license_id": short, "license_title": title,
            "license_url": url, "isopen": bool(url), "state": "active", "private": False,
            "metadata_created": "2010-01-01T00:00:00",
            "metadata_modified": f"{dataset.modified}T09:30:00.123456",
            "num_resources": len(resources), "num_tags": 0, "tags": [], "groups": [], "extras": [],
            "organization": {"id": "o1", "name": "brovik", "title": "Town of Brovik"},
            "resources": resources,
        }  # fmt: skip

    def resource(self, dataset, file, position):
        return {
            "id": f"{file.number:032x}", "package_id": dataset.id, "name": file.title,
            "format": file.format, "mimetype": file.mime_type, "position": position,
            "url": self.file_url(dataset, file), "size": None if file.is_elsewhere else file.size,
            "url_type": None if file.is_elsewhere else "upload", "state": "active",
            "last_modified": f"{dataset.modified}T09:30:00", "datastore_active": False,
        }  # fmt: skip

    async def action(self, request):
        name, asked = request.match_info["name"], dict(request.query)
        if request.method == "POST" and request.can_read_body:
            asked |= await request.json()
        function = getattr(self, f"_{name}", None)
        if function is None:
            return web.json_response(f"Bad request - Action name not known: {name}", status=400)
        try:
            result = function(asked)
        except Refused as refused:
            answer = {"success": False, "error": refused.error}
            return web.json_response({"help": self.help(name), **answer}, status=refused.status)
        return web.json_response({"help": self.help(name), "success": True, "result": result})

    def help(self, name):
        return f"{self.base}/api/3/action/help_show?name={name}"

    def _status_show(self, _):
        return {"ckan_version": "2.11.3", "site_url": self.base, "site_title": "Brovik"}

    def _site_read(self, _):
        return True

    def _package_list(self, asked):
        names = sorted(self.by_name)
        start, most = natural(asked, "offset", 0), natural(asked, "limit", len(names))
        return some_of(names, start, most)

    def _package_show(self, asked):
        if "id" not in asked:
            raise Refused(409, "Validation Error", id=["Missing value"])
        by_id = {dataset.id: dataset for dataset in self.datasets}
        dataset = self.by_name.get(asked["id"]) or by_id.get(asked["id"])
        if dataset is None:
            raise Refused(404, "Not Found Error", message="Not found")
        return self.package(dataset)

    def _resource_show(self, asked):
        for dataset in self.datasets:
            for position, file in enumerate(dataset.files):
                if f"{file.number:032x}" == asked.get("id"):
                    return self.resource(dataset, file, position)
        raise Refused(404, "Not Found Error", message="Not found: Resource was not found.")

    def _current_package_list_with_resources(self, asked):
        start, most = natural(asked, "offset", 0), natural(asked, "limit", len(self.datasets))
        return [self.package(dataset) for dataset in some_of(self.datasets, start, most)]

    def _package_search(self, asked):
        start, rows = natural(asked, "start", 0), natural(asked, "rows", 10)
        sort = str(asked.get("sort", "score desc, metadata_modified desc"))
        for part in sort.split(","):
            field, _, order = part.strip().partition(" ")
            if field not in _SORTED_BY or order not in ("", "asc", "desc"):
                raise Refused(400, "Search Query Error", message=f"Invalid sort: {sort}")
        found = sorted(self.datasets, key=lambda d: d.modified, reverse=True)
        if sort.startswith("name"):
            found = sorted(self.datasets, key=lambda d: d.name, reverse=sort.endswith("desc"))
        words = str(asked.get("q", "*:*")).lower()
        if words not in ("", "*:*", "*"):
            found = [d for d in found if all(w in d.title.lower() for w in words.split())]
        shown = [self.package(dataset) for dataset in some_of(found, start, min(rows, ROWS_MAX))]
        return {
            "count": len(found), "sort": sort, "results": shown,
            "facets": {}, "search_facets": {},
        }  # fmt: skip

    def _organization_list(self, _):
        return ["brovik"]

    def _group_list(self, _):
        return []


class Refused(Exception):
    def __init__(self, status, kind, **details):
        super().__init__(kind)
        self.status = status
        self.error = {"__type": kind, **details}


def natural(asked, name, default):
    """A parameter as a number; what is none is a validation error."""
    text = str(asked.get(name, default))
    number = read_number(text)
    if number is None:
        problem = "Must be a natural number" if text.startswith("-") else "Invalid integer"
        raise Refused(409, "Validation Error", **{name: [problem]})
    return number
