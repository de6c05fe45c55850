"""Lines of a PDF page that are one row of a table."""

from datahound.catalog.readers.pdf_columns import align_cells, find_grids
from datahound.catalog.readers.pdf_rows import join_labels
from datahound.catalog.readers.pdf_text import Line, Span, join_words


def line(top, *cells):
    return Line(top, top - 8, [Span(a, b, words) for a, b, words in cells], top - 8)


def figures(top, name=None, first="12"):
    label = [(0, 40, name)] if name else []
    return line(top, *label, (70, 80, first), (110, 120, "13"), (150, 160, "14"))


def read_labels(lines):
    return [[row.cells[0].text, len(row.cells)] for row in join_labels(lines)]


def test_figures_in_the_middle_below_or_above_their_label():
    """Lines of a cell are nearer to each other than rows, wherever the figures are."""
    run = [figures(200, "a"), figures(182, "b"),
           line(164, (0, 60, "Food and")), figures(158), line(152, (0, 60, "Drink")),
           line(134, (0, 60, "Fuel for")), figures(124, "Cars"),
           figures(106, "Rent of"), line(96, (0, 60, "Dwellings")), figures(78, "e"),
           figures(60, "f")]  # fmt: skip
    assert read_labels(run) == [
        ["a", 4], ["b", 4], ["Food and Drink", 4], ["Fuel for Cars", 4], ["Rent of Dwellings", 4],
        ["e", 4], ["f", 4],
    ]  # fmt: skip


def test_the_heading_of_a_group_is_a_row():
    """It is as far from the rows as they are from each other."""
    run = [figures(200, "a"), figures(182, "b"), figures(164, "c"), line(146, (0, 60, "Women")),
           figures(128, "a"), figures(110, "b")]  # fmt: skip
    assert read_labels(run)[3] == ["Women", 1]


def test_the_sign_of_a_currency_is_a_part_of_its_figure():
    """It is printed at the left of the column, in the first row only."""
    first = line(200, (0, 40, "Taxes"), (60, 64, "$"), (75, 90, "120"), (100, 104, "$"),
                 (115, 130, "300"))  # fmt: skip
    rest = [line(190 - 10 * n, (0, 40, f"r{n}"), (75, 90, "7"), (115, 130, "9")) for n in range(3)]
    assert align_cells([first, *rest])[0] == ["Taxes", "$ 120", "$ 300"]


def test_wide_names_over_narrow_figures():
    """Names of several words nearly touch: each column has the one widest gap on its side."""

    def words(top, *places):
        return Line(top, top - 8, [join_words([Span(a, b, text)]) for a, b, text in places], top)

    head = words(100, (0, 40, "region"))
    names = ((60, 80, "2021."), (83, 88, "I."), (91, 118, "quarter"), (124, 144, "2022."),
             (147, 152, "I."), (155, 182, "quarter"))  # fmt: skip
    head.cells.append(join_words([Span(*name) for name in names]))
    body = [words(85 - 12 * n, (0, 40, f"r{n}"), (104, 118, f"{n}5"), (168, 182, f"{n}7"))
            for n in range(5)]  # fmt: skip
    (found,) = find_grids([head, *body])
    assert found.cells[0] == ["region", "2021. I. quarter", "2022. I. quarter"]
