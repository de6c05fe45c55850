"""The named queries, on a database whose rows were written one by one."""

from contextlib import closing
from pathlib import Path

import pytest

from datahound.errors import StorageError, UserError
from datahound.events import Discovered, Fetched, GroupCreated, Skipped, TargetFound, Visited
from datahound.events import VisitOutcome as Outcome
from datahound.model import Choice, Fetch, FileRecord, Kind, Link, NotFollowed, Skip
from datahound.store import queries, queries_counts
from datahound.store.files import FileLedger
from datahound.store.queries import iterate_kept_files
from datahound.store.writer import Store

SEED = "https://www.example.org/"


def link(name, number=0):
    return Link(SEED + name, "html a", f"text of {name}", found_on=SEED, number=number)


def visit(number, group, outcome=Outcome.READ, reward=0, missed=None):
    choice = Choice(link(f"p{number}", number), group)
    missed = missed or NotFollowed()
    return Visited(number, choice, outcome, reward, 2, "Title", missed)


@pytest.fixture
def store(tmp_path):
    clock = iter(float(n) for n in range(100, 10_000))
    with closing(Store(tmp_path / "crawl.db", clock=lambda: next(clock))) as store:
        yield store


@pytest.fixture
def filled(store):
    """Three requests, two pages, one group with a reward, three targets of which one is a file."""
    store.observe(
        [
            GroupCreated(0, "html ul a", ""),
            GroupCreated(1, "html p a", ""),
            Fetched(1, Fetch(SEED), 200, Kind.PAGE, Kind.PAGE, 100),
            visit(1, None, missed=NotFollowed(needs_script=True)),
            Discovered(link("a", 5), Kind.PAGE, 0),
            Skipped(link("x"), Skip.ROBOTS),
            Skipped(link("y"), Skip.OTHER_SITE),
            Skipped(link("z"), Skip.OTHER_SITE),
            Fetched(2, Fetch("https://b.example/"), 200, Kind.PAGE, Kind.PAGE, 50),
            visit(2, 0, reward=3, missed=NotFollowed(forms=2, files_elsewhere=4, links_left_out=7)),
            visit(2, 1, Outcome.NOT_A_PAGE),
            TargetFound(2, link("1.csv"), "text/csv", 7),
            TargetFound(2, link("2.csv"), "text/csv", 8),
            TargetFound(2, link("3.csv"), "text/csv", 9),
            Fetched(3, Fetch(SEED + "gone"), None, Kind.OTHER, Kind.PAGE, 0, "timed out"),
        ]
    )
    store.flush()
    ledger = FileLedger(store)
    for name in ("1.csv", "2.csv"):
        ledger.started(SEED + name, f"{name}.part")
    ledger.finished(FileRecord(SEED + "1.csv", "h/1.csv", 7, "ab", "text/csv", "", "complete"))
    ledger.failed(SEED + "2.csv", "status 500", final=True)
    return store.connection


def test_counts(filled):
    counts = queries_counts.read_counts(filled)
    assert counts[:4] == (3, 3, 150, 2)
    assert 100 <= counts.began_at < counts.last_at
    last = queries_counts.read_quick_counts(filled)
    assert last[:5] == (3, 3, 3, 3, 5)
    assert last.last_request_at == counts.last_at


def test_counts_of_nothing(store):
    """A crawl that has not begun has zeros, and no times."""
    assert queries_counts.read_counts(store.connection) == (0, 0, 0, 0, None, None)
    assert queries_counts.read_quick_counts(store.connection) == (0, 0, 0, 0, 0, None)
    assert queries_counts.read_file_totals(store.connection) == (0, 0, 0)
    assert queries.read_last_request(store.connection) == (None, None)
    assert not queries.has_found_anything(store.connection)
    assert queries_counts.read_unfollowed(store.connection) == (0,) * 6


def test_files(filled):
    assert queries_counts.read_file_totals(filled) == (1, 7, 1)
    states = queries_counts.read_file_states(filled)
    assert states == {"complete": (1, 7), "failed": (1, 0)}
    assert queries_counts.count_listed(filled) == 1
    (_, _, path) = filled.execute("PRAGMA database_list").fetchone()
    (kept,) = (file for file in iterate_kept_files(Path(path)) if file.is_readable)
    assert (kept.url, kept.path, kept.title, kept.page) == (
        SEED + "1.csv",
        "h/1.csv",
        "text of 1.csv",
        SEED,
    )


def test_groups_and_skips(filled):
    """Every group, those without a visit too; the best have a reward."""
    assert list(queries.read_group_rewards(filled)) == [
        (0, "html ul a", 1, 3),
        (1, "html p a", 1, 0),
    ]
    assert queries.read_best_groups(filled) == [("html ul a", 1, 3)]
    assert list(queries_counts.read_skips(filled).items()) == [
        (Skip.OTHER_SITE, 2),
        (Skip.ROBOTS, 1),
    ]
    assert queries_counts.read_unfollowed(filled) == (1, 2, 1, 4, 1, 7)


def test_the_last_requests(filled):
    """The newest tells why a crawl failed; only answered ones name hosts."""
    assert queries.read_last_request(filled) == (None, "timed out")
    assert queries.read_answered_urls(filled) == ["https://b.example/", SEED]


def test_what_counts_as_found(store):
    """A visit that was not a page is nothing; a target alone is something."""
    store.observe([visit(1, None, Outcome.NOT_A_PAGE)])
    store.flush()
    assert not queries.has_found_anything(store.connection)
    store.observe([TargetFound(1, link("1.csv"), "text/csv", 7)])
    store.flush()
    assert queries.has_found_anything(store.connection)


def test_the_link_of_a_target(filled):
    found = queries.read_target_link(filled, SEED + "3.csv")
    assert (found.anchor, found.found_on) == ("text of 3.csv", SEED)
    assert queries.read_target_link(filled, SEED + "none") == Link(SEED + "none")


@pytest.mark.usefixtures("filled")
def test_a_folder_is_opened_to_read(tmp_path):
    """Facts by name; an odd database and a missing one are errors of ours."""
    with queries.open_folder(tmp_path) as connection:
        assert queries.read_fact(connection, "retold") is None
        assert queries_counts.read_counts(connection).requests == 3
    with pytest.raises(UserError, match="no crawl"), queries.open_folder(tmp_path / "none"):
        pass
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "crawl.db").write_text("x" * 5000)
    with pytest.raises(StorageError), queries.open_folder(tmp_path / "odd"):
        pass


def test_sizes_that_were_announced_can_be_summed_whatever_they_are(store):
    """Folders of older versions have sizes whose sum exceeds 64 bits."""
    store.observe([Fetched(n, Fetch(SEED), 200, Kind.TARGET, Kind.PAGE, 10**18) for n in range(12)])
    store.observe([TargetFound(n, link("a.csv"), "text/csv", 10**18) for n in range(12)])
    store.flush()
    connection = store.connection
    assert queries_counts.count_request_outcomes(connection).bytes >= 9 * 10**18
    assert queries_counts.read_counts(connection).bytes >= 9 * 10**18
    (page,) = queries_counts.iterate_pages_with_targets(connection)
    assert page.bytes >= 9 * 10**18
