"""SpreadsheetML of Excel 2003."""

from catalog_files import looked

from datahound.catalog.table_reader import read_table

BOOK = """<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Styles><Style ss:ID="s1"/></Styles>
<Worksheet ss:Name="Pupils"><Table>
<Row><Cell ss:MergeAcross="2"><Data ss:Type="String">Pupils by region</Data></Cell></Row>
<Row ss:Index="3"><Cell><Data ss:Type="String">Region</Data></Cell>
<Cell><Data ss:Type="Number">2019</Data></Cell><Cell><Data ss:Type="Number">2020</Data></Cell></Row>
<Row><Cell><Data ss:Type="String">North</Data></Cell>
<Cell ss:Index="3"><Data ss:Type="Number">1.5</Data></Cell></Row>
<Row><Cell><Data ss:Type="String">South</Data></Cell><Cell><Data ss:Type="Number">120</Data></Cell>
<Cell><Data ss:Type="Number">3.5</Data></Cell></Row>
<Row><Cell><Data ss:Type="String">West</Data></Cell><Cell><Data ss:Type="Number">7</Data></Cell>
<Cell><Data ss:Type="Number">4</Data></Cell></Row>
</Table></Worksheet>
<Worksheet ss:Name="Empty"><Table/></Worksheet>
</Workbook>"""


def test_sheets_are_read(tmp_path):
    """Indexes skip rows and cells; the title is the line above the header."""
    found = looked(tmp_path, "x.xls", BOOK)
    (table,) = found.tables
    assert (found.format, found.error, table.title) == ("spreadsheetml", "", "Pupils by region")
    assert [f.name for f in table.fields] == ["Region", "2019", "2020"]
    with read_table(tmp_path / "x.xls", table.address) as reader:
        assert list(reader.rows) == [["North", None, 1.5], ["South", 120, 3.5], ["West", 7, 4]]


def test_indexes_cannot_fill_the_memory(tmp_path):
    """A cell far away is moved near."""
    far = BOOK.replace('ss:Index="3"', 'ss:Index="99999999"').replace('"2"', '"99999999"')
    found = looked(tmp_path, "x.xls", far)
    assert len(found.tables) <= 2
