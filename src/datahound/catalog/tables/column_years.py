"""The years of a column: of labels in any language, and of integers such as 202003."""

import re
from collections.abc import Sequence

from datahound.catalog.tables.cells import find_years, is_period, is_year_and_month, parse_year
from datahound.catalog.tables.column_counts import ColumnCounts

_DATED_SHARE, _MAX_DATED = 0.5, 300
"""Share of periods among texts from which their years count."""
_MAX_DATED_LABEL = 30
MAX_YEAR_SPAN = 400
# Months and days as integers: 202003, 20200331.
_COMPACT_DATES = {6: (100, 1, 12), 8: (10_000, 101, 1231)}
_SCHOOL_UNIT = 100
_MIN_COMPACT = 3


def find_compact_years(counts: ColumnCounts) -> tuple[int, int] | None:
    """The first and last year of integers that are all months, days or school years: 202003."""
    low, high = int(counts.least or 0), int(counts.greatest or 0)
    if len(str(low)) != len(str(high)) or len(str(low)) not in _COMPACT_DATES:
        return None
    unit, first, last = _COMPACT_DATES[len(str(low))]
    years = low // unit, high // unit
    if parse_year(years[0]) is None or parse_year(years[1]) is None:
        return None
    if years[1] - years[0] > MAX_YEAR_SPAN or len(counts.distinct_numbers) < _MIN_COMPACT:
        return None
    if all(first <= n % unit <= last for n in counts.distinct_numbers):
        return years
    # School years: 201819.
    after = all(n % unit == (n // unit + 1) % unit for n in counts.distinct_numbers)
    return years if after and unit == _SCHOOL_UNIT else None


def are_months(texts: Sequence[str]) -> bool:
    """Whether texts that could be decimal numbers are years with months, as in 2021.03."""
    return len(texts) >= _MIN_COMPACT and all(map(is_year_and_month, texts))


def find_label_years(texts: list[str], figures: float, *, period: bool) -> list[int]:
    """The years of periods, or of the rows with a year alone that head the rows below them."""
    sample = texts[:_MAX_DATED]
    if _are_dated_labels(sample):
        return [year for text in texts for year in find_years(text)]
    if period or sum(map(is_period, sample)) > _DATED_SHARE * len(sample):
        return [y for t in texts for y in (find_years(t) if is_period(t) else [parse_year(t)]) if y]
    found = [year for text in texts if (year := parse_year(text)) is not None]
    # Among many figures, some look like years.
    return found if len(found) >= _DATED_SHARE * figures * len(texts) else []


def _are_dated_labels(texts: Sequence[str]) -> bool:
    """Whether each text is one year with a few other words that repeat, whatever they mean."""
    years = set()
    for text in texts:
        found = find_years(text) if len(text) <= _MAX_DATED_LABEL else []
        if len(found) != 1:
            return False
        years.add(found[0])
    words = {" ".join(re.split(r"[\W\d]+", text)) for text in texts}
    return len(texts) >= _MIN_COMPACT and len(years) > 1 and len(words) <= max(1, len(texts) // 2)
