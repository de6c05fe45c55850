"""PC-Axis files."""

import pytest

from datahound.catalog.inspect import inspect_file
from datahound.catalog.readers.task import Limits, Task
from datahound.catalog.table_reader import read_table

PX = """CHARSET="ANSI";
AXIS-VERSION="2010";
TITLE="Pupils; by region "
"and year";
CONTENTS="Pupils";
UNITS="persons";
STUB="region";
HEADING="year";
VALUES("region")="North","South";
VALUES[sv]("region")="Norr","Syd";
VALUES("year")="2019","2020";
DATA=
12 14.5
".." 99;"""


def inspect(path):
    return inspect_file(path, Task(Limits(), path.parent, name=path.name))


def test_one_row_per_cell(tmp_path):
    """With the title, the unit and the years; quotes may hold semicolons."""
    path = tmp_path / "a.px"
    path.write_text(PX)
    found = inspect(path)
    assert (found.format, found.title, found.error) == ("px", "Pupils; by region and year", "")
    (table,) = found.tables
    assert (table.rows, table.unit, table.statistics) == (4, "persons", False)
    assert (table.first_year, table.last_year) == (2019, 2020)
    with read_table(path, table.address) as reader:
        assert list(reader.rows)[2] == ["South", 2019, None]


@pytest.mark.parametrize("end", [60, 150, 200])
def test_a_file_that_is_cut_off(tmp_path, end):
    """Is reported in one line."""
    path = tmp_path / "a.px"
    path.write_text(PX[:end])
    assert not inspect(path).tables
