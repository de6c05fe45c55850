"""Opening and importing what a user names."""

import sqlite3

import pytest

from datahound.archive import MemoryArchive, import_archive, open_archive
from datahound.errors import ArchiveError
from datahound.model import Failure, Fetch, Purpose, Response

SEED = "https://site.example/"
COLUMNS = "url TEXT, http_response INTEGER, headers TEXT, body BLOB, content_length INTEGER"


def kit(path, rows, columns=COLUMNS):
    database = sqlite3.connect(path)
    database.execute(f'CREATE TABLE "my site" ({columns})')
    for row in rows:
        database.execute(f'INSERT INTO "my site" VALUES ({", ".join("?" * len(row))})', row)
    database.commit()
    database.close()
    return path


HTML = repr({b"Content-Type": [b"text/html"], b"Set-Cookie": [b"a", b"b"]})
ROWS = [
    (SEED, 200, HTML, b"<p>", 300),
    ("HTTPS://site.example:443/Moved", 301, repr({b"Location": [b"/"]}), "", None),
    (SEED + "broken", 500, "__import__('os').abort()", None, "x"),
]


def test_a_kit_database_is_a_site(tmp_path):
    """Rows answer with status, headers, body and size; a URL without a row is an error page."""
    archive = open_archive(str(kit(tmp_path / "ju.db", ROWS)))
    headers = {"content-type": "text/html", "set-cookie": "a, b"}
    assert (archive.name, archive.seed) == ("ju", SEED)
    assert archive.get(Fetch(SEED)) == Response(SEED, 200, headers, b"<p>", 300, truncated=True)
    moved = archive.get(Fetch(SEED + "Moved"))
    assert (moved.status, moved.headers) == (301, {"location": "/"})
    assert archive.get(Fetch(SEED + "none")) == Response(SEED + "none", 404)
    assert archive.get(Fetch(SEED, Purpose.PROBE)).body == b""
    assert len(list(archive)) == 3
    archive.close()


def test_headers_of_a_kit_database_are_never_executed(tmp_path):
    """What is no dict of bytes is no headers."""
    archive = open_archive(str(kit(tmp_path / "ju.sqlite", ROWS)))
    assert archive.get(Fetch(SEED + "broken")) == Response(SEED + "broken", 500)
    archive.close()


def test_a_kit_database_is_not_changed(tmp_path):
    """It is opened for reading; not a byte of it or beside it is written."""
    path = kit(tmp_path / "ju.db", ROWS)
    before = path.read_bytes()
    archive = open_archive(str(path))
    with pytest.raises(ArchiveError, match="reading only"):
        archive.put(Fetch(SEED), Response(SEED, 200))
    archive.close()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_start_page_of_a_kit_database_can_be_given(tmp_path):
    """The first row is the seed unless the user names another."""
    path = kit(tmp_path / "ju.db", ROWS)
    archive = open_archive(f"{path}?seed=https://site.example/Moved")
    assert archive.seed == SEED + "Moved"
    archive.close()


def test_a_database_of_something_else_is_refused(tmp_path):
    """One line says what is missing."""
    with pytest.raises(ArchiveError, match=r"x\.db: no kit database: .*content_length"):
        open_archive(str(kit(tmp_path / "x.db", [], "url TEXT")))
    with pytest.raises(ArchiveError, match=r"y\.db: the kit database holds no page"):
        open_archive(str(kit(tmp_path / "y.db", [])))
    (tmp_path / "z.db").write_bytes(b"SQLite format 3\0" + bytes(50))
    with pytest.raises(ArchiveError, match=r"z\.db: can't be read as a kit database"):
        open_archive(str(tmp_path / "z.db"))


@pytest.mark.parametrize("spec", ["", "nowhere.warc.gz", "http://site.example/", "\0"])
def test_what_is_not_there_is_told_with_what_is_allowed(spec):
    """One line names the thing and what could be given instead."""
    with pytest.raises(ArchiveError, match="no such site; give a WARC file") as error:
        open_archive(spec)
    assert "\n" not in str(error.value)


def test_an_empty_folder_and_an_empty_file_are_told(tmp_path):
    """One line, with the name."""
    with pytest.raises(ArchiveError, match="no WARC file in this folder"):
        open_archive(str(tmp_path))
    (tmp_path / "empty.warc").touch()
    with pytest.raises(ArchiveError, match=r"empty\.warc: holds no whole record"):
        open_archive(str(tmp_path / "empty.warc"))


def exchanges():
    yield Fetch(SEED), Response(SEED, 200, {"content-encoding": "br"}, b"body", 3)
    yield Fetch(SEED + "f"), Failure(SEED + "f", "down")
    yield Fetch(SEED + "h", Purpose.PROBE), Response(SEED + "h", 200, {}, b"", 20)


@pytest.mark.parametrize("name", ["to.warc", "to.warc.gz"])
def test_importing_writes_the_same_site(tmp_path, name):
    """All exchanges are there, with the seed; a finished file and its index, and nothing else."""
    told = []
    source = MemoryArchive(SEED, exchanges())
    assert import_archive(source, tmp_path / name, told.append) == 3
    assert told == [1, 2, 3]
    with open_archive(str(tmp_path / name)) as archive:
        assert archive.seed == SEED
        assert list(archive) == list(source)
    assert sorted(p.name for p in tmp_path.iterdir()) == [name, name + ".index"]


def test_importing_a_kit_database(tmp_path):
    """The paper's replicas become WARC files."""
    source = open_archive(str(kit(tmp_path / "ju.db", ROWS)))
    import_archive(source, tmp_path / "ju.warc.gz")
    with open_archive(str(tmp_path / "ju.warc.gz")) as archive:
        assert list(archive) == list(source)
    source.close()


def test_importing_never_overwrites(tmp_path):
    """A file that is there stays as it is."""
    (tmp_path / "to.warc").write_text("mine")
    with pytest.raises(ArchiveError, match="is there already"):
        import_archive(MemoryArchive(SEED, exchanges()), tmp_path / "to.warc")
    assert (tmp_path / "to.warc").read_text() == "mine"


def test_an_import_that_fails_leaves_nothing(tmp_path):
    """A bad name, an empty source or one that breaks half-way: one line, no file."""

    class Breaking(MemoryArchive):
        def __iter__(self):
            yield from list(super().__iter__())[:2]
            raise ArchiveError("half-way")

    for source, to, said in [
        (MemoryArchive(SEED), "to.warc", "nothing is recorded"),
        (MemoryArchive(SEED, exchanges()), "to.zip", r"named \.warc or \.warc\.gz"),
        (MemoryArchive(SEED, exchanges()), "no/to.warc", "there is no folder"),
        (Breaking(SEED, exchanges()), "to.warc", "half-way"),
    ]:
        with pytest.raises(ArchiveError, match=said):
            import_archive(source, tmp_path / to)
        assert not list(tmp_path.iterdir())
