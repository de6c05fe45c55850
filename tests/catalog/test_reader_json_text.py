"""Tables in JSON and NDJSON."""

import json

import pytest
from catalog_files import looked

from datahound.catalog.table_reader import read_table


def tables(tmp_path, data, name="x.json"):
    text = data if isinstance(data, str) else json.dumps(data)
    return looked(tmp_path, name, text)


RECORDS = [{"town": "a", "n": 1.5}, {"town": "b", "n": 2.5}, {"town": "c", "n": 3.5}]


def test_json_stat(tmp_path):
    """A cube of JSON-stat is a table with a row for each cell."""
    cube = {
        "version": "2.0",
        "class": "dataset",
        "label": "Unemployed",
        "id": ["sex", "year"],
        "size": [2, 3],
        "value": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5],
        "dimension": {
            "sex": {
                "label": "Sex",
                "category": {"index": ["F", "M"], "label": {"F": "Women", "M": "Men"}},
            },
            "year": {"label": "Year", "category": {"index": {"2019": 0, "2020": 1, "2021": 2}}},
        },
    }
    (table,) = looked(tmp_path, "cube.json", json.dumps(cube)).tables
    assert table.rows == 6
    assert table.sample[0] == ["Women", "2019", 1.5]
    assert table.statistics
    assert (table.first_year, table.last_year) == (2019, 2021)


@pytest.mark.parametrize(
    ("data", "names", "first"),
    [
        (RECORDS, ["town", "n"], ["a", 1.5]),
        ({"meta": 1, "data": {"rows": RECORDS}}, ["town", "n"], ["a", 1.5]),
        ([["town", "n"], ["a", 1.5], ["b", 2.5]], ["town", "n"], ["a", 1.5]),
        ({"town": ["a", "b"], "n": [1.5, 2.5]}, ["town", "n"], ["a", 1.5]),
        ({"a": {"n": 1.5}, "b": {"n": 2.5}, "c": {"n": 3.5}}, ["key", "n"], ["a", 1.5]),
        ([{"p": {"q": {"r": 1}}}, {"p": {"q": {"r": 2}}}], ["p.q.r"], [1]),
        ([{"a": 1}, {"a": 2, "b": 3}], ["a", "b"], [1, None]),
        ([{"a": [1, 2]}, {"a": []}], ["a"], ["[1, 2]"]),
        ([{"geometry": {"type": "Point"}, "properties": {"n": 1}}] * 2, ["n"], [1]),
        ({"columns": ["a", "b"], "data": [["x", 1], ["y", 2]]}, ["a", "b"], ["x", 1]),
        ({"columns": [{"code": "A", "text": "area"}, {"code": "V", "text": "value"}],
          "data": [{"key": ["x"], "values": [1]}, {"key": ["y"], "values": [2]}]},
         ["area", "value"], ["x", 1]),
        ({"meta": {"view": {"columns": [{"name": "a"}, {"name": "b"}]}},
          "data": [["x", 1], ["y", 2]]}, ["a", "b"], ["x", 1]),
        ([{"name": "s", "values": [{"year": 1, "val": 2}, {"year": 2, "val": 3}]},
          {"name": "t", "values": [{"year": 1, "val": 4}]}], ["name", "year", "val"], ["s", 1, 2]),
    ],
)  # fmt: skip
def test_forms_of_tables(tmp_path, data, names, first):
    """Records, rows, columns and maps, nested or not; the table can be read again."""
    (table,) = tables(tmp_path, data).tables
    assert [field.name for field in table.fields] == names
    assert table.sample[0] == first
    with read_table(tmp_path / "x.json", json.loads(json.dumps(table.address))) as reader:
        assert reader.header == names
        assert next(reader.rows) == first


@pytest.mark.parametrize(
    "data", [[], {}, [1, 2, 3], {"a": 1}, [{"a": 1}], [{"a": 1}, 2], [[1], [2]], "null"]
)
def test_what_is_not_a_table(tmp_path, data):
    """Single values, single records and mixtures."""
    found = tables(tmp_path, data)
    assert found.tables == []
    assert found.error == ""


def test_records_without_a_common_field_are_not_a_table(tmp_path):
    """A list of different things."""
    assert tables(tmp_path, [{f"a{n}": n, f"b{n}": n} for n in range(20)]).tables == []


def test_several_tables_have_places(tmp_path):
    """A path each, which is the title as well."""
    found = tables(tmp_path, {"births": RECORDS, "deaths": RECORDS, "title": "Both"})
    assert [table.place for table in found.tables] == ['under "births"', 'under "deaths"']
    assert [table.title for table in found.tables] == ["births", "deaths"]
    assert found.title == "Both"


def test_the_title_may_be_in_the_metadata(tmp_path):
    """Two levels deep."""
    assert tables(tmp_path, {"metadata": {"name": "N"}, "d": RECORDS}).title == "N"


def test_broken_lines_of_ndjson_are_left_out(tmp_path):
    """And counted; if most are broken, the file is."""
    lines = [json.dumps(record) for record in RECORDS]
    found = tables(tmp_path, "\n".join([*lines, "{broken"]))
    assert found.tables[0].rows == 3
    assert found.error == "1 broken lines were left out"
    found = tables(tmp_path, "\n".join([*lines[:2], *["{broken"] * 20]))
    assert found.error.startswith("broken JSON")


def test_deep_nesting_is_refused(tmp_path):
    """In one line."""
    assert "nested too deeply" in tables(tmp_path, '{"a":' * 100_000).error


def test_a_cube_with_gaps_has_rows_without_values(tmp_path):
    """A sparse cube names its values by position."""
    cube = {"dimension": {"s": {"category": {"index": ["F", "M"]}}}, "id": ["s"], "size": [2],
            "value": {"1": 7}}  # fmt: skip
    (table,) = tables(tmp_path, cube).tables
    assert table.sample == [["F", None], ["M", 7]]


def test_the_first_record_has_the_names_of_coded_fields(tmp_path):
    """As SIDRA sends them; names that say something are kept."""
    first = {"NC": "Level (code)", "V": "Value", "D1N": "State", "D2N": "Year"}
    rest = [{"NC": "3", "V": "..", "D1N": "Acre", "D2N": "2019"},
            {"NC": "3", "V": "72", "D1N": "Acre", "D2N": "2020"},
            {"NC": "3", "V": "75", "D1N": "Acre", "D2N": "2021"}]  # fmt: skip
    (table,) = tables(tmp_path, [first, *rest]).tables
    assert [field.name for field in table.fields] == list(first.values())
    assert (table.rows, table.first_year, table.last_year) == (3, 2019, 2021)
    (table,) = tables(tmp_path, [rest[1] | {"V": "70"}, *rest]).tables
    assert [field.name for field in table.fields] == list(first)
