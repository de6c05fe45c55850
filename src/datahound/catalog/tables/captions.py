"""Choose the title of a table among the lines above it, by a score for each line."""

import re
from collections.abc import Sequence

from datahound.catalog.tables.cells import find_years, is_period
from datahound.catalog.tables.header import UNIT
from datahound.text import fold_text

_MAX_TITLE = 300
_MAX_UNIT, _MAX_UNIT_WORDS = 60, 5
_FEW_LETTERS = 3
# Below, every line is a source, a date or a page number: no title is better than a wrong one.
_LEAST_SCORE = -3.0
_CLEARLY_BETTER = 2.0
# Words that relate a quantity to a dimension, as titles of tables do.
_RELATION = re.compile(
    r"\b(by|of|in|and|per|nach|und|der|des|par|et|de|du|selon|por|y|e|di|per|wedlug|i|w|naar|van|"
    r"efter|och|og)\b|別|の"
)
# Words that say by what a table distinguishes its figures.
_CLASSIFIED = re.compile(
    r"\b(by|nach|par|selon|por|segun|per|wedlug|podle|naar|efter|etter|gore|по|за|κατα|ανα)\b|"
    r"別|按|별|حسب|לפי"
)
_NUMBERED = re.compile(
    r"(?:(?:table|tabelle|tableau|tabla|tabella|tabela|tabl|tab|cuadro|quadro|figure|tavola|tabel|"
    r"tabell|taulukko|tablica|tabulka|tablo|tabelul|tablazat|tabelis|lentele|taula|bieu|statement|"
    r"таблица|таблиця|табела|πινακας|جدول|الجدول|לוח|표|表|第)\W{0,2}\s*)?[a-z]{0,2}\d[\d.\-a-z]{0,8}(?:\s*表)?\W{0,3}(?=\s|$)"
)
_NAMED = re.compile(
    r"^(?:表題|統計表名|dataset|data ?set|title|series title|table|titel|titre|titulo|titolo|tytul|"
    r"indicator|indicateur|indicador|indikator)\s*[:：]\s*(?=\S)",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"^(?:表題|統計表名|title|table title|titel|titre|titulo|título|titolo|tytuł)\s*[:：]\s*(?=\S)",
    re.IGNORECASE,
)
_METADATA = re.compile(
    r"^(source|quelle|fuente|fonte|zrodlo|bron|資料|note|notes|nota|anmerkung|lecture|champ|"
    r"last update|derniere mise|update|updated|release|stand|extracted|data extracted|mise a jour|"
    r"unit|unidad|unidade(?! da federacao)|unite|einheit|unita|jednostka|contact|frequency|"
    r"time frequency|measure|type of data|series id|years|open product|this worksheet|"
    r"к содержанию|содержание|powrot|spis tresci|"
    r"torna |terug naar|tillbaka|tilbake|tilbage|takaisin|vissza|zpet|voltar|inhaltsverzeichnis|"
    r"inhaltsubersicht|ind\w{2,6}\b\W*$|sommaire\b\W*$|目次|"
    r"table with row headers|this sheet|back to|return|zuruck|retour|volver|freeze|extraction|"
    r"(?:quadro|cuadro|dados|datos) extra\w*|some cells|copyright|download|last updated|"
    r"released|publication date|data source|geography|geographie|adjustment|seasonal adjustment|"
    r"some shorthand|symbol|legend|legende|leyenda|zeichenerklarung|how to cite|email|e-mail|tel|"
    r"phone|c)\b|\bcopyright\b|©"
)
# Words that say what a line is, and not what the table is about.
_GENERIC = frozenset(
    """tabell taulukko tablica tabulka tablo tabelul tablazat таблица таблиця табела πινακας جدول
    לוח genesis table tabelle tableau tabla tabella tabela tabl tab cuadro quadro dataset data set
    sheet series time workbook worksheet formerly cansim code kod codigo statinf id""".split()
)
# Running heads have the number of the page at their end or at their beginning.
_PAGE_NUMBER = re.compile(r"[^\W\d]{3}(?: (?:1[5-9]|20)\d\d)? \d{1,3}$|^\d{1,3} [^\W\d]{4}")
# Marks of footnotes at the beginning of a line: 1), (a), *, ¹.
_MARKED = re.compile(
    r"[*†‡¹²³⁰-⁹]|[(\[]?(?:\d{1,2}|[a-z])[)\]]\s|\d{1,2}\.?\s(?=[^\W\d])|[-–.…:] ?="
)
_WEB = re.compile(r"https?://|www\.|\S@[^\s@]+\.\S")

_WEIGHTS = {
    "first": 1.0,
    "named": 4.0,
    "numbered": 1.5,
    "relation": 1.0,
    "classified": 1.5,
    "words": 1.0,
    "metadata": -5.0,
    "web": -4.0,
    "period": -5.0,
    "brackets": -3.0,
    "long": -2.5,
    "sentence": -1.5,
    "code": -4.0,
    "page_number": -1.5,
}


def pick_title(lines: Sequence[str]) -> str:
    """The line that is most like the title of a table; '' if there is none.

    >>> pick_title(["T 1.2", "Population by region", "(in thousands)", "Source: census"])
    'Population by region'
    >>> pick_title(["Back to contents", "Balance of the population", "by canton, in 2021"])
    'Balance of the population by canton, in 2021'
    >>> pick_title(["Series Id: LNS14", "Series title: Rate of unemployment"])
    'Rate of unemployment'
    """
    shown = [" ".join(line.split()) for line in lines if line.strip()]
    if not shown:
        return ""
    # A code or a bare number comes before the first line of words.
    begin = next((n for n, line in enumerate(shown) if not _is_code(line)), 0)
    scores = [_score_line(line, number - begin) for number, line in enumerate(shown)]
    # Of equal lines, the first.
    best = max(range(len(shown)), key=lambda number: (scores[number], -number))
    if scores[best] < _LEAST_SCORE:
        return ""
    return _NAMED.sub("", _join_subtitle(shown, scores, best))[:_MAX_TITLE]


