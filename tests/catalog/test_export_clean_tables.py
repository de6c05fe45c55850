"""Whether a delimited file is one clean table, and its schema."""

import pytest

from datahound.catalog.exports.clean_tables import MAX_BYTES, find_clean_table


def check(tmp_path, body, encoding="utf-8", delimiter=",", header_row=1):
    path = tmp_path / "x.csv"
    path.write_bytes(body)
    return find_clean_table(path, encoding, delimiter, header_row)


@pytest.mark.parametrize(
    "body",
    [b"", b"a,b\n", b"\n1,2\n", b"a,\n1,2\n", b" a,b\n1,2\n", b"a,b\n1\n", b"a,b\n,\n", b"a\n1\0\n",
     b"a,b\n1,2\n\n3,4\n", b"\xff\xfe", b'a,b\n"1"x,2\n'],
)  # fmt: skip
def test_what_is_not_clean(tmp_path, body):
    """Anything less than a header and rows of its width is described as a file."""
    (tmp_path / "x.csv").write_bytes(body)
    assert find_clean_table(tmp_path / "x.csv", "utf-8", ",") is None


@pytest.mark.parametrize(
    ("cells", "field"),
    [
        (["1", "-2", "+3", "0"], {"type": "integer"}),
        (["007"], {"type": "string"}),
        (["2019", "1850"], {"type": "year"}),
        (["2019", "12"], {"type": "integer"}),
        (["1.5", "2"], {"type": "number"}),
        (["1,5"], {"type": "number", "decimalChar": ","}),
        (["1.5", "1,5"], {"type": "string"}),
        (["2020-02-28"], {"type": "date"}),
        (["2020-02-30"], {"type": "string"}),
        (["2020-02-28T10:00:00Z"], {"type": "datetime"}),
        (["true", "FALSE"], {"type": "boolean"}),
        (["true", "1"], {"type": "string"}),
        ([".."], {"type": "string"}),
        (["1e5", "n/a"], {"type": "number"}),
        (["1" * 19], {"type": "string"}),
        ([" 1"], {"type": "string"}),
    ],
)
def test_a_column_has_the_first_type_that_fits_every_cell(tmp_path, cells, field):
    """No cell is an exception."""
    body = "name;value\n" + "".join(f"x;{cell}\n" for cell in cells)
    found = check(tmp_path, body.encode(), delimiter=";")
    assert found.schema["fields"][1] == {"name": "value", **field}
    assert found.rows == len(cells)


def test_marks_of_missing_values_are_named_only_for_typed_columns(tmp_path):
    """A text column keeps its dashes."""
    found = check(tmp_path, b"a,b\n1,x\n..,-\n")
    assert found.schema["missingValues"] == ["", ".."]


def test_comments_and_a_late_header_are_part_of_the_dialect(tmp_path):
    """So that a reader skips them."""
    found = check(tmp_path, b"title\na,b\n1,2\n#x\n", header_row=2)
    assert found.dialect["headerRows"] == [2]
    assert found.dialect["commentChar"] == "#"
    assert found.names == ["a", "b"]


def test_a_byte_order_mark_is_not_part_of_the_header(tmp_path):
    """Whatever encoding is named."""
    for encoding in ("utf-8", "utf-8-sig"):
        found = check(tmp_path, b"\xef\xbb\xbfa,b\n1,2\n", encoding)
        assert found.names == ["a", "b"]
        assert found.encoding == "utf-8"


def test_what_can_not_be_checked_is_not_clean(tmp_path):
    """An unknown encoding, no delimiter, a file that is too large."""
    assert check(tmp_path, b"a,b\n1,2\n", "no-such-codec") is None
    assert check(tmp_path, b"a,b\n1,2\n", delimiter="") is None
    assert check(tmp_path, b"a,b\n1,2\n") is not None
    with (tmp_path / "x.csv").open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    assert find_clean_table(tmp_path / "x.csv", "utf-8", ",") is None
