"""Which URLs belong to a website."""

from dataclasses import dataclass, field

from datahound.web.urls import host_of


@dataclass(frozen=True, slots=True)
class Site:
    """A website: the seed's host and its subdomains, with or without `www.`.

    >>> Site("https://www.example.org/").admits("http://data.example.org/x.csv")
    True
    """

    seed: str
    _home: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_home", host_of(self.seed).removeprefix("www."))

    def admits(self, url: str) -> bool:
        host = host_of(url).removeprefix("www.")
        return host == self._home or host.endswith("." + self._home)
