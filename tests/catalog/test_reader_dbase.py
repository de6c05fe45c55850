"""dBase files, alone and with a zipped shapefile."""

import io
import zipfile

import pytest
import shapefile
from catalog_files import looked

from datahound.catalog.table_reader import read_table


def table_bytes(encoding="utf-8"):
    file = io.BytesIO()
    with shapefile.Writer(dbf=file, encoding=encoding) as writer:
        writer.field("REGION", "C", size=20)
        writer.field("YEAR", "N", size=4)
        writer.field("SHARE", "N", size=8, decimal=2)
        for place, share in (("Süd", 1.5), ("Nord", 2.5), ("West", None), ("Ost", 3.25)):
            writer.record(place, 2019, share)
    return file.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_fields_and_records(tmp_path, encoding):
    """Texts are read in both usual encodings."""
    found = looked(tmp_path, "x.dbf", table_bytes(encoding))
    (table,) = found.tables
    assert (found.format, table.address["encoding"]) == ("dbf", encoding)
    assert (table.first_year, [f.type for f in table.fields]) == (
        2019,
        ["string", "year", "number"],
    )
    with read_table(tmp_path / "x.dbf", table.address) as reader:
        assert list(reader.rows)[::2] == [["Süd", 2019, 1.5], ["West", 2019, None]]


def test_attributes_of_a_zipped_shapefile(tmp_path):
    """The shapes are left out."""
    parts = {name: io.BytesIO() for name in ("shp", "shx", "dbf")}
    with shapefile.Writer(**parts) as writer:
        writer.field("name", "C")
        writer.field("pupils", "N")
        for number in range(5):
            writer.point(number, number)
            writer.record(f"town {number}", number * 7)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(f"towns.{name}", part.getvalue())
    (table,) = looked(tmp_path, "towns.zip", packed.getvalue()).tables
    assert (table.rows, table.columns, table.place) == (5, 2, "towns.dbf in the archive")


def test_a_broken_file_costs_a_line(tmp_path):
    """A record size that does not fit the fields, or records cut off."""
    body = bytearray(table_bytes())
    body[32 + 16] = 250
    found = looked(tmp_path, "x.dbf", bytes(body))
    assert found.format == "dbf"
    assert found.error.startswith("broken DBF") or not any(t.statistics for t in found.tables)
