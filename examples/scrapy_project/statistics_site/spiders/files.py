"""A spider that follows all links of a website and lists the files that it meets."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor


class FilesSpider(scrapy.Spider):
    """Run it as `scrapy crawl files -a url=https://www.example.org/ -O files.csv`."""

    name = "files"

    def __init__(self, url: str, **more: Any) -> None:
        super().__init__(**more)
        self.start_urls = [url]
        self.allowed_domains = [urlsplit(url).hostname]
        self._links = LinkExtractor(deny_extensions=[])

    def parse(self, response: Response) -> Iterator[Any]:
        """An item for a file, requests for a page's links."""
        if not isinstance(response, HtmlResponse):
            content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
            yield {"url": response.url, "type": content_type, "bytes": len(response.body)}
            return
        yield from response.follow_all(self._links.extract_links(response))
