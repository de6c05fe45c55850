"""Layouts of published tables on which the catalogue is developed; see `published_tables.py`."""
# ruff: noqa: ARG001 contents of files, and templates with one signature

from published_case import Case, Cell, Draw, Rows, Template, Truth


def _title(draw: Draw, subject: int) -> str:
    return draw.words.subjects[subject % 2]


def extraction_with_flags(draw: Draw, subject: int) -> Case:
    """Metadata rows of two cells, years across with a flag column after each, ":" for missing."""
    w, first = draw.words, draw.year()
    years = range(first, first + 5)
    rows: Rows = [
        [f"{_title(draw, subject)} [TPS00001]"],
        ["Open product page"],
        [],
        ["Dataset:", _title(draw, subject)],
        ["Last updated:", "12/03/2024 23:00"],
        [],
        ["Time frequency", "Annual"],
        ["Unit of measure", w.unit],
        [],
        ["TIME", *(c for y in years for c in (str(y), None))],
        ["GEO (Labels)"],
    ]
    body: Rows = []
    for place in w.regions:
        line: list[Cell] = [place]
        for _ in years:
            lost = draw.random.random() < 0.35
            line += [":" if lost else draw.count(), draw.random.choice([None, None, "b", "p"])]
        body.append(line)
    foot: Rows = [
        [],
        ["Special value"],
        [":", "not available"],
        [],
        ["Available flags:"],
        ["b", "break in time series"],
        ["p", "provisional"],
    ]
    names = ["GEO", *(c for y in years for c in (str(y), ""))]
    truth = Truth(names, len(body), (first, first + 4), _title(draw, subject))
    return Case([("Sheet 1", [*rows, *body, *foot])], truth, 9, len(rows))


def grouped_header_and_units(draw: Draw, subject: int) -> Case:
    """A header of three rows: groups, names, units; a hierarchy by indentation; footnotes."""
    w, year = draw.words, draw.year()
    rows: Rows = [
        [f"2.1.3 {_title(draw, subject)} {year}"],
        [],
        [w.region, w.total, None, w.men, None, w.women, None],
        [None, str(year - 1), str(year), str(year - 1), str(year), str(year - 1), str(year)],
        [None, *[w.unit] * 6],
    ]
    body: Rows = []
    for n, place in enumerate(w.regions):
        shown = place if n % 4 == 0 else f"   {place}"
        body.append([shown, *(draw.count() for _ in range(6))])
    foot: Rows = [["_______"], [f"1) {w.note}"], [w.source]]
    names = [w.region, w.total, str(year), w.men, str(year), w.women, str(year)]
    return Case(
        [("2.1.3", [*rows, *body, *foot])],
        Truth(names, len(body), (year - 1, year), _title(draw, subject)),
        2,
        len(rows),
    )


def cover_notes_and_flags(draw: Draw, subject: int) -> Case:
    """Cover, contents and notes before the table; years with [r], figures with [x]."""
    w, first = draw.words, draw.year()
    title = _title(draw, subject)
    cover: Rows = [
        [title],
        [w.source],
        ["Released 24.10.2022"],
        ["Contact: stats.info@example.org"],
    ]
    contents: Rows = [[w.contents], ["1", title], ["2", w.note]]
    notes: Rows = [
        ["Note number", "Note text"],
        ["note 1", w.note],
        ["note 2", w.source],
        ["note 3", w.note * 2],
    ]
    head: Rows = [
        [f"1: {title} [note 1]"],
        [w.note],
        [w.year, f"{w.total} [note 2]", w.men, w.women, w.share],
    ]
    body: Rows = []
    for n in range(9):
        flag = " [r]" if n > 6 else ""
        body.append(
            [
                f"{first + n}{flag}",
                draw.count(),
                draw.count(),
                "[x]" if n == 2 else draw.count(),
                draw.rate(),
            ]
        )
    names = [w.year, w.total, w.men, w.women, w.share]
    return Case(
        [(w.cover, cover), (w.contents, contents), ("Notes", notes), ("1", [*head, *body])],
        Truth(names, 9, (first, first + 8), title),
        2,
        len(head),
    )


