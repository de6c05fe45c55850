"""Two versions of files, compared in sandboxed workers."""

import gzip
import time

import pytest

from datahound.catalog import compare
from datahound.catalog.compare import FilePair, compare_files
from datahound.catalog.readers.task import Limits


@pytest.fixture
def write(tmp_path):
    """Writes two versions of a file, and compares them."""

    def differ(before, now, name="a.csv"):
        paths = [tmp_path / f"before-{name}", tmp_path / f"now-{name}"]
        for path, body in zip(paths, (before, now), strict=True):
            path.write_bytes(body)
        ((_, found),) = compare_files([FilePair(*paths, name)], tmp_path)
        return found

    return differ


def rates(*rows, names="region,rate"):
    return "\n".join([names, *rows, ""]).encode()


NORTH = rates("Nord,12.1", "Ost,3.5", "West,8.0")


def test_a_csv_is_compared_by_its_rows(write):
    """The line that a reader wants to see."""
    (table,) = write(NORTH, rates("Nord,12.4", "Ost,3.5", "West,8.0"))["tables"]
    assert table["lines"] == ["1 cell changed in 1 row", "Nord: 12.1 -> 12.4"]
    assert not table["changes_schema"]


def test_another_column_changes_the_schema(write):
    """Added and lost columns are told before the rows."""
    now = rates("Nord,12.1,5", "Ost,3.5,6", "West,8.0,7", names="region,rate,cases")
    (table,) = write(NORTH, now)["tables"]
    assert table["changes_schema"]
    assert table["lines"] == ["1 column added: cases"]


def test_other_bytes_may_hold_the_same_table(write):
    """Line ends, quotes and zeros at the end are no difference; neither is a packed file."""
    same = b'"region","rate"\r\n"Nord",12.10\r\n"Ost",3.50\r\n"West",8\r\n'
    assert write(NORTH, same) == {"tables": [], "error": ""}
    packed = [gzip.compress(body, mtime=number) for number, body in enumerate((NORTH, NORTH))]
    assert write(*packed, name="a.csv.gz") == {"tables": [], "error": ""}


def test_a_file_without_tables_has_nothing_to_compare(write):
    """Bytes of any kind: no table before, none now."""
    assert write(b"\0\1\2\3" * 50, b"\0\1\2\4" * 50, "a.bin")["tables"] == []


def test_a_version_that_cannot_be_read_has_not_lost_its_table(write):
    """A truncated archive: an error in one line, and no change of the schema."""
    whole = gzip.compress(NORTH * 500)
    found = write(whole, whole[: len(whole) // 2], "a.csv.gz")
    assert not any(table["changes_schema"] for table in found["tables"])


def test_a_version_that_is_not_there_is_said(tmp_path):
    """Somebody has deleted it."""
    pair = FilePair(tmp_path / "gone.csv", tmp_path / "gone too.csv", "gone.csv")
    ((number, found),) = compare_files([pair], tmp_path)
    assert (number, found["tables"]) == (0, [])
    assert "not in the folder" in found["error"]


def test_no_time_is_left_for_the_rest(tmp_path):
    """Each pair has an answer, though none was compared, and nothing stays in the folder."""
    path = tmp_path / "a.csv"
    path.write_bytes(NORTH)
    found = dict(compare_files([FilePair(path, path, "a.csv")] * 3, tmp_path, seconds=-1.0))
    assert sorted(found) == [0, 1, 2]
    assert all(one["error"] for one in found.values())
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_large_table_is_compared_by_its_columns_only(monkeypatch, tmp_path):
    """More cells than the limit: the numbers of rows, in little time and memory."""
    monkeypatch.setattr(compare, "_MAX_CELLS", 1000)
    before, now = tmp_path / "b.csv", tmp_path / "n.csv"
    for path, rows in ((before, 800), (now, 900)):
        path.write_bytes(rates(*(f"r{number},{number}.5" for number in range(rows))))
    begun = time.monotonic()
    found = compare.compare_payload((FilePair(before, now, "a.csv"), Limits()), tmp_path)
    assert time.monotonic() - begun < 30
    assert found["tables"][0]["lines"] == [
        "800 rows before, 900 now",
        "too large to compare row by row",
    ]


def test_sheets_are_matched_by_their_places():
    """A sheet that was put before another one does not change the other."""
    first, second, new = (_table(place) for place in ("sheet a", "sheet b", "sheet 0"))
    pairs = compare.match_tables([first, second], [new, first, second])
    assert pairs == [(first, first), (second, second), (None, new)]


def _table(place):
    return compare.TableProfile(
        place, {"names": []}, "", 0, 0, 0.0, None, None, [],
        statistics=False, fields=[], sample=[], terms=[],
    )  # fmt: skip
