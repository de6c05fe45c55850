"""Cubes of SDMX-JSON."""

import json

import pytest
from catalog_files import looked

from datahound.catalog.table_reader import read_table


def dimension(id_, name, *values):
    return {"id": id_, "name": name, "values": [{"id": v, "name": v.title()} for v in values]}


DIMENSIONS = {
    "dataSet": [dimension("FREQ", "Frequency", "annual")],
    "series": [dimension("GEO", "Region", "north", "south")],
    "observation": [dimension("TIME_PERIOD", "Year", "2019", "2020")],
}
SERIES = {"0": {"observations": {"0": [12, None], "1": [13]}},
          "1": {"attributes": [0], "observations": {"0": [14], "1": [None]}}}  # fmt: skip
ROWS = [["Annual", "North", 2019, 12], ["Annual", "North", 2020, 13],
        ["Annual", "South", 2019, 14], ["Annual", "South", 2020, None]]  # fmt: skip
STRUCTURE = {"name": "Pupils by region", "dimensions": DIMENSIONS}


@pytest.mark.parametrize(
    "message",
    [
        {"header": {"id": "1"}, "dataSets": [{"series": SERIES}], "structure": STRUCTURE},
        {"meta": {}, "data": {"dataSets": [{"series": SERIES}], "structures": [STRUCTURE]}},
    ],
)
def test_series_of_both_versions(tmp_path, message):
    """One row per observation, with the names of values, and codes of periods."""
    found = looked(tmp_path, "x.json", json.dumps(message))
    (table,) = found.tables
    assert found.title == "Pupils by region"
    assert [f.name for f in table.fields] == ["Frequency", "Region", "Year", "OBS_VALUE"]
    assert (table.rows, table.first_year, table.last_year) == (4, 2019, 2020)
    with read_table(tmp_path / "x.json", table.address) as reader:
        assert list(reader.rows) == ROWS


def test_flat_observations(tmp_path):
    """All dimensions may be at the observation; keys out of range are blank."""
    flat = {
        "dataSets": [{"observations": {"0:0": [1], "1:1": [2], "0:1": [3], "7:x": [4]}}],
        "structure": {"dimensions": {"observation": [*DIMENSIONS["series"],
                                                     *DIMENSIONS["observation"]]}},
    }  # fmt: skip
    (table,) = looked(tmp_path, "x.json", json.dumps(flat)).tables
    assert table.sample == [["North", "2019", 1], ["South", "2020", 2], ["North", "2020", 3],
                            [None, None, 4]]  # fmt: skip
    assert table.statistics


@pytest.mark.parametrize("damage", ["series", "dimensions", "values", "observations"])
def test_broken_messages_cost_a_line(tmp_path, damage):
    """A part of another type is no crash."""
    message = json.dumps({"dataSets": [{"series": SERIES}], "structure": STRUCTURE})
    broken = json.loads(message, object_hook=lambda o: {k: 5 if k == damage else v
                                                        for k, v in o.items()})  # fmt: skip
    found = looked(tmp_path, "x.json", json.dumps(broken))
    assert not any(table.statistics for table in found.tables)


def test_the_label_of_a_cube_under_a_key_is_its_title(tmp_path):
    """The key is often a code."""
    cube = {"label": "Labour force survey", "id": ["sex"], "size": [2], "value": [12, 13],
            "dimension": {"sex": {"category": {"index": ["m", "f"]}}}}  # fmt: skip
    found = looked(tmp_path, "x.json", json.dumps({"A02Level": cube}))
    assert found.tables[0].title == "Labour force survey"
