"""Later rounds ask portals for their lists again, and keep no answer as a file."""

import contextlib
import sqlite3
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from portal_servers import PORTALS, serving

from datahound.cli import run


def targets(folder):
    with contextlib.closing(sqlite3.connect(folder / "crawl.db")) as database:
        return [url for (url,) in database.execute("SELECT url FROM target ORDER BY id")]


@pytest.mark.parametrize("name", ["pxweb-1", "ckan"])
def test_lists_are_read_again_and_are_no_files(name, tmp_path, capsys):
    """A round finds what is new in a portal, and only that."""
    portal = PORTALS[name](20)
    folder, options = tmp_path / "x", ["--delay", "0"]
    left = next(d for d in portal.datasets if d.own_files) if name == "ckan" else None
    if left is not None:
        portal.datasets = tuple(d for d in portal.datasets if d is not left)
    with serving(portal) as base:
        assert run(["crawl", f"{base}/", "--output", str(folder), "--no-early-stop", *options]) == 0
        before = targets(folder)
        if left is not None:
            portal.datasets = (*portal.datasets, left)
            files = {portal.file_path(left, file): file for file in left.own_files}
            portal._documents.update(files)
        assert run(["refresh", str(folder), *options]) == (0 if left else 3)
    capsys.readouterr()
    new = set(targets(folder)) - set(before)
    added = {portal.file_url(left, file) for file in left.own_files} if left else set()
    assert new == added
    assert before
