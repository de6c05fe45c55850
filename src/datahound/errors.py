"""The errors of Datahound, by who can fix them.

DatahoundError
├── UserError          something the user gave is wrong: one clear line, exit status 2
│   ├── ArchiveError   a recorded website that is missing, broken or empty
│   └── StorageError   files can't be written: no space, no permission
├── Unreachable        a site, a webhook or the network can't be reached: exit status 1
└── InternalError      Datahound broke its own rules: a fault to report, exit status 1
"""

from collections.abc import Iterator
from contextlib import contextmanager


class DatahoundError(Exception):
    """Any error that Datahound raises on purpose."""


class UserError(DatahoundError):
    """Something the user gave can't be used; the message says what and what is allowed."""


class ArchiveError(UserError):
    """A recorded website can't be read or written."""


class StorageError(UserError):
    """Files can't be kept where the user wants them."""


class Unreachable(DatahoundError):
    """A site, or the webhook that its news are posted to, could not be reached for too long."""


class InternalError(DatahoundError):
    """Datahound broke one of its own rules."""


UNFORESEEN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""The errors that code raises when data from the web has a structure that it does not expect.

Errors of the disk, of memory and of `DatahoundError` are not among them: these end a crawl, which
can be resumed.
"""


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Name the extra of the package to install, if a library imported in the block is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UserError(
            f"this needs {error.name}: pip install 'datahound[{extra}]' brings it"
        ) from None
