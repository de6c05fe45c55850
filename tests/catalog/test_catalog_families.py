"""Which datasets are the same table in another format or of another year."""

import pytest

from datahound.catalog.families import Member, find_families, make_stem, stem_columns


def test_families_are_formats_and_years_of_one_table():
    """Years and formats of a table belong together; tables that only sound alike do not."""

    def member(id_, url, title, page="https://e.org/p", columns="x"):
        return Member(id_, url, title, page, str(id_), columns)

    found = find_families([
        member(1, "https://e.org/a/pupils-2019.csv", "Pupils by school, 2019"),
        member(2, "https://e.org/a/pupils-2019.xlsx", "Pupils by school, 2019 (XLSX)"),
        member(3, "https://e.org/b/x.csv", "Pupils by school, 2020", "https://e.org/q"),
        member(4, "https://e.org/c/y.csv", "Pupils by region, 2020"),
        member(5, "https://e.org/d/1.csv", "Download", "https://e.org/p", ""),
        member(6, "https://e.org/e/2.csv", "Download", "https://e.org/p", ""),
    ])  # fmt: skip
    assert found == {1: 1, 2: 1, 3: 1, 4: 4, 5: 5, 6: 6}


def test_equal_bytes_are_one_family_whatever_they_are_called():
    """A chain of marks joins: 1 and 3 share nothing but 2."""
    found = find_families([
        Member(1, "https://e.org/x/q.csv", "Births", "", "aa", ""),
        Member(2, "https://e.org/y/r.csv", "Deaths by county", "https://e.org/p", "aa", ""),
        Member(3, "https://e.org/z/s.csv", "Deaths by county", "https://e.org/p", "bb", ""),
        Member(4, "https://e.org/z/t.csv", "Deaths by county", "https://e.org/q", "cc", ""),
    ])  # fmt: skip
    assert found == {1: 1, 2: 1, 3: 1, 4: 4}


def test_the_query_of_a_url_tells_files_apart():
    """One script that sends all files must not make them one family."""
    found = find_families([
        Member(1, "https://e.org/download?table=births&year=2019", "", "", "a", ""),
        Member(2, "https://e.org/download?table=births&year=2020", "", "", "b", ""),
        Member(3, "https://e.org/download?table=deaths&year=2020", "", "", "c", ""),
    ])  # fmt: skip
    assert found[1] == found[2] != found[3]


def test_a_url_that_cannot_be_parsed_is_a_family_of_its_own():
    """And does not end the search."""
    assert find_families([Member(1, "http://[", "", "", "", "")]) == {1: 1}


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("Pupils by school, 2019 (CSV)", "pupils by school"),
        ("pupils_by_school-2018-19", "pupils by school"),
        ("Q3 2020 Écoles", "ecoles"),
        ("Report Jan 2020.xlsx", "report"),
        ("12", ""),
        ("Table 10234", "table 10234"),
    ],
)
def test_stems(text, stem):
    """Years, quarters, months, small numbers and formats go."""
    assert make_stem(text) == stem


def test_stems_of_columns():
    """In any order and without years; two columns are too few to compare."""
    assert stem_columns(["Region", "2019", "Men", "Women"]) == stem_columns(
        ["Women", "Men", "Region"]
    )
    assert stem_columns(["Region", "Men"]) == ""
    assert stem_columns(["column 1", "column 2", "column 3"]) == ""
