"""A folder belongs to one crawl, and to one process at a time."""

import asyncio
import os
import sqlite3
from contextlib import closing

import pytest
from pretend import PretendWeb, small_site

from datahound.errors import StorageError, UserError
from datahound.report.status import read_status
from datahound.runs.options import make_options
from datahound.runs.run import Run
from datahound.store.folder import Folder
from datahound.store.queries import BEST_GROUPS
from datahound.strategies import DEFAULT_STRATEGY


@pytest.fixture(scope="module")
def site():
    return small_site()


def go(site, folder, **options):
    web = PretendWeb(site)
    given = {"output": str(folder), **options}
    run = Run(make_options(site.seed, given), going_online=web.going_online)
    return asyncio.run(run.go())


def test_a_folder_with_other_things_is_never_touched(site, tmp_path):
    """Nothing is written beside what isn't ours."""
    (tmp_path / "thesis.doc").write_text("mine")
    with pytest.raises(UserError, match=r"thesis\.doc"):
        go(site, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.doc"]


def test_logs_and_figures_may_be_in_the_folder(site, tmp_path):
    """`--log` and `--metrics-file` may name files in it; a new volume has lost+found."""
    (tmp_path / "lost+found").mkdir()
    for name in ("datahound.jsonl", "datahound.jsonl.1", "datahound.prom", "cron.log"):
        (tmp_path / name).touch()
    assert go(site, tmp_path).status == 0


def test_a_database_of_another_program_is_never_touched(site, tmp_path):
    """A crawl.db that isn't ours stays as it is."""
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection, connection:
        connection.execute("CREATE TABLE mine (x)")
    before = (tmp_path / "crawl.db").read_bytes()
    with pytest.raises(UserError, match="not the database of a Datahound crawl"):
        go(site, tmp_path)
    assert (tmp_path / "crawl.db").read_bytes() == before


@pytest.mark.parametrize(("version", "age"), [(99, "newer"), (-1, "older")])
def test_another_format_is_refused_clearly(site, tmp_path, version, age):
    """The user learns that another version wrote the folder."""
    go(site, tmp_path, budget=5)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection, connection:
        connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(UserError, match=age):
        go(site, tmp_path, budget=5)


def test_two_processes_never_crawl_into_one_folder(site, tmp_path):
    """The second one is refused, whatever the first is doing."""
    folder = Folder(tmp_path / "crawl")
    with folder.claimed():
        assert folder.is_claimed()
        with pytest.raises(UserError, match="another process"):
            go(site, folder.path)
    assert not folder.is_claimed()


@pytest.mark.parametrize(
    ("option", "value"),
    [("seed", 5), ("strategy", "bfs"), ("target", "pdf"), ("scope", "/"), ("exclude", "zzz")],
)
def test_what_would_make_it_another_crawl_is_refused(site, tmp_path, option, value):
    """The line names the option that differs."""
    go(site, tmp_path, budget=5)
    with pytest.raises(UserError, match=f"--{option}"):
        go(site, tmp_path, budget=5, **{option: value})


def test_limits_and_manners_may_change(site, tmp_path):
    """Budget, delay, early stopping and contact are the user's to change."""
    go(site, tmp_path, budget=5)
    changes = {"budget": 9, "delay": 2, "early-stop": False, "contact": "me@example.org"}
    assert go(site, tmp_path, **changes).status == 0
    assert read_status(tmp_path).requests >= 9


def test_a_folder_that_cant_be_made_is_a_line(site, tmp_path):
    """No traceback for a path through a file."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="can't be used"):
        go(site, tmp_path / "file" / "crawl")


def test_a_report_tells_how_a_crawl_stands(site, tmp_path):
    """Requests, targets, files, reasons: from the folder alone."""
    ended = go(site, tmp_path)
    report = read_status(tmp_path)
    assert (report.seed, report.strategy, report.running) == (site.seed, DEFAULT_STRATEGY, False)
    assert report.ended == ended.reason
    assert report.targets == report.files["complete"][0] == 40
    assert sum(report.skipped.values())
    assert report.best_actions
    with pytest.raises(UserError, match="no crawl"):
        read_status(tmp_path / "nowhere")


def test_every_view_reads_well(site, tmp_path):
    """Each view of crawl.db has a row for what happened, and no time but as text."""
    go(site, tmp_path)
    connection = sqlite3.connect(tmp_path / "crawl.db")
    for view in ("targets", "pages", "actions", "skipped", "requests"):
        rows = connection.execute(f"SELECT * FROM {view}").fetchall()
        assert rows, view
    pages = connection.execute("SELECT page_title, file FROM targets").fetchall()
    assert all(title and file.startswith("files/") for title, file in pages)
    connection.close()


def test_groups_are_told_at_once_however_many(site, tmp_path):
    """Links and visits are counted once for all groups, in the view and in a report."""
    go(site, tmp_path)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        for statement in ("SELECT * FROM actions", BEST_GROUPS):
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
            assert not [step for *_, step in plan if "CORRELATED" in step]
        links, visits, targets = connection.execute(
            "SELECT sum(links), sum(visits), sum(targets) FROM actions"
        ).fetchone()
        assert connection.execute("SELECT count(action) FROM link").fetchone() == (links,)
        assert connection.execute(
            "SELECT count(*), sum(reward) FROM visit WHERE action IS NOT NULL"
        ).fetchone() == (visits, targets)
        best = connection.execute(
            "SELECT tag_path, visits, targets FROM actions WHERE targets > 0 LIMIT 5"
        ).fetchall()
    assert read_status(tmp_path).best_actions == best


def test_a_fifo_in_place_of_the_lock_keeps_nobody_waiting(tmp_path):
    os.mkfifo(tmp_path / "crawl.lock")
    assert not Folder(tmp_path).is_claimed()
