"""URLs in canonical form and how they join, by the rules that browsers follow (WHATWG)."""

import ada_url

_SCHEMES = ("http://", "https://")
# A full cache is emptied: to find the oldest entries would cost more than to join again.
_CACHE_SIZE = 200_000


def canonical(url: str) -> str | None:
    """The URL as every part of Datahound compares it: no fragment; None if it is not http(s).

    >>> canonical("HTTP://Example.org:80/a/../b?q=1#top")
    'http://example.org/b?q=1'
    """
    try:
        href = ada_url.normalize_url(url)
    except ValueError:
        return None
    return _web_address(href)


def join(base: str, reference: str) -> str | None:
    """The canonical URL of a reference on a page, or None.

    >>> join("https://example.org/a/b.html", "../data.csv#row=3")
    'https://example.org/data.csv'
    """
    try:
        href = ada_url.join_url(base, reference)
    except ValueError:
        return None
    return _web_address(href)


def from_user(text: str) -> str | None:
    """The canonical URL that a person meant, with or without a scheme.

    >>> from_user("example.org/data")
    'https://example.org/data'
    """
    text = text.strip()
    return canonical(text if "://" in text else f"https://{text}")


def host_of(url: str) -> str:
    """The host of a canonical URL, without its port.

    >>> host_of("https://data.example.org:8080/x")
    'data.example.org'
    """
    authority = url.split("/", 3)[2]
    host = authority.rpartition("@")[2]
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def origin_and_path(url: str) -> tuple[str, str]:
    """The origin of a canonical URL, and all the rest, which begins with a slash.

    >>> origin_and_path("https://example.org:8080/a/b?x=1")
    ('https://example.org:8080', '/a/b?x=1')
    """
    end = url.find("/", url.find("//") + 2)
    return (url[:end], url[end:]) if end > 0 else (url, "/")


def port_of(url: str) -> str:
    """The port that a canonical URL names, or '' for the default port of its scheme.

    >>> port_of("https://example.org:8080/a"), port_of("http://[::1]/a")
    ('8080', '')
    """
    authority = origin_and_path(url)[0].rpartition("@")[2]
    return authority.rpartition("]")[2].partition("//")[2].partition(":")[2]


def path_of(url: str) -> str:
    """The path of a canonical URL, without its query and the body that is posted to it.

    >>> path_of("https://example.org/a/b.csv?v=2")
    '/a/b.csv'
    """
    return "/" + url.partition("#")[0].partition("?")[0].split("/", 3)[3]


def extension_of(url: str) -> str:
    """The extension of a canonical URL's last path segment, lower case, with its dot, or ''.

    >>> extension_of("https://example.org/a.b/Report.PDF?x=.zip")
    '.pdf'
    """
    segment = path_of(url).rpartition("/")[2]
    stem, dot, extension = segment.rpartition(".")
    return dot + extension.lower() if stem else ""


class Joiner:
    """A cache of `join`: the menus of a site repeat on every page."""

    def __init__(self) -> None:
        self._joined: dict[tuple[str, str], str | None] = {}

    def join(self, base: str, reference: str) -> str | None:
        key = (_relevant(base, reference), reference)
        try:
            return self._joined[key]
        except KeyError:
            if len(self._joined) >= _CACHE_SIZE:
                self._joined.clear()
            url = self._joined[key] = join(base, reference)
            return url


def _relevant(base: str, reference: str) -> str:
    """The part of the base that the result depends on."""
    if reference.startswith(_SCHEMES):
        return ""
    if reference[:1] == "/":
        return base[: base.find("/", 8) + 1]
    # Relative to the directory, so pages of one directory share the cache.
    if reference[:1].isalnum() and ":" not in reference:
        return base.partition("?")[0].rpartition("/")[0]
    return base


def _web_address(href: str) -> str | None:
    return href.partition("#")[0] if href.startswith(_SCHEMES) else None
