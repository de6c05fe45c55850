"""Errands: one URL on its way, as plain data that a snapshot can hold."""

from dataclasses import astuple, dataclass
from enum import Enum
from typing import Any

from datahound.crawl.strategy import State
from datahound.model import Choice, Fetch, Kind, Link, Purpose


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
    """Whether it is asked for a second time, with the cookie."""

    @property
    def fetch(self) -> Fetch:
        return Fetch(self.link.url, self.purpose, self.patient, self.is_again)


def errand_row(errand: Errand) -> State:
    """An errand as plain data."""
    return {
        "purpose": errand.purpose.value,
        "link": astuple(errand.link),
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
    return [astuple(choice.link), choice.group, list(choice.files)]


def read_choice(row: list[Any]) -> Choice:
    """The choice that plain data was made of."""
    link, group, files = row
    return Choice(Link(*link), group, tuple(files))
