"""Count the values of a column, a chunk at a time and in bounded memory."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from datahound.catalog.tables.cells import Value

# A bound on memory: a column of keys has as many values as rows.
_MAX_DISTINCT = 3000
_MAX_TEXT = 200


@dataclass(slots=True)
class ColumnCounts:
    """Counts, ranges and distinct values of a column so far."""

    rows: int = 0
    blanks: int = 0
    numbers: int = 0
    booleans: int = 0
    dates: int = 0
    moments: int = 0
    texts: int = 0
    all_integers: bool = True
    least: float | None = None
    greatest: float | None = None
    first_numbers: list[float] = field(default_factory=list)
    distinct: Counter[str] = field(default_factory=Counter)
    """The first 3,000 distinct texts and how often each occurred."""
    overflow: int = 0
    """Texts that came after `distinct` was full."""
    distinct_numbers: set[float] = field(default_factory=set)
    first_date: date | None = None
    last_date: date | None = None

    def add(self, chunk: Sequence[Value]) -> None:
        """Count a chunk of values."""
        self.rows += len(chunk)
        # Counting types first lets whole chunks of one type pass without a test per cell.
        kinds = Counter(map(type, chunk))
        self.blanks += kinds.pop(type(None), 0)
        self.booleans += kinds.pop(bool, 0)
        if kinds.get(str):
            self._add_texts(chunk if len(kinds) == 1 and kinds[str] == len(chunk) else
                            [v for v in chunk if type(v) is str])  # fmt: skip
        if kinds.get(int) or kinds.get(float):
            self._add_numbers([v for v in chunk if type(v) is int or type(v) is float])
        if kinds.get(date) or kinds.get(datetime):
            self._add_dates([v for v in chunk if isinstance(v, date)])
            self.moments += kinds.get(datetime, 0)
        if kinds.get(time) or kinds.get(timedelta):
            self._add_texts([str(v) for v in chunk if isinstance(v, time | timedelta)])

    def _add_texts(self, texts: Iterable[Value]) -> None:
        counts = Counter(texts)
        empty = counts.pop("", 0)
        self.blanks += empty
        for text, count in counts.items():
            self.texts += count
            shown = str(text)[:_MAX_TEXT]
            if shown in self.distinct or len(self.distinct) < _MAX_DISTINCT:
                self.distinct[shown] += count
            else:
                self.overflow += count

    def _add_numbers(self, numbers: list[int | float]) -> None:
        # NaN and infinity count as blanks; n - n is 0 for all other numbers.
        finite = numbers if sum(numbers) - sum(numbers) == 0 else [n for n in numbers if n - n == 0]
        self.blanks += len(numbers) - len(finite)
        if not finite:
            return
        self.numbers += len(finite)
        low, high = min(finite), max(finite)
        self.least = low if self.least is None else min(self.least, low)
        self.greatest = high if self.greatest is None else max(self.greatest, high)
        if self.all_integers:
            self.all_integers = not any(n % 1 for n in finite)
        if len(self.distinct_numbers) < _MAX_DISTINCT:
            self.distinct_numbers.update(finite[:_MAX_DISTINCT])
        if len(self.first_numbers) < _MAX_TEXT:
            self.first_numbers += finite[: _MAX_TEXT - len(self.first_numbers)]

    def _add_dates(self, dates: list[date]) -> None:
        self.dates += len(dates)
        days = [v.date() if isinstance(v, datetime) else v for v in dates]
        low, high = min(days), max(days)
        self.first_date = low if self.first_date is None else min(self.first_date, low)
        self.last_date = high if self.last_date is None else max(self.last_date, high)


def count_values(values: Sequence[Value]) -> ColumnCounts:
    """The counts of the values of a whole column."""
    counts = ColumnCounts()
    counts.add(values)
    return counts
