"""Further layouts for the development of the catalogue; see `published_tables.py`."""

from published_case import Case, Cell, Draw, Rows, Template, Truth


def _subject(draw: Draw, number: int) -> str:
    return draw.words.subjects[number % 2]


def sections_in_the_body(draw: Draw, number: int) -> Case:
    """A header of three rows with a unit row; captions of sections between the rows."""
    w, year = draw.words, draw.year()
    head: Rows = [
        [f"{w.contents}"],
        [f"1.4 {_subject(draw, number)} {year}"],
        [f"{w.source}"],
        [],
        [w.region, w.total, w.men, w.women, w.men, w.women],
        [None, None, None, None, w.share, None],
        [None, w.unit, None, None, "%", None],
    ]
    body: Rows = []
    for section in w.branches[:3]:
        body.append([None, section])
        for place in w.regions[:7]:
            dash = draw.random.choice(["–", ".", "/", None])
            line: list[Cell] = [place, *(draw.count() for _ in range(3)), draw.rate(), draw.rate()]
            line[draw.random.randint(1, 5)] = dash
            body.append(line)
    foot: Rows = [["__________"], [f"1) {w.note}"], [f"© Office, {year}"]]
    names = [w.region, w.total, w.men, w.women, w.share, w.women]
    truth = Truth(names, len(body), (year, year), _subject(draw, number))
    return Case([("1.4", [*head, *body, *foot])], truth)


def database_export(draw: Draw, number: int) -> Case:
    """An export of a database: key columns without names, dates down, a copyright below."""
    w, first = draw.words, draw.year()
    head: Rows = [
        ["GENESIS-Tabelle: 12411-0010"],
        [f"{_subject(draw, number)}: {w.region}"],
        ["Fortschreibung"],
        [f"{_subject(draw, number)} ({w.unit})"],
        [None, None, None, w.total, w.total, w.men],
        [None, None, None, w.men, w.women, w.total],
    ]
    body: Rows = [
        [f"31.12.{first + k}", f"{n:02}", place, *(draw.count() for _ in range(3))]
        for k in range(3)
        for n, place in enumerate(w.regions[:8], 1)
    ]
    foot: Rows = [["__________"], [f"© Office, {first + 4}"], ["Stand: 24.10.2022 / 13:45:11"]]
    truth = Truth(
        ["", "", "", w.men, w.women, w.total],
        len(body),
        (first, first + 2),
        _subject(draw, number),
    )
    return Case([("12411-0010", [*head, *body, *foot])], truth)


def rolling_quarters(draw: Draw, number: int) -> Case:
    """Names with line breaks, rows such as "Jan to Mar 2019", a sentence on each line above."""
    w, first = draw.words, draw.year()
    title = _subject(draw, number)
    head: Rows = [
        [f"Table 1a: {title} [note 1]"],
        ["This worksheet contains one table. Some cells refer to notes on the notes worksheet."],
        ["Some shorthand is used in this table, [c] = confidential, [x] = not available."],
        [w.source],
        [w.period, f"{w.total}\n({w.unit})\n[note 2]", f"{w.men}\n({w.unit})", f"{w.share}\n(%)"],
    ]
    spans = ("Jan to Mar", "Apr to Jun", "Jul to Sep", "Oct to Dec")
    body: Rows = [
        [f"{span} {year}", draw.count(), "[c]" if n == 2 else draw.count(), draw.rate()]
        for year in range(first, first + 4)
        for n, span in enumerate(spans)
    ]
    notes: Rows = [
        ["Notes"],
        ["Note number", "Note text", "Related tables"],
        *([f"note {n}", w.note * 3, "1a"] for n in range(1, 11)),
    ]
    truth = Truth([w.period, w.total, w.men, w.share], 16, (first, first + 3), title)
    return Case([(w.cover, [[title], [w.note]]), ("Notes", notes), ("1a", [*head, *body])], truth)


def view_with_footnotes(draw: Draw, number: int) -> Case:
    """A view of a table: its number above, months across, units below, long footnotes."""
    w, first = draw.words, draw.year()
    head: Rows = [
        [f"{_subject(draw, number)} 1 2"],
        ["Frequency: Monthly"],
        ["Table: 14-10-0287-01 (formerly CANSIM 282-0087)"],
        ["Geography: Canada"],
        [],
        [w.branch, *(f"{month} {first}" for month in w.months[:6])],
        [None, *[w.unit] * 6],
    ]
    body: Rows = [[branch, *(draw.count() for _ in range(6))] for branch in w.branches]
    body[2][3] = ".."
    foot: Rows = [
        [],
        ["Symbol legend:"],
        [".."],
        ["Footnotes:"],
        ["1", w.note * 4],
        ["2", w.source],
        ["How to cite: Table 14-10-0287-01. https://doi.org/10.25318/1410028701-eng"],
    ]
    names = [w.branch, *(f"{month} {first}" for month in w.months[:6])]
    truth = Truth(names, 6, (first, first), _subject(draw, number))
    return Case([("1410028701", [*head, *body, *foot])], truth)


