"""The visible text of a page."""

from selectolax.lexbor import LexborHTMLParser

from datahound.model import Response
from datahound.readers.html_bytes import to_utf8
from datahound.readers.markup_limits import limit_markup

_UNSEEN = ["script", "style", "noscript", "template"]


def read_text(response: Response) -> str:
    """What a reader of the page sees, elements separated by blanks; empty for other types."""
    if "html" not in response.headers.get("content-type", ""):
        return ""
    tree = LexborHTMLParser(limit_markup(to_utf8(response.body, response.headers)))
    tree.strip_tags(_UNSEEN)
    return tree.body.text(separator=" ") if tree.body else ""
