"""Curves as a CSV file."""

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from datahound.errors import UserError
from datahound.lab.trials import Result

_COLUMNS = ("site", "strategy", "seed", "request", "targets", "target_bytes", "other_bytes")


@contextmanager
def curve_writer(path: Path | None) -> Iterator[Callable[[Result], None]]:
    """Write one row a target found; the file appears when all is written, or not at all."""
    if path is None:
        yield lambda _: None
        return
    part = path.with_name(path.name + ".part")
    try:
        file = part.open("w", newline="", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: can't be written ({error.strerror})") from None
    try:
        with file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(_COLUMNS)
            yield lambda result: rows.writerows(
                (result.site, result.strategy, result.seed, *row) for row in result.curve.rows()
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
