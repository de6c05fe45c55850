"""Readers: an answer in, a page out; one module for each format."""

from datahound.model import Page, Response
from datahound.readers.html import HtmlReader
from datahound.settings import PageSettings
from datahound.web.targets import mime_type_of


class Readers:
    """Reads an answer with the reader of its MIME type."""

    def __init__(self, settings: PageSettings | None = None) -> None:
        self._html = HtmlReader(settings)

    def read(self, response: Response) -> Page | None:
        """The links of an answer and what could not be followed; None if no reader knows its type.

        It is asked for targets too: a feed is a file, and has links.
        """
        return self._html.read(response) if is_readable(response) else None


def is_readable(response: Response) -> bool:
    """Whether there is a reader for the MIME type of an answer."""
    return "html" in mime_type_of(response)
