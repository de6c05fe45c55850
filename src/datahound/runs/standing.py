"""Where a folder's crawl stands before it goes on, and how it ended after."""

from datahound.crawl.crawl import Crawl
from datahound.events import Stop
from datahound.runs.endings import (
    Ended,
    as_planned,
    cause_of,
    finished_before,
    no_start_page,
)
from datahound.runs.reasons import Cause
from datahound.store.files import FileLedger
from datahound.store.folder import Folder
from datahound.store.writer import Store
from datahound.web.urls import host_of

_PAGES = "SELECT count(*) FROM visit WHERE outcome != 'not a page'"
_REQUESTS = "SELECT coalesce(max(number), 0) FROM request"
_TARGETS = "SELECT count(*) FROM target"
_ANSWERED = "SELECT url FROM request WHERE status IS NOT NULL ORDER BY id DESC LIMIT 1000"
_LAST_REQUEST = "SELECT status, failure FROM request ORDER BY id DESC LIMIT 1"


def was_finished(store: Store, *, list_only: bool) -> bool:
    """Whether there is nothing left to do: every link followed, every file dealt with."""
    if cause_of(store.fact("ended")) is not Cause.EXHAUSTED:
        return False
    return list_only or not FileLedger(store).missing()


def already_finished(store: Store) -> Ended:
    """What is said of a crawl with nothing left to do."""
    return finished_before(_count(store, _REQUESTS), _count(store, _TARGETS))


def forget_failed_start(store: Store, folder: Folder) -> None:
    """A crawl that never got to read a page begins anew, instead of recalling that it failed."""
    if cause_of(store.fact("ended")) is Cause.NO_START_PAGE:
        for path in folder.pages.glob("*.warc.gz*"):
            path.unlink()
        store.forget()
        store.note("ended", None)


def how_it_ended(store: Store, crawl: Crawl) -> Ended:
    """The reason of a crawl that was not told to stop."""
    reason = crawl.stopped or Stop.EXHAUSTED
    if reason is Stop.EXHAUSTED and not (_count(store, _PAGES) or _count(store, _TARGETS)):
        status, trouble = store.connection.execute(_LAST_REQUEST).fetchone() or (None, "")
        return no_start_page(trouble or (f"status {status}" if status else "it is no page"))
    return as_planned(reason)


def hosts_that_answered(store: Store) -> tuple[str, ...]:
    """The hosts of the last requests that got an answer."""
    found = store.connection.execute(_ANSWERED).fetchall()
    return tuple(dict.fromkeys(host_of(url) for (url,) in found))


def _count(store: Store, statement: str) -> int:
    (count,) = store.connection.execute(statement).fetchone()
    return int(count)