def blank_row_below_header(draw: Draw, subject: int) -> Case:
    """A blank row between header and body, years across under groups, units above."""
    w, first = draw.words, draw.year()
    rows: Rows = [
        [_title(draw, subject)],
        [f"{w.unit}"],
        [],
        [None, w.men, None, None, w.women, None, None],
        [None, *(first + k for _ in range(2) for k in range(3))],
        [],
    ]
    body: Rows = [[place, *(draw.count() for _ in range(6))] for place in w.regions]
    names = ["", w.men, str(first + 1), str(first + 2), w.women, str(first + 1), str(first + 2)]
    foot: Rows = [[], [w.note], [w.source]]
    return Case(
        [("tabla-1", [*rows, *body, *foot])],
        Truth(names, 10, (first, first + 2), _title(draw, subject)),
        3,
        len(rows),
    )


def long_with_codes(draw: Draw, subject: int) -> Case:
    """One figure per row, with codes beside labels, and a column of flags."""
    w, first = draw.words, draw.year()
    header: list[Cell] = [
        "ITTER107",
        w.region,
        "SEXISTAT1",
        "Sex",
        "TIME",
        w.period,
        "Value",
        "Flag Codes",
    ]
    body: Rows = [
        [
            f"IT{n:02}",
            place,
            code,
            sex,
            year,
            year,
            draw.count(),
            draw.random.choice([None, None, None, "e"]),
        ]
        for n, place in enumerate(w.regions)
        for code, sex in ((1, w.men), (2, w.women), (9, w.total))
        for year in range(first, first + 3)
    ]
    return Case(
        [("data", [header, *body])],
        Truth([str(c) for c in header], len(body), (first, first + 2)),
        0,
        1,
    )


def long_reference_table(draw: Draw, subject: int) -> Case:
    """A full-table extract: reference date, geography, units, vector, value, status."""
    w, first = draw.words, draw.year()
    header: list[Cell] = [
        "REF_DATE",
        "GEO",
        "DGUID",
        w.branch,
        "UOM",
        "UOM_ID",
        "SCALAR_FACTOR",
        "SCALAR_ID",
        "VECTOR",
        "COORDINATE",
        "VALUE",
        "STATUS",
        "SYMBOL",
        "TERMINATED",
        "DECIMALS",
    ]
    body: Rows = []
    for month in range(1, 7):
        for n, place in enumerate(w.regions[:4]):
            for k, branch in enumerate(w.branches[:4]):
                lost = draw.random.random() < 0.2
                body.append(
                    [
                        f"{first}-{month:02}",
                        place,
                        f"2016A0002{n:02}",
                        branch,
                        w.unit,
                        249,
                        "units",
                        0,
                        f"v{n}{k}7654",
                        f"{n + 1}.{k + 1}",
                        None if lost else draw.count(),
                        ".." if lost else None,
                        None,
                        None,
                        0,
                    ]
                )
    return Case(
        [("data", [header, *body])],
        Truth([str(c) for c in header], len(body), (first, first)),
        0,
        1,
    )


def indicator_across_years(draw: Draw, subject: int) -> Case:
    """Source and update rows, then countries by indicator with years across and many gaps."""
    _w, first = draw.words, draw.year()
    years = range(first, first + 14)
    rows: Rows = [
        ["Data Source", "World Development Indicators"],
        [],
        ["Last Updated Date", "2024-03-28"],
        [],
    ]
    header: list[Cell] = [
        "Country Name",
        "Country Code",
        "Indicator Name",
        "Indicator Code",
        *(str(y) for y in years),
    ]
    places = (
        "Aruba",
        "Angola",
        "Albania",
        "Andorra",
        "Argentina",
        "Armenia",
        "Australia",
        "Austria",
        "Benin",
        "Chad",
    )
    body: Rows = [
        [
            place,
            place[:3].upper(),
            _title(draw, subject),
            "SP.POP.TOTL",
            *(None if draw.random.random() < 0.6 else draw.rate() * 1000 for _ in years),
        ]
        for place in places
    ]
    return Case(
        [("Data", [*rows, header, *body])],
        Truth([str(c) for c in header], 10, (first, first + 13)),
        len(rows),
        len(rows) + 1,
    )


def two_tables_stacked(draw: Draw, subject: int) -> Case:
    """Two captioned tables on one sheet; the first is the larger one."""
    w, first = draw.words, draw.year()
    years = [first + k for k in range(4)]
    one: Rows = [
        [f"1a. {_title(draw, subject)}"],
        [w.region, *years],
        *([p, *(draw.count() for _ in years)] for p in w.regions),
        [w.source],
    ]
    two: Rows = [
        [],
        [],
        [f"1b. {w.share}"],
        [w.branch, *years],
        *([b, *(draw.rate() for _ in years)] for b in w.branches),
        [w.source],
    ]
    names = [w.region, *map(str, years)]
    return Case(
        [("Tab1", [*one, *two])], Truth(names, 10, (first, first + 3), _title(draw, subject)), 1, 2
    )


