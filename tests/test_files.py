"""Whole files or none, and errors of the file system in one line."""

import pytest

from datahound.errors import StorageError
from datahound.files import storage_errors, write_whole


def test_a_whole_file_replaces_the_old_one(tmp_path):
    """Only when the block is over; the folders above it are made."""
    path = tmp_path / "a" / "b.txt"
    with write_whole(path) as draft:
        draft.write_text("new")
        assert not path.exists()
    assert path.read_text() == "new"
    with write_whole(path) as draft:
        draft.write_text("newer")
        assert path.read_text() == "new"
    assert [entry.name for entry in path.parent.iterdir()] == ["b.txt"]
    assert path.read_text() == "newer"


def write_half(path, error):
    with write_whole(path) as draft:
        draft.write_text("half")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failed_block_leaves_the_old_file(tmp_path, error):
    """And no draft."""
    path = tmp_path / "b.txt"
    path.write_text("old")
    with pytest.raises(error):
        write_half(path, error)
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.txt"]
    assert path.read_text() == "old"


def test_the_draft_of_a_killed_process_is_written_over(tmp_path):
    """A draft that is a hard link to something else is removed first, not written through."""
    path = tmp_path / "b.txt"
    (tmp_path / "other").write_text("other")
    (tmp_path / ".b.txt.part").hardlink_to(tmp_path / "other")
    with write_whole(path) as draft:
        draft.write_text("new")
    assert (tmp_path / "other").read_text() == "other"


def test_a_folder_that_is_a_file_is_one_line(tmp_path):
    """The error names the path and the reason."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match=r"file/b.txt: can't be written: (Not a|File exists)"):
        write_half(tmp_path / "file" / "b.txt", AssertionError("the block must not run"))


def test_a_draft_that_was_never_written_is_an_error(tmp_path):
    """An empty block must not leave the old file as if it were the new one."""
    with pytest.raises(StorageError, match="No such file"), write_whole(tmp_path / "x"):
        pass


def test_only_errors_of_the_file_system_are_translated(tmp_path):
    """Others pass; an error without a reason is shown as it is."""
    with pytest.raises(StorageError, match="can't be written: odd"), storage_errors(tmp_path):
        raise OSError("odd")
    with pytest.raises(ValueError, match="mine"), storage_errors(tmp_path):
        raise ValueError("mine")
