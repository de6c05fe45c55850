"""The names of a URL: where redirects lead, and which names lead to equal pages.

Both are learned during a crawl, so that no page is fetched under two names.
"""

from array import array
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from hashlib import blake2b
from typing import Any
from zlib import crc32

from datahound.model import Page
from datahound.web.urls import origin_and_path

_MIN_REDIRECTS = 2
"""Redirects of one pattern that make a rule."""
_REDIRECTS_PER_STAY = 4
"""Redirects that outweigh one URL that was answered in place."""
_VAIN_TRIES = 2
"""Failed tries of a URL's own name, after its better one, for each try that succeeded."""
_NO_ANSWER = "?"
"""The vote of an origin that did not answer under any name."""
_HOST, _LABEL = "{host}", "{label}"

_ENDINGS = (
    "/index.html",
    "/index.htm",
    "/index.php",
    "/index.jsp",
    "/default.aspx",
    "/default.asp",
    "/",
    ".html",
    ".htm",
    ".php",
    "",
)
"""Endings that the URLs of one page may differ in; the longer one is tried first."""
_ENDING_MASK = 15
"""A bit mask for the index of an ending, which is added to the hash of what precedes it."""
_LONGEST_ENDING = max(map(len, _ENDINGS))
_INDEX_ENDINGS = frozenset(ending for ending in _ENDINGS if ending.startswith("/")) | {""}
"""On most sites, two URLs that differ in these endings only lead to the same page."""
_MIN_EQUAL = 3
"""Pairs of equal pages that make a rule for two endings."""
_EQUAL_PER_OTHER = 8
"""Pairs of equal pages that outweigh one pair that differs."""
_MAX_POSTPONED = 64
"""URLs per pair of endings that are postponed; later ones are read, to learn about the pair."""
# Enough, because the second name of a page is mostly met soon after the first.
_MAX_PAGES = 1 << 16


