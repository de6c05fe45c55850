"""The ledger of files: what was tried, what is kept, what is missing, what was changed."""

import hashlib
from contextlib import closing

import pytest

from datahound.model import FileRecord, Unfinished
from datahound.store.writer import Store

BODY = b"a,b\n1,2\n"
SHA = hashlib.sha256(BODY).hexdigest()


def url(name):
    return f"https://a.example/{name}"


def record(name, status="complete"):
    return FileRecord(
        url(name), f"{name}.csv", len(BODY), SHA, "text/csv", "yesterday", status, "n"
    )


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "crawl.db")) as store:
        yield store


@pytest.fixture
def ledger(store):
    return store.ledger()


def add_target(store, name):
    with store.transaction():
        store.connection.execute(
            "INSERT INTO target (number, at, url, anchor, depth, mime_type, size) "
            "VALUES (1, 0, ?, '', 1, 'text/csv', 5)",
            (url(name),),
        )


def states(store):
    return dict(store.connection.execute("SELECT url, state FROM file").fetchall())


def test_a_download_is_in_the_ledger_before_its_body_and_after_it(store, ledger):
    """A crash between the two leaves a download that has begun."""
    ledger.started(url("x"), "x.part")
    assert states(store) == {url("x"): "started"}
    assert ledger.unfinished() == [Unfinished(url("x"), "x.part")]
    ledger.finished(record("x"))
    assert states(store) == {url("x"): "complete"}
    assert ledger.unfinished() == []


def test_each_value_is_in_its_column(store, ledger):
    ledger.finished(record("x"))
    columns = "url, state, path, size, sha256, mime_type, last_modified, note, part"
    row = store.connection.execute(f"SELECT {columns} FROM file").fetchone()
    kept = (url("x"), "complete", "x.csv", len(BODY), SHA, "text/csv", "yesterday", "n", None)
    assert tuple(row) == kept


@pytest.mark.parametrize(("final", "state"), [(True, "failed"), (False, "broken")])
def test_a_failure_is_final_or_not(store, ledger, final, state):
    ledger.started(url("x"), "x.part")
    ledger.failed(url("x"), "timed out", final)
    assert states(store) == {url("x"): state}


def test_the_end_of_a_download_is_announced_once(store):
    """A failure that is tried again is not an end."""
    ends = []
    ledger = store.ledger(ends.append)
    ledger.started(url("x"), "x.part")
    ledger.failed(url("x"), "timed out", False)
    assert ends == []
    ledger.failed(url("x"), "gone", True)
    ledger.finished(record("y"))
    assert [(end.url, end.status, end.note) for end in ends] == [
        (url("x"), "failed", "gone"),
        (url("y"), "complete", "n"),
    ]


def test_every_target_without_a_file_is_missing(store, ledger):
    """Whether it was never tried, broke off or failed; what is too large was refused for good."""
    for name in ("kept", "never", "begun", "broken", "failed", "large"):
        add_target(store, name)
    ledger.finished(record("kept"))
    ledger.finished(record("large", "too large"))
    for name in ("begun", "broken", "failed"):
        ledger.started(url(name), f"{name}.part")
    ledger.failed(url("broken"), "x", False)
    ledger.failed(url("failed"), "x", True)
    assert [body.url for body in ledger.missing()] == [
        url(name) for name in ("never", "begun", "broken", "failed")
    ]
    assert [body.url for body in ledger.untried()] == [url("never"), url("begun")]


def test_equal_bytes_are_found_by_their_hash(ledger):
    ledger.finished(record("x"))
    assert ledger.file_with(SHA) == "x.csv"
    assert ledger.file_with("0" * 64) is None


def test_bytes_of_duplicates_count_once(ledger):
    """A duplicate names the file of another URL; a suspicious file is on the disk."""
    ledger.finished(record("x"))
    ledger.finished(record("y", "duplicate"))
    ledger.finished(record("z", "suspicious"))
    assert ledger.kept_bytes() == 2 * len(BODY)


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


def test_a_file_that_is_gone_or_cut_is_fetched_again(store, ledger, files):
    for name in ("same", "gone", "cut"):
        add_target(store, name)
        (files / f"{name}.csv").write_bytes(BODY)
        ledger.finished(record(name))
    (files / "gone.csv").unlink()
    (files / "cut.csv").write_bytes(BODY[:3])
    assert ledger.lose_changed(files) == 2
    assert [body.url for body in ledger.missing()] == [url("gone"), url("cut")]
    assert ledger.lose_changed(files) == 0


def test_changed_bytes_of_the_same_size_are_found_by_reading_all(ledger, files):
    """Too slow for every start, so only a check does it."""
    (files / "x.csv").write_bytes(BODY[::-1])
    ledger.finished(record("x"))
    assert ledger.lose_changed(files) == 0
    assert [(file.path, why) for file, why in ledger.find_changes(files)] == [
        ("x.csv", "the file was changed")
    ]


def test_a_link_in_place_of_a_file_is_a_change(ledger, files, tmp_path):
    """Whoever put it there could lead the crawl out of its folder."""
    (tmp_path / "secret").write_bytes(BODY)
    (files / "x.csv").symlink_to(tmp_path / "secret")
    ledger.finished(record("x"))
    assert ledger.lose_changed(files) == 1


def test_a_file_is_adopted_only_as_it_was_listed(store, ledger, files):
    (files / "good.csv").write_bytes(BODY)
    (files / "bad.csv").write_bytes(BODY[::-1])
    for name in ("good", "bad", "gone"):
        ledger.adopt(record(name), files)
    assert states(store) == {url("good"): "complete"}


def test_a_newer_version_that_is_too_large_does_not_replace_the_file(store, ledger):
    """A server that says so may be wrong, and the older version is what there is."""
    ledger.finished(record("x"))
    ledger.started(url("x"), "x.part")
    ledger.finished(FileRecord(url("x"), "", 10**12, "", "text/csv", "", "too large"))
    row = store.connection.execute("SELECT state, path, size, sha256, note, part FROM file")
    said = "a newer version is too large"
    assert tuple(row.fetchone()) == ("complete", "x.csv", len(BODY), SHA, said, None)
    assert not store.connection.execute("SELECT 1 FROM version").fetchall()
    assert not ledger.missing()