def months_below_years(draw: Draw, subject: int) -> Case:
    """Months down, with a row for each year above its months."""
    w, first = draw.words, draw.year()
    rows: Rows = [[_title(draw, subject)], [f"({w.unit})"], [], [w.period, w.total, w.men, w.women]]
    body: Rows = []
    for year in range(first, first + 3):
        body.append([str(year)])
        body += [[month, draw.count(), draw.count(), draw.count()] for month in w.months]
    foot: Rows = [[w.source]]
    names = [w.period, w.total, w.men, w.women]
    return Case(
        [("T3", [*rows, *body, *foot])],
        Truth(names, len(body), (first, first + 2), _title(draw, subject)),
        3,
        len(rows),
    )


def dates_down(draw: Draw, subject: int) -> Case:
    """End-of-year dates down, small counts that could be taken for years."""
    w, first = draw.words, draw.year()
    rows: Rows = [[_title(draw, subject)], [w.period, w.total, w.men, w.women]]
    body: Rows = [
        [f"31.12.{first + k}", draw.count(1600, 2090), draw.count(800, 2090), draw.count(700, 1990)]
        for k in range(12)
    ]
    foot: Rows = [[w.note]]
    return Case(
        [("A", [*rows, *body, *foot])],
        Truth([w.period, w.total, w.men, w.women], 12, (first, first + 11), _title(draw, subject)),
        1,
        len(rows),
    )


def single_year_column(draw: Draw, subject: int) -> Case:
    """A header with one year over one column of figures; the subtitle is two cells wide."""
    w, year = draw.words, draw.year()
    rows: Rows = [[_title(draw, subject)], [w.unit, f"({year})"], [], [w.region, year]]
    body: Rows = [[p, draw.count()] for p in w.regions]
    return Case(
        [("t", [*rows, *body])],
        Truth([w.region, str(year)], 10, (year, year), _title(draw, subject)),
        3,
        len(rows),
    )


def directory(draw: Draw, subject: int) -> Case:
    """Offices with addresses: not statistics."""
    w = draw.words
    header: list[Cell] = [w.region, "Address", "Postcode", "Phone", "E-mail"]
    body: Rows = [
        [
            p,
            f"Main Street {draw.count(1, 99)}",
            draw.count(10000, 99999),
            f"+44 20 7946 {draw.count(1000, 9999)}",
            f"office{n}@example.org",
        ]
        for n, p in enumerate(w.regions)
    ]
    return Case(
        [("List", [["Contact points"], header, *body])],
        Truth([str(c) for c in header], 10, None, "Contact points", statistics=False),
        1,
        2,
    )


def classification(draw: Draw, subject: int) -> Case:
    """Codes and labels of a classification: not statistics."""
    w = draw.words
    header: list[Cell] = ["Level", "Code", w.branch, "Valid from"]
    body: Rows = [
        [1 + n % 2, f"{n + 1:02}", f"{b} {k}", "2008-01-01"]
        for k in range(3)
        for n, b in enumerate(w.branches)
    ]
    return Case(
        [("Codes", [header, *body])],
        Truth([str(c) for c in header], 18, None, statistics=False),
        0,
        1,
    )


def release_calendar(draw: Draw, subject: int) -> Case:
    """Dates of coming releases: not statistics."""
    w = draw.words
    header: list[Cell] = ["Date", "Time", "Release", w.period]
    body: Rows = [
        [f"{draw.count(1, 28):02}.{m:02}.2024", "09:30", w.subjects[m % 4], f"Q{1 + m % 4} 2023"]
        for m in range(1, 13)
    ]
    return Case(
        [("Calendar", [header, *body])],
        Truth([str(c) for c in header], 12, None, statistics=False),
        0,
        1,
    )


STATISTICS: tuple[Template, ...] = (
    extraction_with_flags,
    grouped_header_and_units,
    cover_notes_and_flags,
    blank_row_below_header,
    long_with_codes,
    long_reference_table,
    indicator_across_years,
    two_tables_stacked,
    months_below_years,
    dates_down,
    single_year_column,
)
OTHERS: tuple[Template, ...] = (directory, classification, release_calendar)
# Tables that a report prints on a page.
PRINTED: tuple[Template, ...] = (
    grouped_header_and_units,
    blank_row_below_header,
    two_tables_stacked,
    months_below_years,
    dates_down,
)
