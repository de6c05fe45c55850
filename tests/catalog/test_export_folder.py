"""Folders of exports, which remember what is in them."""

import gzip
from contextlib import suppress

import pytest

from datahound.catalog.exports.folder import MADE_BY, ExportFolder, claim_file
from datahound.errors import UserError


def export(path, files, *, form="csv", finished=True, force=False):
    """Write files by name and content; returns the names that had to be written."""
    written = []
    with suppress(InterruptedError), ExportFolder(path, form, force=force) as folder:
        for name, content in files.items():
            if not folder.has(name, content):
                written.append(name)
                with folder.write_file(name, content) as draft:
                    draft.write_text(content)
        if not finished:
            raise InterruptedError
    return written


def names(path):
    return sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())


def test_a_second_run_writes_only_what_changed(tmp_path):
    """And removes what is not part of it any more, but nothing else."""
    out = tmp_path / "out"
    assert export(out, {"a": "1", "t/b": "2", "t/c": "3"}) == ["a", "t/b", "t/c"]
    (out / "t" / "mine").write_text("x")
    assert export(out, {"a": "1", "t/b": "new"}) == ["t/b"]
    assert names(out) == [".datahound-export", "a", "t/b", "t/mine"]


def test_an_unfinished_run_removes_nothing(tmp_path):
    """And the next one keeps what it wrote."""
    export(tmp_path, {"a": "1", "b": "2"})
    export(tmp_path, {"b": "2", "c": "3"}, finished=False)
    assert names(tmp_path) == [".datahound-export", "a", "b", "c"]
    assert export(tmp_path, {"a": "1", "b": "2", "c": "3"}) == []


def test_a_file_that_was_deleted_is_written_again(tmp_path):
    """Whatever the records say."""
    export(tmp_path, {"a": "1"})
    (tmp_path / "a").unlink()
    assert export(tmp_path, {"a": "1"}) == ["a"]


def test_records_cut_short_by_a_crash_are_skipped(tmp_path):
    """The rest is known."""
    export(tmp_path, {"a": "1", "b": "2"}, finished=False)
    mark = tmp_path / ".datahound-export"
    mark.write_bytes(mark.read_bytes()[:-9])
    assert export(tmp_path, {"a": "1", "b": "2"}) == ["b"]
    assert export(tmp_path, {"a": "1", "b": "2"}) == []


def test_records_never_lead_out_of_the_folder(tmp_path):
    """A folder may come from somebody else."""
    (tmp_path / "victim").write_text("x")
    out = tmp_path / "out"
    export(out, {"a": "1"})
    with (out / ".datahound-export").open("a") as file:
        file.write('{"file": "../victim", "made_of": "1"}\n[1]\n')
    export(out, {"a": "1"})
    assert (tmp_path / "victim").exists()


def test_one_export_at_a_time(tmp_path):
    """The second is refused, and the first goes on."""
    with (
        ExportFolder(tmp_path, "csv", force=False),
        pytest.raises(UserError, match="another export is writing"),
    ):
        ExportFolder(tmp_path, "csv", force=False)
    export(tmp_path, {"a": "1"})


def test_foreign_folders_are_refused(tmp_path):
    """Unless forced; an export of another kind is always refused."""
    (tmp_path / "mine").write_text("x")
    with pytest.raises(UserError, match="holds other things"):
        export(tmp_path, {})
    export(tmp_path, {"a": "1"}, force=True)
    with pytest.raises(UserError, match="another kind"):
        export(tmp_path, {}, form="parquet", force=True)
    with pytest.raises(UserError, match="is a file"):
        export(tmp_path / "mine", {})


def test_files_are_replaced_only_if_they_are_exports(tmp_path):
    """By a mark at their beginning or end, also in a compressed file."""
    for number, body in enumerate(
        [
            MADE_BY.encode(),
            b"x" * 9000 + MADE_BY.encode(),
            gzip.compress(b"software: datahound 1.0"),
        ]
    ):
        path = tmp_path / str(number)
        path.write_bytes(body)
        claim_file(path, force=False)
    for body in (b"mine", b"x" * 5000 + MADE_BY.encode() + b"x" * 5000, b"\x1f\x8b broken", b""):
        (tmp_path / "mine").write_bytes(body)
        with pytest.raises(UserError, match="--force"):
            claim_file(tmp_path / "mine", force=False)
        claim_file(tmp_path / "mine", force=True)
    with pytest.raises(UserError, match="is a folder"):
        claim_file(tmp_path, force=True)
