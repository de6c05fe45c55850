"""Files that belong to pages by their names: where a page's file stands, without reading the page.

A site that keeps one file for each page mostly names the one after the other: `gdp.html` and
`gdp.csv`, `/indicators/1-2-1/` and `/data/1-2-1.csv`, `/a/gdp.html` and `/sources/a/gdp.txt`,
`view?id=7` and `download?id=7`.
"""

from array import array
from bisect import insort
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from datahound.strategies.hound.page_names import Named, is_beginning, names_in, template_of

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
_MOST_RULES = 16
"""For pages of one form: those that fewest pages had are dropped."""
_MOST_KINDS = 256
_MOST_MISSED = 8
"""Files in a row that were not there, before no more are asked for in a directory."""
_MOST_DUE = 1024
_PROOF_EVERY = 64
"""Of so many files of a rule, the page of one is to prove it; of the first ones, more often."""
_MOST_DOUBTS = 2
"""Pages in a row that did not, before it is believed no more."""

_Rule = tuple[str, str]
"""The form of pages' URLs, and the template of their files'."""
_Foretold = tuple[str, Named, str]
"""A file, and what it follows from: a page's name, and a template."""


class Companions:
    """Learns rules from a page's URL to its file's, and how far each can be relied on, where.

    A rule is a template of files' URLs for pages of one form. How often it held is counted for the
    whole site, for a section, for a directory and for names there that begin alike; each leans on
    the one before. Pages that were read count, and files that were asked for. Of a rule's first
    files, and of ever fewer later, the pages are to be read soon, as proof that they link to them:
    some servers have a file for every name.

    >>> companions = Companions()
    >>> for name in ("a", "b", "c"):
    ...     companions.learn(f"https://e.example/{name}.html", [f"https://e.example/{name}.csv"])
    >>> companions.guess("https://e.example/d.html")
    ['https://e.example/d.csv']
    """

    def __init__(self) -> None:
        self._templates: OrderedDict[_Rule, int] = OrderedDict()
        """By form and template: the pages that had such a file."""
        self._rules: dict[str, list[str]] = {}
        """By form: the templates that enough pages had, in the order of the alphabet."""
        self._read: dict[int, int] = {}
        """Pages that were read, by form and scope."""
        self._held: dict[int, int] = {}
        self._asked: dict[int, int] = {}
        """Files that were there, and those that were asked for; by form, scope and template."""
        self._missed: dict[int, int] = {}
        """Files asked for in a row that were not there, by form, directory and template."""
        self._due: dict[str, _Rule] = {}
        """Pages that are to prove a rule."""
        self._doubts: dict[_Rule, int] = {}
        """Pages in a row that were to prove a rule and did not."""

    def learn(self, page: str, files: Sequence[str], links: Iterable[str] = ()) -> None:
        """A page was read: the files that no page before it had, and all of its links."""
        names = list(names_in(page))
        for named in names:
            _count(self._read, named)
        foretold = list(self._foretold(names))
        linked = {*files, *links} if foretold else set(files)
        held = [(named, template) for file, named, template in foretold if file in linked]
        for named, template in held:
            self._hold(named, template)
        self._prove(page, [(named.form, template) for named, template in held])
        known = {(named.form, template) for _, named, template in foretold}
        for file in files if len(files) <= _MOST_FILES else ():
            found = template_of(file, names)
            if found is not None:
                named, template = found
                self._meet((named.form, template))
                if (named.form, template) not in known:
                    _count(self._held, named, template)

    def note(self, page: str, file: str, *, found: bool) -> None:
        """A file was asked for that a page was expected to have."""
        for foretold, named, template in self._foretold(names_in(page)):
            if foretold == file:
                _count(self._asked, named, template)
                if found:
                    self._hold(named, template)
                    self._ask_for_proof(page, (named.form, template))
                else:
                    _add(self._missed, _number(named.form, named.directory, template), _MOST_COUNTS)

    def guess(self, page: str) -> list[str]:
        """The files that a page most probably has."""
        if not self._rules:
            return []
        foretold = self._foretold(names_in(page))
        sure = (file for file, named, template in foretold if self._is_sure(named, template))
        return list(dict.fromkeys(sure))

    def is_due(self, page: str) -> bool:
        """Whether a page is to be read soon, though its file was collected."""
        return page in self._due

    def kind(self, page: str, file: str) -> str:
        """What pages have in common whose files were found by one rule."""
        rules = self._foretold(names_in(page))
        found = (_number(named.form, "", template) for f, named, template in rules if f == file)
        return f"rule {next(found, 0) % _MOST_KINDS}"

    def snapshot(self) -> dict[str, Any]:
        return {
            "templates": [[*rule, pages] for rule, pages in self._templates.items()],
            "rules": [[form, *templates] for form, templates in self._rules.items()],
            "due": [[page, *rule] for page, rule in self._due.items()],
            "doubts": [[*rule, doubts] for rule, doubts in self._doubts.items()],
            **{name: _packed(counts) for name, counts in self._counts.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        templates = state["templates"]
        self._templates = OrderedDict(((form, text), pages) for form, text, pages in templates)
        self._rules = {form: templates for form, *templates in state["rules"]}
        self._due = {page: (form, template) for page, form, template in state["due"]}
        self._doubts = {(form, template): doubts for form, template, doubts in state["doubts"]}
        for name, counts in self._counts.items():
            counts.clear()
            counts.update(zip(state[name]["numbers"], state[name]["counts"], strict=True))

    @property
    def _counts(self) -> dict[str, dict[int, int]]:
        counts = (self._read, self._held, self._asked, self._missed)
        return dict(zip(("read", "held", "asked", "missed"), counts, strict=True))

    def _foretold(self, names: Iterable[Named]) -> Iterator[_Foretold]:
        """By each rule for pages of these forms: the file, and what it follows from."""
        for named in names:
            for template in self._rules.get(named.form, ()):
                yield named.file(template), named, template

    def _hold(self, named: Named, template: str) -> None:
        _count(self._held, named, template)
        self._missed.pop(_number(named.form, named.directory, template), None)

    def _ask_for_proof(self, page: str, rule: _Rule) -> None:
        form, template = rule
        asked = self._asked.get(_number(form, "", template), 0)
        is_turn = asked % _PROOF_EVERY == 0 or not asked & (asked - 1)
        if (is_turn or rule in self._doubts) and len(self._due) < _MOST_DUE:
            self._due[page] = rule

    def _prove(self, page: str, held: Collection[_Rule]) -> None:
        """See whether a page that is to prove a rule has its file."""
        rule = self._due.pop(page, None)
        if rule is None:
            return
        if rule in held:
            self._doubts.pop(rule, None)
        else:
            self._doubts[rule] = self._doubts.get(rule, 0) + 1

    def _meet(self, rule: _Rule) -> None:
        """One more page has a file of a template."""
        form, template = rule
        pages = self._templates[rule] = self._templates.get(rule, 0) + 1
        self._templates.move_to_end(rule)
        rules = self._rules.get(form, [])
        if pages >= _ENOUGH and template not in rules:
            insort(self._rules.setdefault(form, rules), template)
            if len(rules) > _MOST_RULES:
                rarest = min(rules, key=lambda known: self._templates.get((form, known), 0))
                self._drop((form, rarest))
        if len(self._templates) > _MOST_TEMPLATES:
            self._drop(self._templates.popitem(last=False)[0])

    def _drop(self, rule: _Rule) -> None:
        form, template = rule
        rules = self._rules.get(form, [])
        if template in rules:
            rules.remove(template)
            self._doubts.pop(rule, None)
            if not rules:
                del self._rules[form]

    def _is_sure(self, named: Named, template: str) -> bool:
        if self._doubts.get((named.form, template), 0) >= _MOST_DOUBTS:
            return False
        if self._missed.get(_number(named.form, named.directory, template), 0) >= _MOST_MISSED:
            return False
        return self._chance(named, template) >= _SURE

    def _chance(self, named: Named, template: str) -> float:
        """How likely a page of this name has a file by a rule."""
        chance = 0.0
        for scope in named.scopes:
            number = _number(named.form, scope, template)
            held = self._held.get(number, 0)
            seen = self._read.get(_number(named.form, scope, ""), 0) + self._asked.get(number, 0)
            chance = (held + _WEIGHT * chance) / (seen + _WEIGHT)
        return chance


def _number(form: str, scope: str, template: str) -> int:
    texts = (form, scope, template)
    digest = blake2b("\n".join(texts).encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest)


def _count(counts: dict[int, int], named: Named, template: str = "") -> None:
    """One more of a kind, in each scope."""
    for scope in named.scopes:
        number = _number(named.form, scope, template)
        room = _MOST_BEGINNINGS if is_beginning(scope) else _MOST_COUNTS
        _add(counts, number, room)


def _add(counts: dict[int, int], number: int, room: int) -> None:
    if number in counts or len(counts) < room:
        counts[number] = counts.get(number, 0) + 1


def _packed(counts: dict[int, int]) -> dict[str, Any]:
    return {"numbers": array("Q", counts.keys()), "counts": array("q", counts.values())}
