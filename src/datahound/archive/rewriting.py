"""All hosts of a site under one address: `https://a.org/x` as `http://127.0.0.1:80/https/a.org/x`."""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser

from datahound.model import Response
from datahound.readers.html_bytes import to_utf8
from datahound.readers.markup_limits import limit_markup
from datahound.web.messages import parse_content_type
from datahound.web.site import Site
from datahound.web.urls import Joiner, join

_ADDRESSES = ("href", "src", "action")
_HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class HostRewriter:
    """Rewrites the URLs of a site to a local address and back; other URLs stay as they are."""

    site: Site
    address: str
    joiner: Joiner = field(default_factory=Joiner, compare=False, repr=False)

    def to_local(self, url: str) -> str:
        """The local URL of a canonical URL."""
        if not self.site.admits(url):
            return url
        scheme, _, rest = url.partition("://")
        return f"{self.address}/{scheme}/{rest}"

    def to_original(self, target: str) -> str | None:
        """The original URL of a request target, or None."""
        scheme, _, rest = target.removeprefix("/").partition("/")
        return f"{scheme}://{rest}" if scheme in ("http", "https") and rest else None

    def rewrite_location(self, page: str, location: str) -> str:
        url = join(page, location)
        return location if url is None else self.to_local(url)

    def rewrite_page(self, response: Response) -> bytes:
        """An HTML body whose addresses lead to the local site, in UTF-8."""
        tree = LexborHTMLParser(limit_markup(to_utf8(response.body, response.headers)))
        node = tree.css_first("base[href]")
        said = node.attributes.get("href") if node is not None else None
        base = (said and join(response.url, said)) or response.url
        for name in _ADDRESSES:
            for node in tree.css(f"[{name}]"):
                reference = (node.attributes.get(name) or "").strip()
                node.attrs[name] = self._rewrite_reference(base, reference)
        return (tree.html or "").encode("utf-8", "replace")

    def _rewrite_reference(self, base: str, reference: str) -> str:
        # A fragment leads to the same page; resolved against a <base> it would leave it.
        if reference.startswith("#"):
            return reference
        url = self.joiner.join(base, reference)
        if url is None:
            return reference
        _, mark, fragment = reference.partition("#")
        return self.to_local(url) + mark + fragment


def is_html(response: Response) -> bool:
    """Whether a response is a page whose addresses can be rewritten."""
    content_type = parse_content_type(response.headers.get("content-type", ""))
    return content_type is not None and content_type.essence in _HTML
