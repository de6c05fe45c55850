"""Recognised tables as Parquet and as CSV: typed, traceable, harmless, and in little memory."""

import csv
import datetime as dt
import signal
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest
from export_material import HOSTILE, SEED, Material, delimited

from datahound.catalog.exports.csv_files import export_csv
from datahound.catalog.exports.parquet import export_parquet
from datahound.catalog.exports.tables import TableWorker, make_column_names
from datahound.errors import StorageError, UserError

CSV = (
    "Region,Year,Pupils,Share,Opened,Open,Note\n"
    "Nord,2019,1200,0.5,2001-09-01,true,=1+1\n"
    "Süd,2020,n/a,0.25,2002-09-01,false,-5 degrees\n"
    "West,2021,1400,,,true,\u202egpj.exe\n"
).encode()
NAMES = ["Region", "Year", "Pupils", "Share", "Opened", "Open", "Note"]
TYPES = ["string", "year", "integer", "number", "date", "boolean", "string"]


class Here(TableWorker):
    """A worker in this process."""

    def write(self, exported, draft):
        import_module(self._module).write_table(exported, draft)


@pytest.fixture
def in_a_process():
    """For tests that are about the worker."""


@pytest.fixture(autouse=True)
def here(request, monkeypatch):
    """A process takes a second to start."""
    if "in_a_process" not in request.fixturenames:
        monkeypatch.setattr("datahound.catalog.exports.parquet.TableWorker", Here)
        monkeypatch.setattr("datahound.catalog.exports.csv_files.TableWorker", Here)


@pytest.fixture
def material(tmp_path):
    found = Material(tmp_path / "crawl")
    table = delimited(NAMES, TYPES, 3, title="Pupils", place='sheet "2019"')
    found.add(SEED + "pupils.csv", CSV, tables=[table], title=HOSTILE, page_title=HOSTILE)
    return found


def only_table(folder, ending):
    (found,) = (folder / "tables").glob(f"*{ending}")
    return found


