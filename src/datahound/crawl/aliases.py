"""The names under which a site's URLs stand, learned from redirects: no page is asked for twice."""

from typing import Any

_ENOUGH = 2
"""Redirects of one kind before it is taken for a rule."""
_CLEAR = 4
"""How many redirects outweigh one URL that stayed where it was."""


class Aliases:
    """Two rules for each origin: where its paths have moved to, and whether they end with a slash.

    >>> aliases = Aliases()
    >>> aliases.learn("http://data.example/a.html", "https://example/data/a.html")
    >>> aliases.learn("http://data.example/b/c.pdf", "https://example/data/b/c.pdf")
    >>> aliases.better("http://data.example/x.csv")
    'https://example/data/x.csv'
    """

    def __init__(self) -> None:
        self._moves: dict[str, dict[str, int]] = {}
        """For each origin: the prefixes that took its place, and how often."""
        self._slashes: dict[str, int] = {}
        self._stays: dict[str, int] = {}
        """Answers in place, for each origin; with a `/` behind it, those of pages without one."""

    def better(self, url: str) -> str:
        """The name under which a URL is probably answered without a redirect."""
        origin, path = _split(url)
        prefix = self._prefix_for(origin)
        if prefix is not None:
            url = prefix + path[1:]
            origin, path = _split(url)
        if _lacks_slash(path) and self._holds(self._slashes.get(origin, 0), origin + "/"):
            return url + "/"
        return url

    def learn(self, url: str, destination: str) -> None:
        """A redirect was answered."""
        origin, path = _split(url)
        if destination.endswith(path[1:]):
            prefix = destination.removesuffix(path[1:])
            if prefix.endswith("/") and prefix != origin + "/":
                prefixes = self._moves.setdefault(origin, {})
                prefixes[prefix] = prefixes.get(prefix, 0) + 1
        elif _lacks_slash(path) and destination.endswith(path + "/"):
            where, _ = _split(destination)
            self._slashes[where] = self._slashes.get(where, 0) + 1
            if where != origin:
                self.learn(url, destination.removesuffix("/"))

    def stay(self, url: str) -> None:
        """A URL was answered in place."""
        origin, path = _split(url)
        self._stays[origin] = self._stays.get(origin, 0) + 1
        if _lacks_slash(path):
            self._stays[origin + "/"] = self._stays.get(origin + "/", 0) + 1

    def snapshot(self) -> dict[str, Any]:
        return {
            "moves": [[origin, *pair] for origin, ps in self._moves.items() for pair in ps.items()],
            "slashes": [list(pair) for pair in self._slashes.items()],
            "stays": [list(pair) for pair in self._stays.items()],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._moves = {}
        for origin, prefix, count in state["moves"]:
            self._moves.setdefault(origin, {})[prefix] = count
        self._slashes = dict(state["slashes"])
        self._stays = dict(state["stays"])

    def _prefix_for(self, origin: str) -> str | None:
        prefixes = self._moves.get(origin)
        if not prefixes:
            return None
        prefix = max(prefixes, key=prefixes.__getitem__)
        others = sum(prefixes.values()) - prefixes[prefix]
        return prefix if self._holds(prefixes[prefix], origin, others) else None

    def _holds(self, seen: int, stayed: str, others: int = 0) -> bool:
        against = self._stays.get(stayed, 0) + others
        return seen >= _ENOUGH and seen >= _CLEAR * against


def _split(url: str) -> tuple[str, str]:
    """The origin of a canonical URL, and all the rest, which begins with a slash."""
    end = url.find("/", url.find("//") + 2)
    return (url[:end], url[end:]) if end > 0 else (url, "/")


def _lacks_slash(path: str) -> bool:
    return "?" not in path and path[-1] != "/" and "." not in path.rpartition("/")[2]
