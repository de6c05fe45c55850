"""Nonsense is one line and exit status 2, whatever the command, the argument and the option."""

import os
import sqlite3

import pytest
import typer

from datahound.cli import crawl, make_app, run

VALUES = (
    "", "-1", "0", "nan", "inf", "1e999", "9" * 30, "abc", "\udcff", "/dev/null", "/nonexistent/x",
    "\u0663", "1.5.2", "[", "=", "--", "\u202e", "x" * 5000,
)  # fmt: skip
PLACES = ("", "missing", "file", "other", "bad", "dirdb", "foreign", "\udcff", "x" * 5000, "a\nb")
OF_FOLDERS = ("refresh", "status", "fetch", "catalog", "report", "sql", "pull")


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    """A working folder with things that are no crawls."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("hello")
    for name in ("other", "bad", "dirdb/crawl.db", "foreign"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "other" / "thing").touch()
    (tmp_path / "bad" / "crawl.db").write_text("no database")
    with sqlite3.connect(tmp_path / "foreign" / "crawl.db") as connection:
        connection.execute("CREATE TABLE other (x)")
    connection.close()
    return tmp_path


def is_refused(arguments, capfd):
    """Whether it was one line and status 2; any exception fails the test."""
    status = run(arguments)
    said = capfd.readouterr().err.strip()
    shown = [argument[:40] for argument in arguments]
    assert status in (0, 2), (shown, status, said[:500])
    if status == 2:
        assert said.startswith("datahound: "), (shown, said[:500])
        assert len(said.splitlines()) == 1, (shown, said[:500])
        assert len(said) < 2100, shown
        assert said.isprintable(), shown
    return status == 2


def options_of(name):
    command = typer.main.get_command(make_app(name)).commands[name]
    return [
        option.opts[-1]
        for option in command.params
        if option.param_type_name == "option" and not option.is_flag
    ]


@pytest.mark.parametrize("name", OF_FOLDERS)
def test_places_that_are_no_crawls(name, capfd):
    more = {"sql": ["SELECT 1"], "pull": ["there"]}.get(name, [])
    for place in PLACES:
        assert is_refused([name, place, *more], capfd), place[:40]


@pytest.mark.parametrize("option", options_of("crawl"))
def test_every_option_of_a_crawl(option, places, capfd, monkeypatch):
    """Checked before anything starts; what is accepted is only planned here."""
    monkeypatch.setattr(crawl, "run_all", lambda *_: 0)
    refused = [
        is_refused(["crawl", "http://www.a.example/", option, value], capfd) for value in VALUES
    ]
    # Any text is a cookie file's name, a contact or a header's part, but bytes are no text.
    assert any(refused), option
    assert not [path for path in places.iterdir() if "a.example" in path.name]


@pytest.mark.parametrize(
    "arguments",
    [
        ["crawl", "http://"], ["crawl", "ftp://a.example/"], ["crawl", "\u202e"], ["crawl", ""],
        ["crawl", "http://a.example/", "--output", "file"],
        ["crawl", "http://a.example/", "--output", "file/x"],
        ["crawl", "http://a.example/", "--output", "other"],
        ["crawl", "--sites", "file", "--output", "file"],
        ["record", "http://a.example/", "--output", "other/x.txt"],
        ["replay", "file"], ["replay", "missing"], ["replay", "synthetic:demo?scale=nan"],
        ["site", "describe", "other"], ["site", "import", "file", "file"], ["targets", "x"],
        ["site", "describe", "a\nb"], ["config", "check", "file"], ["config", "init", "file"],
        ["config", "check", "other"], ["export", "bad", "--format", "csv"], ["nonsense"], ["--x"],
        ["lab", "report", "missing"], ["fleet", "status", "file"],
    ],
)  # fmt: skip
def test_other_nonsense(arguments, capfd):
    assert is_refused(arguments, capfd)


@pytest.mark.parametrize("host", ["\u202e", "x" * 500, "", "a b"])
def test_doctor_with_hosts_that_are_none(host, capfd):
    """To find that something is bad is its work: status 1, and no traceback."""
    assert run(["doctor", "--host", host]) == 1
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cant_be_written(places, capfd):
    places.chmod(0o500)
    assert run(["config", "init"]) in (1, 2)
    assert len(capfd.readouterr().err.splitlines()) == 1
