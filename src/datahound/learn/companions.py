"""Files that belong to pages by their names: where a page's file stands, without reading the page.

A site that keeps one file for each page mostly names the one after the other: `gdp.html` and
`gdp.csv`, `/indicators/1-2-1/` and `/data/1-2-1.csv`, `/a/gdp.html` and `/sources/a/gdp.txt`,
`view?id=7` and `download?id=7`.
"""

import re
from array import array
from bisect import insort
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

_ENOUGH = 3
"""Pages with a file of one template before it is taken for a rule."""
_SURE = 0.8
"""How likely a file has to be there for it to be asked for."""
_WEIGHT = 2.0
"""Pages that the wider scope counts for, in what is expected in a narrower one."""
_MOST_TEMPLATES = 4096
"""Those that were met longest ago are forgotten."""
_MOST_COUNTS = 1 << 16
"""Scopes met later have no counts of their own."""
_MOST_BEGINNINGS = 1 << 14
"""Beginnings of names are not counted when there are so many counts: each name may have its own."""
_MOST_FILES = 100
"""Of one page; where there are more, none is the page's own."""
_MOST_VALUES = 3
_MOST_SEGMENTS = 4
"""Directories that may be part of a name."""
_HOST = 3
"""Segments of a URL up to its host."""
_INDEX = frozenset({"index", "default"})
_DIRECTORY, _NAME = "<dir>", "<name>"
"""What no URL holds, in its canonical form."""
_ANY = "*"
_BEGINNING = re.compile(r"[^\W\d_]*[\W_]*")