def read_csv(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_types_are_kept(material, tmp_path):
    """Integers, numbers, dates and truths are such in Parquet, and what is missing is null."""
    outcome = material.export(export_parquet, tmp_path / "out")
    frame = pl.read_parquet(only_table(tmp_path / "out", ".parquet"))
    assert frame.schema == {
        "Region": pl.String, "Year": pl.Int32, "Pupils": pl.Int64, "Share": pl.Float64,
        "Opened": pl.Date, "Open": pl.Boolean, "Note": pl.String,
    }  # fmt: skip
    assert frame["Pupils"].to_list() == [1200, None, 1400]
    assert frame["Opened"].to_list() == [dt.date(2001, 9, 1), dt.date(2002, 9, 1), None]
    assert frame["Note"].to_list() == ["=1+1", "-5 degrees", "\u202egpj.exe"]
    assert outcome.written == {"tables": 1}
    assert not outcome.left_out


def test_a_table_says_where_it_comes_from(material, tmp_path):
    """URL, page, sha256, time and place stand in the file itself, as plain text."""
    material.export(export_parquet, tmp_path / "out")
    said = pl.read_parquet_metadata(only_table(tmp_path / "out", ".parquet"))
    assert said["datahound.url"] == SEED + "pupils.csv"
    assert said["datahound.page"] == SEED + "page"
    assert said["datahound.sha256"] == material.kept[0].sha256
    assert said["datahound.found_at"] == "2026-01-02T03:04:05Z"
    assert said["datahound.place"] == 'sheet "2019"'
    assert not set("\x00\x1b\u202e\r\n") & set("".join(said.values()))


def test_the_index_has_one_row_per_table(material, tmp_path):
    """And leads to the files."""
    material.export(export_parquet, tmp_path / "out")
    (row,) = pl.read_parquet(tmp_path / "out/index.parquet").to_dicts()
    assert (tmp_path / "out" / row["file"]).is_file()
    assert row["url"] == SEED + "pupils.csv"
    assert row["column_names"] == NAMES
    assert row["rows"] == 3
    assert row["statistics"] is True


def test_a_value_that_does_not_fit_widens_its_column(tmp_path, monkeypatch):
    """Nothing is lost: a column becomes what holds all of it, however late that shows."""
    monkeypatch.setattr("datahound.catalog.exports.parquet._BATCH_ROWS", 1000)
    material = Material(tmp_path / "crawl")
    rows = [f"{n},{n},{n},2020-01-01" for n in range(8_000)]
    rows[-1] = f"1.5,confidential,{2**70},2020-01-01T12:30:00"
    body = "a,b,c,d\n" + "\n".join(rows) + "\n"
    kinds = ["integer", "integer", "integer", "date"]
    table = delimited(["a", "b", "c", "d"], kinds, 8_000)
    material.add(SEED + "wide.csv", body.encode(), tables=[table])
    material.export(export_parquet, tmp_path / "out")
    frame = pl.read_parquet(only_table(tmp_path / "out", ".parquet"))
    assert frame.dtypes == [pl.Float64, pl.String, pl.String, pl.Datetime("us")]
    assert frame.height == 8_000
    assert frame.row(-1) == (1.5, "confidential", str(2**70), dt.datetime(2020, 1, 1, 12, 30))
    assert frame.row(7)[:3] == (7.0, "7", "7")


def test_names_of_columns_are_unique():
    """In any case, however the header repeats itself or leaves blanks."""
    assert make_column_names(["a", "A", "a_2", "", None, "\u202e", "x" * 900])[:6] == [
        "a", "A_2", "a_2_2", "column_4", "column_5", "column_6",
    ]  # fmt: skip
    assert len(make_column_names(["x" * 900])[0]) == 200


def test_a_csv_does_nothing_in_a_spreadsheet(material, tmp_path):
    """Formulas are text, in cells, headers and lists; numbers stay numbers."""
    outcome = material.export(export_csv, tmp_path / "out")
    rows = read_csv(only_table(tmp_path / "out", ".csv"))
    assert [row["Note"] for row in rows] == ["'=1+1", "'-5 degrees", "gpj.exe"]
    assert rows[0]["Pupils"] == "1200"
    assert rows[0]["Opened"] == "2001-09-01"
    assert rows[0]["Open"] == "true"
    (listed,) = read_csv(tmp_path / "out/datasets.csv")
    assert listed["title"].startswith("'=HYPERLINK")
    assert not set("\x00\x1b\u202e") & set(listed["title"])
    (table,) = read_csv(tmp_path / "out/tables.csv")
    assert (tmp_path / "out" / table["file"]).is_file()
    assert table["column_names"] == "; ".join(NAMES)
    assert outcome.written == {"datasets": 1, "tables": 1}


@pytest.mark.parametrize("export", [export_csv, export_parquet])
def test_one_table_that_fails_does_not_stop_the_rest(material, tmp_path, export):
    """It is one line and one in the count; so is a file that is gone."""
    broken = delimited(["a"], ["integer"], 1)
    broken["address"]["encoding"] = "no-such-codec"
    material.add(SEED + "broken.csv", b"a\n1\n", tables=[broken])
    gone = material.add(SEED + "gone.csv", b"a\n2\n", tables=[delimited(["a"], ["integer"], 1)])
    (material.folder / "files" / gone.path).unlink()
    outcome = material.export(export, tmp_path / "out")
    assert outcome.written["tables"] == 1
    assert outcome.left_out == 2
    assert len(material.told) == 2
    assert all("\n" not in line for line in material.told)
    assert not list((tmp_path / "out").rglob("*.part"))


@pytest.mark.parametrize("export", [export_csv, export_parquet])
def test_a_second_run_goes_on(material, tmp_path, export, monkeypatch):
    """What is there and current stays; what is new is added; what is no longer there goes."""
    out = tmp_path / "out"
    material.export(export, out)
    first = only_table(out, ".csv" if export is export_csv else ".parquet")
    stamp = first.stat().st_mtime_ns
    material.add(SEED + "new.csv", b"a\n1\n", tables=[delimited(["a"], ["integer"], 1)])
    material.export(export, out)
    assert first.stat().st_mtime_ns == stamp
    assert len(list((out / "tables").iterdir())) == 2
    material.export(export, out, statistics_only=True)
    monkeypatch.setattr("datahound.catalog.catalog.Catalog.entries", lambda _: iter(()))
    (out / "tables/mine.txt").write_text("mine")
    material.export(export, out)
    assert [path.name for path in (out / "tables").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("export", [export_csv, export_parquet])
def test_only_statistics(material, tmp_path, export):
    """The rest is left aside when asked."""
    table = delimited(["a"], ["string"], 1, statistics=0)
    material.add(SEED + "list.csv", b"a\nx\n", tables=[table])
    outcome = material.export(export, tmp_path / "out", statistics_only=True)
    assert outcome.written["tables"] == 1


@pytest.mark.parametrize("export", [export_csv, export_parquet])
def test_twins_are_exported_once(material, tmp_path, export):
    """The same bytes at another address are the same tables."""
    table = delimited(NAMES, TYPES, 3)
    path = material.kept[0].path
    material.add(SEED + "twin.csv", CSV, path=path, tables=[table])
    assert material.export(export, tmp_path / "out").written["tables"] == 1


def test_the_folder_of_somebody_else_is_refused(material, tmp_path):
    """And so is one with an export of another kind, or another export at work."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "letter.txt").write_text("dear")
    with pytest.raises(UserError, match="holds other things"):
        material.export(export_csv, out)
    material.export(export_csv, out, force=True)
    assert (out / "letter.txt").read_text() == "dear"
    with pytest.raises(UserError, match="another kind"):
        material.export(export_parquet, out)
    with pytest.raises(UserError, match="is a file"):
        material.export(export_csv, out / "letter.txt")


@pytest.fixture
def interruptible():
    """Ctrl-C interrupts, even where the tests run in the background and it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_waits_for_polars(material, tmp_path, monkeypatch):
    """Which panics if Ctrl-C reaches the Python that it calls."""
    scan, through = pl.scan_parquet, []

    def interrupted_scan(path):
        signal.raise_signal(signal.SIGINT)
        through.append(path)
        return scan(path)

    monkeypatch.setattr(pl, "scan_parquet", interrupted_scan)
    with pytest.raises(KeyboardInterrupt):
        material.export(export_parquet, tmp_path / "out")
    assert len(through) == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not list(tmp_path.rglob("*.part"))


def test_a_full_disk_is_one_line(material, tmp_path, monkeypatch):
    """And not mistaken for a table that can't be read."""

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", full)
    with pytest.raises(StorageError, match="No space left"):
        material.export(export_parquet, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*.part"))


@pytest.mark.parametrize("export", [export_csv, export_parquet])
@pytest.mark.usefixtures("in_a_process")
def test_tables_are_written_by_a_worker(material, tmp_path, export):
    """As they would be here."""
    assert material.export(export, tmp_path / "out").written["tables"] == 1
    assert only_table(tmp_path / "out", "").stat().st_size
    assert not (tmp_path / "out/.scratch").exists()


BIG = """
    import resource, sys
    from dataclasses import replace
    from pathlib import Path
    sys.path.insert(0, {here!r})
    from export_material import SEED, Material, delimited
    from datahound.catalog.exports import parquet, tables
    from datahound.catalog.catalog import Catalog

    class Rows:
        header = ["a", "b", "c"]
        def __init__(self, count):
            self.rows = ([n, n / 4, f"some text that is not the same {{n}}"] for n in range(count))
        def close(self):
            pass

    tables.read_table = lambda file, address: Rows(address["count"])
    material = Material(Path({tmp!r}) / "crawl")
    material.add(SEED, b"a", "a", [delimited(Rows.header, ["integer", "number", "string"], 1)])
    with Catalog(material.folder) as catalog:
        entry = next(catalog.entries())
        table = catalog.tables(entry.id)[0]
    for count in (50_000, 500_000):
        counted = replace(table, address={{"count": count}})
        exported = tables.Exported(entry, counted, Path({tmp!r}), "x", "")
        parquet.write_table(exported, Path({tmp!r}) / "x.parquet")
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def test_memory_does_not_grow_with_the_table(tmp_path):
    """Ten times the rows in about the same memory."""
    code = textwrap.dedent(BIG).format(here=str(Path(__file__).parent), tmp=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    small, large = map(int, done.stdout.split())
    assert pl.read_parquet(tmp_path / "x.parquet").height == 500_000
    assert large < small + 40
