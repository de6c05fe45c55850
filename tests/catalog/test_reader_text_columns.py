"""Texts whose columns are set apart by blanks."""

from catalog_files import looked

from datahound.catalog.table_reader import read_table

BULLETIN = """
              Table 3. Persons employed by state, 2019 to 2021

 ------------------------------------------------------------
 State                      2019         2020         2021
 ------------------------------------------------------------
 North Dakota            408,112      391,004      398,771
 South Dakota            456,870      441,119            -
 West Virginia           746,201      709,335      721,480
 ------------------------------------------------------------

 Source: survey of employers.
"""


def test_a_table_in_a_text(tmp_path):
    """Title, names, rows and years are found, and the rows can be read again."""
    found = looked(tmp_path, "x.txt", BULLETIN.encode())
    (table,) = found.tables
    assert (found.format, table.title) == (
        "text",
        "Table 3. Persons employed by state, 2019 to 2021",
    )
    assert [field.name for field in table.fields] == ["State", "2019", "2020", "2021"]
    assert (table.rows, table.first_year, table.last_year, table.statistics) == (
        3, 2019, 2021, True,
    )  # fmt: skip
    with read_table(tmp_path / "x.txt", table.address) as reader:
        assert list(reader.rows)[1] == ["South Dakota", 456870, 441119, None]


def test_rules_and_marks_of_comments_are_blanks(tmp_path):
    """A rule is a drawn line, and the mark of a comment is no name."""
    lines = "".join(f"  {2000 + n}     0.{n}17\n" for n in range(9))
    text = f"# year   anomaly\n# ====   =======\n{lines}"
    (table,) = looked(tmp_path, "x.txt", text.encode()).tables
    assert [field.name for field in table.fields] == ["year", "anomaly"]
    assert (table.rows, table.first_year, table.last_year) == (9, 2000, 2008)


def test_sentences_are_no_table(tmp_path):
    """Prose with figures has no columns."""
    text = "In 2019 the office counted 4112 cases and 3.2 % more than before.\n" * 30
    assert looked(tmp_path, "x.txt", text.encode()).tables == []


def test_long_texts_end_with_a_note(tmp_path):
    """Of a text only the first lines are read, and the catalogue says so."""
    lines = "".join(f"place {n:06}      {n * 7:>9}     {n * 3:>9}\n" for n in range(20_010))
    found = looked(tmp_path, "x.txt", lines.encode())
    assert found.error == "only the first 20000 lines were looked into"
    assert found.tables[0].rows == 20_000
