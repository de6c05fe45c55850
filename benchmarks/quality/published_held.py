"""Layouts of published tables that are set apart: the catalogue is only judged on them, once."""
# ruff: noqa: E501, ARG001 contents of files, and templates with one signature

from published_case import Case, Cell, Draw, Rows, Template, Truth


def _title(draw: Draw, subject: int) -> str:
    return draw.words.subjects[2 + subject % 2]


def units_row_below_names(draw: Draw, subject: int) -> Case:
    """Topic over several columns, then names, then a row of units, then the body."""
    w, first = draw.words, draw.year()
    rows: Rows = [
        [f"{_title(draw, subject)}; {w.region}"],
        [None, w.branch, w.branches[0], w.branches[1], w.branches[2]],
        [w.period, w.region],
        [None, None, "number", "%", "1 000 EUR"],
    ]
    body: Rows = [
        [first + k, p, draw.count(), draw.rate(), draw.rate()]
        for p in w.regions[:6]
        for k in range(4)
    ]
    foot: Rows = [[w.source]]
    names = [w.period, w.region, w.branches[0], w.branches[1], w.branches[2]]
    return Case(
        [("Export", [*rows, *body, *foot])],
        Truth(names, len(body), (first, first + 3), _title(draw, subject)),
    )


def revised_years_across(draw: Draw, subject: int) -> Case:
    """Years across with (r) and (p), figures with (p), reading notes below."""
    w, first = draw.words, draw.year()
    marks = ("", "", " (r)", " (p)")
    heads = [f"{first + k}{marks[k]}" for k in range(4)]
    rows: Rows = [[_title(draw, subject)], [w.unit], [], [w.region, *heads]]
    body: Rows = [
        [p, draw.count(), draw.count(), draw.count(), f"{draw.count()} (p)"] for p in w.regions
    ]
    body.append([w.total, *(draw.count(100_000, 900_000) for _ in range(4))])
    foot: Rows = [["(r) : revised; (p) : provisional."], [w.note], [w.source]]
    names = [w.region, *(str(first + k) for k in range(4))]
    return Case(
        [("Figure 1", [*rows, *body, *foot])],
        Truth(names, 11, (first, first + 3), _title(draw, subject)),
    )


