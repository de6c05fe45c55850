import pickle
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from catalog_files import FIGURES, catalogue, keep

from datahound.catalog.catalog import Catalog, Query
from datahound.catalog.update import update
from datahound.errors import UserError


def test_only_new_files_are_read(tmp_path):
    """A second update reads nothing; a changed file is read again; a removed one vanishes."""
    sources = keep(tmp_path, {"a.csv": FIGURES, "b.csv": FIGURES.replace("North", "East")})
    assert catalogue(tmp_path, sources).read == 2
    assert catalogue(tmp_path, sources).read == 0
    changed = keep(tmp_path, {"a.csv": FIGURES + "East,2021,7,0.5\n"})
    again = catalogue(tmp_path, changed)
    assert (again.read, again.removed) == (1, 1)
    with Catalog(tmp_path) as catalog:
        (entry,) = catalog.entries()
        assert (entry.rows, entry.first_year, entry.last_year) == (4, 2019, 2021)
        assert catalog.search(Query("East")).total == 1
    assert catalogue(tmp_path, changed, again=True).read == 1


def test_the_same_bytes_are_read_once(tmp_path):
    """URLs with the same bytes share one look, in one run and in later ones."""
    (one,) = keep(tmp_path, {"a.csv": FIGURES})
    two, three = (replace(one, url=f"https://example.org/{n}") for n in (2, 3))
    assert catalogue(tmp_path, [one, two]).read == 1
    assert catalogue(tmp_path, [one, two, three]).read == 0
    with Catalog(tmp_path) as catalog:
        entries = list(catalog.entries())
        assert len({entry.family for entry in entries}) == 1
        assert all(catalog.tables(entry.id)[0].rows == 3 for entry in entries)
        assert catalog.search(Query("South")).total == 3


def test_a_new_title_needs_no_reading(tmp_path):
    """What the link says can change: the file is found by the new words and not read again."""
    sources = keep(tmp_path, {"a.csv": FIGURES}, title="Pupils by region")
    catalogue(tmp_path, sources)
    renamed = [
        replace(sources[0], title="Scholars in the counties", page="https://example.org/new/x")
    ]
    assert catalogue(tmp_path, renamed).read == 0
    with Catalog(tmp_path) as catalog:
        (hit,) = catalog.search(Query("counties")).entries
        assert (hit.title, hit.section) == ("Scholars in the counties", "new")
        assert catalog.facets(Query()).sections == {"new": 1}


def test_files_without_a_title_on_one_page_are_no_family(tmp_path):
    """The title of their page is shown as theirs, and says nothing of what they share."""
    other = "Item,Price,Weight\na,1.5,2\nb,2.5,3\n"
    same = FIGURES.replace("North", "East")
    sources = keep(tmp_path, {"x1.csv": FIGURES, "x2.csv": other, "y3.csv": same})
    page = {"page": "https://example.org/list", "page_title": "Yearbook of regional accounts"}
    catalogue(tmp_path, [replace(source, title="Download", **page) for source in sources])
    with Catalog(tmp_path) as catalog:
        entries = list(catalog.entries())
        assert {entry.title for entry in entries} == {"Yearbook of regional accounts"}
        families = {entry.url.rpartition("/")[2]: entry.family for entry in entries}
        assert families["x1.csv"] == families["y3.csv"] != families["x2.csv"]


def test_a_missing_file_is_one_line_and_tried_again(tmp_path):
    """A file that was deleted costs a line, and is read once it is back."""
    sources = keep(tmp_path, {"a.csv": FIGURES})
    path = tmp_path / "files" / "a.csv"
    path.rename(tmp_path / "away")
    catalogue(tmp_path, sources)
    with Catalog(tmp_path) as catalog:
        assert "not there" in catalog.entry_of(sources[0].url).error
    (tmp_path / "away").rename(path)
    assert catalogue(tmp_path, sources).read == 1


def test_nothing_outside_the_folder_is_read(tmp_path):
    """A path that leads out of the folder of files is no file of the crawl."""
    (tmp_path / "secret.csv").write_text(FIGURES)
    sources = [replace(s, path="../secret.csv") for s in keep(tmp_path, {"a.csv": FIGURES})]
    catalogue(tmp_path, sources)
    with Catalog(tmp_path) as catalog:
        assert catalog.entry_of(sources[0].url).tables == 0


def test_a_killed_update_goes_on(tmp_path):
    """What was read before the kill is not read again, and nothing is lost."""
    names = {f"f{n}.csv": FIGURES.replace("North", f"Place{n}") for n in range(40)}
    names["slow.html"] = "<html>" + "<table><tr><td>1</td><td>2</td></tr></table>" * 150_000
    sources = keep(tmp_path, names)
    script = (
        "import sys; sys.path.insert(0, sys.argv[2]); from pathlib import Path\n"
        "from catalog_files import catalogue, keep\n"
        "import pickle; catalogue(Path(sys.argv[1]), pickle.load(open(sys.argv[3], 'rb')))"
    )
    (tmp_path / "sources").write_bytes(pickle.dumps(sources))
    here = str(Path(__file__).parent)
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path), here, str(tmp_path / "sources")]
    )
    deadline = time.monotonic() + 50
    while time.monotonic() < deadline and process.poll() is None:
        if Catalog.exists(tmp_path):
            with Catalog(tmp_path) as catalog:
                if catalog.summary().datasets:
                    break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with Catalog(tmp_path) as catalog:
        before = catalog.summary().datasets
    assert catalogue(tmp_path, sources).read == len(sources) - before
    with Catalog(tmp_path) as catalog:
        assert catalog.summary().datasets == len(sources)
    assert not (tmp_path / ".catalog").exists()


def test_one_process_at_a_time(tmp_path):
    """A folder that is being catalogued is refused, in one line."""
    sources = keep(tmp_path, {"a.csv": FIGURES})

    def files():
        yield from sources
        with pytest.raises(UserError, match="another process"):
            update(tmp_path, sources)

    update(tmp_path, files(), workers=1)


def test_an_older_catalogue_is_made_anew(tmp_path):
    """A catalogue of another version, or a broken one, is no reason to stop."""
    sources = keep(tmp_path, {"a.csv": FIGURES})
    (tmp_path / "catalog.db").write_bytes(b"no database at all, but long enough to be opened" * 99)
    assert not Catalog.exists(tmp_path)
    assert catalogue(tmp_path, sources).read == 1
    assert Catalog.exists(tmp_path)


def test_no_catalogue_is_the_users_error(tmp_path):
    """Who reads before there is a catalogue is told what to do."""
    with pytest.raises(UserError, match="datahound catalog"):
        Catalog(tmp_path)