def groups_over_years_no_corner(draw: Draw, number: int) -> Case:
    """Groups over years, no name for the labels, indented labels, notes and source below."""
    w, first = draw.words, draw.year()
    years = [str(first + k) for k in range(3)]
    head: Rows = [
        [_subject(draw, number)],
        [f"{w.region}, {w.year}"],
        [w.unit],
        [],
        [None, w.total, None, None, w.men, None, None, w.women, None, None],
        [None, *years, *years, *years],
        [w.total, *(draw.count() for _ in range(9))],
    ]
    body: Rows = [[f" {n:02} {p}", *(draw.count() for _ in range(9))]
                  for n, p in enumerate(w.regions, 1)]  # fmt: skip
    foot: Rows = [[], [w.note], [w.source], ["Copyright INE 2024"]]
    names = ["", *(name for group in (w.total, w.men, w.women) for name in (group, *years[1:]))]
    truth = Truth(names, 11, (first, first + 2), _subject(draw, number))
    return Case([("tabla-02001", [*head, *body, *foot])], truth)


def outlook(draw: Draw, _number: int) -> Case:
    """Countries by subject with units and scale, figures as texts, and a line at the end."""
    _w, first = draw.words, draw.year()
    years = [str(first + k) for k in range(8)]
    head: Rows = [["Country", "Subject Descriptor", "Units", "Scale",
                   "Country/Series-specific Notes", *years, "Estimates Start After"]]  # fmt: skip
    body: Rows = []
    for place in ("Albania", "Belgium", "Chile", "Denmark", "Ecuador", "Finland", "Ghana"):
        for subject, unit in (("Gross domestic product", "U.S. dollars"),
                              ("Unemployment rate", "Percent of total labor force")):  # fmt: skip
            figures = [
                "n/a" if draw.random.random() < 0.1 else f"{draw.count() / 7:,.3f}" for _ in years
            ]
            body.append([place, subject, unit, "Billions" if "dollars" in unit else None,
                         "See notes for: " + subject + " (National currency). " * 3,
                         *figures, first + 6])  # fmt: skip
    foot: Rows = [
        [],
        ["International Monetary Fund, World Economic Outlook Database, April 2023"],
    ]
    names = [str(c) for c in head[0]]
    return Case([("weo", [*head, *body, *foot])], Truth(names, len(body), (first, first + 7)))


def quarters_below_years(draw: Draw, number: int) -> Case:
    """Years over quarters, with a last column of change."""
    w, first = draw.words, draw.year()
    head: Rows = [
        [f"T 3.1 {_subject(draw, number)}"],
        [f"({w.unit})"],
        [w.branch, first, None, None, None, first + 1, None, None, None, "%"],
        [None, "I", "II", "III", "IV", "I", "II", "III", "IV", None],
    ]
    body: Rows = [[b, *(draw.count() for _ in range(8)), draw.rate()] for b in w.branches]
    body.append([w.total, *(draw.count() for _ in range(8)), draw.rate()])
    names = [w.branch, f"{first}", "II", "III", "IV", f"{first + 1}", "II", "III", "IV", "%"]
    truth = Truth(names, 7, (first, first + 1), _subject(draw, number))
    return Case([("T3.1", [*head, *body, [w.source]])], truth)


def levels_in_columns(draw: Draw, number: int) -> Case:
    """Each level of a hierarchy in a column of its own, names only over the figures."""
    w, year = draw.words, draw.year()
    head: Rows = [
        [_subject(draw, number)],
        [f"{w.year} {year}"],
        [],
        [w.region, None, None, w.total, w.men, w.women],
    ]
    body: Rows = [[w.total, None, None, *(draw.count() for _ in range(3))]]
    for place in w.regions[:5]:
        body.append([None, place, None, *(draw.count() for _ in range(3))])
        body += [[None, None, b, *(draw.count() for _ in range(3))] for b in w.branches[:3]]
    names = [w.region, "", "", w.total, w.men, w.women]
    truth = Truth(names, len(body), (year, year), _subject(draw, number))
    return Case([("1", [*head, *body, [], [w.note]])], truth)


def groups_of_rows(draw: Draw, number: int) -> Case:
    """Blank rows between groups of rows; a total first; codes beside labels."""
    w, first = draw.words, draw.year()
    head: Rows = [
        [f"su-e-01.02.03 {_subject(draw, number)}"],
        [],
        ["Code", w.region, str(first), str(first + 1), str(first + 2)],
        [],
    ]
    rows: Rows = [["CH", w.total, *(draw.count() for _ in range(3))], []]
    for n, place in enumerate(w.regions):
        rows.append([f"{n:02}", place, *(draw.count() for _ in range(3))])
        if n % 5 == 4:
            rows.append([])
    foot: Rows = [[w.source], ["© BFS"]]
    names = ["Code", w.region, str(first), str(first + 1), str(first + 2)]
    truth = Truth(names, 11, (first, first + 2), _subject(draw, number))
    return Case([("2019", [*head, *rows, *foot])], truth)


