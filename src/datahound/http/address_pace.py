"""One pace for crawls of different sites whose hosts have the same address."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Address:
    crawls: set[Hashable] = field(default_factory=set)
    free_at: float = 0.0


class AddressClocks:
    """When each address may be asked again, for all crawls of a process.

    The hosts of one site do not wait for one another: only crawls of different sites do.
    """

    def __init__(self) -> None:
        self._addresses: dict[str, _Address] = {}
        self._address_of: dict[str, _Address] = {}

    def note(self, crawl: Hashable, host: str, addresses: Iterable[str]) -> None:
        """A crawl has looked up a host; of several addresses the first in order counts."""
        first = min(addresses, default=None)
        if first is None:
            return
        address = self._addresses.setdefault(first, _Address())
        address.crawls.add(crawl)
        self._address_of[host] = address

    def reserve(self, host: str, start: float, delay: float) -> float:
        """Reserve the next start of a request to a host: `start`, or later where others are first.

        >>> clocks = AddressClocks()
        >>> clocks.note("crawl 1", "a.example", ["192.0.2.1"])
        >>> clocks.note("crawl 2", "b.example", ["192.0.2.1"])
        >>> clocks.reserve("a.example", 10.0, 1.0), clocks.reserve("b.example", 10.0, 1.0)
        (10.0, 11.0)
        """
        address = self._address_of.get(host)
        if address is None:
            return start
        begun = max(start, address.free_at) if len(address.crawls) > 1 else start
        address.free_at = begun + delay
        return begun
