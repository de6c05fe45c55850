"""Folders of every older format can be read, and crawls in them go on."""

import asyncio
import json
import sqlite3
from contextlib import closing

import pytest
from old_folders import NAMES, SITE, unpack
from pretend import PretendWeb, small_site

from datahound.errors import StorageError
from datahound.events import Ground, VisitOutcome
from datahound.model import Kind, Skip
from datahound.report.phrases import Cause
from datahound.report.status import read_status
from datahound.runs.options import options_of
from datahound.runs.run import Run
from datahound.store.folder import Folder
from datahound.store.schema import VERSION
from datahound.store.sqlite import create_or_open, open_to_read


def version_of(folder):
    with closing(sqlite3.connect(folder / "crawl.db")) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def shape(connection):
    """The columns of every table and view, and the names of the indexes."""
    names = connection.execute("SELECT type, name FROM sqlite_master").fetchall()
    columns = {
        name: sorted(row[1] for row in connection.execute(f"PRAGMA table_info({name})"))
        for kind, name in names
        if kind in ("table", "view")
    }
    return columns, sorted(name for kind, name in names if kind == "index")


def test_every_format_is_there():
    assert {name.split("-")[1] for name in NAMES} == {str(n) for n in range(1, VERSION)}


@pytest.mark.parametrize("name", NAMES)
def test_an_older_folder_becomes_one_of_today(name, tmp_path):
    """Reading upgrades it in place: the tables of a new folder, and no value that is not typed."""
    folder = unpack(name, tmp_path / "old")
    before = read_status(folder)
    assert version_of(folder) == VERSION
    with (
        closing(open_to_read(folder / "crawl.db")) as connection,
        closing(create_or_open(tmp_path / "new.db")) as new,
    ):
        assert shape(connection) == shape(new)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)

        def values(column, table):
            return {v for (v,) in connection.execute(f"SELECT DISTINCT {column} FROM {table}")}

        assert values("outcome", "visit") <= {outcome.value for outcome in VisitOutcome}
        assert values("reason", "skip") <= {reason.value for reason in Skip}
        assert values("expected", "request") | values("expected", "link") <= {
            kind.value for kind in Kind
        }
        assert None not in values("reward", "visit") | values("new_links", "visit")
        for (evidence,) in connection.execute("SELECT evidence FROM choice"):
            why = json.loads(evidence)
            assert why["note"] if name < "format-4" else why["experience"] is not None
            assert all(Ground(ground) for ground in why["grounds"])
            assert isinstance(why["runners_up"], list)
        for view in ("targets", "pages", "actions", "skipped", "requests"):
            connection.execute(f"SELECT * FROM {view}").fetchall()
    assert read_status(folder) == before
    assert before.pages
    assert before.targets


def test_the_cause_of_an_end_is_known(tmp_path):
    causes = {name: read_status(unpack(name, tmp_path / name)).cause for name in NAMES}
    assert {cause for name, cause in causes.items() if name.endswith("cut")} == {None}
    assert causes["format-2-hound-done"] is Cause.EXHAUSTED
    assert causes["format-3-foreseen"] is Cause.SPENT_REQUESTS
    assert causes["format-4-hound-budget"] is Cause.SPENT_REQUESTS


@pytest.mark.parametrize(
    ("ended", "cause"),
    [
        ({"reason": "the start page can't be had: x", "failed_start": True}, Cause.NO_START_PAGE),
        ({"reason": "the time is up (1m 00s)", "failed_start": False}, Cause.TIME_IS_UP),
        ({"reason": "interrupted", "failed_start": False}, Cause.INTERRUPTED),
        ({"reason": "something else", "failed_start": False}, Cause.OTHER),
        (None, None),
    ],
)
def test_an_old_ending_gets_its_cause(tmp_path, ended, cause):
    folder = unpack("format-3-foreseen", tmp_path / "old")
    with closing(sqlite3.connect(folder / "crawl.db")) as connection, connection:
        connection.execute("UPDATE fact SET value = ? WHERE name = 'ended'", (json.dumps(ended),))
    report = read_status(folder)
    assert report.cause is cause
    assert report.ended == (ended["reason"] if ended else "")


