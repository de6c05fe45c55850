"""What can go wrong, by who can mend it.

DatahoundError
├── UserError          something the user gave is wrong: one clear line, exit status 2
│   └── ArchiveError   a recorded website that is missing, broken or empty
└── InternalError      our own rules were broken: a fault to report, exit status 1
"""


class DatahoundError(Exception):
    """Any error that Datahound raises on purpose."""


class UserError(DatahoundError):
    """Something the user gave can't be used; the message says what and what is allowed."""


class ArchiveError(UserError):
    """A recorded website can't be read or written."""


class InternalError(DatahoundError):
    """Datahound broke one of its own rules."""
