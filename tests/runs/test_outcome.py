"""How a run ended: the cause, the words, the exit status, and what the next run makes of it."""

from contextlib import closing
from functools import partial

import pytest

from datahound.errors import StorageError, Unreachable, UserError
from datahound.events import Fetched, Stop, TargetFound
from datahound.model import Fetch, FileRecord, Kind, Link
from datahound.report.phrases import Cause
from datahound.runs import outcome
from datahound.runs.outcome import describe_error, exit_status
from datahound.store.files import FileLedger
from datahound.store.folder import Folder
from datahound.store.writer import Store

SEED = "https://www.example.org/"


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "crawl.db")) as store:
        yield store


def observe_target(store):
    link = Link(SEED + "a.csv", found_on=SEED, number=1)
    fetched = Fetched(1, Fetch(link.url), 200, Kind.TARGET, Kind.TARGET, 5)
    store.observe([fetched, TargetFound(1, link, "text/csv", 5)])
    store.flush()
    return link.url


def observe_failure(store, status, failure=""):
    store.observe([Fetched(1, Fetch(SEED), status, Kind.OTHER, Kind.PAGE, 0, failure)])
    store.flush()


@pytest.mark.parametrize(
    ("status", "failure", "reason"),
    [(None, "timed out", "timed out"), (404, "", "status 404"), (None, "", "it is not a page")],
)
def test_a_crawl_without_page_and_target_failed_at_its_start(store, status, failure, reason):
    """The last request says why."""
    observe_failure(store, status, failure)
    ended = outcome.judge_end(store, None)
    assert ended.failed_start
    assert ended.status == 1
    assert ended.reason.endswith(reason)


def test_a_budget_or_a_target_is_no_failed_start(store):
    """A budget may end a crawl before its first page; a target alone is a result."""
    observe_failure(store, 500)
    assert outcome.judge_end(store, Stop.SPENT_REQUESTS).cause is Cause.SPENT_REQUESTS
    observe_target(store)
    ended = outcome.judge_end(store, None)
    assert (ended.cause, ended.status) == (Cause.EXHAUSTED, 0)


def test_a_crawl_is_finished_with_its_last_file(store):
    """Every link followed is not enough, unless files are only listed."""
    url = observe_target(store)
    assert not outcome.was_finished(store, list_only=True)
    store.note("ended", outcome.as_planned(Stop.EXHAUSTED).plain())
    assert outcome.was_finished(store, list_only=True)
    assert not outcome.was_finished(store, list_only=False)
    FileLedger(store).finished(FileRecord(url, "h/a.csv", 5, "ab", "text/csv", "", "complete"))
    assert outcome.was_finished(store, list_only=False)
    assert outcome.already_finished(store).reason.endswith("(1 targets in 1 requests)")
    store.note("ended", outcome.as_planned(Stop.BARREN).plain())
    assert not outcome.was_finished(store, list_only=False)


def test_a_failed_start_is_forgotten_and_nothing_else(store, tmp_path):
    """The journal goes too: it would answer with the failure again."""
    journal = tmp_path / "pages" / "www.example.org.warc.gz"
    journal.parent.mkdir()
    journal.write_bytes(b"x")
    observe_failure(store, 404)
    for ended in (outcome.as_planned(Stop.BARREN), outcome.no_start_page("status 404")):
        assert journal.exists()
        store.note("ended", ended.plain())
        outcome.forget_failed_start(store, Folder(tmp_path))
    assert not journal.exists()
    assert store.fact("ended") is None
    assert outcome.origins_that_answered(store) == ()


def test_origins_are_named_once_the_newest_first(store):
    for number, host in enumerate(("a.example", "b.example", "a.example"), 1):
        fetch = Fetch(f"https://{host}/{number}")
        store.observe([Fetched(number, fetch, 200, Kind.PAGE, Kind.PAGE, 1)])
    store.flush()
    assert outcome.origins_that_answered(store) == ("https://a.example", "https://b.example")


def test_an_ending_comes_back_from_the_store(store):
    """Its cause as the enum; None while there is none."""
    assert outcome.cause_of(store.fact("ended")) is None
    store.note("ended", outcome.time_is_up(90).plain())
    assert outcome.cause_of(store.fact("ended")) is Cause.TIME_IS_UP
    assert store.fact("ended")["hint"]


def test_an_error_of_storage_on_a_full_disk_is_one_of_the_disk(store, tmp_path, monkeypatch):
    """Whichever file could not be written first; a mistake of the user is said as it is."""
    folder, full = Folder(tmp_path), StorageError("the index can't be used: disk is full")
    explain = partial(outcome.explain_failure, folder)
    assert explain(full, was_online=False) is None
    monkeypatch.setattr(outcome, "read_free_disk", lambda _: 2_000_000)
    assert explain(UserError("another URL"), was_online=False) is None
    ended = explain(full, was_online=False)
    assert (ended.cause, ended.status) == (Cause.DISK_LOW, 1)
    assert ended.reason == "little disk is left: 2.0 MB are free"
    store.path.unlink()
    assert explain(full, was_online=False) is None
    assert explain(full, was_online=True).cause is Cause.FOLDER_GONE


def test_errors_have_a_status_each():
    """Of several crawls the worst counts: interrupted, then trouble, then bad input."""
    bad, trouble = describe_error(UserError("x")), describe_error(Unreachable("y"))
    fault = describe_error(ValueError("z"))
    assert [e.cause for e in (bad, trouble, fault)] == [Cause.BAD_INPUT, Cause.TROUBLE, Cause.FAULT]
    assert "ValueError: z" in fault.reason
    fine = outcome.as_planned(Stop.EXHAUSTED)
    assert exit_status([fine]) == 0
    assert exit_status([fine, bad]) == 2
    assert exit_status([bad, trouble, fine]) == 1
    assert exit_status([trouble, outcome.interrupted()]) == 130
