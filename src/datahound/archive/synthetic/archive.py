"""A website made by rule, as an archive; with a clock, as a recording over time too."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from html import escape

from datahound.archive.archive import Glance, Recorded, as_head, key
from datahound.archive.synthetic.addresses import (
    Broken,
    Month,
    Moved,
    Picture,
    Place,
    split_session,
)
from datahound.archive.synthetic.bodies import PICTURE, make_body
from datahound.archive.synthetic.clock import WEEK
from datahound.archive.synthetic.layout import make_layout
from datahound.archive.synthetic.pages import Pages
from datahound.archive.synthetic.sections import Article, Hub, Spine
from datahound.archive.synthetic.settings import SyntheticSettings, parse_spec
from datahound.archive.synthetic.targets import DAY, DAY_ZERO, MIME_TYPES, Target
from datahound.errors import ArchiveError
from datahound.model import Answer, Fetch, Response

_HTML = "text/html; charset=utf-8"
_WORDS = {301: "Moved Permanently", 302: "Found", 404: "Not Found", 500: "Internal Server Error"}


def open_synthetic(spec: str) -> "SyntheticArchive":
    """The website that a spec names: a preset or none, then settings as in a URL's query."""
    return SyntheticArchive(parse_spec(spec), spec)


class SyntheticArchive:
    """Answers every fetch from a rule: nothing is stored, and the same URL is always the same."""

    def __init__(self, settings: SyntheticSettings, name: str | None = None) -> None:
        self.settings = settings
        self.name = name or f"synthetic:{settings.name}"
        self._layout = make_layout(settings)
        self._pages = Pages(self._layout)
        self._find = self._layout.addresses.find
        self.seed = self._layout.addresses.hub(Hub(self._layout.sections[0], Spine(0, 0)))

    def targets(self) -> Iterator[str]:
        """The URLs of all targets, which can all be reached from the seed."""
        layout = self._layout
        return (layout.addresses.target(layout.targets[n]) for n in layout.files())

    def get(self, fetch: Fetch) -> Answer | None:
        """What the website answers; None for hosts that are not its own."""
        url = key(fetch.url)
        if not self._layout.addresses.knows_host(url):
            return None
        place, session = self._place(url)
        response = self._response(fetch.url, place, session)
        return as_head(response) if fetch.method == "HEAD" else response

    def put(self, fetch: Fetch, answer: Answer) -> None:  # noqa: ARG002
        """Nothing can be recorded into a rule."""
        raise ArchiveError(f"{self.name} is made by rule: nothing can be recorded into it")

    def glance(self, url: str) -> Glance | None:
        """What a URL is, without making it; the size of a page is not known before it is made."""
        url = key(url)
        if not self._layout.addresses.knows_host(url):
            return None
        return _glance(url, self._place(url)[0])

    def __iter__(self) -> Iterator[Recorded]:
        """Every exchange, made one at a time: pages with the odd links they have, then targets."""
        for url in self._urls():
            fetch = Fetch(url)
            answer = self.get(fetch)
            if answer is not None:
                yield Recorded(fetch, answer)

    def close(self) -> None:
        """Nothing to give back."""

    def _urls(self) -> Iterator[str]:
        layout = self._layout
        for place in layout.pages():
            if isinstance(place, Hub):
                yield layout.addresses.hub(place)
                continue
            yield layout.addresses.article(*place)
            yield from filter(None, layout.oddities(place))
        for number in layout.files():
            target = layout.targets[number]
            yield layout.addresses.target(target)
            if target.moved:
                yield layout.addresses.link_to(target)

    def _place(self, url: str) -> tuple[Place | None, str]:
        # Without traps a session id makes an unknown URL.
        if self.settings.traps:
            url, session = split_session(url)
            return self._find(url), session
        return self._find(url), ""

    def _response(self, url: str, place: Place | None, session: str) -> Response:
        match place:
            case Article():
                return _page(url, 200, self._pages.article(place, session))
            case Hub():
                return _page(url, 200, self._pages.hub(place, session))
            case Target():
                return self._file(url, place)
            case Moved(location, status):
                return _page(url, status, _notice(status, location), {"location": location})
            case Picture():
                return Response(
                    url, 200, _headers("image/png", len(PICTURE)), PICTURE, len(PICTURE)
                )
            case Month():
                return _page(url, 200, self._pages.month(place))
            case Broken():
                return _page(url, 500, _notice(500, url))
        return _page(url, 404, _notice(404, url))

    def _file(self, url: str, target: Target) -> Response:
        headers = _headers(MIME_TYPES[target.format], target.size)
        headers["last-modified"] = target.modified
        if self.settings.days is not None:
            headers["etag"] = f'"{target.number}-{target.revision.number}"'
        if target.hidden:
            name = f"{target.slug}-{target.number}.{target.format}"
            headers["content-disposition"] = f'attachment; filename="{name}"'
        # Experiments count bytes and never look at them.
        if not self.settings.bodies:
            return Response(url, 200, headers, b"", target.size, truncated=True)
        # A file of gigabytes is announced with its size, and made small.
        made = min(target.size, self.settings.max_body)
        body = make_body(target, made)
        return Response(url, 200, headers, body, target.size, truncated=made < target.size)


def _page(url: str, status: int, body: bytes, more: Mapping[str, str] | None = None) -> Response:
    return Response(url, status, {**_headers(_HTML, len(body)), **(more or {})}, body, len(body))


def _headers(mime_type: str, size: int) -> dict[str, str]:
    return {"content-type": mime_type, "content-length": str(size)}


def _notice(status: int, url: str) -> bytes:
    """The small page that servers send with redirects and errors."""
    words = f"{status} {_WORDS[status]}"
    link = f'<p><a href="{escape(url)}">{escape(url)}</a></p>' if status < 400 else ""
    html = f"<html><head><title>{words}</title></head><body><h1>{words}</h1>{link}</body></html>\n"
    return html.encode()


def _glance(url: str, place: Place | None) -> Glance:
    match place:
        case Target():
            return Glance(url, 200, MIME_TYPES[place.format], place.size, "")
        case Moved(location, status):
            return Glance(url, status, _HTML, 0, location)
        case Picture():
            return Glance(url, 200, "image/png", len(PICTURE), "")
        case Broken() | None:
            return Glance(url, 404 if place is None else 500, _HTML, 0, "")
    return Glance(url, 200, _HTML, 0, "")


class SyntheticLapse:
    """A synthetic website as of day 0, of each week after it, and of its last day."""

    def __init__(self, spec: str) -> None:
        settings = parse_spec(spec)
        last = settings.days or 0
        days = [*range(0, last, WEEK), last]
        self._rounds = [SyntheticArchive(replace(settings, days=day)) for day in days]
        self.name, self.seed = settings.name, self._rounds[0].seed
        self.dates = [float(DAY_ZERO + DAY * day) for day in days]
        self._seen: dict[tuple[str, bytes], int] = {}

    def __len__(self) -> int:
        return len(self.dates)

    def version(self, url: str, number: int) -> int | None:
        """A round in which a URL has the same answer as in this one."""
        found = self.find(url, number)
        answer = found.answer if found else None
        if answer is None:
            return None
        digest = sha256(repr(answer).encode()).digest()
        return self._seen.setdefault((url, digest), number)

    def find(self, url: str, number: int) -> Recorded | None:
        """The answer of a URL in a round."""
        fetch = Fetch(url)
        answer = self._rounds[number].get(fetch)
        return Recorded(fetch, answer) if answer is not None else None

    def close(self) -> None:
        """Nothing to give back."""
