"""Crawler traps: URLs that a program generates without end, by loops, calendars or session ids.

A rule that is too eager hides good URLs: each rule needs clear evidence, gives its reason, and can
be configured or switched off.
"""

import re

from datahound.model import Skip
from datahound.settings import TrapSettings
from datahound.web.urls import path_of

_LONGEST_LOOP = 4
# A year as the value of a parameter named for a date, or behind a calendar in the path.
_YEAR = re.compile(
    r"""(?: [?&;] \w*(?:year|month|date|day|week|annee|mois|jahr|monat|calendar)\w* =
          | /[^/?]*(?:calend|kalend|agenda)[^?]*/
        ) (\d{4}) (?!\d)""",
    re.IGNORECASE | re.VERBOSE,
)
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
        if self._leads_nowhere(url):
            return Skip.TRAP_CALENDAR
        if self._settings.sessions and not self.note(url):
            return Skip.TRAP_SESSION
        return None

    def note(self, url: str) -> bool:
        """Remember a URL by its session; False if its page was known under another one."""
        plain = without_session(url)
        if plain == url:
            return True
        known = plain in self._without_session
        self._without_session.add(plain)
        return not known

    def _leads_nowhere(self, url: str) -> bool:
        earliest, latest = self._settings.min_year, self._settings.max_year
        return any(not earliest <= int(year) <= latest for year in _YEAR.findall(url))


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