def _join_subtitle(shown: Sequence[str], scores: Sequence[float], best: int) -> str:
    """The best line, after the line that it continues: "by region" says nothing alone."""
    begins = shown[best][:1]
    if best and begins.islower() and scores[best - 1] > 0 and shown[best - 1][-1:] not in ".:":
        return f"{shown[best - 1]} {shown[best]}"
    return shown[best]


def read_caption(lines: Sequence[str]) -> tuple[str, tuple[int, ...], str]:
    """The title, the years and the unit in the lines above a table.

    >>> read_caption(["Pupils by school, 2019", "(in thousands)"])
    ('Pupils by school, 2019', (2019,), 'in thousands')
    """
    title = pick_title(lines)
    units = [line for line in lines if line != title and _names_unit(line)]
    return title, tuple(find_caption_years(lines)), units[-1].strip("()[]（） ") if units else ""


def pick_notes(lines: Sequence[str]) -> str:
    """The lines below a table that are notes: sources, and texts that begin with a mark.

    >>> pick_notes(["1) Provisional.", "Source: census", "The text goes on here."])
    '1) Provisional. Source: census'
    """
    return " ".join(line for line in lines if is_metadata(line) or _MARKED.match(line))


def choose_better_title(own: str, table: str) -> str:
    """The title of a file, or that of its table if it is clearly more like the title of a table.

    >>> choose_better_title("Statistics explained", "Table 1: Rate of poverty by age, 2019")
    'Table 1: Rate of poverty by age, 2019'
    """
    if not own or not table:
        return own or table
    better = _score_line(table, 1) - _score_line(own, 1) > _CLEARLY_BETTER
    return table if better else own


def find_named_title(lines: Sequence[str]) -> str:
    """The text of the first line that says that it is the title; '' if none does.

    >>> find_named_title(["Dataset: RT1", "Title: Area and population", "Source: census"])
    'Area and population'
    """
    for line in lines:
        shown = " ".join(line.split())
        if _TITLE.match(shown) and len(_TITLE.sub("", shown)) > _FEW_LETTERS:
            return _TITLE.sub("", shown)[:_MAX_TITLE]
    return ""


def find_caption_years(lines: Sequence[str]) -> list[int]:
    """The years in titles and subtitles, without the dates of releases and sources.

    >>> find_caption_years(["Pupils by school", "Year 2019", "Last updated: 2024-03-28"])
    [2019]
    """
    return [year for line in lines if not is_metadata(line) for year in find_years(line)]


def is_metadata(line: str) -> bool:
    """Whether a line or a name is about a release, a source or a unit.

    >>> is_metadata("Last updated: 2024-03-28"), is_metadata("Pupils by school")
    (True, False)
    """
    return bool(_METADATA.search(fold_text(line).strip()))


def _names_unit(line: str) -> bool:
    """Whether a line is about a unit, and little else."""
    if len(line) > _MAX_UNIT or not UNIT.search(line):
        return False
    bracketed = line.strip()[:1] in ("(", "[", "（")
    return bracketed or is_metadata(line) or len(line.split()) <= _MAX_UNIT_WORDS


def _score_line(line: str, number: int) -> float:
    return sum(_WEIGHTS[name] for name, holds in _measure_line(line, number).items() if holds)


def _is_code(line: str) -> bool:
    """Whether a line has a number or a code, and at most words such as "Table"."""
    return _count_letters(_split_number(fold_text(line))[1]) <= _FEW_LETTERS


def _split_number(plain: str) -> tuple[str, str]:
    """The number of a table at the beginning of a line, and the rest of the line."""
    match = _NUMBERED.match(plain)
    return (plain[: match.end()], plain[match.end() :]) if match else ("", plain)


def _count_letters(text: str) -> int:
    """Count the letters of the words that say something; an ideogram says as much as three."""
    words = [w for w in re.split(r"[\W\d_]+", text) if w and w not in _GENERIC]
    return sum(len(w) if w.isascii() else 3 * len(w) for w in words)


def _measure_line(line: str, number: int) -> dict[str, bool]:
    plain = fold_text(line)
    numbering, rest = _split_number(plain)
    letters = _count_letters(rest)
    named = bool(_NAMED.match(plain)) and letters > _FEW_LETTERS
    return {
        "first": number == 0,
        "named": named,
        "numbered": bool(numbering) and letters > _FEW_LETTERS,
        "relation": bool(_RELATION.search(rest)),
        "classified": bool(_CLASSIFIED.search(rest)),
        "words": letters > 12,
        "metadata": not named and bool(_METADATA.search(plain)),
        "web": bool(_WEB.search(plain)),
        "period": is_period(plain),
        "brackets": plain[:1] in "([（" and plain[-1:] in ")]）",
        "long": len(plain) > 200,
        # The number of a table is followed by no sentence, but by words that may be shortened.
        "sentence": plain.endswith((".", "。")) and len(plain) > 40 and not numbering,
        "page_number": letters > _FEW_LETTERS and bool(_PAGE_NUMBER.search(plain)),
        "code": letters <= _FEW_LETTERS,
    }
