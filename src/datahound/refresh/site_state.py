"""Whether a site is still the one that it was: redesigned, or not there at all in this round."""

from datahound.crawl.strategy import Visit
from datahound.events import CheckOutcome
from datahound.model import Kind

_LEAST_REVISITS = 10
_MOST_BROKEN = 0.6
"""Share of what is gone, or has mostly new links, above which a site was redesigned."""
_LEAST_VAIN, _MOST_VAIN = 3, 20
"""If none of this many requests for known pages and files succeeds, the start page is requested
next; if that and this many others fail too, the round ends."""
_THERE = (CheckOutcome.UNCHANGED, CheckOutcome.SERVED, CheckOutcome.MOVED)


class SiteState:
    """Counts what requests for pages and files of earlier rounds found in this round."""

    _answered = _broken = 0
    """Pages and files with an answer; those gone, or with mostly new links."""
    _vain = _alive = 0
    """Pages and files that failed or were gone; those that were there."""

    def count_visit(self, visit: Visit) -> None:
        """A page of an earlier round was asked for, and this became of it."""
        self.count_page(
            is_there=visit.kind is not Kind.OTHER,
            has_answer=visit.answered,
            has_new_links=2 * len(visit.new_links) > len(visit.links),
        )

    def count_page(self, *, is_there: bool, has_answer: bool, has_new_links: bool) -> None:
        """A page of an earlier round was asked for."""
        self._alive += is_there
        self._vain += not is_there
        self._answered += has_answer
        self._broken += has_answer and (not is_there or has_new_links)

    def count_file(self, outcome: CheckOutcome) -> None:
        """A file of an earlier round was checked."""
        self._alive += outcome in _THERE
        self._vain += outcome not in _THERE
        self._answered += outcome is not CheckOutcome.NO_ANSWER
        self._broken += outcome is CheckOutcome.MISSING

    @property
    def is_redesigned(self) -> bool:
        """Whether most known pages and files with an answer are gone, or have mostly new links."""
        if self._broken == self._answered > _LEAST_VAIN:
            return True
        return self._answered >= _LEAST_REVISITS and self._broken > _MOST_BROKEN * self._answered

    @property
    def is_silent(self) -> bool:
        """Whether no request for a known page or file has succeeded."""
        return self._vain > 0 and not self._alive

    @property
    def needs_start_page(self) -> bool:
        """Whether to request the start page now: it shows whether the site has moved or is down."""
        return self.is_redesigned or (self.is_silent and self._vain >= _LEAST_VAIN)

    @property
    def is_hopeless(self) -> bool:
        """Whether to end the round, if the start page fails too."""
        return self.is_silent and self._vain >= _MOST_VAIN

    def snapshot(self) -> list[int]:
        return [self._answered, self._broken, self._vain, self._alive]

    def restore(self, state: list[int]) -> None:
        # Older versions did not count the last two.
        self._answered, self._broken, self._vain, self._alive = [*state, 0, 0][:4]
