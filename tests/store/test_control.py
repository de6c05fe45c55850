"""The control file: commands for a running crawl, and nothing else is obeyed."""

import os

import pytest

from datahound.errors import UserError
from datahound.store.folder import Folder, clear_command, command_crawl, read_command


def test_only_a_running_crawl_can_be_told(tmp_path):
    with pytest.raises(UserError, match="no crawl is running"):
        command_crawl(tmp_path, "pause")
    with Folder(tmp_path / "x").claimed():
        with pytest.raises(UserError, match="is not a command"):
            command_crawl(tmp_path / "x", "explode")
        command_crawl(tmp_path / "x", "pause")
        assert read_command(Folder(tmp_path / "x").control) == "pause"


@pytest.mark.parametrize("content", ["", "pausee", "x" * 100_000, "\x00\xff"])
def test_odd_words_mean_go_on(tmp_path, content):
    (tmp_path / "crawl.control").write_text(content)
    assert read_command(tmp_path / "crawl.control") == ""


def test_links_and_pipes_are_not_read(tmp_path):
    """The file can't be made to hang the crawl, nor to read another."""
    (tmp_path / "real").write_text("stop")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "pipe")
    assert read_command(tmp_path / "link") == ""
    assert read_command(tmp_path / "pipe") == ""


def test_a_command_is_forgotten(tmp_path):
    """Once, and again: there may be none."""
    with Folder(tmp_path / "x").claimed():
        control = Folder(tmp_path / "x").control
        command_crawl(tmp_path / "x", "stop")
        assert read_command(control) == "stop"
        command_crawl(tmp_path / "x", "continue")
        assert read_command(control) == ""
        command_crawl(tmp_path / "x", "pause")
        clear_command(control)
        clear_command(control)
        assert read_command(control) == ""
