"""Files that grow by rows."""

from datahound.lab.append_csv import AppendCsv, append_json, read_json_lines


def test_rows_come_back(tmp_path):
    """What was appended is read, whatever it holds; line ends within become spaces."""
    file = AppendCsv(tmp_path / "rows.csv", ("a", "b"))
    file.append({"a": 'x, "y"', "b": None})
    file.append({"a": "one\ntwo", "b": 3})
    assert list(file.read_rows()) == [{"a": 'x, "y"', "b": ""}, {"a": "one two", "b": "3"}]


def test_half_a_row_is_dropped(tmp_path):
    """What a crash left of a row is not read, and is cut off by the next one."""
    file = AppendCsv(tmp_path / "rows.csv", ("a", "b"))
    for number in range(3):
        file.append({"a": number, "b": "text"})
    whole = file.path.read_bytes()
    for cut in range(1, 7):
        file.path.write_bytes(whole[:-cut])
        assert [row["a"] for row in file.read_rows()] == ["0", "1"]
    file.append({"a": 9, "b": "text"})
    assert [row["a"] for row in file.read_rows()] == ["0", "1", "9"]


def test_half_a_header_is_written_again(tmp_path):
    """A file that ends in its header, or is empty or absent, has no rows and can grow."""
    file = AppendCsv(tmp_path / "rows.csv", ("a", "b"))
    assert list(file.read_rows()) == []
    for start in ("", "a,b\n", "a,"):
        file.path.write_text(start)
        assert list(file.read_rows()) == []
        file.append({"a": 1, "b": 2})
        assert [row["a"] for row in file.read_rows()] == ["1"]


def test_broken_lines_of_json_are_passed_over(tmp_path):
    """Values come back one by one; broken lines and half of one are passed over."""
    path = tmp_path / "values.jsonl"
    append_json(path, {"é": [1, 2]})
    with path.open("a") as file:
        file.write('{"a": \n{"b": 1}\n{"c"')
    assert list(read_json_lines(path)) == [{"é": [1, 2]}, {"b": 1}]
