"""DKAN: the catalogue in one document after DCAT-US, and pages of datasets."""

from aiohttp import web

from .portal import Portal


class Dkan(Portal):
    head = '<link rel="stylesheet" href="/profiles/dkan/dkan.css">'

    def list_path(self, page):
        return f"/search/type/dataset?page=0%2C{page - 1}"

    def dataset_path(self, dataset):
        return f"/dataset/{dataset.name}"

    def file_path(self, _, file):
        return f"/sites/default/files/{file.name}"

    def api(self):
        yield web.get("/data.json", self.catalogue)

    async def catalogue(self, _):
        return web.json_response(
            {
                "@context": "https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld",
                "@type": "dcat:Catalog", "@id": f"{self.base}/data.json",
                "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
                "describedBy": "https://project-open-data.cio.gov/v1.1/schema/catalog.json",
                "dataset": [self.entry(dataset) for dataset in self.datasets],
            }
        )  # fmt: skip

    def entry(self, dataset):
        return {
            "@type": "dcat:Dataset", "accessLevel": "public", "identifier": dataset.id,
            "title": dataset.title, "description": dataset.description, "keyword": ["town"],
            "modified": dataset.modified, "license": dataset.licence[2],
            "landingPage": self.landing(dataset),
            "publisher": {"@type": "org:Organization", "name": "Brovik"},
            "contactPoint": {"fn": "Data", "hasEmail": "mailto:data@brovik.example"},
            "distribution": [
                {
                    "@type": "dcat:Distribution", "title": file.title, "format": file.format,
                    "mediaType": file.mime_type, "downloadURL": self.file_url(dataset, file),
                }
                for file in dataset.files
            ],
        }  # fmt: skip
