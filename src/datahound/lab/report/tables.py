"""Tables that can be written as Markdown, CSV, LaTeX and HTML."""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"$\pm$", "∞": r"$\infty$", "–": "--", "α": r"$\alpha$", "θ": r"$\theta$",
    "√": r"$\surd$", "×": r"$\times$", "−": "$-$", "…": r"\ldots{}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a cell."""

    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One or more parts, divided by bars; and what the paper has there, if it does."""

    parts: tuple[Part, ...]
    paper: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table; a ruled one is set off from those above it."""

    head: str
    cells: tuple[Cell, ...]
    ruled: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with the name of its files, a caption and a note."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""


def cell(text: str, *, bold: bool = False, paper: str = "") -> Cell:
    return Cell((Part(text, bold),), paper)


def to_markdown(table: Table) -> str:
    def shown(c: Cell) -> str:
        parts = (f"**{p.text}**" if p.bold else p.text for p in c.parts)
        return _joined(Cell(c.parts, c.paper.replace("|", r"\|")), parts, r" \| ")

    lines = [f"**{table.title}**", "", _pipes(table.columns)]
    lines.append(_pipes(["---", *("---:" for _ in table.columns[1:])]))
    lines += [_pipes([row.head, *map(shown, row.cells)]) for row in table.rows]
    return "\n".join([*lines, "", table.note, ""] if table.note else [*lines, ""])


def to_csv(table: Table) -> str:
    """Without bold; what the paper has stands in columns of its own."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    has_paper = any(c.paper for row in table.rows for c in row.cells)
    paper = [f"{column} (paper)" for column in table.columns[1:]] if has_paper else []
    writer.writerow([*table.columns, *paper])
    for row in table.rows:
        values = [" | ".join(p.text for p in c.parts) for c in row.cells]
        writer.writerow([row.head, *values, *([c.paper for c in row.cells] if paper else [])])
    return text.getvalue()


def to_latex(table: Table) -> str:
    """A floating table that needs the package booktabs."""

    def shown(c: Cell) -> str:
        parts = (rf"\textbf{{{_tex(p.text)}}}" if p.bold else _tex(p.text) for p in c.parts)
        return _joined(Cell(c.parts, _tex(c.paper)), parts, " $|$ ")

    lines = [r"\begin{table*}", r"  \centering", rf"  \caption{{{_tex(table.title)}}}"]
    lines += [rf"  \begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}", r"    \toprule"]
    lines += [rf"    {' & '.join(_tex(column) for column in table.columns)} \\", r"    \midrule"]
    for row in table.rows:
        lines += [r"    \midrule"] if row.ruled else []
        lines.append(rf"    {' & '.join([_tex(row.head), *map(shown, row.cells)])} \\")
    lines += [r"    \bottomrule", r"  \end{tabular}", rf"  \label{{tab:{table.name}}}"]
    return "\n".join([*lines, r"\end{table*}", ""])


def to_html(table: Table) -> str:
    def shown(c: Cell) -> str:
        parts = (f"<b>{escape(p.text)}</b>" if p.bold else escape(p.text) for p in c.parts)
        paper = f'<span class="paper">[{escape(c.paper)}]</span>' if c.paper else ""
        return f"<td>{' | '.join(parts)} {paper}</td>"

    heads = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    body = "\n".join(
        f"<tr{' class=ruled' if row.ruled else ''}><th>{escape(row.head)}</th>"
        f"{''.join(map(shown, row.cells))}</tr>"
        for row in table.rows
    )
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<figure class="table"><figcaption>{escape(table.title)}</figcaption><div class="wide">'
        f"<table><thead><tr>{heads}</tr></thead>\n<tbody>{body}</tbody></table></div>{note}</figure>"
    )


WRITERS = {"md": to_markdown, "csv": to_csv, "tex": to_latex}
"""How a table is written, by what its file ends with."""


def _joined(c: Cell, parts: Iterable[str], bar: str) -> str:
    return bar.join(parts) + (f" [{c.paper}]" if c.paper else "")


def _pipes(values: Iterable[str]) -> str:
    return f"| {' | '.join(values)} |"


def _tex(text: str) -> str:
    return re.sub(".", lambda match: _LATEX.get(match[0], match[0]), text)
