"""How files are named after pages: the names in a page's URL, and files' URLs without them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

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


class Named(NamedTuple):
    """A page's URL, parted: its form, what stands before the name, the name, and its scopes."""

    form: str
    directory: str
    name: str
    scopes: tuple[str, ...]
    """From the whole site to what is nearest."""

    def file(self, template: str) -> str:
        """The file of a template that belongs to the page."""
        return template.replace(_DIRECTORY, self.directory).replace(_NAME, self.name)


def names_in(url: str) -> Iterator[Named]:
    """The ways to find a name in a page's URL: its path, its last segment, a value of its query.

    >>> [(named.form, named.name) for named in names_in("https://e.example/gdp/index.html")]
    [('/index.html', 'gdp')]
    >>> [(named.form, named.name) for named in names_in("https://e.example/a/gdp.html")]
    [('https://e.example/<name>.html', 'a/gdp'), ('.html', 'gdp')]
    >>> [(named.form, named.name) for named in names_in("https://e.example/view?id=7")]
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
    if not name or len(segments) < _HOST:
        return
    for depth in range(max(_HOST, len(segments) - _MOST_SEGMENTS), len(segments)):
        above, below = "/".join(segments[:depth]), "/".join(segments[depth:])
        yield Named(f"{above}/{_NAME}{form}", above, f"{below}/{name}", ("", directory))
    section = "/".join(segments[: _HOST + 1])
    alike = f"{directory}/{_beginning(name)}"
    yield Named(form, directory, name, ("", section + "/", directory, alike))


def template_of(file: str, names: list[Named]) -> tuple[Named, str] | None:
    """How a file is named after its page, if it is: by which name, and its URL without that.

    The longest name that stands in it counts.
    """
    for named in names:
        rest = file.removeprefix(named.directory + "/")
        directories, _, _ = named.name.rpartition("/")
        if directories and rest.startswith(directories + "/"):
            # It stands below the page's own directory: its last segment says as much.
            continue
        template = _without(named.name, rest)
        if template != rest:
            return named, f"{_DIRECTORY}/{template}" if rest != file else template
    return None


def is_beginning(scope: str) -> bool:
    """Whether a scope is that of names that begin alike."""
    return scope.endswith(_ANY)


def _values_in(path: str, pairs: list[str]) -> Iterator[Named]:
    directory = path.rpartition("/")[0]
    for place, pair in enumerate(pairs[:_MOST_VALUES]):
        key, _, value = pair.partition("=")
        if value:
            others = [*pairs[:place], f"{key}={_NAME}", *pairs[place + 1 :]]
            form = f"{path}?{'&'.join(others)}"
            yield Named(form, directory, value, ("", path, _beginning(value)))


def _beginning(name: str) -> str:
    """What names of one kind have in common: their first word, and what stands behind it.

    >>> _beginning("mgp00015"), _beginning("value--gdp"), _beginning("17")
    ('mgp*', 'value--*', '*')
    """
    found = _BEGINNING.match(name)
    return f"{found.group() if found else ''}{_ANY}"


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