def series_with_facts(draw: Draw, number: int) -> Case:
    """Series across, ten rows of facts on each series below its name, dates down."""
    w, first = draw.words, draw.year()
    series = [f"{_subject(draw, number)} ;  {name} ;" for name in (w.total, w.men, w.women)]
    facts: Rows = [
        [None, *series],
        ["Unit", *["000"] * 3],
        ["Series Type", "Original", "Seasonally Adjusted", "Trend"],
        ["Data Type", *["STOCK"] * 3],
        ["Frequency", *["Month"] * 3],
        ["Series ID", "A84423127L", "A84423043C", "A84423085A"],
    ]
    body: Rows = [
        [f"{first + k // 12}-{k % 12 + 1:02}-01", *(draw.count() / 10 for _ in range(3))]
        for k in range(30)
    ]
    truth = Truth(["", w.total, w.men, w.women], 30, (first, first + 2))
    index: Rows = [["Time Series Workbook"], [_subject(draw, number)], [w.contents]]
    return Case([("Index", index), ("Data1", [*facts, *body])], truth)


def comments_above(draw: Draw, number: int) -> Case:
    """Names and values above the header of a long table with codes, then notes."""
    w, first = draw.words, draw.year()
    head: Rows = [
        ["STATINF_ID", "0003410379"],
        ["TITLE", _subject(draw, number)],
        ["UPDATED", f"{first + 5}-03-28"],
        [],
        ["cat01_code", w.branch, "area_code", w.region, "time_code", w.year, "unit", "value"],
    ]
    body: Rows = [
        [f"00{k + 1}0", branch, f"{n + 1:02}000", place, f"{year}000000", f"{year}年"
         if w.code == "ja" else str(year), w.unit, draw.text(draw.count())]
        for k, branch in enumerate(w.branches[:3])
        for n, place in enumerate(w.regions[:4])
        for year in (first, first + 1)
    ]  # fmt: skip
    truth = Truth([str(c) for c in head[-1]], len(body), (first, first + 1))
    return Case([("data", [*head, *body])], truth)


def totals_and_percentages(draw: Draw, number: int) -> Case:
    """Numbers and percentages under each year, row numbers of the columns, a total at the end."""
    w, first = draw.words, draw.year()
    years = (first, first + 5)
    head: Rows = [
        [f"Tab. 2 {_subject(draw, number)}"],
        [w.region, *(c for y in years for c in (y, None))],
        [None, *(c for _ in years for c in (w.unit, "%"))],
        [1, 2, 3, 4, 5],
    ]
    body: Rows = [[p, *(c for _ in years for c in (draw.count(), draw.rate()))] for p in w.regions]
    body.append([w.total.upper(), *(c for _ in years for c in (draw.count() * 9, 100))])
    names = [w.region, str(first), "%", str(first + 5), "%"]
    truth = Truth(names, 11, (first, first + 5), _subject(draw, number))
    return Case([("Tab_2", [*head, *body, [f"a) {w.note}"], [w.source]])], truth)


def contacts(draw: Draw, _number: int) -> Case:
    """A list of offices with telephone numbers and opening hours: not statistics."""
    w = draw.words
    rows: Rows = [[w.region, "Telefon", "E-mail", "PLZ", "08-12"]]
    for n, place in enumerate(w.regions):
        phone = f"+49 30 {draw.count(100000, 999999)}"
        rows.append([place, phone, f"office{n}@example.org", 10115 + n, "08:00-12:00"])
    return Case([("1", rows)], Truth([str(c) for c in rows[0]], 10, None, "", statistics=False))


def code_book(draw: Draw, _number: int) -> Case:
    """Variables of a survey with their positions: not statistics."""
    w = draw.words
    rows: Rows = [["Variable", "Label", "Position", "Length", "Type"]]
    place = 1
    for n, branch in enumerate([*w.branches, *w.regions]):
        rows.append([f"V{n:03}", branch, place, 2, "N"])
        place += 2
    return Case([("1", rows)], Truth([str(c) for c in rows[0]], 16, None, "", statistics=False))


STATISTICS: tuple[Template, ...] = (
    sections_in_the_body,
    database_export,
    rolling_quarters,
    view_with_footnotes,
    groups_over_years_no_corner,
    outlook,
    quarters_below_years,
    levels_in_columns,
    groups_of_rows,
    series_with_facts,
    comments_above,
    totals_and_percentages,
)
OTHERS: tuple[Template, ...] = (contacts, code_book)
PRINTED: tuple[Template, ...] = (
    sections_in_the_body,
    groups_over_years_no_corner,
    quarters_below_years,
    totals_and_percentages,
    groups_of_rows,
)