def bilingual_header(draw: Draw, subject: int) -> Case:
    """Names in two languages, a blank row, a numbering row, group rows inside the body."""
    w, year = draw.words, draw.year()
    rows: Rows = [
        [f"TABL. 7. {_title(draw, subject)} ({year})"],
        [f"{w.unit} / in thousands"],
        [w.region, w.total, w.men, w.women, w.share],
        ["SPECIFICATION", "Total", "males", "females", "in %"],
        ["1", "2", "3", "4", "5"],
        [],
    ]
    body: Rows = []
    for n, p in enumerate(w.regions):
        if n % 5 == 0:
            body.append([w.branches[n // 5].upper()])
        body.append([f"{p} ......", draw.count(), draw.count(), draw.count(), draw.rate()])
    names = [w.region, w.total, w.men, w.women, w.share]
    foot: Rows = [[f"a {w.note}"], [w.source]]
    return Case(
        [("Tabl.7", [*rows, *body, *foot])],
        Truth(names, len(body), (year, year), _title(draw, subject)),
    )


def unit_in_the_corner(draw: Draw, subject: int) -> Case:
    """The unit at the right above the header, codes in the first column, "-" and "X" for missing."""
    w, first = draw.words, draw.year()
    rows: Rows = [
        [_title(draw, subject)],
        [None, None, None, None, None, f"({w.unit})"],
        ["Code", w.region, w.branches[0], None, w.branches[1], None],
        [None, None, str(first), str(first + 1), str(first), str(first + 1)],
    ]
    body: Rows = [
        [
            f"{n:05}",
            p,
            draw.count(),
            draw.random.choice(["-", draw.count()]),
            draw.random.choice(["X", draw.count()]),
            draw.count(),
        ]
        for n, p in enumerate(w.regions, 1)
    ]
    names = ["Code", w.region, w.branches[0], str(first + 1), w.branches[1], str(first + 1)]
    return Case(
        [("第1表", [*rows, *body, [w.source]])],
        Truth(names, 10, (first, first + 1), _title(draw, subject)),
    )


def year_by_month(draw: Draw, subject: int) -> Case:
    """Series metadata in two cells per row, then a row per year and a column per month."""
    w, first = draw.words, draw.year()
    rows: Rows = [
        ["Series Id:", "LNS14000000"],
        ["Series title:", _title(draw, subject)],
        ["Labor force status:", w.share],
        ["Type of data:", w.unit],
        ["Years:", f"{first} to {first + 8}"],
        [],
    ]
    header: list[Cell] = [w.year, *(m[:3] if m.isascii() else m for m in w.months)]
    body: Rows = [[first + k, *(draw.rate() for _ in range(12))] for k in range(9)]
    return Case(
        [("BLS Data Series", [*rows, header, *body])],
        Truth([str(c) for c in header], 9, (first, first + 8), _title(draw, subject)),
    )


def quarters_across(draw: Draw, subject: int) -> Case:
    """Quarters across, an empty column after the stub, a legend below."""
    w, first = draw.words, draw.year()
    quarters = [f"Q{q}-{first + k}" for k in range(2) for q in range(1, 5)]
    rows: Rows = [
        [f"Dataset: {_title(draw, subject)}"],
        ["Measure", None, w.share],
        ["Frequency", None, "Quarterly"],
        [w.period, None, *quarters],
        [w.region],
    ]
    body: Rows = [
        [
            p,
            None,
            *(draw.random.choice(["..", draw.rate(), draw.rate(), draw.rate()]) for _ in quarters),
        ]
        for p in w.regions
    ]
    foot: Rows = [
        ["Data extracted on 11 Mar 2024 09:12 UTC (GMT) from OECD.Stat"],
        ["Legend:"],
        ["E:", "Estimated value"],
    ]
    names = [w.region, "", *quarters]
    return Case(
        [("OECD.Stat export", [*rows, *body, *foot])],
        Truth(names, 10, (first, first + 1), _title(draw, subject)),
    )


def title_beside_code(draw: Draw, subject: int) -> Case:
    """A table code and a title in the first row, names in the second, sources at the end of rows."""
    w, first = draw.words, draw.year()
    rows: Rows = [
        ["T02", _title(draw, subject)],
        ["Region/Country/Area", None, w.year, "Series", "Value", "Footnotes", "Source"],
    ]
    body: Rows = [
        [
            n * 4,
            p,
            year,
            series,
            draw.count(),
            None,
            "United Nations Statistics Division, New York, last accessed July 2023.",
        ]
        for n, p in enumerate(w.regions, 1)
        for year in range(first, first + 3)
        for series in (w.men, w.women)
    ]
    names = ["Region", "", w.year, "Series", "Value", "Footnotes", "Source"]
    return Case(
        [("SYB66", [*rows, *body])],
        Truth(names, len(body), (first, first + 2), _title(draw, subject)),
    )


def dates_of_stock(draw: Draw, subject: int) -> Case:
    """Days written out across the columns, a total first, indentation below it."""
    w, first = draw.words, draw.year()
    days = [w.day.format(d=1, m=w.months[0], y=first + k) for k in range(4)]
    rows: Rows = [[_title(draw, subject)], [], [w.region, *days]]
    body: Rows = [[w.total, *(draw.count(100_000, 900_000) for _ in days)]]
    body += [[f"    {p}", *(draw.count() for _ in days)] for p in w.regions]
    foot: Rows = [[], [f"* {w.note}"], [w.source]]
    return Case(
        [("px1", [*rows, *body, *foot])],
        Truth([w.region, *days], 11, (first, first + 3), _title(draw, subject)),
    )


def blocks_by_year(draw: Draw, subject: int) -> Case:
    """One table in blocks with a blank row between them, apostrophes in figures, footnote marks."""
    w, first = draw.words, draw.year()
    rows: Rows = [
        ["T 01.02.03.04"],
        [_title(draw, subject)],
        [],
        [w.branch, w.total, w.men, w.women],
    ]
    body: Rows = []
    filled = 0
    for year in range(first, first + 3):
        body.append([str(year)])
        for b in w.branches:
            body.append(
                [
                    b,
                    *(
                        f"{draw.count(1000, 90_000):,}".replace(",", "'")
                        + draw.random.choice(["", "", " 1)"])
                        for _ in range(3)
                    ),
                ]
            )
        body.append([])
        filled += 1 + len(w.branches)
    foot: Rows = [[f"1) {w.note}"], [w.source]]
    return Case(
        [(f"{first}-{first + 2}", [*rows, *body, *foot])],
        Truth(
            [w.branch, w.total, w.men, w.women], filled, (first, first + 2), _title(draw, subject)
        ),
    )


def two_subjects_apart(draw: Draw, subject: int) -> Case:
    """A contents sheet, then two sheets; the table of the second is the larger one."""
    w, first = draw.words, draw.year()
    title = _title(draw, subject)
    index: Rows = [[w.cover], [w.contents], ["Tab 1", w.share], ["Tab 2", title], [w.source]]
    small: Rows = [[w.share], [], [w.branch, w.share], *([b, draw.rate()] for b in w.branches)]
    periods = [f"{first + k}/{(first + k + 1) % 100:02}" for k in range(5)]
    large: Rows = [
        [title],
        [],
        [w.region, *periods],
        *([p, *(draw.count() for _ in periods)] for p in w.regions),
        [],
        [w.note],
    ]
    names = [w.region, *periods]
    return Case(
        [(w.contents, index), ("Tab 1", small), ("Tab 2", large)],
        Truth(names, 10, (first, first + 4)),
    )


def glossary(draw: Draw, subject: int) -> Case:
    """Terms and their definitions: not statistics."""
    w = draw.words
    header: list[Cell] = ["Term", "Definition", "See also"]
    body: Rows = [
        [b, f"{w.note} {w.source}. {w.note}", w.branches[n - 1]] for n, b in enumerate(w.branches)
    ]
    return Case(
        [("Glossary", [["Terms and definitions"], header, *body])],
        Truth([str(c) for c in header], 6, None, "Terms", statistics=False),
    )


def gazetteer(draw: Draw, subject: int) -> Case:
    """Places with codes and coordinates: not statistics."""
    w = draw.words
    header: list[Cell] = ["Code", w.region, "Latitude", "Longitude", "NUTS"]
    body: Rows = [
        [f"{n:03}", p, round(40 + draw.rate() / 10, 4), round(draw.rate() / 10, 4), f"XX{n}"]
        for n, p in enumerate(w.regions)
    ]
    return Case(
        [("Places", [header, *body])], Truth([str(c) for c in header], 10, None, statistics=False)
    )


def file_list(draw: Draw, subject: int) -> Case:
    """Files of a publication: not statistics."""
    header: list[Cell] = ["Table", "Title", "File", "Updated"]
    body: Rows = [
        [f"Table {n}", s, f"table{n}.xlsx", "2024-02-01"]
        for n, s in enumerate(draw.words.subjects * 3, 1)
    ]
    return Case(
        [("Index", [header, *body])], Truth([str(c) for c in header], 12, None, statistics=False)
    )


STATISTICS: tuple[Template, ...] = (
    units_row_below_names,
    revised_years_across,
    bilingual_header,
    unit_in_the_corner,
    year_by_month,
    quarters_across,
    title_beside_code,
    dates_of_stock,
    blocks_by_year,
    two_subjects_apart,
)
OTHERS: tuple[Template, ...] = (glossary, gazetteer, file_list)
PRINTED: tuple[Template, ...] = (
    revised_years_across,
    bilingual_header,
    unit_in_the_corner,
    dates_of_stock,
    blocks_by_year,
)
