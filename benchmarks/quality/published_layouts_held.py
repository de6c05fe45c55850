"""Further layouts that are set apart: the catalogue is developed without them."""

from published_case import Case, Cell, Draw, Rows, Template, Truth


def _subject(draw: Draw, number: int) -> str:
    return draw.words.subjects[2 + number % 2]


def extraction_by_dimension(draw: Draw, number: int) -> Case:
    """A table server's sheet: facts in two columns, dimension names in the corner, no units."""
    w, first = draw.words, draw.year()
    years = [str(first + k) for k in range(6)]
    head: Rows = [
        ["Dataset: " + _subject(draw, number)],
        [],
        ["Frequency", None, "Annual"],
        ["Measure", None, w.unit],
        [],
        ["Time period", None, *years],
        [w.region, w.branch, *[None] * 6],
    ]
    body: Rows = [
        [place, branch, *(".." if draw.random.random() < 0.25 else draw.count() for _ in years)]
        for place in w.regions[:5]
        for branch in w.branches[:3]
    ]
    foot: Rows = [[], [f"Data extracted on 24 Oct {first + 9} 12:01 UTC from Stat"],
                  ["Legend:"], ["e:", "Estimated value"]]  # fmt: skip
    truth = Truth(["Time", "", *years], 15, (first, first + 5), _subject(draw, number))
    return Case([("OECD", [*head, *body, *foot])], truth)


def deep_header(draw: Draw, number: int) -> Case:
    """A header of four rows, the last with units for some columns; labels with dots."""
    w, first = draw.words, draw.year()
    head: Rows = [
        [f"Tabelle 7: {_subject(draw, number)}"],
        [w.region, w.total, None, w.share, None, None, None],
        [None, None, None, w.men, None, w.women, None],
        [None, first, first + 1, first, first + 1, first, first + 1],
        [None, w.unit, None, "%", None, None, None],
    ]
    body: Rows = [[f"{p} .....", draw.count(), draw.count(), *(draw.rate() for _ in range(4))]
                  for p in [*w.regions, w.total]]  # fmt: skip
    names = [w.region, w.total, str(first + 1), w.share, str(first + 1), w.women, str(first + 1)]
    truth = Truth(names, 11, (first, first + 1), _subject(draw, number))
    return Case([("T7", [*head, *body, [f"1) {w.note}"]])], truth)


def fiscal_years_down(draw: Draw, number: int) -> Case:
    """Fiscal years down, small counts, provisional marks, two lines of notes."""
    w, first = draw.words, draw.year()
    head: Rows = [[f"{_subject(draw, number)} ({w.unit})"], [], [w.year, w.total, w.men, w.women]]
    body: Rows = [
        [f"{first + k}/{(first + k + 1) % 100:02}{' (p)' if k > 9 else ''}",
         *(draw.count(1400, 2200) for _ in range(3))]
        for k in range(12)
    ]  # fmt: skip
    foot: Rows = [[f"(p) {w.note}"], [w.source]]
    truth = Truth([w.year, w.total, w.men, w.women], 12, (first, first + 12),
                  _subject(draw, number))  # fmt: skip
    return Case([("Serie", [*head, *body, *foot])], truth)


def months_across_years_down(draw: Draw, number: int) -> Case:
    """A year column, months across, an average at the end."""
    w, first = draw.words, draw.year()
    title = _subject(draw, number)
    head: Rows = [["Series ID:", "SMU123"], ["Title:", title], ["Adjustment:", "none"], []]
    header: list[Cell] = [w.year, *w.months, w.total]
    body: Rows = [[first + k, *(draw.rate() for _ in range(13))] for k in range(8)]
    body[-1][9:] = [None] * 5
    truth = Truth([str(c) for c in header], 8, (first, first + 7), title)
    return Case([("data", [*head, header, *body])], truth)


def three_tables(draw: Draw, number: int) -> Case:
    """Three captioned tables on a sheet, the second is the longest."""
    w, first = draw.words, draw.year()
    years = [first + k for k in range(4)]
    rows: Rows = [[_subject(draw, number)], []]
    for letter, labels in (("a", w.branches[:3]), ("b", w.regions), ("c", w.branches[3:])):
        rows += [[f"{letter}) {w.total} {letter}"], [w.branch, *years]]
        rows += [[label, *(draw.count() for _ in years)] for label in labels]
        rows += [[w.source], []]
    truth = Truth([w.branch, *map(str, years)], 10, (first, first + 3))
    return Case([("1", rows)], truth)


def long_quarters(draw: Draw, _number: int) -> Case:
    """A long table of quarters with status flags and a constant unit."""
    w, first = draw.words, draw.year()
    header: list[Cell] = ["DATAFLOW", "FREQ", "geo", "TIME_PERIOD", "OBS_VALUE", "OBS_FLAG", "unit"]
    body: Rows = [
        ["ESTAT:X(1.0)", "Q", place, f"{year}-Q{q}", draw.rate(), draw.random.choice([None, "p"]),
         w.unit]
        for place in w.regions
        for year in (first, first + 1)
        for q in range(1, 5)
    ]  # fmt: skip
    truth = Truth([str(c) for c in header], 80, (first, first + 1))
    return Case([("data", [header, *body])], truth)


