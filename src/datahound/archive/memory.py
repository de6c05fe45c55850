"""A recorded website in memory."""

from collections.abc import Iterable, Iterator

from datahound.archive.archive import Recorded, as_head, key
from datahound.archive.lookup import Glance, glance_at
from datahound.model import Answer, Fetch


class MemoryArchive:
    """Keeps every exchange in a list and the last one of each URL at hand."""

    def __init__(self, seed: str, recorded: Iterable[Recorded] = (), name: str = "memory") -> None:
        self.seed = seed
        self.name = name
        self._recorded: list[Recorded] = []
        self._last: dict[tuple[str, str], Answer] = {}
        for fetch, answer in recorded:
            self.put(fetch, answer)

    def get(self, fetch: Fetch) -> Answer | None:
        url = key(fetch.url)
        if fetch.method == "GET":
            return self._last.get((url, "GET"))
        probed = self._last.get((url, "HEAD"))
        if probed is not None:
            return probed
        answer = self._last.get((url, "GET"))
        return None if answer is None else as_head(answer)

    def put(self, fetch: Fetch, answer: Answer) -> None:
        self._recorded.append(Recorded(fetch, answer))
        self._last[key(fetch.url), fetch.method] = answer

    def glance(self, url: str) -> Glance | None:
        answer = self._last.get((key(url), "GET"))
        return None if answer is None else glance_at(url, answer)

    def glances(self) -> Iterator[Glance]:
        gets = [(url, answer) for (url, method), answer in self._last.items() if method == "GET"]
        return (glance_at(url, answer) for url, answer in gets)

    def __iter__(self) -> Iterator[Recorded]:
        return iter(tuple(self._recorded))

    def close(self) -> None:
        """Nothing to give back."""
