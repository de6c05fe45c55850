"""Tables in all their forms."""

from datahound.lab.report.tables import (
    CellPart,
    ResultTable,
    TableCell,
    TableRow,
    make_cell,
    to_csv,
    to_html,
    to_latex,
    to_markdown,
)

TABLE = ResultTable(
    "t",
    "50 % & more",
    ("crawler", "a_b"),
    (
        TableRow("bfs", (make_cell("1.0 ± 0.1", bold=True, paper="2.0"),)),
        TableRow("<x>", (TableCell((CellPart("+∞"), CellPart("3", bold=True))),), ruled=True),
    ),
    "A note.",
)


def test_markdown():
    """Bold, the paper's value in brackets, bars escaped, the note below."""
    lines = to_markdown(TABLE).splitlines()
    assert lines[0] == "**50 % & more**"
    assert lines[2:6] == [
        "| crawler | a_b |",
        "| --- | ---: |",
        "| bfs | **1.0 ± 0.1** [2.0] |",
        r"| &lt;x> | +∞ \| **3** |",
    ]
    assert lines[-1] == "A note."


def test_a_bar_in_a_text_ends_no_cell():
    """Sites choose their tag paths, and some cells have two figures in one text."""
    table = ResultTable("t", "T", ("a", "b|c"), (TableRow("x", (make_cell("1 | 2"),)),))
    assert to_markdown(table).splitlines()[2:] == [
        r"| a | b\|c |", "| --- | ---: |", r"| x | 1 \| 2 |",
    ]  # fmt: skip
    assert r"x & 1 $|$ 2 \\" in to_latex(table)


def test_csv_has_the_papers_values_apart():
    """One value a cell, and columns of their own for the paper's."""
    assert to_csv(TABLE) == "crawler,a_b,a_b (paper)\nbfs,1.0 ± 0.1,2.0\n<x>,+∞ | 3,\n"


def test_latex_is_escaped():
    """What LaTeX would take for its own is escaped; rules and bold are there."""
    text = to_latex(TABLE)
    assert r"\caption{50 \% \& more}" in text
    assert r"bfs & \textbf{1.0 $\pm$ 0.1} [2.0] \\" in text
    assert r"+$\infty$ $|$ \textbf{3}" in text
    assert text.count(r"\midrule") == 2
    assert r"a\_b" in text


def test_html_is_escaped():
    """What HTML would take for its own is escaped."""
    text = to_html(TABLE)
    assert "<th>&lt;x&gt;</th>" in text
    assert "<b>1.0 ± 0.1</b>" in text
    assert '<span class="paper">[2.0]</span>' in text