def survey_answers(draw: Draw, number: int) -> Case:
    """Answers by group in per cent, with a row of sample sizes, names over two lines."""
    w, year = draw.words, draw.year()
    head: Rows = [
        [f"Table 12  {_subject(draw, number)}, {year}"],
        ["Percentages"],
        [],
        [w.branch, f"{w.men}\n16-24", f"{w.men}\n25-64", f"{w.women}\n16-24", f"{w.women}\n25-64",
         w.total],
    ]  # fmt: skip
    body: Rows = [[b, *(draw.count(1, 60) for _ in range(5))] for b in w.branches]
    body[3][2] = "*"
    body.append(["Base (n)", *(draw.count(1500, 2050) for _ in range(5))])
    names = [w.branch, w.men, w.men, w.women, w.women, w.total]
    truth = Truth(names, 7, (year, year), _subject(draw, number))
    return Case([("Table 12", [*head, *body, [], [w.note], [w.source]])], truth)


def regions_with_parents(draw: Draw, number: int) -> Case:
    """Codes of two levels, names in two columns, dates of stock over three columns."""
    w, first = draw.words, draw.year()
    dates = [f"01.01.{first + k}" for k in range(3)]
    head: Rows = [
        [_subject(draw, number)],
        [w.note],
        ["NUTS 2", "NUTS 3", w.region, *dates],
    ]
    body: Rows = []
    for n, place in enumerate(w.regions):
        body.append([f"PL{n:02}", None, place.upper(), *(draw.count() for _ in dates)])
        body.append([f"PL{n:02}", f"PL{n:02}1", place, *(draw.count() for _ in dates)])
    truth = Truth(["NUTS 2", "NUTS 3", w.region, *dates], 20, (first, first + 2),
                  _subject(draw, number))  # fmt: skip
    return Case([("dane", [*head, *body, [w.source]])], truth)


def index_of_prices(draw: Draw, number: int) -> Case:
    """A base year in the title, months down under their year in the first column, two measures."""
    w, first = draw.words, draw.year()
    head: Rows = [
        [f"{_subject(draw, number)} ({first} = 100)"],
        [None, None, w.total, "%", w.men, "%"],
    ]
    body: Rows = []
    for k in range(3):
        for n, month in enumerate(w.months):
            year = first + k if n == 0 else None
            body.append([year, month, draw.rate(90, 130), draw.rate(0, 4), draw.rate(90, 130),
                         draw.rate(0, 4)])  # fmt: skip
    truth = Truth(["", "", w.total, "%", w.men, "%"], 36, None, _subject(draw, number))
    return Case([("VPI", [*head, *body, [w.source]])], truth)


def one_line_per_measure(draw: Draw, number: int) -> Case:
    """Indicators down with units in their own column and one column per year, rows of headings."""
    w, first = draw.words, draw.year()
    years = [f"{first + k}" + (" ¹" if k == 3 else "") for k in range(4)]
    head: Rows = [[f"2. {_subject(draw, number)}"], [], [w.branch, "Unit", *years]]
    body: Rows = []
    for branch in w.branches:
        body.append([branch.upper()])
        body += [[f"  {name}", w.unit, *(draw.count() for _ in years)]
                 for name in (w.men, w.women)]  # fmt: skip
    names = [w.branch, "Unit", *(str(first + k) for k in range(4))]
    truth = Truth(names, 18, (first, first + 3), _subject(draw, number))
    return Case([("2", [*head, *body, ["¹ " + w.note], [w.source]])], truth)


def events(draw: Draw, _number: int) -> Case:
    """A list of events with dates, places and links: not statistics."""
    w = draw.words
    rows: Rows = [["Date", w.region, "Title", "Link"]]
    for n, place in enumerate(w.regions):
        rows.append([f"2024-0{n % 9 + 1}-1{n % 9}", place, w.note, f"https://example.org/{n}"])
    return Case([("1", rows)], Truth([str(c) for c in rows[0]], 10, None, "", statistics=False))


def vehicles(draw: Draw, _number: int) -> Case:
    """A register of things with numbers that identify them: not statistics."""
    w = draw.words
    rows: Rows = [["ID", "Serial number", "Type", w.region, "Postcode"]]
    for n, place in enumerate(w.regions):
        rows.append([n + 1, draw.count(10_000_000, 99_999_999), f"T{n % 3}", place, 20_000 + 7 * n])
    return Case([("1", rows)], Truth([str(c) for c in rows[0]], 10, None, "", statistics=False))


STATISTICS: tuple[Template, ...] = (
    extraction_by_dimension,
    deep_header,
    fiscal_years_down,
    months_across_years_down,
    three_tables,
    long_quarters,
    survey_answers,
    regions_with_parents,
    index_of_prices,
    one_line_per_measure,
)
OTHERS: tuple[Template, ...] = (events, vehicles)
PRINTED: tuple[Template, ...] = (
    deep_header,
    fiscal_years_down,
    survey_answers,
    months_across_years_down,
    one_line_per_measure,
)
