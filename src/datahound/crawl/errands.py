"""Errands (one URL being fetched each), their outcomes, and postponed links; all plain data."""

from array import array
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

from datahound.crawl.strategy import State
from datahound.events import CheckOutcome, Fetched
from datahound.model import (
    NOT_READY,
    PAGE_IN_PLACE,
    Choice,
    Failure,
    Fetch,
    Kind,
    Link,
    Purpose,
    Response,
    link_row,
)
from datahound.web.messages import is_redirect
from datahound.web.targets import ACCEPTED, Wanted, mime_type_of

# One in ten visits is of a postponed link, even if its host may not be asked yet.
_RETRY_EVERY = 10
# Groups are numbered from 0, and an array of numbers has no None.
_NO_CHOICE, _NO_GROUP = -2, -1


class Name(Enum):
    """The name under which a URL is asked for."""

    OWN = "own"
    BETTER = "better"
    """Where redirects of the site say that it has moved."""
    OWN_AFTER_BETTER = "own after better"
    """Nothing was there under the better name."""


@dataclass(slots=True)
class Errand:
    """One URL being fetched: why, for which choice or reading, and how far it has come."""

    purpose: Purpose
    link: Link
    """The link with the URL that is asked for now."""
    expected: Kind
    choice: Choice | None = None
    """The choice that is visited."""
    owner: int = 0
    """The number of the reading or foresight that waits for it; 0 if none does."""
    patient: bool = False
    own_url: str = ""
    """The URL of the link as it was met."""
    better_url: str = ""
    """The name that it probably has now, where that is another one."""
    name: Name = Name.OWN
    hops: int = 0
    """Redirects followed so far, under this name."""
    redirected_from: str | None = None
    got_cookie: bool = False
    """Whether a redirect on its way set a cookie."""
    is_again: bool = False
    """Whether this is a second request: with the cookie, or for a file that was not ready."""

    @property
    def fetch(self) -> Fetch:
        return Fetch(self.link.url, self.purpose, self.patient, self.is_again, self.link.hint)


class Ending(Enum):
    """How an errand ended."""

    ANSWERED = "answered"
    NOTHING = "nothing"
    """No answer, or a redirect that leads nowhere."""
    POSTPONED = "postponed"
    ALIAS = "alias"
    """Another name of a known URL: nothing was asked for."""


class Outcome(NamedTuple):
    """What a link turned out to be, redirects followed: its last URL, its kind and the answer."""

    ending: Ending
    link: Link
    kind: Kind = Kind.OTHER
    response: Response | None = None
    is_missing: bool = False
    """There was no answer, or one that says that nothing is there."""


def errand_row(errand: Errand) -> State:
    """An errand as plain data."""
    return {
        "purpose": errand.purpose.value,
        "link": link_row(errand.link),
        "expected": errand.expected.value,
        "choice": errand.choice and choice_row(errand.choice),
        "owner": errand.owner,
        "patient": errand.patient,
        "own_url": errand.own_url,
        "better_url": errand.better_url,
        "name": errand.name.value,
        "hops": errand.hops,
        "redirected_from": errand.redirected_from,
        "got_cookie": errand.got_cookie,
        "is_again": errand.is_again,
    }


def read_errand(row: State) -> Errand:
    """The errand that plain data was made of."""
    return Errand(
        **{
            **row,
            "purpose": Purpose(row["purpose"]),
            "link": Link(*row["link"]),
            "expected": Kind(row["expected"]),
            "choice": read_choice(row["choice"]) if row["choice"] else None,
            "name": Name(row["name"]),
        }
    )


def choice_row(choice: Choice) -> list[object]:
    """A choice as plain data."""
    return [link_row(choice.link), choice.group, list(choice.files), choice.purpose.value]


def read_choice(row: list[Any]) -> Choice:
    """The choice that plain data was made of."""
    link, group, files, purpose = row
    return Choice(Link(*link), group, tuple(files), Purpose(purpose))


