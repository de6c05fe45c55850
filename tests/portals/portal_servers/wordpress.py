"""WordPress: the library of media by its REST API, and a post per dataset."""

from aiohttp import web

from .portal import Portal, read_number, some_of


class Wordpress(Portal):
    """Files elsewhere are links in posts; the library does not have them."""

    @property
    def head(self):
        return f'<link rel="https://api.w.org/" href="{self.base}/wp-json/">'

    def list_path(self, page):
        return f"/category/data/page/{page}/"

    def dataset_path(self, dataset):
        return f"/{dataset.modified[:4]}/{dataset.name}/"

    def file_path(self, dataset, file):
        return f"/wp-content/uploads/{dataset.modified[:4]}/{dataset.modified[5:7]}/{file.name}"

    def api(self):
        yield web.get("/wp-json/", self.index)
        yield web.get("/wp-json/wp/v2/media", self.media)

    async def index(self, _):
        body = {"name": "Brovik", "url": self.base, "namespaces": ["wp/v2"], "routes": {}}
        return web.json_response(body)

    async def media(self, request):
        asked = request.query
        page = read_number(asked.get("page", "1"))
        size = read_number(asked.get("per_page", "10"))
        for name, value, most in (("page", page, 10**6), ("per_page", size, 100)):
            if not value or value > most:
                return refuse("rest_invalid_param", f"Invalid parameter(s): {name}")
        kind = asked.get("media_type", "")
        if kind not in ("", "image", "video", "text", "application", "audio"):
            return refuse("rest_invalid_param", "Invalid parameter(s): media_type")
        files = [
            (d, file)
            for d in self.datasets
            for file in d.own_files
            if file.mime_type.startswith(kind)
        ]
        if page > 1 and (page - 1) * size >= len(files):
            message = "The page number requested is larger than the number of pages available."
            return refuse("rest_post_invalid_page_number", message)
        shown = [self.entry(*pair) for pair in some_of(files, (page - 1) * size, size)]
        totals = {
            "X-WP-Total": str(len(files)),
            "X-WP-TotalPages": str(-(-len(files) // size)),
        }
        return web.json_response(shown, headers=totals)

    def entry(self, dataset, file):
        return {
            "id": file.number + 1, "date": f"{dataset.modified}T10:00:00", "slug": file.name,
            "modified": f"{dataset.modified}T10:00:00",
            "modified_gmt": f"{dataset.modified}T10:00:00",
            "type": "attachment", "status": "inherit", "title": {"rendered": file.title},
            "link": self.landing(dataset), "alt_text": "", "caption": {"rendered": ""},
            "media_type": "file", "mime_type": file.mime_type, "post": dataset.number + 1,
            "media_details": {"filesize": file.size, "sizes": {}},
            "source_url": self.file_url(dataset, file),
        }  # fmt: skip


def refuse(code, message):
    data = {"status": 400, "params": {}}
    return web.json_response({"code": code, "message": message, "data": data}, status=400)
