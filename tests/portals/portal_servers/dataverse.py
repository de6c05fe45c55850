"""Dataverse 6: the search, datasets and their files by the native API, pages of datasets."""

import json

from aiohttp import web

from .portal import Portal, read_number, send_file, some_of

_MAX_PAGE = 1000
_TYPES = {"dataverse", "dataset", "file"}


class Dataverse(Portal):
    """Of the files, every twentieth is restricted; files elsewhere are not here at all."""

    head = '<link rel="stylesheet" href="/jakarta.faces.resource/structure.css.xhtml">'

    def list_path(self, page):
        return f"/dataverse/root?q=&types=datasets&sort=dateSort&order=desc&page={page}"

    def dataset_path(self, dataset):
        return f"/dataset.xhtml?persistentId={self.name(dataset)}"

    def name(self, dataset):
        return f"doi:10.5072/FK2/{dataset.number:06}"

    def file_path(self, _, file):
        return f"/api/access/datafile/{file.number}"

    def is_open(self, file):
        return not file.is_elsewhere and file.number % 20 != 7

    def own_paths(self):
        return {self.file_path(d, f) for d in self.datasets for f in d.files if self.is_open(f)}

    def files(self):
        return ()

    def page_links(self, dataset):
        """The page of each file; the bytes are linked from there."""
        return [(f"/file.xhtml?fileId={f.number}&version=1.0", f.name) for f in dataset.own_files]

    def documents(self):
        yield from super().documents()
        for dataset in self.datasets:
            for file in dataset.own_files:
                links = [(self.file_path(dataset, file), "Download")] if self.is_open(file) else []
                links.append((self.dataset_path(dataset), dataset.title))
                page = f"/file.xhtml?fileId={file.number}&version=1.0"
                yield page, self.html(file.name, links)

    def api(self):
        yield web.get("/api/info/version", self.version)
        yield web.get("/api/v1/info/version", self.version)
        for base in ("/api", "/api/v1"):
            yield web.get(f"{base}/search", self.search)
            yield web.get(f"{base}/dataverses/{{name}}/contents", self.contents)
            yield web.get(f"{base}/datasets/:persistentId/", self.dataset)
            yield web.get(f"{base}/datasets/{{number:\\d+}}", self.dataset)
            yield web.get(f"{base}/datasets/:persistentId/versions/:latest/files", self.listed)
            yield web.get(f"{base}/access/datafile/{{number:\\d+}}", self.access)

    async def version(self, _):
        return answer({"version": "6.5", "build": "1700-abc"})

    async def search(self, request):
        asked = request.query
        if "q" not in asked:
            return refuse("q parameter is missing")
        kinds = asked.getall("type", sorted(_TYPES))
        if wrong := [kind for kind in kinds if kind not in _TYPES]:
            return refuse(f"Invalid type '{wrong[0]}'.")
        start, size = read_number(asked.get("start", "0")), read_number(asked.get("per_page", "10"))
        if start is None or size is None:
            return refuse("start and per_page must be numbers")
        if size > _MAX_PAGE:
            return refuse(f"Search API requires per_page to be at most {_MAX_PAGE}.")
        found = list(self.items(set(kinds)))
        shown = some_of(found, start, size)
        return answer(
            {
                "q": asked["q"], "total_count": len(found), "start": start,
                "spelling_alternatives": {}, "items": shown, "count_in_response": len(shown),
            }
        )  # fmt: skip

    def items(self, kinds):
        if "dataverse" in kinds:
            yield {
                "name": "Root", "type": "dataverse", "url": f"{self.base}/dataverse/root",
                "identifier": "root", "published_at": "2010-01-01T00:00:00Z",
            }  # fmt: skip
        for dataset in self.datasets:
            if "dataset" in kinds:
                yield {
                    "name": dataset.title, "type": "dataset", "global_id": self.name(dataset),
                    "url": f"https://doi.org/{self.name(dataset)[4:]}",
                    "fileCount": len(dataset.own_files),
                    "description": dataset.description,
                    "published_at": f"{dataset.modified}T00:00:00Z",
                    "identifier_of_dataverse": "root", "versionState": "RELEASED",
                }  # fmt: skip
            for file in dataset.own_files if "file" in kinds else ():
                yield {
                    "name": file.name, "type": "file", "file_id": str(file.number),
                    "url": f"{self.base}/api/access/datafile/{file.number}",
                    "published_at": f"{dataset.modified}T00:00:00Z", "file_type": file.format,
                    "file_content_type": file.mime_type, "size_in_bytes": file.size,
                    "md5": f"{file.number:032x}", "dataset_name": dataset.title,
                    "dataset_id": str(dataset.number), "restricted": not self.is_open(file),
                    "canDownloadFile": self.is_open(file),
                    "dataset_persistent_id": self.name(dataset),
                }  # fmt: skip

    async def contents(self, request):
        if request.match_info["name"] not in ("root", ":root"):
            return refuse("Can't find dataverse with identifier", 404)
        return answer(
            [
                {
                    "id": d.number + 1, "identifier": f"FK2/{d.number:06}", "type": "dataset",
                    "persistentUrl": f"https://doi.org/10.5072/FK2/{d.number:06}",
                    "protocol": "doi",
                    "authority": "10.5072", "publisher": "Root", "publicationDate": d.modified,
                }
                for d in self.datasets
            ]
        )  # fmt: skip

    def find(self, request):
        name = request.query.get("persistentId", "")
        number = request.match_info.get("number")
        for dataset in self.datasets:
            if self.name(dataset) == name or number == str(dataset.number + 1):
                return dataset
        message = f'{{"status":"ERROR","message":"Dataset with Persistent ID {name} not found."}}'
        raise web.HTTPNotFound(text=message, content_type="application/json")

    def described(self, dataset):
        return [
            {
                "description": file.title, "label": file.name, "restricted": not self.is_open(file),
                "version": 1, "datasetVersionId": dataset.number,
                "dataFile": {
                    "id": file.number, "persistentId": "", "filename": file.name,
                    "contentType": file.mime_type, "filesize": file.size,
                    "creationDate": dataset.modified, "tabularData": False,
                },
            }
            for file in dataset.own_files
        ]  # fmt: skip

    async def dataset(self, request):
        dataset = self.find(request)
        title = {"typeName": "title", "multiple": False, "value": dataset.title}
        return answer(
            {
                "id": dataset.number + 1, "identifier": f"FK2/{dataset.number:06}",
                "persistentUrl": f"https://doi.org/10.5072/FK2/{dataset.number:06}",
                "protocol": "doi", "authority": "10.5072", "publicationDate": dataset.modified,
                "latestVersion": {
                    "id": dataset.number, "datasetPersistentId": self.name(dataset),
                    "versionNumber": 1, "versionMinorNumber": 0, "versionState": "RELEASED",
                    "lastUpdateTime": f"{dataset.modified}T00:00:00Z",
                    "license": {"name": dataset.licence[1], "uri": dataset.licence[2]},
                    "metadataBlocks": {"citation": {"displayName": "Citation", "fields": [title]}},
                    "files": self.described(dataset),
                },
            }
        )  # fmt: skip

    async def listed(self, request):
        files = self.described(self.find(request))
        return web.json_response({"status": "OK", "totalCount": len(files), "data": files})

    async def access(self, request):
        number = int(request.match_info["number"])
        for dataset in self.datasets:
            for file in dataset.own_files:
                if file.number == number:
                    return send_file(file) if self.is_open(file) else forbid()
        return refuse(f"Failed to find Datafile {number}", 404)


def answer(data):
    return web.json_response({"status": "OK", "data": data})


def refuse(message, status=400):
    return web.json_response({"status": "ERROR", "message": message}, status=status)


def forbid():
    message = "You do not have permission to download this file."
    text = json.dumps({"status": "ERROR", "code": 403, "message": message})
    return web.Response(status=403, text=text, content_type="application/json")
