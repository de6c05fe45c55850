"""Kept files can be had, one or many, and nothing else of the disk."""

import io
import os
import sqlite3
import zipfile
from contextlib import closing
from urllib.parse import quote

import pytest
from crawled import Client, crawl, demo_site, hostile_site, in_thread

from datahound.dashboard.app import serve_dashboard
from datahound.dashboard.pages.files import describe_attachment, open_kept_file
from datahound.errors import UserError


def kept(folder):
    with closing(sqlite3.connect(folder / "crawl.db")) as connection:
        return connection.execute("SELECT url, path FROM file WHERE path IS NOT NULL").fetchall()


def test_one_file_is_saved_and_never_shown(client, crawls):
    """Its very bytes, as an attachment that no browser opens."""
    url, path = kept(crawls / "demo")[0]
    answer = client.ask(f"/crawl/demo/file?url={quote(url, safe='')}")
    assert answer.body == (crawls / "demo" / "files" / path).read_bytes()
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert "sandbox" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("url", ["", "../crawl.db", "file:///etc/passwd", "https://no.example/"])
def test_only_targets_can_be_asked_for(client, url):
    assert client.ask(f"/crawl/demo/file?url={quote(url, safe='')}").status == 404


@pytest.mark.parametrize("path", ["../crawl.db", "/etc/passwd", "out", "folder", "", "."])
def test_a_path_that_leads_elsewhere_is_refused(tmp_path, path):
    """Whatever a database says, and whatever stands in the folder."""
    crawl(hostile_site(), tmp_path / "x")
    files = tmp_path / "x" / "files"
    (files / "out").symlink_to("/etc/passwd")
    (files / "folder").mkdir()
    with closing(sqlite3.connect(tmp_path / "x" / "crawl.db")) as connection, connection:
        connection.execute("UPDATE file SET path = ?", (path,))
        (url,) = connection.execute("SELECT url FROM file").fetchone()
    with in_thread(lambda: serve_dashboard([tmp_path])) as serving:
        answer = Client(serving).ask(f"/crawl/x/file?url={quote(url, safe='')}")
    assert answer.status == 404
    assert b"root:" not in answer.body


def test_a_pipe_is_no_file(tmp_path):
    """A reader that waits for ever is not begun."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="not a file"):
        open_kept_file(tmp_path, tmp_path / "pipe")


def test_names_cant_leave_their_header():
    assert "\r" not in describe_attachment('a"b\r\nX: y.csv')
    assert describe_attachment("Zürich.csv").endswith("filename*=UTF-8''Z%C3%BCrich.csv")


def zip_of(client, **form):
    answer = client.ask("/crawl/demo/zip", "POST", form={"form_token": client.form_token(), **form})
    assert answer.status == 200, answer.text
    return zipfile.ZipFile(io.BytesIO(answer.body))


def test_a_selection_comes_as_a_zip(client, crawls):
    """The files that were ticked, whole, with a list of where they came from."""
    with zip_of(client, id=["1", "3"]) as archive:
        assert archive.testzip() is None
        names = [name for name in archive.namelist() if name != "SOURCES.csv"]
        assert len(names) == 2
        for name in names:
            assert archive.read(name) == (crawls / "demo" / "files" / name).read_bytes()
        assert archive.read("SOURCES.csv").decode("utf-8-sig").count("\n") == 3


def test_all_that_was_found_comes_as_a_zip(client):
    every = client.json("/crawl/demo/data.json")
    one = every["formats"][-1]
    with zip_of(client, what="all", format=one["label"]) as archive:
        assert len(archive.namelist()) == one["value"] + 1


def test_nothing_chosen_is_said(client):
    form = {"form_token": client.form_token()}
    answer = client.ask("/crawl/demo/zip", "POST", form=form)
    assert answer.status == 404
    assert "tick some first" in answer.text


def test_two_folders_of_one_name_are_told_apart(tmp_path):
    site = demo_site("synthetic:demo?pages=100&targets=5&bodies=on")
    for parent in ("a", "b"):
        crawl(site, tmp_path / parent / "same", budget=5)
    with in_thread(lambda: serve_dashboard([tmp_path])) as serving:
        home = Client(serving).json("/index.json")
        ids = [line["id"] for line in home["crawls"]]
        assert sorted(ids) == ["same", "same~2"]
        for id_ in ids:
            assert Client(serving).ask(f"/crawl/{id_}").status == 200