def test_old_reasons_become_typed(tmp_path):
    """A reason that was the failure of a request is not a reason to skip a link."""
    folder = unpack("format-3-foreseen", tmp_path / "old")
    old = {
        "redirects to what is on another site": (Skip.OTHER_SITE.value, 1),
        "trap: a calendar without end": (Skip.TRAP_CALENDAR.value, 0),
        "blocked extension": (Skip.BLOCKED_EXTENSION.value, 0),
    }
    with closing(sqlite3.connect(folder / "crawl.db")) as connection, connection:
        connection.execute("DELETE FROM skip")
        for number, reason in enumerate([*old, "can't connect"]):
            row = (f"https://a.example/{number}", reason)
            connection.execute("INSERT INTO skip (url, reason) VALUES (?, ?)", row)
    with closing(open_to_read(folder / "crawl.db")) as connection:
        rows = connection.execute("SELECT reason, redirected FROM skip ORDER BY id").fetchall()
    assert rows == list(old.values())


def test_foreseen_files_are_found_again(tmp_path):
    """Files that came before their page, and the pages that were not read by then."""
    folder = unpack("format-3-foreseen", tmp_path / "old")
    with closing(sqlite3.connect(folder / "crawl.db")) as connection:
        (emptied,) = connection.execute(
            "SELECT count(*) FROM visit WHERE new_links IS NULL AND reward IS NOT NULL"
        ).fetchone()
    with closing(open_to_read(folder / "crawl.db")) as connection:
        assert connection.execute(
            "SELECT count(*) FROM visit WHERE outcome = 'foreseen only'"
        ).fetchone() == (emptied,)
        rows = connection.execute(
            "SELECT p.text, f.url, f.found FROM foreseen f JOIN text p ON p.id = f.page"
        ).fetchall()
    assert emptied
    assert rows
    assert all(file == page.replace(".html", ".csv") for page, file, found in rows if found)


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_in_use_is_read_from_a_copy(name, tmp_path):
    """While a process of an older version works in it, the file stays as it is."""
    folder = unpack(name, tmp_path / "old")
    old = version_of(folder)
    with Folder(folder).claimed():
        shown = read_status(folder)
    assert shown.running
    assert version_of(folder) == old
    assert read_status(folder).requests == shown.requests


def test_a_folder_that_cant_be_written_is_read_from_a_copy(tmp_path, monkeypatch):
    def refuse(self):
        raise StorageError(f"{self.path}: can't be used: read-only file system")

    folder = unpack("format-3-sb-cut", tmp_path / "old")
    monkeypatch.setattr(Folder, "claimed", refuse)
    assert read_status(folder).requests == 111
    assert version_of(folder) == 3


def test_a_failed_upgrade_changes_nothing(tmp_path):
    """All steps or none: a folder that can't be upgraded stays what it was."""
    folder = unpack("format-3-hound-cut", tmp_path / "old")
    with closing(sqlite3.connect(folder / "crawl.db")) as connection, connection:
        connection.execute("UPDATE choice SET runners_up = 'not JSON'")
    with pytest.raises(StorageError, match="can't be used"):
        create_or_open(folder / "crawl.db")
    assert version_of(folder) == 3
    with closing(sqlite3.connect(folder / "crawl.db")) as connection:
        assert connection.execute("SELECT count(bonus) FROM choice").fetchone() > (0,)


def test_a_crawl_in_an_older_folder_goes_on(tmp_path):
    """The journal answers first: nothing is asked twice, and every target is found.

    hound has changed since, so it asks in another order: the first requests alone are the same.
    """
    folder = unpack("format-3-hound-cut", tmp_path / "old")
    with closing(sqlite3.connect(folder / "crawl.db")) as connection:
        asked = connection.execute(
            "SELECT url, purpose, at FROM request WHERE status IS NOT NULL ORDER BY id"
        ).fetchall()
    web = PretendWeb(small_site(SITE))
    run = Run(options_of(folder, {"list-only": True}), going_online=web.going_online)
    assert asyncio.run(run.go()).cause is Cause.EXHAUSTED
    with closing(open_to_read(folder / "crawl.db")) as connection:
        now = connection.execute("SELECT url, purpose, at FROM request ORDER BY id").fetchall()
    assert now[0] == asked[0]
    assert not {url for url, *_ in asked} & {url for _, url in web.asked}
    assert read_status(folder).targets == 30
