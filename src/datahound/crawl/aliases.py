"""The names under which a site's URLs stand, learned from redirects: no page is asked for twice."""

from typing import Any

from datahound.web.urls import origin_and_path

_ENOUGH = 2
"""Redirects of one kind before it is taken for a rule."""
_CLEAR = 4
"""How many redirects outweigh one URL that stayed where it was."""
_PATIENCE = 2
"""How often a URL's own name is tried in vain, after its better one, for each time it helped."""
_SILENT = "?"
"""The vote of an origin that has nothing to say, under any name."""
_HOST, _LABEL = "{host}", "{label}"


class Aliases:
    """Two rules for each origin: where its paths have moved to, and whether they end with a slash.

    What the origins of a domain have in common is taken to hold for one that was not asked yet:
    all of `http` moved to `https`, or each `x.example` to a folder `x` of one host.

    >>> aliases = Aliases()
    >>> aliases.learn("http://data.example/a.html", "https://example/data/a.html")
    >>> aliases.learn("http://data.example/b/c.pdf", "https://example/data/b/c.pdf")
    >>> aliases.better("http://data.example/x.csv")
    'https://example/data/x.csv'
    """

    def __init__(self) -> None:
        self._moves: dict[str, dict[str, int]] = {}
        """For each origin: the prefixes that took its place, and how often."""
        self._votes: dict[str, str] = {}
        """How each origin moved, as the first answer told: a pattern, or empty if it did not."""
        self._patterns: dict[str, dict[str, int]] = {}
        """For each kind of origin: how many of them moved by which pattern."""
        self._in_vain, self._helped = 0, 0
        """What the own names of URLs brought when nothing was there under the better ones."""
        self._slashes: dict[str, int] = {}
        self._stays: dict[str, int] = {}
        """Answers in place, for each origin; with a `/` behind it, those of pages without one."""

    def better(self, url: str) -> str:
        """The name under which a URL is probably answered without a redirect."""
        origin, path = origin_and_path(url)
        prefix = self._prefix_for(origin)
        if prefix is not None:
            url = prefix + path[1:]
            origin, path = origin_and_path(url)
        if _lacks_slash(path) and self._holds(self._slashes.get(origin, 0), origin + "/"):
            return url + "/"
        return url

    def learn(self, url: str, destination: str) -> None:
        """A redirect was answered."""
        origin, path = origin_and_path(url)
        if destination.endswith(path[1:]):
            prefix = destination.removesuffix(path[1:])
            if prefix.endswith("/") and prefix != origin + "/":
                prefixes = self._moves.setdefault(origin, {})
                prefixes[prefix] = prefixes.get(prefix, 0) + 1
                self._vote(origin, prefix)
        elif _lacks_slash(path) and destination.endswith(path + "/"):
            where, _ = origin_and_path(destination)
            self._slashes[where] = self._slashes.get(where, 0) + 1
            if where != origin:
                self.learn(url, destination.removesuffix("/"))

    def stay(self, url: str) -> None:
        """A URL was answered in place."""
        origin, path = origin_and_path(url)
        self._stays[origin] = self._stays.get(origin, 0) + 1
        self._vote(origin, "")
        if _lacks_slash(path):
            self._stays[origin + "/"] = self._stays.get(origin + "/", 0) + 1

    def own_name_may_help(self, url: str) -> bool:
        """Whether to ask for a URL under its own name if nothing is there under the better one."""
        if origin_and_path(url)[0] not in self._moves:
            return True
        return self._in_vain < _PATIENCE * (1 + self._helped)

    def note_own_name(self, url: str, *, helped: bool) -> None:
        """A URL was asked for under its own name, after its better one."""
        origin, _ = origin_and_path(url)
        if origin in self._moves:
            self._helped += helped
            self._in_vain += not helped
        else:
            self._votes.setdefault(origin, _SILENT)

    def snapshot(self) -> dict[str, Any]:
        return {
            "moves": [[origin, *pair] for origin, ps in self._moves.items() for pair in ps.items()],
            "slashes": [list(pair) for pair in self._slashes.items()],
            "stays": [list(pair) for pair in self._stays.items()],
            "votes": [list(pair) for pair in self._votes.items()],
            "own_names": [self._in_vain, self._helped],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._moves = {}
        for origin, prefix, count in state["moves"]:
            self._moves.setdefault(origin, {})[prefix] = count
        self._slashes = dict(state["slashes"])
        self._stays = dict(state["stays"])
        self._votes, self._patterns = {}, {}
        for origin, pattern in state["votes"]:
            self._count(origin, pattern)
        self._in_vain, self._helped = state["own_names"]

    def _vote(self, origin: str, prefix: str) -> None:
        if self._votes.get(origin, _SILENT) == _SILENT:
            self._count(origin, _pattern(origin, prefix) if prefix else "")

    def _count(self, origin: str, pattern: str) -> None:
        self._votes[origin] = pattern
        if pattern == _SILENT:
            return
        domain, scheme = _kinds(origin)
        for kind in (domain,) if _LABEL in pattern else (domain, scheme):
            patterns = self._patterns.setdefault(kind, {})
            patterns[pattern] = patterns.get(pattern, 0) + 1

    def _guess(self, origin: str) -> str | None:
        """Where an origin that was not asked yet has moved to, if it is like the others."""
        if origin in self._votes:
            return None
        for kind in _kinds(origin):
            patterns = self._patterns.get(kind, {})
            pattern = max(patterns, key=patterns.__getitem__, default="")
            others = sum(patterns.values()) - patterns.get(pattern, 0)
            if pattern and _is_clear(patterns[pattern], others):
                return _prefix(origin, pattern)
        return None

    def _prefix_for(self, origin: str) -> str | None:
        prefixes = self._moves.get(origin)
        if not prefixes:
            return self._guess(origin)
        prefix = max(prefixes, key=prefixes.__getitem__)
        others = sum(prefixes.values()) - prefixes[prefix]
        return prefix if self._holds(prefixes[prefix], origin, others) else None

    def _holds(self, seen: int, stayed: str, others: int = 0) -> bool:
        return _is_clear(seen, self._stays.get(stayed, 0) + others)


def _is_clear(seen: int, against: int) -> bool:
    return seen >= _ENOUGH and seen >= _CLEAR * against


def _kinds(origin: str) -> tuple[str, str]:
    """What an origin has in common with others: scheme and domain, or the scheme alone."""
    scheme, _, host = origin.partition("://")
    label, _, domain = host.partition(".")
    return f"{scheme}://{'www' if label == 'www' else '*'}.{domain}", scheme


def _pattern(origin: str, prefix: str) -> str:
    """A prefix that took an origin's place, in a form that fits other origins."""
    host = origin.partition("://")[2]
    label = host.partition(".")[0]
    pattern = prefix.replace(f"//{host}/", f"//{_HOST}/").replace(f"/{label}/", f"/{_LABEL}/")
    return pattern if pattern != prefix else ""


def _prefix(origin: str, pattern: str) -> str:
    host = origin.partition("://")[2]
    return pattern.replace(_HOST, host).replace(_LABEL, host.partition(".")[0])


def _lacks_slash(path: str) -> bool:
    return "?" not in path and path[-1] != "/" and "." not in path.rpartition("/")[2]
