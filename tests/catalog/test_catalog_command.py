import json
from contextlib import closing

from catalog_files import FIGURES, keep

from datahound import cli
from datahound.store.sqlite import create_or_open


def crawled(folder, files):
    """A folder as a crawl leaves it."""
    sources = keep(folder, files)
    with closing(create_or_open(folder / "crawl.db")) as connection:
        connection.execute("INSERT INTO text VALUES (1, 'https://example.org/stats/schools')")
        for number, source in enumerate(sources):
            connection.execute(
                "INSERT INTO target VALUES (?, ?, 0, ?, ?, 1, 1, 'text/csv', ?, 0)",
                (number, number, source.url, f"Pupils {number}", source.bytes),
            )
            connection.execute(
                "INSERT INTO file"
                " (url, state, path, size, sha256, mime_type, last_modified, note, at)"
                " VALUES (?, 'complete', ?, ?, ?, 'text/csv', '', '', 0)",
                (source.url, source.path, source.bytes, source.sha256),
            )
        connection.execute(
            "INSERT INTO file (url, state) VALUES ('https://example.org/x', 'failed')"
        )


def said(capsys, *arguments):
    assert cli.run(["catalog", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_catalogue_of_a_crawl(tmp_path, capsys):
    """The command makes the catalogue, says the SD yield, searches, and reads nothing twice."""
    crawled(tmp_path, {"a.csv": FIGURES, "b.txt": "Only words here.\n"})
    summary = said(capsys, tmp_path)
    assert (summary["datasets"], summary["sd_yield"], summary["update"]["read"]) == (2, 0.5, 2)
    found = said(capsys, tmp_path, "--search", "pupil", "--statistics", "--year", "2019-2020")
    assert [entry["path"] for entry in found["entries"]] == ["a.csv"]
    assert found["entries"][0]["section"] == "stats"
    assert said(capsys, tmp_path)["update"] == {"read": 0, "unchanged": 2, "removed": 0}
    assert said(capsys, tmp_path, "--again")["update"]["read"] == 2
    assert cli.run(["catalog", str(tmp_path)]) == 0
    assert "SD yield" in capsys.readouterr().out
    assert cli.run(["catalog", str(tmp_path), "--search", "pupils"]) == 0
    assert "Pupils 0" in capsys.readouterr().out


def test_no_crawl_is_the_users_error(tmp_path, capsys):
    """A folder without a crawl, or a year that is none, costs one line and exit status 2."""
    assert cli.run(["catalog", str(tmp_path)]) == 2
    crawled(tmp_path, {"a.csv": FIGURES})
    assert cli.run(["catalog", str(tmp_path), "--year", "soon"]) == 2
    assert "is not a year" in capsys.readouterr().err
