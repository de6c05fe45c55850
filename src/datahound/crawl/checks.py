"""What the answers to checks of known files say."""

from datahound.crawl.errands import Errand, Outcome
from datahound.events import Checked, CheckOutcome
from datahound.model import Choice, Kind
from datahound.web.messages import is_redirect

_GONE = (404, 410)
_NOT_MODIFIED = 304


def judge(errand: Errand, outcome: Outcome) -> CheckOutcome:
    """What the outcome of a check says of the file."""
    response = outcome.response
    if outcome.link.url != errand.own_url or (response and is_redirect(response.status)):
        return CheckOutcome.MOVED
    if response is None:
        return CheckOutcome.NO_ANSWER
    if response.status == _NOT_MODIFIED:
        return CheckOutcome.UNCHANGED
    if response.status in _GONE:
        return CheckOutcome.MISSING
    if outcome.kind is Kind.TARGET:
        return CheckOutcome.SERVED
    return CheckOutcome.NOT_A_FILE if outcome.kind is Kind.PAGE else CheckOutcome.NO_ANSWER


def make_event(choice: Choice, outcome: Outcome, found: CheckOutcome, requests: int) -> Checked:
    """The event of a check that has ended."""
    status = outcome.response.status if outcome.response else None
    return Checked(requests, choice.link, found, status)
