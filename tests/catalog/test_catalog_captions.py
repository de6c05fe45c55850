"""The title of a table among the lines above it."""

import pytest

from datahound.catalog.tables.captions import pick_title


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([], ""),
        (["Table 3"], "Table 3"),
        (["Table 3: Pupils by school", "This worksheet contains one table."],
         "Table 3: Pupils by school"),
        (["T 01.02.03", "Bevölkerung nach Ländern", "(in 1 000)", "Stand: 24.10.2022"],
         "Bevölkerung nach Ländern"),
        (["都道府県別人口", "(千人)"], "都道府県別人口"),
        (["24.10.2022", "Source: census", "Wages"], "Wages"),
    ],
)  # fmt: skip
def test_the_line_that_names_the_content(lines, title):
    """Not numbers, units, dates, sources or instructions."""
    assert pick_title(lines) == title


def test_codes_are_no_titles():
    """Nor are names of a code, which begin as a title does."""
    lines = ["Table: 14-10-0287-01 (formerly CANSIM 282-0087)", "GENESIS-Tabelle: 12411-0010"]
    assert pick_title([*lines, "Pupils by region"]) == "Pupils by region"


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["ΕΛΛΗΝΙΚΗ ΣΤΑΤΙΣΤΙΚΗ ΑΡΧΗ", "Πίνακας 1. Δείκτης τιμών, 2018-2020"], 1),
        (["Федеральная служба", "Таблица 2. Население по областям"], 1),
        (["Tabelle: 12612-0001", "Geborene: Deutschland, Jahre", "Statistik der Geburten"], 1),
    ],
)
def test_numbered_titles_in_more_languages_and_below_codes(lines, title):
    """An office's name is no title where a numbered one follows; after a code comes the title."""
    assert pick_title(lines) == lines[title]