class RedirectRules:
    """Two rules per origin: the prefix that its paths moved to, and whether they end with a slash.

    A pattern that several origins of a domain share is applied to an origin that was not asked yet:
    all of `http` moved to `https`, or each `x.example` to a folder `x` of one host.

    >>> rules = RedirectRules()
    >>> rules.learn_redirect("http://data.example/a.html", "https://example/data/a.html")
    >>> rules.learn_redirect("http://data.example/b/c.pdf", "https://example/data/b/c.pdf")
    >>> rules.predict_name("http://data.example/x.csv")
    'https://example/data/x.csv'
    """

    def __init__(self) -> None:
        self._moves: dict[str, dict[str, int]] = {}
        """Per origin: the prefixes that its URLs were redirected to, and how often."""
        self._votes: dict[str, str] = {}
        """Per origin, by its first answer: the pattern of its move, or empty if it did not move."""
        self._patterns: dict[str, dict[str, int]] = {}
        """Per kind of origin: the number of origins that moved by each pattern."""
        self._failed, self._succeeded = 0, 0
        """How often a URL's own name failed or succeeded, after its better name had failed."""
        self._slashes: dict[str, int] = {}
        self._stays: dict[str, int] = {}
        """Answers in place per origin; under the origin with a `/`, those of paths without one."""

    def predict_name(self, url: str) -> str:
        """The URL that a URL would probably be redirected to; the URL itself if no rule applies."""
        origin, path = origin_and_path(url)
        prefix = self._find_prefix(origin)
        if prefix is not None:
            url = prefix + path[1:]
            origin, path = origin_and_path(url)
        if _lacks_slash(path) and self._is_rule(self._slashes.get(origin, 0), origin + "/"):
            return url + "/"
        return url

    def learn_redirect(self, url: str, destination: str) -> None:
        """Learn from a redirect that a server answered."""
        origin, path = origin_and_path(url)
        if destination.endswith(path[1:]):
            prefix = destination.removesuffix(path[1:])
            # A prefix that ends in the middle of a name is an accident of equal endings.
            if prefix.endswith("/") and prefix != origin + "/":
                prefixes = self._moves.setdefault(origin, {})
                prefixes[prefix] = prefixes.get(prefix, 0) + 1
                self._record_vote(origin, prefix)
        elif _lacks_slash(path) and destination.endswith(path + "/"):
            where, _ = origin_and_path(destination)
            self._slashes[where] = self._slashes.get(where, 0) + 1
            if where != origin:
                self.learn_redirect(url, destination.removesuffix("/"))

    def learn_in_place(self, url: str) -> None:
        """Learn from a URL that was answered without a redirect."""
        origin, path = origin_and_path(url)
        self._stays[origin] = self._stays.get(origin, 0) + 1
        self._record_vote(origin, "")
        if _lacks_slash(path):
            self._stays[origin + "/"] = self._stays.get(origin + "/", 0) + 1

    def should_try_own_name(self, url: str) -> bool:
        """Whether to fetch a URL under its own name after the predicted name was not found."""
        if origin_and_path(url)[0] not in self._moves:
            return True
        return self._failed < _VAIN_TRIES * (1 + self._succeeded)

    def learn_own_name(self, url: str, *, helped: bool) -> None:
        """Learn whether the own name succeeded after the predicted name was not found."""
        origin, _ = origin_and_path(url)
        if origin in self._moves:
            self._succeeded += helped
            self._failed += not helped
        else:
            self._votes.setdefault(origin, _NO_ANSWER)

    def snapshot(self) -> dict[str, Any]:
        return {
            "moves": [[origin, *pair] for origin, ps in self._moves.items() for pair in ps.items()],
            "slashes": [list(pair) for pair in self._slashes.items()],
            "stays": [list(pair) for pair in self._stays.items()],
            "votes": [list(pair) for pair in self._votes.items()],
            "own_names": [self._failed, self._succeeded],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._moves = {}
        for origin, prefix, count in state["moves"]:
            self._moves.setdefault(origin, {})[prefix] = count
        self._slashes = dict(state["slashes"])
        self._stays = dict(state["stays"])
        self._votes, self._patterns = {}, {}
        for origin, pattern in state["votes"]:
            self._count_vote(origin, pattern)
        self._failed, self._succeeded = state["own_names"]

    def _record_vote(self, origin: str, prefix: str) -> None:
        if self._votes.get(origin, _NO_ANSWER) == _NO_ANSWER:
            self._count_vote(origin, _make_pattern(origin, prefix) if prefix else "")

    def _count_vote(self, origin: str, pattern: str) -> None:
        self._votes[origin] = pattern
        if pattern == _NO_ANSWER:
            return
        domain, scheme = _name_kinds(origin)
        for kind in (domain,) if _LABEL in pattern else (domain, scheme):
            patterns = self._patterns.setdefault(kind, {})
            patterns[pattern] = patterns.get(pattern, 0) + 1

    def _guess_prefix(self, origin: str) -> str | None:
        """The prefix for an origin without an answer so far, by the pattern of similar origins."""
        if origin in self._votes:
            return None
        for kind in _name_kinds(origin):
            patterns = self._patterns.get(kind, {})
            pattern = max(patterns, key=patterns.__getitem__, default="")
            others = sum(patterns.values()) - patterns.get(pattern, 0)
            if pattern and _is_clear(patterns[pattern], others):
                return _fill_pattern(origin, pattern)
        return None

    def _find_prefix(self, origin: str) -> str | None:
        prefixes = self._moves.get(origin)
        if not prefixes:
            return self._guess_prefix(origin)
        prefix = max(prefixes, key=prefixes.__getitem__)
        others = sum(prefixes.values()) - prefixes[prefix]
        return prefix if self._is_rule(prefixes[prefix], origin, others) else None

    def _is_rule(self, seen: int, stayed: str, others: int = 0) -> bool:
        return _is_clear(seen, self._stays.get(stayed, 0) + others)


class EqualPages:
    """Per origin: the pairs of URL endings that lead to the same page.

    >>> pages = EqualPages()
    >>> for name in ("a", "b", "c", "d"):
    ...     pages.learn_page(Page(f"https://site.example/{name}", name, ()))
    >>> pages.was_read("https://site.example/d.html")
    False
    >>> for name in ("a", "b", "c"):
    ...     pages.learn_page(Page(f"https://site.example/{name}.html", name, ()))
    >>> pages.was_read("https://site.example/d.html")
    True
    """

    def __init__(self) -> None:
        self._pages: OrderedDict[int, int] = OrderedDict()
        """The last pages that were read: hash of the URL -> hash of the contents."""
        self._pairs: dict[str, _Counts] = {}
        """Per origin and two endings."""

    def learn_page(self, page: Page) -> None:
        """Compare a page that was read with those read under its other names."""
        stem, ending = _split_ending(page.url)
        if not stem:
            return
        content = _hash_content(page)
        for pair, variant in self._find_variants(page.url):
            counts = self._get_counts(pair)
            counts.equal += variant == content
            counts.other += variant != content
        self._pages[_hash_stem(stem) + _ENDINGS.index(ending)] = content
        if len(self._pages) > _MAX_PAGES:
            self._pages.popitem(last=False)

    def was_read(self, url: str) -> bool:
        """Whether the page of a URL was read under another name, by a rule of its origin."""
        return any(self._are_equal(pair) for pair, _ in self._find_variants(url))

    def may_postpone(self, url: str) -> bool:
        """Whether the page of a URL was probably read, though no rule says so yet.

        A limited number per pair of endings: later ones are read, so that a rule can be learned.
        """
        for pair, _ in self._find_variants(url):
            counts = self._get_counts(pair)
            _, *endings = pair.split(" ")
            is_likely = counts.equal > 0 or _INDEX_ENDINGS.issuperset(endings)
            if is_likely and not counts.other and counts.postponed < _MAX_POSTPONED:
                counts.postponed += 1
                return True
        return False

    def snapshot(self) -> dict[str, Any]:
        return {
            "names": array("Q", self._pages.keys()),
            "contents": array("Q", self._pages.values()),
            "pairs": [[pair, *astuple(counts)] for pair, counts in self._pairs.items()],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._pages = OrderedDict(zip(state["names"], state["contents"], strict=True))
        self._pairs = {pair: _Counts(*counts) for pair, *counts in state["pairs"]}

    def _find_variants(self, url: str) -> Iterator[tuple[str, int]]:
        """Yield (pair key, hash of the contents) for each other name that was already read."""
        stem, ending = _split_ending(url)
        if not stem:
            return
        first = _hash_stem(stem)
        for place, other in enumerate(_ENDINGS):
            content = self._pages.get(first + place)
            if content is not None and other != ending:
                origin, _ = origin_and_path(url)
                yield " ".join((origin, *sorted((ending, other)))), content

    def _are_equal(self, pair: str) -> bool:
        counts = self._get_counts(pair)
        return counts.equal >= _MIN_EQUAL and counts.equal >= _EQUAL_PER_OTHER * counts.other

    def _get_counts(self, pair: str) -> "_Counts":
        return self._pairs.setdefault(pair, _Counts())


@dataclass(slots=True)
class _Counts:
    """Pairs of pages that were equal, pairs that differed, and URLs that were postponed."""

    equal: int = 0
    other: int = 0
    postponed: int = 0


def _is_clear(seen: int, against: int) -> bool:
    return seen >= _MIN_REDIRECTS and seen >= _REDIRECTS_PER_STAY * against


def _name_kinds(origin: str) -> tuple[str, str]:
    """The two kinds that an origin belongs to: by scheme and domain, and by scheme alone."""
    scheme, _, host = origin.partition("://")
    label, _, domain = host.partition(".")
    return f"{scheme}://{'www' if label == 'www' else '*'}.{domain}", scheme


def _make_pattern(origin: str, prefix: str) -> str:
    """A prefix with the origin's host and label as placeholders; '' if it has neither."""
    host = origin.partition("://")[2]
    label = host.partition(".")[0]
    pattern = prefix.replace(f"//{host}/", f"//{_HOST}/").replace(f"/{label}/", f"/{_LABEL}/")
    return pattern if pattern != prefix else ""


def _fill_pattern(origin: str, pattern: str) -> str:
    host = origin.partition("://")[2]
    return pattern.replace(_HOST, host).replace(_LABEL, host.partition(".")[0])


def _lacks_slash(path: str) -> bool:
    return "?" not in path and path[-1] != "/" and "." not in path.rpartition("/")[2]


def _split_ending(url: str) -> tuple[str, str]:
    """A URL without its ending, and the ending; '' and the whole URL if it has none."""
    if "?" in url:
        return "", url
    ending = next(ending for ending in _ENDINGS if url.endswith(ending))
    if not ending and "." in url.rpartition("/")[2]:
        return "", url
    return url.removesuffix(ending), ending


def _hash_content(page: Page) -> int:
    """Hash the title and the links of a page, without the links to itself."""
    stem, _ = _split_ending(page.url)
    longest = len(stem) + _LONGEST_ENDING
    urls = [link.url for link in page.links]
    own = {url for url in urls if len(url) <= longest and url.startswith(stem)}
    own = {url for url in own if _split_ending(url)[0] == stem}
    others = [url for url in urls if url not in own]
    # Links to itself differ between the names of one page.
    return crc32("\n".join([page.title, *others]).encode(errors="replace"))


def _hash_stem(stem: str) -> int:
    """Hash a URL without its ending; the low bits stay free for the index of the ending."""
    digest = blake2b(stem.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest) & ~_ENDING_MASK
