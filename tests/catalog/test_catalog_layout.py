import pytest

from datahound.catalog.tables.layout import find_layouts, name_columns


def cells(text: str) -> list[list[str]]:
    return [line.split("|") if line else [] for line in text.strip("\n").split("\n")]


def test_titles_headers_and_notes():
    """What is above and below a table is not part of it."""
    (table,) = find_layouts(
        cells("""
Population by region, 2020
In thousands

Region|Men|Women
North|1|2
South|3|4

Source: census""")
    )
    assert table.names == ["Region", "Men", "Women"]
    assert (table.first, table.last) == (4, 6)
    assert (table.title, table.unit) == ("Population by region, 2020", "In thousands")


def test_a_header_of_two_rows():
    """Headings above several columns are said of each."""
    (table,) = find_layouts(
        cells("""
Region|Men||Women|
|2019|2020|2019|2020
North|11|12|13|14
South|21|22|23|24""")
    )
    assert table.names == ["Region", "Men / 2019", "Men / 2020", "Women / 2019", "Women / 2020"]
    assert table.last - table.first == 2


def test_years_are_names():
    """A row of years above figures is a header, though it is all numbers."""
    (table,) = find_layouts([["Region", 2019, 2020], ["North", 5, 6], ["South", 7, 8]])
    assert table.names == ["Region", "2019", "2020"]


def test_two_tables_on_a_sheet():
    """A new header below a blank row begins a new table; figures without one go on with the old."""
    text = "Name|Value\na|1\nb|2\n\nc|3\n\nTown|Rate|Year\nx|1.5|2019\ny|2.5|2020"
    first, second = find_layouts(cells(text))
    assert (first.names, first.last - first.first) == (["Name", "Value"], 4)
    assert second.names == ["Town", "Rate", "Year"]


def test_no_header_at_all():
    """Figures from the first row on have columns without names."""
    (table,) = find_layouts(cells("a|1|2\nb|3|4\nc|5|6"))
    assert table.names == ["column 1", "column 2", "column 3"]
    assert table.last - table.first == 3


@pytest.mark.parametrize("rows", [[], [[]], [[None]], [["", ""]], [["x"]], [[0]], [[False, False]]])
def test_nothing_is_no_table(rows):
    """Empty grids and lonely cells are no tables, and no trouble."""
    assert find_layouts(rows) == []


def test_rows_that_number_the_columns_are_part_of_the_header():
    """They add nothing to the names."""
    (table,) = find_layouts(cells("Region|Men|Women\n1|2|3\nNorth|15|27\nSouth|31|42"))
    assert table.names == ["Region", "Men", "Women"]
    assert table.last - table.first == 2


def test_a_title_that_was_split_at_its_commas_is_a_title():
    """It fills the first few cells of a wide table."""
    text = "Pupils|by school|2019|||||\na|b|c|d|e|f|g|h\n" + "x|1|2|3|4|5|6|7\n" * 3
    (table,) = find_layouts(cells(text))
    assert table.title == "Pupils by school 2019"
    assert table.names == list("abcdefgh")


def test_a_table_may_begin_in_any_column():
    """Empty columns on its left are not part of it."""
    (table,) = find_layouts(cells("||Name|Value\n||a|1\n||b|2"))
    assert (table.left, table.right, table.names) == (2, 4, ["Name", "Value"])


def test_no_more_tables_than_asked_for():
    """The first ones."""
    text = "\n\n".join(f"Town{n}|Rate{n}|Name{n}\nx|1|a\ny|2|b" for n in range(5))
    assert len(find_layouts(cells(text))) == 5
    assert len(find_layouts(cells(text), 2)) == 2


def test_notes_below_are_kept_apart():
    """Directly below the last row as well."""
    (table,) = find_layouts(cells("Name|Value\na|1\nb|2\nSource: x"))
    assert (table.last - table.first, table.notes) == (2, "Source: x")


def test_names_of_columns():
    """Long ones are cut, equal ones numbered, empty ones named by their place."""
    assert name_columns(["a", "", "a", " a "]) == ["a", "column 2", "a (2)", "a (3)"]
    (table,) = find_layouts([["x" * 200, "b"], ["u", 1], ["v", 2]])
    assert len(table.names[0]) == 120