class PostponedLinks:
    """Links whose host may not be asked yet, or whose page was probably read under another name.

    First postponed, first tried again; each with the choice that led to it, if there was one.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[Link, Choice | None]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def are_due(self, visits: int) -> bool:
        """Whether one of them is to be tried again, after this number of visits."""
        return bool(self._waiting) and visits % _RETRY_EVERY == 0

    def add(self, link: Link, choice: Choice | None = None) -> None:
        self._waiting.append((link, choice))

    def take(self) -> tuple[Link, Choice | None]:
        return self._waiting.popleft()

    def links(self) -> list[Link]:
        return [link for link, _ in self._waiting]

    def snapshot(self) -> State:
        # A redirect may have changed a link's URL since it was discovered under its number.
        new = [pair for pair in self._waiting if not _is_again(pair[1])]
        again = [(link.url, choice) for link, choice in self._waiting if choice]
        return {
            "links": array("q", [link.number for link, _ in new]),
            "urls": [link.url for link, _ in new],
            "groups": array("q", [_group(choice) for _, choice in new]),
            "again": [[url, choice_row(choice)] for url, choice in again if _is_again(choice)],
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        rows = zip(state["links"], state["urls"], state["groups"], strict=True)
        for number, url, group in rows:
            link = links[number]
            chosen = Choice(link, None if group == _NO_GROUP else group)
            self.add(replace(link, url=url), None if group == _NO_CHOICE else chosen)
        for url, row in state["again"]:
            choice = read_choice(row)
            self.add(replace(choice.link, url=url), choice)


def _is_again(choice: Choice | None) -> bool:
    """Whether a choice is of an earlier round, whose links may have no number."""
    return choice is not None and choice.purpose is not Purpose.VISIT


def _group(choice: Choice | None) -> int:
    if choice is None:
        return _NO_CHOICE
    return _NO_GROUP if choice.group is None else choice.group


READ_AS_PAGES = (CheckOutcome.MOVED, CheckOutcome.NOT_A_FILE)
"""A URL that had a file may have a page now, with new files."""
_GONE = (404, 410)
_REFUSALS = (401, 403, 407, 408, 425, 429)
_ERRORS = 500
_NOT_MODIFIED = 304


def says_what_is_there(errand: Errand, outcome: Outcome) -> bool:
    """Whether an outcome shows what is at a URL; no answer, an error and a refusal do not."""
    if outcome.response is None:
        # A redirect that leads nowhere is an answer. A patient errand may have found its host down.
        return not (outcome.is_missing or errand.patient)
    return outcome.response.status < _ERRORS and outcome.response.status not in _REFUSALS


def judge_check(errand: Errand, outcome: Outcome) -> CheckOutcome:
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


def make_fetched(
    requests: int,
    errand: Errand,
    answer: Response | Failure,
    kind: Kind,
    wanted: Wanted,
    size: int,
) -> Fetched:
    """The event of an answer that was judged to be of this kind."""
    if isinstance(answer, Failure):
        status, failure, mime_type = None, answer.reason, ""
    else:
        status, mime_type = answer.status, mime_type_of(answer)
        failure = _explain(errand, answer, kind, wanted)
    return Fetched(
        requests,
        errand.fetch,
        status,
        kind,
        errand.expected,
        size,
        failure,
        errand.redirected_from,
        mime_type,
    )


def _explain(errand: Errand, answer: Response, kind: Kind, wanted: Wanted) -> str:
    """Why an answer is not what its link promised, or ''."""
    if wanted.by_name and answer.status == ACCEPTED:
        return NOT_READY
    if is_page_in_place(errand, answer, kind, wanted):
        return PAGE_IN_PLACE
    return answer.unreadable.value if answer.unreadable else ""


def is_page_in_place(errand: Errand, answer: Response, kind: Kind, wanted: Wanted) -> bool:
    """Whether a page came with the type or under the name of a file."""
    link = errand.link
    if kind is Kind.PAGE:
        is_file = not link.is_endpoint and wanted.names_file(link.url, link.hint)
        return wanted.by_name and is_file and answer.status == 200
    return kind is Kind.OTHER and wanted.is_page_in_place(answer)
