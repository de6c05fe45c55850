"""Tables, and how they are written as Markdown, CSV, LaTeX and HTML."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from datahound.lab.report.summary import MeanOverRuns, find_lowest, summarize_runs

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"$\pm$", "∞": r"$\infty$", "–": "--", "α": r"$\alpha$", "θ": r"$\theta$",
    "ε": r"$\varepsilon$", "<": "$<$", ">": "$>$", "|": "$|$",
    "√": r"$\surd$", "×": r"$\times$", "−": "$-$", "…": r"\ldots{}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CellPart:
    """A text in a cell."""

    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class TableCell:
    """One or more parts, separated by bars, and the paper's value if it has one."""

    parts: tuple[CellPart, ...]
    paper: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table; a ruled one has a line above it."""

    head: str
    cells: tuple[TableCell, ...]
    ruled: bool = False


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A table with the name of its files, a caption and a note."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    note: str = ""


def make_cell(text: str, *, bold: bool = False, paper: str = "") -> TableCell:
    return TableCell((CellPart(text, bold),), paper)


def mark_lowest(
    summaries: Sequence[MeanOverRuns],
    paper: Sequence[str] = (),
    competes: Sequence[bool] = (),
    digits: int = 1,
) -> list[TableCell]:
    """Make a column of cells, the lowest mean of those that compete in bold."""
    absent = summarize_runs(())
    allowed = competes or [True] * len(summaries)
    rivals = [s if may else absent for s, may in zip(summaries, allowed, strict=True)]
    # A single competitor is not the best of anything.
    bold = find_lowest(rivals, digits) if sum(s.always for s in rivals) > 1 else set()
    papers = paper or [""] * len(summaries)
    return [
        make_cell(summary.show(digits), bold=index in bold, paper=beside)
        for index, (summary, beside) in enumerate(zip(summaries, papers, strict=True))
    ]


def join_columns(
    heads: Sequence[str], columns: Sequence[Sequence[TableCell]], ruled: int = 0
) -> tuple[TableRow, ...]:
    """Make rows of columns of cells, with a rule above row number `ruled`, never the first."""
    return tuple(
        TableRow(head, tuple(column[i] for column in columns), ruled=0 < i == ruled)
        for i, head in enumerate(heads)
    )


def to_markdown(table: ResultTable) -> str:
    def show(c: TableCell) -> str:
        parts = (_escape_markdown(p.text) for p in c.parts)
        marked = (f"**{t}**" if p.bold else t for p, t in zip(c.parts, parts, strict=True))
        return _join_parts(TableCell(c.parts, _escape_markdown(c.paper)), marked, r" \| ")

    lines = [f"**{table.title}**", "", _join_pipes(map(_escape_markdown, table.columns))]
    lines.append(_join_pipes(["---", *("---:" for _ in table.columns[1:])]))
    lines += [
        _join_pipes([_escape_markdown(row.head), *map(show, row.cells)]) for row in table.rows
    ]
    return "\n".join([*lines, "", table.note, ""] if table.note else [*lines, ""])


def to_csv(table: ResultTable) -> str:
    """Write without bold; the paper's values have columns of their own."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    has_paper = any(c.paper for row in table.rows for c in row.cells)
    paper = [f"{column} (paper)" for column in table.columns[1:]] if has_paper else []
    writer.writerow([*table.columns, *paper])
    for row in table.rows:
        values = [" | ".join(p.text for p in c.parts) for c in row.cells]
        writer.writerow([row.head, *values, *([c.paper for c in row.cells] if paper else [])])
    return text.getvalue()


def to_latex(table: ResultTable) -> str:
    """Write a floating table; it needs the package booktabs."""

    def show(c: TableCell) -> str:
        parts = (
            rf"\textbf{{{_escape_tex(p.text)}}}" if p.bold else _escape_tex(p.text) for p in c.parts
        )
        return _join_parts(TableCell(c.parts, _escape_tex(c.paper)), parts, " $|$ ")

    lines = [r"\begin{table*}", r"  \centering", rf"  \caption{{{_escape_tex(table.title)}}}"]
    lines += [rf"  \begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}", r"    \toprule"]
    lines += [
        rf"    {' & '.join(_escape_tex(column) for column in table.columns)} \\",
        r"    \midrule",
    ]
    for row in table.rows:
        lines += [r"    \midrule"] if row.ruled else []
        lines.append(rf"    {' & '.join([_escape_tex(row.head), *map(show, row.cells)])} \\")
    lines += [r"    \bottomrule", r"  \end{tabular}", rf"  \label{{tab:{table.name}}}"]
    return "\n".join([*lines, r"\end{table*}", ""])


def to_html(table: ResultTable) -> str:
    def show(c: TableCell) -> str:
        parts = (f"<b>{escape(p.text)}</b>" if p.bold else escape(p.text) for p in c.parts)
        paper = f'<span class="paper">[{escape(c.paper)}]</span>' if c.paper else ""
        return f"<td>{' | '.join(parts)} {paper}</td>"

    heads = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    body = "\n".join(
        f"<tr{' class=ruled' if row.ruled else ''}><th>{escape(row.head)}</th>"
        f"{''.join(map(show, row.cells))}</tr>"
        for row in table.rows
    )
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<figure class="table"><figcaption>{escape(table.title)}</figcaption><div class="wide">'
        f"<table><thead><tr>{heads}</tr></thead>\n<tbody>{body}</tbody></table></div>{note}</figure>"
    )


WRITERS = {"md": to_markdown, "csv": to_csv, "tex": to_latex}
"""How a table is written, by the suffix of its file."""


def _join_parts(c: TableCell, parts: Iterable[str], bar: str) -> str:
    return bar.join(parts) + (f" [{c.paper}]" if c.paper else "")


def _join_pipes(values: Iterable[str]) -> str:
    return f"| {' | '.join(values)} |"


def _escape_markdown(text: str) -> str:
    """Escape what would end a cell, or begin a tag: tag paths are the words of websites."""
    return text.replace("|", r"\|").replace("<", "&lt;")


def _escape_tex(text: str) -> str:
    # One pass over the text: replaced one after the other, the braces of a replacement would be
    # escaped again.
    return re.sub(".", lambda match: _LATEX.get(match[0], match[0]), text)
