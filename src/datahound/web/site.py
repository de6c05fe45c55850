"""Which URLs belong to a website."""

import re
from dataclasses import dataclass, field, replace

from datahound.errors import UserError
from datahound.model import Skip
from datahound.settings import SiteSettings
from datahound.web.urls import host_of, path_of

_REMEMBERED = 100_000


@dataclass(frozen=True, slots=True)
class Site:
    """A website: the seed's host and its subdomains, with or without `www.`, within its rules.

    >>> Site("https://www.example.org/").admits("http://data.example.org/x.csv")
    True
    """

    seed: str
    rules: SiteSettings = field(default_factory=SiteSettings)
    _home: str = field(init=False, repr=False, compare=False)
    _hosts: dict[str, bool] = field(init=False, repr=False, compare=False, default_factory=dict)
    _patterns: "_Patterns | None" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_home", bare(host_of(self.seed)))
        object.__setattr__(self, "_patterns", _patterns(self.rules))

    def admits(self, url: str) -> bool:
        return self.objection(url) is None

    def objection(self, url: str) -> Skip | None:
        """Why a canonical URL does not belong to the site; None if it does."""
        host = host_of(url)
        owned = self._hosts.get(host)
        if owned is None:
            owned = self._owns(host)
            if len(self._hosts) < _REMEMBERED:
                self._hosts[host] = owned
        if not owned:
            return Skip.OTHER_SITE
        return self._patterns.objection(url) if self._patterns is not None else None

    def moved(self, seed: str) -> "Site":
        """The same site under another seed."""
        return replace(self, seed=seed)

    def _owns(self, host: str) -> bool:
        if host in self.rules.allowed_hosts or bare(host) == self._home:
            return True
        return self.rules.subdomains and bare(host).endswith("." + self._home)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The rules that look at a whole URL."""

    rules: SiteSettings
    include: tuple[re.Pattern[str], ...]
    exclude: tuple[re.Pattern[str], ...]

    def objection(self, url: str) -> Skip | None:
        if self.rules.scope and not self._in_scope(url):
            return Skip.OUT_OF_SCOPE
        if self.include and not any(pattern.search(url) for pattern in self.include):
            return Skip.NOT_INCLUDED
        if any(pattern.search(url) for pattern in self.exclude):
            return Skip.EXCLUDED
        return None

    def _in_scope(self, url: str) -> bool:
        scope = self.rules.scope
        if host_of(url) in self.rules.allowed_hosts:
            return True
        if scope.startswith("/"):
            return path_of(url).startswith(scope)
        return url.partition("://")[2].startswith(scope.partition("://")[2])


def bare(host: str) -> str:
    """A host without its `www.`."""
    return host.removeprefix("www.")


def _patterns(rules: SiteSettings) -> _Patterns | None:
    if not (rules.scope or rules.include or rules.exclude):
        return None
    return _Patterns(rules, _compiled(rules.include), _compiled(rules.exclude))


def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    try:
        return tuple(re.compile(pattern) for pattern in patterns)
    except re.error as error:
        raise UserError(f"{error.pattern!r} is no regular expression: {error}") from None
