"""Readers: an answer in, a page out; one module for each format."""

from dataclasses import replace

from datahound.model import Page, Response
from datahound.readers.file_list import FILE_LIST as FILE_LIST
from datahound.readers.file_list import MAX_LIST_BYTES as MAX_LIST_BYTES
from datahound.readers.file_list import may_name_files as may_name_files
from datahound.readers.file_list import read_file_list
from datahound.readers.html import HtmlReader
from datahound.readers.html import read_text as read_text
from datahound.readers.link_sources import SCRIPT_FILE as SCRIPT_FILE
from datahound.readers.listing import make_endpoint as make_endpoint
from datahound.readers.lists import read_listing as read_listing
from datahound.readers.portals import platform_titles as platform_titles
from datahound.readers.portals import recognize
from datahound.readers.portals.tables import add_queries as add_queries
from datahound.readers.sitemap import find_sitemaps as find_sitemaps
from datahound.readers.sitemap import make_sitemap_link as make_sitemap_link
from datahound.settings import PageSettings
from datahound.web.targets import mime_type_of
from datahound.web.types import looks_like_html


class Readers:
    """Reads an answer with the reader of its MIME type."""

    def __init__(self, settings: PageSettings | None = None) -> None:
        self._html = HtmlReader(settings)

    def read(self, response: Response) -> Page | None:
        """The links of an answer and what could not be followed; None if no reader knows its type.

        Targets are read, too: a feed is a file, and has links.
        """
        if not is_readable(response):
            return read_file_list(response)
        page = self._html.read(response)
        endpoints = recognize(response.url, response.body, response.headers)
        return replace(page, endpoints=endpoints) if endpoints else page


def may_have_links(response: Response) -> bool:
    """Whether an answer is a page, or a file that may name others if it is not large."""
    is_short = 0 < response.size <= MAX_LIST_BYTES
    return is_readable(response) or (is_short and may_name_files(response))


def names_no_files(response: Response) -> bool:
    """Whether an answer is a file that was read for the names of others, and has none."""
    return response.page is None and may_name_files(response) and not is_readable(response)


def is_readable(response: Response) -> bool:
    """Whether an answer is a page, by its MIME type."""
    mime_type = mime_type_of(response)
    # As in browsers, an answer without a type is a page if it begins like one.
    return "html" in mime_type or (not mime_type and looks_like_html(response.body))
