"""Rules from a page's URL to its file's URL, so that the file is collected before the page is read.

A site with one file per page mostly gives both the same name: `gdp.html` and `gdp.csv`,
`/indicators/1-2-1/` and `/data/1-2-1.csv`, `/a/gdp.html` and `/sources/a/gdp.txt`, `view?id=7` and
`download?id=7`.
"""

import re
from array import array
from bisect import insort
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

_MIN_PAGES = 3
"""Pages with a file of one template before the template becomes a rule."""
_MIN_CHANCE = 0.8
"""A file is requested if it exists with at least this probability."""
_PRIOR_WEIGHT = 2.0
"""How many pages the estimate for the wider scope counts as, in that for a narrower one."""
_MAX_TEMPLATES = 4096
"""Beyond that, the template that was met longest ago is dropped."""
_MAX_COUNTS = 1 << 16
"""Scopes met later are not counted."""
_MAX_PREFIX_COUNTS = 1 << 14
"""The same for prefixes of names, since every name may have its own."""
_MAX_FILES = 100
"""On one page; a page with more is a list, whose files belong to other pages."""
_MAX_RULES = 16
"""Per form of pages; beyond that, the rule with the fewest pages is dropped."""
_MAX_KINDS = 256
_MAX_MISSES = 8
"""Consecutive files that do not exist, after which no more are requested in a directory."""
_MAX_DUE = 1024
_PROOF_INTERVAL = 64
"""The page of every 64th file of a rule is read as proof, and those of the files 1, 2, 4, 8 ..."""
_MAX_DOUBTS = 2
"""Consecutive pages without a link to their file, after which a rule is not used any more."""

_MAX_VALUES = 3
_MAX_DIRECTORIES = 4
"""Directories that may be part of a name."""
_HOST = 3
"""Segments of a URL up to its host."""
_INDEX = frozenset({"index", "default"})
_DIRECTORY, _NAME = "<dir>", "<name>"
"""Placeholders in templates; no canonical URL contains them."""
_ANY = "*"
_PREFIX = re.compile(r"[^\W\d_]*[\W_]*")

_Rule = tuple[str, str]
"""The form of pages' URLs, and the template of their files' URLs."""


class Named(NamedTuple):
    """A page's URL, split: its form, what precedes the name, the name, and the scopes."""

    form: str
    directory: str
    name: str
    scopes: tuple[str, ...]
    """From the whole site to the narrowest."""

    def fill_template(self, template: str) -> str:
        """The URL of the page's file by a template."""
        return template.replace(_DIRECTORY, self.directory).replace(_NAME, self.name)


_Prediction = tuple[str, Named, str]
"""A file's URL, and the page's name and the template that it follows from."""


