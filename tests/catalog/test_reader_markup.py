"""Tables in XML, and SDMX."""

import pytest
from catalog_files import looked

from datahound.catalog.table_reader import read_table


def names(table):
    return [field.name for field in table.fields]


def test_sdmx_observations(tmp_path):
    """Generic and structured SDMX give a row for each observation."""
    begin = '<?xml version="1.0"?><m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml">'
    key = '<SeriesKey><Value id="GEO" value="{}"/><Value id="SEX" value="{}"/></SeriesKey>'
    obs = '<Obs><ObsDimension value="{}"/><ObsValue value="{}"/></Obs>'
    series = "".join(
        "<Series>"
        + key.format(geo, sex)
        + "".join(obs.format(y, y % 7 + 0.5) for y in (2018, 2019, 2020))
        + "</Series>"
        for geo in ("DE", "FR")
        for sex in ("F", "M")
    )
    generic = looked(tmp_path, "g.xml", f"{begin}<DataSet>{series}</DataSet></m:GenericData>")
    compact = looked(
        tmp_path,
        "c.xml",
        begin.replace("GenericData", "StructureSpecificData")
        + "<DataSet>"
        + "".join(
            f'<Series GEO="{g}" SEX="F">'
            + "".join(f'<Obs TIME_PERIOD="{y}" OBS_VALUE="{y % 9}"/>' for y in range(2010, 2020))
            + "</Series>"
            for g in ("DE", "FR", "IT")
        )
        + "</DataSet></m:StructureSpecificData>",
    )
    for found, rows in ((generic, 12), (compact, 30)):
        assert found.format == "sdmx"
        (table,) = found.tables
        assert (table.rows, table.statistics, table.places[:2]) == (
            rows,
            True,
            ["Germany", "France"],
        )


def test_the_same_observations_are_read_again(tmp_path):
    """With the value in the last column."""
    body = "<m xmlns='http://www.sdmx.org/x'><DataSet><Series GEO='DE'>"
    body += "<Obs OBS_VALUE='1' TIME_PERIOD='2019'/><Obs OBS_VALUE='2' TIME_PERIOD='2020'/>"
    (table,) = looked(tmp_path, "x.xml", body + "</Series></DataSet></m>").tables
    assert names(table) == ["GEO", "TIME_PERIOD", "OBS_VALUE"]
    with read_table(tmp_path / "x.xml", table.address) as reader:
        assert list(reader) == [["DE", 2019, 1], ["DE", 2020, 2]]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("<r><a>1</a><b>x</b></r>", ["a", "b"]),
        ("<r a='1' b='x'/>", ["a", "b"]),
        ("<r a='1'><b>x</b></r>", ["a", "b"]),
        ("<r><p><a>1</a><b>x</b></p></r>", ["p.a", "p.b"]),
        ("<n:r xmlns:n='u'><n:a>1</n:a><n:b>x</n:b></n:r>", ["a", "b"]),
        ("<r><a>1</a><a>2</a></r>", ["a", "a 2"]),
    ],
)
def test_repeated_elements_are_records(tmp_path, row, found):
    """Attributes and texts are fields, however deep."""
    (table,) = looked(tmp_path, "x.xml", f"<d><x><y>{row * 4}</y></x></d>").tables
    assert names(table) == found
    assert table.rows == 4
    with read_table(tmp_path / "x.xml", table.address) as reader:
        assert len(list(reader)) == 4


@pytest.mark.parametrize(
    "body",
    [
        "<d><r><a>1</a><b>2</b></r><r><a>1</a><b>2</b></r></d>",
        "<d>" + "<r>1</r>" * 9 + "</d>",
        "<d/>",
    ],
)
def test_what_is_not_a_table(tmp_path, body):
    """Two records are too few, and so is one field."""
    found = looked(tmp_path, "x.xml", body)
    assert (found.format, found.tables, found.error) == ("xml", [], "")


def test_two_tables(tmp_path):
    """One place each, with the tag as the title; the title of the document is found."""
    row = "<a>1</a><b>x</b>"
    body = (
        f"<d><title>All of it</title><u>{f'<r>{row}</r>' * 3}</u><v>{f'<s>{row}</s>' * 3}</v></d>"
    )
    found = looked(tmp_path, "x.xml", body)
    assert [table.title for table in found.tables] == ["r", "s"]
    assert found.title == "All of it"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("<d><r></d>", "broken XML"),
        ("<!DOCTYPE d [<!ENTITY a 'b'>]><d>&a;</d>", "declares entities"),
        ("<!DOCTYPE d [<!entity a SYSTEM 'file:///etc/passwd'>]><d>&a;</d>", "declares entities"),
        ("<?xml version='1.0' encoding='no-such'?><d/>", "broken XML"),
    ],
)
def test_broken_and_hostile_documents(tmp_path, body, error):
    """One line, and no expansion."""
    assert error in looked(tmp_path, "x.xml", body).error
