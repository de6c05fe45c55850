"""The plan of a later round."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """The time of a later round, what it requests and when it ends."""

    now: float
    """In seconds since 1970."""
    unit: float
    """The usual number of seconds between two rounds."""
    year: int
    checks: bool = True
    """Whether known files are checked for new contents."""
    has_limit: bool = True
    """Whether the limit of requests may be less than the known pages and files."""
    least_value: float = 0.0
    """The round ends when the best request is expected to bring fewer new or changed files."""