class Companions:
    """Learns rules from a page's URL to its file's, and how far each can be relied on, where.

    A rule is a template of files' URLs for pages of one form. How often it held is counted for the
    whole site, for a section, for a directory and for names there that begin alike; each leans on
    the one before. Pages that were read count, and files that were asked for.

    >>> companions = Companions()
    >>> for name in ("a", "b", "c"):
    ...     companions.learn(f"https://e.example/{name}.html", [f"https://e.example/{name}.csv"])
    >>> companions.guess("https://e.example/d.html")
    ['https://e.example/d.csv']
    """

    def __init__(self) -> None:
        self._templates: OrderedDict[tuple[str, str], int] = OrderedDict()
        """By form and template: the pages that had such a file."""
        self._rules: dict[str, list[str]] = {}
        """By form: the templates that enough pages had, in an order that a snapshot keeps."""
        self._read: dict[int, int] = {}
        """Pages that were read, by form and scope."""
        self._held: dict[int, int] = {}
        self._asked: dict[int, int] = {}
        """Files that were there, and those that were asked for; by form, template and scope."""

    def learn(self, page: str, files: Sequence[str]) -> None:
        """A page was read: the files that no page before it had."""
        for named in _names_in(page):
            _count(self._read, named)
            if len(files) > _MOST_FILES:
                continue
            for template in dict.fromkeys(_templates(files, named)):
                self._meet(named.form, template)
                _count(self._held, named, template)

    def rule(self, page: str, file: str) -> str:
        """How a file's URL follows from its page's: the same for pages of one kind."""
        found = (
            f"{named.form} {t}" for named in _names_in(page) for t in _templates([file], named)
        )
        return next(found, "")

    def note(self, page: str, file: str, *, found: bool) -> None:
        """A file was asked for that a page was expected to have."""
        for named in _names_in(page):
            for template in _templates([file], named):
                _count(self._asked, named, template)
                if found:
                    _count(self._held, named, template)

    def guess(self, page: str) -> list[str]:
        """The files that a page most probably has."""
        if not self._rules:
            return []
        files = (
            template.replace(_DIRECTORY, named.directory).replace(_NAME, named.name)
            for named in _names_in(page)
            for template in self._rules.get(named.form, ())
            if self._chance(named, template) >= _SURE
        )
        return list(dict.fromkeys(files))

    def snapshot(self) -> dict[str, Any]:
        return {
            "templates": [[*key, pages] for key, pages in self._templates.items()],
            **{name: _packed(counts) for name, counts in self._counts.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._templates.clear()
        self._rules.clear()
        for form, template, pages in state["templates"]:
            self._templates[form, template] = pages
            if pages >= _ENOUGH:
                insort(self._rules.setdefault(form, []), template)
        for name, counts in self._counts.items():
            counts.clear()
            counts.update(zip(state[name]["numbers"], state[name]["counts"], strict=True))

    @property
    def _counts(self) -> dict[str, dict[int, int]]:
        return {"read": self._read, "held": self._held, "asked": self._asked}

    def _meet(self, form: str, template: str) -> None:
        """One more page has a file of a template."""
        key = form, template
        self._templates[key] = self._templates.get(key, 0) + 1
        self._templates.move_to_end(key)
        if self._templates[key] == _ENOUGH:
            insort(self._rules.setdefault(form, []), template)
        if len(self._templates) > _MOST_TEMPLATES:
            (form, template), pages = self._templates.popitem(last=False)
            if pages >= _ENOUGH:
                self._rules[form].remove(template)

    def _chance(self, named: "_Named", template: str) -> float:
        """How likely a page of this name has a file by a rule."""
        chance = 0.0
        for scope in named.scopes:
            number = _number(named.form, scope, template)
            held = self._held.get(number, 0)
            seen = self._read.get(_number(named.form, scope, ""), 0) + self._asked.get(number, 0)
            chance = (held + _WEIGHT * chance) / (max(seen, held) + _WEIGHT)
        return chance


class _Named(NamedTuple):
    """A page's URL, parted: its form, what stands before the name, the name, and its scopes."""

    form: str
    directory: str
    name: str
    scopes: tuple[str, ...]
    """From the whole site to what is nearest."""


def _names_in(url: str) -> Iterator[_Named]:
    """The ways to find a name in a page's URL: its last segment, its path, a value of its query.

    >>> [(named.form, named.name) for named in _names_in("https://e.example/gdp/index.html")]
    [('/index.html', 'gdp')]
    >>> [(named.form, named.name) for named in _names_in("https://e.example/a/gdp.html")]
    [('.html', 'gdp'), ('https://e.example/<name>.html', 'a/gdp')]
    >>> [(named.form, named.name) for named in _names_in("https://e.example/view?id=7")]
    [('https://e.example/view?id=<name>', '7')]
    """
    path, _, query = url.partition("?")
    if query:
        yield from _values_in(path, query.split("&"))
        return
    directory, _, last = path.rpartition("/")
    stem, dot, extension = last.rpartition(".")
    name, form = (stem, dot + extension) if stem else (last, "")
    if not name or name in _INDEX:
        form = "/" + last
        directory, _, name = directory.rpartition("/")
    segments = directory.split("/")
    if len(segments) < _HOST:
        return
    section = "/".join(segments[: _HOST + 1])
    alike = f"{directory}/{_beginning(name)}"
    yield _Named(form, directory, name, ("", section + "/", directory, alike))
    for depth in range(max(_HOST, len(segments) - _MOST_SEGMENTS), len(segments)):
        above, below = "/".join(segments[:depth]), "/".join(segments[depth:])
        yield _Named(f"{above}/{_NAME}{form}", above, f"{below}/{name}", ("", directory))


def _values_in(path: str, pairs: list[str]) -> Iterator[_Named]:
    directory = path.rpartition("/")[0]
    for place, pair in enumerate(pairs[:_MOST_VALUES]):
        key, _, value = pair.partition("=")
        if value:
            others = [*pairs[:place], f"{key}={_NAME}", *pairs[place + 1 :]]
            form = f"{path}?{'&'.join(others)}"
            yield _Named(form, directory, value, ("", path, _beginning(value)))


def _beginning(name: str) -> str:
    """What names of one kind have in common: their first word, and what stands behind it.

    >>> _beginning("mgp00015"), _beginning("value--gdp"), _beginning("17")
    ('mgp*', 'value--*', '*')
    """
    found = _BEGINNING.match(name)
    return f"{found.group() if found else ''}{_ANY}"


def _templates(files: Iterable[str], named: _Named) -> Iterator[str]:
    """For each file that is named for the page: its URL, with what is the page's left out."""
    directories, _, _ = named.name.rpartition("/")
    for file in files:
        rest = file.removeprefix(named.directory + "/")
        if directories and rest.startswith(directories + "/"):
            # It stands below the page's own directory: its last segment says as much.
            continue
        template = _without(named.name, rest)
        if template != rest:
            yield f"{_DIRECTORY}/{template}" if rest != file else template


def _without(name: str, text: str) -> str:
    """A text with a mark wherever a name stands in it as a whole.

    >>> _without("12", "data/12/2012-12.csv")
    'data/<name>/2012-<name>.csv'
    """
    first, *others = text.split(name)
    marked = first
    for other in others:
        is_whole = not (marked[-1:].isalnum() or other[:1].isalnum())
        marked += (_NAME if is_whole else name) + other
    return marked


def _number(form: str, scope: str, template: str) -> int:
    texts = (form, scope, template)
    digest = blake2b("\n".join(texts).encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest)


def _count(counts: dict[int, int], named: _Named, template: str = "") -> None:
    """One more of a kind, in each scope."""
    for scope in named.scopes:
        number = _number(named.form, scope, template)
        room = _MOST_BEGINNINGS if scope.endswith(_ANY) else _MOST_COUNTS
        if number in counts or len(counts) < room:
            counts[number] = counts.get(number, 0) + 1


def _packed(counts: dict[int, int]) -> dict[str, Any]:
    return {"numbers": array("Q", counts.keys()), "counts": array("q", counts.values())}
