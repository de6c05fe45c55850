"""Whether a site was redesigned since the last round, or does not answer in this one."""

from datahound.crawl.strategy import Visit
from datahound.events import CheckOutcome
from datahound.model import Kind

_MIN_REVISITS = 10
_MAX_BROKEN = 0.6
"""If a larger share of known pages and files is gone, or has mostly new links, it is a redesign."""
_FEW_FAILURES, _MAX_FAILURES = 3, 20
"""If the first few requests for known pages and files fail, the start page is requested next; if
that fails too, and all requests until the second number, the round ends."""
_THERE = (CheckOutcome.UNCHANGED, CheckOutcome.SERVED, CheckOutcome.MOVED)


class SiteState:
    """Counts the results of requests for pages and files of earlier rounds."""

    _answered = _broken = 0
    """Pages and files with an answer; those that are gone, or have mostly new links."""
    _failed = _alive = 0
    """Pages and files that failed or are gone; those that were found."""

    def count_visit(self, visit: Visit) -> None:
        """A page of an earlier round was asked for, and this became of it."""
        self.count_page(
            is_there=visit.kind is not Kind.OTHER,
            has_answer=visit.answered,
            has_new_links=2 * len(visit.new_links) > len(visit.links),
        )

    def count_page(self, *, is_there: bool, has_answer: bool, has_new_links: bool) -> None:
        """Count a request for a page of an earlier round."""
        self._alive += is_there
        self._failed += not is_there
        self._answered += has_answer
        self._broken += has_answer and (not is_there or has_new_links)

    def count_file(self, outcome: CheckOutcome) -> None:
        """Count a request for a file of an earlier round."""
        self._alive += outcome in _THERE
        self._failed += outcome not in _THERE
        self._answered += outcome is not CheckOutcome.NO_ANSWER
        self._broken += outcome is CheckOutcome.MISSING

    @property
    def is_redesigned(self) -> bool:
        """Whether most known pages and files with an answer are gone, or have mostly new links."""
        if self._broken == self._answered > _FEW_FAILURES:
            return True
        return self._answered >= _MIN_REVISITS and self._broken > _MAX_BROKEN * self._answered

    @property
    def is_silent(self) -> bool:
        """Whether no request for a known page or file has succeeded."""
        return self._failed > 0 and not self._alive

    @property
    def needs_start_page(self) -> bool:
        """Whether to request the start page now: it shows whether the site has moved or is down."""
        return self.is_redesigned or (self.is_silent and self._failed >= _FEW_FAILURES)

    @property
    def is_hopeless(self) -> bool:
        """Whether to end the round, if the start page fails too."""
        return self.is_silent and self._failed >= _MAX_FAILURES

    def snapshot(self) -> list[int]:
        return [self._answered, self._broken, self._failed, self._alive]

    def restore(self, state: list[int]) -> None:
        # Snapshots of older versions have only the first two.
        self._answered, self._broken, self._failed, self._alive = [*state, 0, 0][:4]