class FileRules:
    """Learns templates of files' URLs for pages of one form, and where each template holds.

    P(file exists) is estimated from the widest scope to the narrowest: the site, the section, the
    directory, the names there with one prefix. With P_0 = 0 and k = 2,
    P_i = (held_i + k · P_i-1) / (read_i + requested_i + k),
    where held counts files that were linked or found, read the pages that were read, requested
    the files that were requested. A file is requested if P ≥ 0.8.

    Some servers answer every name with a file. So the pages of a rule's first files, and of every
    64th file, are read soon as proof; a rule ends if two in a row do not link to their file.

    >>> rules = FileRules()
    >>> for name in ("a", "b", "c"):
    ...     rules.learn_page(f"https://e.example/{name}.html", [f"https://e.example/{name}.csv"])
    >>> rules.predict_files("https://e.example/d.html")
    ['https://e.example/d.csv']
    """

    def __init__(self) -> None:
        self._templates: OrderedDict[_Rule, int] = OrderedDict()
        """Pages that had a file of each form and template."""
        self._rules: dict[str, list[str]] = {}
        """By form: the templates that enough pages had, sorted."""
        self._read: dict[int, int] = {}
        """Pages that were read, by form and scope."""
        self._held: dict[int, int] = {}
        self._requested: dict[int, int] = {}
        """Files that exist, and files that were requested, by form, scope and template."""
        self._misses: dict[int, int] = {}
        """Consecutive files that do not exist, by form, directory and template."""
        self._due: dict[str, _Rule] = {}
        """Pages that are to prove a rule."""
        self._doubts: dict[_Rule, int] = {}
        """Consecutive pages that did not prove a rule."""

    def learn_page(self, page: str, files: Sequence[str], links: Iterable[str] = ()) -> None:
        """Learn from a page: the files that no earlier page had, and all of its links."""
        names = list(split_names(page))
        for named in names:
            _count(self._read, named)
        # Predicted before the files are counted: a page must not prove a rule that it makes.
        predictions = list(self._apply_rules(names))
        linked = {*files, *links} if predictions else set(files)
        held = [(named, template) for file, named, template in predictions if file in linked]
        for named, template in held:
            self._count_held(named, template)
        self._check_proof(page, [(named.form, template) for named, template in held])
        known = {(named.form, template) for _, named, template in predictions}
        for file in files if len(files) <= _MAX_FILES else ():
            found = find_template(file, names)
            if found is not None:
                named, template = found
                self._count_template((named.form, template))
                if (named.form, template) not in known:
                    _count(self._held, named, template)

    def learn_request(self, page: str, file: str, *, found: bool) -> None:
        """Learn whether a file that was predicted for a page was found."""
        for predicted, named, template in self._apply_rules(split_names(page)):
            if predicted != file:
                continue
            _count(self._requested, named, template)
            if found:
                self._count_held(named, template)
                self._ask_for_proof(page, (named.form, template))
            else:
                _add(self._misses, _key(named.form, named.directory, template), _MAX_COUNTS)

    def predict_files(self, page: str) -> list[str]:
        """The files that a page most probably has."""
        if not self._rules:
            return []
        predictions = self._apply_rules(split_names(page))
        sure = (file for file, named, template in predictions if self._is_sure(named, template))
        return list(dict.fromkeys(sure))

    def needs_proof(self, page: str) -> bool:
        """Whether a page is to be read soon as proof, though its file was collected."""
        return page in self._due

    def name_kind(self, page: str, file: str) -> str:
        """One name for all pages whose files were found by the same rule."""
        rules = self._apply_rules(split_names(page))
        keys = (_key(named.form, "", template) for url, named, template in rules if url == file)
        # A bounded number of names, since each makes groups of the bandit.
        return f"rule {next(keys, 0) % _MAX_KINDS}"

    def snapshot(self) -> dict[str, Any]:
        return {
            "templates": [[*rule, pages] for rule, pages in self._templates.items()],
            "rules": [[form, *templates] for form, templates in self._rules.items()],
            "due": [[page, *rule] for page, rule in self._due.items()],
            "doubts": [[*rule, doubts] for rule, doubts in self._doubts.items()],
            **{name: _pack(counts) for name, counts in self._counts.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        templates = state["templates"]
        self._templates = OrderedDict(((form, text), pages) for form, text, pages in templates)
        self._rules = {form: templates for form, *templates in state["rules"]}
        self._due = {page: (form, template) for page, form, template in state["due"]}
        self._doubts = {(form, template): doubts for form, template, doubts in state["doubts"]}
        for name, counts in self._counts.items():
            counts.clear()
            counts.update(zip(state[name]["keys"], state[name]["counts"], strict=True))

    @property
    def _counts(self) -> dict[str, dict[int, int]]:
        counts = {"read": self._read, "held": self._held}
        return {**counts, "requested": self._requested, "misses": self._misses}

    def _apply_rules(self, names: Iterable[Named]) -> Iterator[_Prediction]:
        for named in names:
            for template in self._rules.get(named.form, ()):
                yield named.fill_template(template), named, template

    def _count_held(self, named: Named, template: str) -> None:
        _count(self._held, named, template)
        self._misses.pop(_key(named.form, named.directory, template), None)

    def _ask_for_proof(self, page: str, rule: _Rule) -> None:
        form, template = rule
        requested = self._requested.get(_key(form, "", template), 0)
        # `n & (n - 1)` is 0 for powers of two.
        is_turn = requested % _PROOF_INTERVAL == 0 or not requested & (requested - 1)
        if (is_turn or rule in self._doubts) and len(self._due) < _MAX_DUE:
            self._due[page] = rule

    def _check_proof(self, page: str, held: Collection[_Rule]) -> None:
        rule = self._due.pop(page, None)
        if rule is None:
            return
        if rule in held:
            self._doubts.pop(rule, None)
        else:
            self._doubts[rule] = self._doubts.get(rule, 0) + 1

    def _count_template(self, rule: _Rule) -> None:
        form, template = rule
        pages = self._templates[rule] = self._templates.get(rule, 0) + 1
        self._templates.move_to_end(rule)
        rules = self._rules.get(form, [])
        if pages >= _MIN_PAGES and template not in rules:
            insort(self._rules.setdefault(form, rules), template)
            if len(rules) > _MAX_RULES:
                rarest = min(rules, key=lambda known: self._templates.get((form, known), 0))
                self._drop_rule((form, rarest))
        if len(self._templates) > _MAX_TEMPLATES:
            self._drop_rule(self._templates.popitem(last=False)[0])

    def _drop_rule(self, rule: _Rule) -> None:
        form, template = rule
        rules = self._rules.get(form, [])
        if template in rules:
            rules.remove(template)
            self._doubts.pop(rule, None)
            if not rules:
                del self._rules[form]

    def _is_sure(self, named: Named, template: str) -> bool:
        if self._doubts.get((named.form, template), 0) >= _MAX_DOUBTS:
            return False
        if self._misses.get(_key(named.form, named.directory, template), 0) >= _MAX_MISSES:
            return False
        return self._estimate_chance(named, template) >= _MIN_CHANCE

    def _estimate_chance(self, named: Named, template: str) -> float:
        chance = 0.0
        for scope in named.scopes:
            key = _key(named.form, scope, template)
            held = self._held.get(key, 0)
            seen = self._read.get(_key(named.form, scope, ""), 0) + self._requested.get(key, 0)
            chance = (held + _PRIOR_WEIGHT * chance) / (seen + _PRIOR_WEIGHT)
        return chance


def split_names(url: str) -> Iterator[Named]:
    """The ways to find a name in a page's URL: its path, its last segment, a value of its query.

    >>> [(named.form, named.name) for named in split_names("https://e.example/gdp/index.html")]
    [('/index.html', 'gdp')]
    >>> [(named.form, named.name) for named in split_names("https://e.example/a/gdp.html")]
    [('https://e.example/<name>.html', 'a/gdp'), ('.html', 'gdp')]
    >>> [(named.form, named.name) for named in split_names("https://e.example/view?id=7")]
    [('https://e.example/view?id=<name>', '7')]
    """
    path, _, query = url.partition("?")
    if query:
        yield from _split_values(path, query.split("&"))
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
    # The longest name first: a template with `/a/b/x` says more than one with `x`.
    for depth in range(max(_HOST, len(segments) - _MAX_DIRECTORIES), len(segments)):
        above, below = "/".join(segments[:depth]), "/".join(segments[depth:])
        yield Named(f"{above}/{_NAME}{form}", above, f"{below}/{name}", ("", directory))
    section = "/".join(segments[: _HOST + 1])
    same_prefix = f"{directory}/{_prefix_of(name)}"
    yield Named(form, directory, name, ("", section + "/", directory, same_prefix))


def find_template(file: str, names: list[Named]) -> tuple[Named, str] | None:
    """The name that a file's URL contains, the longest first, and the URL's template."""
    for named in names:
        rest = file.removeprefix(named.directory + "/")
        directories, _, _ = named.name.rpartition("/")
        if directories and rest.startswith(directories + "/"):
            # The file is below the page's own directory: the last segment alone is enough.
            continue
        template = _mark_name(named.name, rest)
        if template != rest:
            return named, f"{_DIRECTORY}/{template}" if rest != file else template
    return None


def _split_values(path: str, pairs: list[str]) -> Iterator[Named]:
    directory = path.rpartition("/")[0]
    for place, pair in enumerate(pairs[:_MAX_VALUES]):
        key, _, value = pair.partition("=")
        if value:
            others = [*pairs[:place], f"{key}={_NAME}", *pairs[place + 1 :]]
            form = f"{path}?{'&'.join(others)}"
            yield Named(form, directory, value, ("", path, _prefix_of(value)))


def _prefix_of(name: str) -> str:
    """What names of one kind have in common: their first word and the characters after it.

    >>> _prefix_of("mgp00015"), _prefix_of("value--gdp"), _prefix_of("17")
    ('mgp*', 'value--*', '*')
    """
    found = _PREFIX.match(name)
    return f"{found.group() if found else ''}{_ANY}"


def _mark_name(name: str, text: str) -> str:
    """A text with a placeholder for each occurrence of a name as a whole word.

    >>> _mark_name("12", "data/12/2012-12.csv")
    'data/<name>/2012-<name>.csv'
    """
    first, *others = text.split(name)
    marked = first
    for other in others:
        # Not inside a word: `1` is not a name in `2015`.
        is_whole = not (marked[-1:].isalnum() or other[:1].isalnum())
        marked += (_NAME if is_whole else name) + other
    return marked


def _key(form: str, scope: str, template: str) -> int:
    texts = (form, scope, template)
    # A hash of 64 bits takes less memory than three texts, and is the same in every process.
    digest = blake2b("\n".join(texts).encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest)


def _count(counts: dict[int, int], named: Named, template: str = "") -> None:
    """Add one in each scope of a name."""
    for scope in named.scopes:
        room = _MAX_PREFIX_COUNTS if scope.endswith(_ANY) else _MAX_COUNTS
        _add(counts, _key(named.form, scope, template), room)


def _add(counts: dict[int, int], key: int, room: int) -> None:
    if key in counts or len(counts) < room:
        counts[key] = counts.get(key, 0) + 1


def _pack(counts: dict[int, int]) -> dict[str, Any]:
    return {"keys": array("Q", counts.keys()), "counts": array("q", counts.values())}
