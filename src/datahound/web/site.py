"""Which URLs a crawl may follow: those of the website, without crawler traps.

A trap is a program that makes URLs without end, by loops, calendars or session ids. A rule that
is too eager hides good URLs: each rule needs clear evidence, gives its reason, and can be
configured or switched off.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice

from publicsuffixlist import PublicSuffixList

from datahound.errors import UserError
from datahound.model import Skip
from datahound.settings import SiteSettings, TrapSettings
from datahound.web.urls import host_of, path_of

# Hosts are cached, because `objection` is called for each link of each page.
_CACHE_SIZE = 100_000


@dataclass(frozen=True, slots=True)
class Site:
    """A website: the seed's host and its subdomains, with or without `www.`, within its rules.

    Below a public suffix such as `gov.uk` are sites of strangers: `www.gov.uk` is one host.

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
            if len(self._hosts) < _CACHE_SIZE:
                self._hosts[host] = owned
        if not owned:
            return Skip.OTHER_SITE
        return self._patterns.objection(url) if self._patterns is not None else None

    def excludes(self, url: str) -> bool:
        """Whether a pattern of `exclude` matches a URL, on any host."""
        return self._patterns is not None and self._patterns.excludes(url)

    def is_sibling(self, url: str) -> bool:
        """Whether a host is another one of the same domain, and the user wants more than one host.

        >>> Site("https://www.example.org/").is_sibling("https://example.org:8080/api")
        True
        >>> Site("https://data.example.org/").is_sibling("https://api.example.org/v1")
        True
        >>> Site("https://one.github.io/").is_sibling("https://two.github.io/")
        False
        """
        domain = _suffixes().privatesuffix(self._home)
        owner = _suffixes().privatesuffix(host_of(url))
        return self.rules.subdomains and domain is not None and domain == owner

    def moved(self, seed: str) -> "Site":
        """The same site under another seed."""
        return replace(self, seed=seed)

    def _owns(self, host: str) -> bool:
        if host in self.rules.allowed_hosts or bare(host) == self._home:
            return True
        if not self.rules.subdomains or is_public_suffix(self._home):
            return False
        return bare(host).endswith("." + self._home)


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
        return Skip.EXCLUDED if self.excludes(url) else None

    def excludes(self, url: str) -> bool:
        return any(pattern.search(url) for pattern in self.exclude)

    def _in_scope(self, url: str) -> bool:
        scope = self.rules.scope
        if host_of(url) in self.rules.allowed_hosts:
            return True
        if scope.startswith("/"):
            return path_of(url).startswith(scope)
        return url.partition("://")[2].startswith(scope.partition("://")[2])


def bare(host: str) -> str:
    """A host without its `www.`, unless the rest is a public suffix.

    >>> bare("www.example.org"), bare("www.gov.uk")
    ('example.org', 'www.gov.uk')
    """
    rest = host.removeprefix("www.")
    return host if rest != host and is_public_suffix(rest) else rest


def is_public_suffix(host: str) -> bool:
    """Whether anybody can register names directly below a host.

    >>> is_public_suffix("co.uk"), is_public_suffix("github.io"), is_public_suffix("example.org")
    (True, True, False)
    """
    return bool(_suffixes().publicsuffix(host) == host)


@cache
def _suffixes() -> PublicSuffixList:
    # Names that the list does not know, as in a private network, are not public suffixes.
    return PublicSuffixList(accept_unknown=False)


def _patterns(rules: SiteSettings) -> _Patterns | None:
    if not (rules.scope or rules.include or rules.exclude):
        return None
    return _Patterns(rules, _compiled(rules.include), _compiled(rules.exclude))


def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    try:
        return tuple(re.compile(pattern) for pattern in patterns)
    except re.error as error:
        raise UserError(f"{error.pattern!r} is not a regular expression: {error}") from None


_LONGEST_LOOP = 4
_DATES = re.compile("year|month|date|day|week|annee|mois|jahr|monat|calendar", re.IGNORECASE)
_CALENDARS = re.compile("calend|kalend|agenda", re.IGNORECASE)
_PARAMETER = re.compile(r"[?&;](\w++)=(\d{4})(?!\d)")
_YEAR_SEGMENT = re.compile(r"(\d{4})(?!\d)")
_SESSION = re.compile(
    r"""(?: ;jsessionid=[^/?;]*
          | /\([A-Za-z]\([0-9A-Za-z]{16,}\)\)
          | (?<=[?&;]) (?:jsessionid|phpsessid|aspsessionid\w*|session_?id|sess_?id|sid|oscsid|
                zenid) = [0-9A-Za-z._-]{16,} (?:&|$)
        )""",
    re.IGNORECASE | re.VERBOSE,
)
_SESSION_SIGNS = ("sess", "sid=", "/(", "zenid")


class Traps:
    """Decides which URLs not to follow; remembers pages that had a session id in their URL."""

    def __init__(self, settings: TrapSettings) -> None:
        self._settings = settings
        self._without_session: set[str] = set()

    def objection(self, url: str) -> Skip | None:
        """Why a new URL looks like a trap, or None."""
        if _repeats(path_of(url), self._settings.max_repeats):
            return Skip.TRAP_REPEATING
        if self._is_endless_calendar(url):
            return Skip.TRAP_CALENDAR
        if self._settings.sessions and not self.note(url):
            return Skip.TRAP_SESSION
        return None

    def note(self, url: str) -> bool:
        """Remember a URL without its session id; False if it was known under another one."""
        plain = without_session(url)
        if plain == url:
            return True
        known = plain in self._without_session
        self._without_session.add(plain)
        return not known

    def _is_endless_calendar(self, url: str) -> bool:
        earliest, latest = self._settings.min_year, self._settings.max_year
        return any(not earliest <= int(year) <= latest for year in _find_years(url))


def _find_years(url: str) -> Iterator[str]:
    """The years of date parameters, and the last one behind a calendar in the path.

    >>> list(_find_years("https://a.example/agenda/x/2031/05?start_date=2032&id=1999"))
    ['2032', '2031']
    """
    yield from (year for name, year in _PARAMETER.findall(url) if _DATES.search(name))
    segments = url.partition("?")[0].split("/")[1:]
    calendar = next((at for at, name in enumerate(segments) if _CALENDARS.search(name)), None)
    if calendar is not None:
        # From the end: the last year is that of the page, others may be names.
        years = filter(None, map(_YEAR_SEGMENT.match, reversed(segments[calendar + 1 :])))
        yield from (year[1] for year in islice(years, 1))


def without_session(url: str) -> str:
    """Remove the session id from a URL.

    >>> without_session("https://a.example/p;jsessionid=1A2B?sid=0123456789abcdef&q=1")
    'https://a.example/p?q=1'
    """
    lower = url.lower()
    if not any(sign in lower for sign in _SESSION_SIGNS):
        return url
    return _SESSION.sub("", url).rstrip("?&")


def _repeats(path: str, limit: int) -> bool:
    """Whether the path repeats itself: `/a/b/a/b/a/b/a/b`."""
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) <= limit:
        return False
    return any(_loops(segments, length, limit) for length in range(1, _LONGEST_LOOP + 1))


def _loops(segments: list[str], length: int, limit: int) -> bool:
    run = 0
    for at in range(len(segments) - length):
        run = run + 1 if segments[at] == segments[at + length] else 0
        if run >= length * limit:
            return True
    return False
