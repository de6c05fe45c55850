"""`datahound sql` answers questions, and changes nothing."""

import asyncio
import csv
import hashlib
import json
import signal
import subprocess
import sys
import time

import pytest

from datahound.archive import open_archive
from datahound.archive.server import serve_archive
from datahound.cli.running import Manner, crawl_all
from datahound.runs.options import make_options

NUMBERS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A crawl of a small built-in site over loopback, with its catalogue."""
    output = tmp_path_factory.mktemp("sql") / "site"

    async def go():
        archive = open_archive("synthetic:demo?pages=120&targets=40")
        async with serve_archive(archive) as served:
            address = served.address.removeprefix("http://")
            given = {"output": str(output), "delay": "0", "connect-to": address}
            return await crawl_all([make_options(archive.seed, given)], Manner(as_json=True))

    asyncio.run(go())
    return output


def digest(folder):
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("crawl.db", "catalog.db")
        if (folder / name).exists()
    }


def test_without_a_question_it_lists_what_there_is(datahound, folder):
    status, out, _ = datahound("sql", folder, "--json")
    views = {row["name"]: row["columns"] for row in map(json.loads, out.splitlines())}
    assert status == 0
    assert {"targets", "pages", "requests", "skipped"} <= views.keys()
    assert "sha256" in views["targets"].split(", ")
    assert "catalog.dataset" not in views


def test_the_forms_say_the_same(datahound, folder):
    question = "SELECT url, bytes FROM targets ORDER BY url"
    _, as_json, _ = datahound("sql", folder, question, "--json")
    _, as_csv, _ = datahound("sql", folder, question, "--csv")
    rows = [json.loads(line) for line in as_json.splitlines()]
    assert len(rows) == 40
    assert list(csv.DictReader(as_csv.splitlines())) == [
        {"url": row["url"], "bytes": str(row["bytes"])} for row in rows
    ]
    status, out, _ = datahound("sql", folder, question + " LIMIT 3")
    assert status == 0
    assert all(row["url"][-12:] in out for row in rows[:3])
    assert "first 100 rows" not in out


def test_the_catalogue_is_beside_it(datahound, folder):
    """Full-text search included."""
    assert datahound("catalog", folder, "--json")[0] == 0
    _, out, _ = datahound(
        "sql", folder, "--json",
        "SELECT t.url AS url, d.title AS title, d.tables AS tables FROM targets t"
        " JOIN catalog.dataset d ON d.url = t.url ORDER BY t.url",
    )  # fmt: skip
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == 40
    assert all(row["title"] for row in rows)
    words = [row["title"].split()[0].lower() for row in rows if row["title"].isascii()]
    question = f"SELECT count(*) AS n FROM catalog.search WHERE search MATCH '\"{words[0]}\"'"
    status, out, err = datahound("sql", folder, question, "--json")
    assert status == 0, err
    assert json.loads(out)["n"] >= 1
    _, out, _ = datahound("sql", folder, "--json")
    assert "catalog.data_table" in out


@pytest.mark.parametrize(
    "question",
    [
        "DELETE FROM link",
        "DROP VIEW targets",
        "CREATE TABLE mine (a)",
        "INSERT INTO fact VALUES ('a', 'b')",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'copy.db'",
        "SELECT load_extension('x')",
        "SELECT 1; SELECT 2",
        "SELECT nothing FROM targets",
        "SELEC",
        "",
        "/* a comment */",
        "SELECT 'an \x00 end'",
    ],
)
def test_what_is_no_question_is_one_line(question, datahound, folder, tmp_path, monkeypatch):
    before = digest(folder)
    monkeypatch.chdir(tmp_path)
    status, out, err = datahound("sql", folder, question)
    assert status == 2
    assert not out
    assert err.startswith("datahound: sql: ")
    assert err.count("\n") == 1
    assert digest(folder) == before
    assert not list(tmp_path.iterdir())


def test_mistakes_of_place_and_form(datahound, folder, tmp_path):
    assert datahound("sql", tmp_path, "SELECT 1")[0] == 2
    status, _, err = datahound("sql", folder, "SELECT 1", "--json", "--csv")
    assert (status, err) == (2, "datahound: --csv and --json: give one of them\n")


def test_values_of_any_kind_are_harmless(datahound, folder):
    """Bytes, infinity, formulas, broken letters and the codes of terminals."""
    question = (
        "SELECT x'00ff' AS a, 1e999 AS b, '=1+1' AS c, char(27) || '[2J' AS d,"
        " CAST(x'ff41' AS TEXT) AS e"
    )
    _, out, _ = datahound("sql", folder, question, "--json")
    assert json.loads(out) == {
        "a": "00ff",
        "b": "inf",
        "c": "=1+1",
        "d": "\x1b[2J",
        "e": "\ufffdA",
    }
    assert "\x1b" not in out
    _, out, _ = datahound("sql", folder, question, "--csv")
    assert out == "a,b,c,d,e\n00ff,inf,'=1+1,[2J,\ufffdA\n"
    _, out, _ = datahound("sql", folder, question)
    assert "\x1b" not in out


def test_a_long_answer_is_cut_on_the_screen_only(datahound, folder):
    question = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 250) SELECT x FROM n"
    )
    _, out, _ = datahound("sql", folder, question)
    assert " 100 " in out
    assert " 101 " not in out
    assert "these are the first 100 rows" in out
    _, out, _ = datahound("sql", folder, question, "--csv")
    assert out.splitlines() == ["x", *map(str, range(1, 251))]


def test_a_question_without_end_can_be_interrupted(folder):
    question = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    )
    program = "from datahound.cli import main; main()"
    command = [sys.executable, "-c", program, "sql", str(folder), question]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "Traceback" not in err
