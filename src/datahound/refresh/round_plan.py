"""What a later round may do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What a round may do, and when it is."""

    now: float
    """In seconds since 1970."""
    unit: float
    """The usual number of seconds between two rounds."""
    year: int
    checks: bool = True
    """Whether known files are checked for new contents."""
    has_limit: bool = True
    """Whether there may be requests for some of what is known only."""
    least_value: float = 0.0
    """Stop when the best request is expected to bring fewer new or changed files than this."""