def test_labels_of_sections_in_any_column_are_rows():
    """The first of them ends the header."""
    body = [[p, 12, 13, 14] for p in "abcde"]
    rows = [["region", "total", "men", "women"], [None, "urban"], *body, [None, "rural"], *body]
    (layout,) = find_layouts(rows)
    assert (layout.names, layout.rows) == (["region", "total", "men", "women"], 12)


def test_years_of_subtitles():
    """Without the date of the release."""
    rows = [["Pupils"], ["Year 2019"], ["Released 24.10.2022"], [], ["a", "b"], ["x", 1], ["y", 2]]
    assert find_layouts(rows)[0].caption_years == (2019,)


def test_names_of_label_columns_below_the_years():
    """A row that names only the columns of labels is a part of the header."""
    years = ["Time", None, "2019", "2020", "2021"]
    body = [[p, b, 12, "..", 14] for p in "abc" for b in "xyz"]
    notes = [["Legend"], ["e: estimated"]]
    (layout,) = find_layouts([years, ["region", "branch"], *body, *notes])
    assert (layout.rows, layout.names[:2]) == (9, ["Time / region", "Time / branch"])


def test_numbers_of_columns_above_a_blank_row():
    """They and names in two languages are the header of the body below."""
    header = [["region", "total", "men"], ["Region", "Total", "Men"], [1, 2, 3]]
    body = [[p, n * 7, n * 9] for n, p in enumerate("abcdef", 1)]
    (layout,) = find_layouts([["Pupils"], *header, [], ["URBAN"], *body])
    assert layout.rows >= 6
    assert layout.names[1] == "total / Total"


def test_facts_in_distant_cells_are_no_table():
    """The title above them belongs to the table below."""
    facts = [["Frequency", None, "Annual"], ["Measure", None, "persons"]]
    body = [[p, "x", 12, 13] for p in "abcdef"]
    rows = [["Pupils by region"], [], *facts, [], ["region", "branch", "2019", "2020"], *body]
    (layout,) = find_layouts(rows)
    assert (layout.title, layout.rows) == ("Pupils by region", 6)


def test_words_in_scattered_cells_below_figures_are_notes():
    """Some write below a table without regard to its columns."""
    people = [[name, "job", age, True, "x", "y"] for name, age in [("A", 69), ("B", 60), ("C", 90)]]
    header = ["Name", "Profession", "Age", "Children", "Born", "Died"]
    (table,) = find_layouts([header, *people, [None, None, "see the", "back"], [None, "for more"]])
    assert (table.rows, table.notes) == (3, "see the back for more")


def test_the_last_row_with_missing_figures_is_not_a_note():
    """Its marks say that it belongs to the figures."""
    rows = [["Region", "Men", "Women", "All", "Rate", "Rank"], ["N", 5, 6, 11, 1.5, 2]]
    (table,) = find_layouts([*rows, ["S", 7, 8, 15, 1.7, 1], ["W", "..", None, None, None, None]])
    assert table.rows == 3


def test_a_unit_and_numbers_of_columns_between_blank_rows_belong_to_the_header():
    """Offices print names, a unit, the numbers of the columns and the body apart."""
    (table,) = find_layouts(
        cells("""
Key|Area|Farms|Cattle|of these
number||with|in all|cows
|||Number|

1|2|3|4|5

101|North|17|4200|812
102|South|25|3100|777
103|West|31|2950|640""")
    )
    assert table.names[:2] == ["Key / number", "Area"]
    assert table.names[4] == "of these / cows"
    assert table.rows == 3


def test_a_link_beside_the_title_is_no_column():
    """What stands in the last cell of the title's row does not widen the table."""
    title = "Table 3: Births by sex, year and council area, 2005 to 2008"
    (table,) = find_layouts(
        cells(f"""
{title}||||||back to contents

Area|2005|2006|2007|2008
North|11|12|13|14
South|21|22|23|24""")
    )
    assert (table.title, table.names) == (title, ["Area", "2005", "2006", "2007", "2008"])


def test_marks_and_their_meanings_below_a_table_are_its_notes():
    """They are no table, at the end of a sheet either."""
    text = "Region|2019|2020\nNorth|15|27\nSouth|31|42\n\nSpecial value\n:|not available\nb|break"
    (table,) = find_layouts(cells(text))
    assert "not available" in table.notes
