"""Fit the weights of `catalog.tables.header` on labelled rows, and print them.

    python benchmarks/quality/fit_header_rows.py

The rows are those of the development templates in all languages, of `labelled_contents`, and of the
latter without their headers. The templates that are set apart are not used.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import published_development
from labelled_contents import others, statistics
from published_case import Draw, Rows
from published_words import WORDS
from sklearn.linear_model import LogisticRegression

from datahound.catalog.tables.header import (
    WEIGHTS,
    begins_with_periods,
    count_header_rows,
    count_label_rows,
    find_region,
    measure_row,
)

SEEDS = (1, 2, 3)
BODY_ROWS = 30


def labelled() -> Iterator[tuple[Rows, int]]:
    """Rows from the first header row on, and the number of header rows."""
    for template in (*published_development.STATISTICS, *published_development.OTHERS):
        for words in WORDS.values():
            for seed in SEEDS:
                case = template(Draw(words, random.Random(seed)), seed)
                rows = max((rows for _, rows in case.sheets), key=len)
                header = [row for row in rows[case.header : case.body] if row]
                body = [row for row in rows[case.body :] if row][: case.truth.rows]
                yield [*header, *body], len(header)
    for rows in (*statistics().values(), *others().values()):
        yield rows, 1
        yield rows[1:], 0


def main() -> None:
    features, labels = [], []
    examples = list(labelled())
    for rows, header in examples:
        width = max(map(len, rows))
        region = find_region(rows, 0, width)
        if not region.numeric:
            continue
        labels_only, dated = count_label_rows(rows, region), begins_with_periods(rows, region)
        for number in range(min(len(rows), header + BODY_ROWS)):
            measured = measure_row(rows, number, region, labels_only, dated=dated)
            features.append([measured[name] for name in WEIGHTS])
            labels.append(number < header)
    model = LogisticRegression(C=1.0, fit_intercept=False, max_iter=2000).fit(features, labels)
    for name, weight in zip(WEIGHTS, model.coef_[0], strict=True):
        print(f'    "{name}": {weight:.1f},')
    right = [
        count_header_rows(rows, find_region(rows, 0, max(map(len, rows)))) == header
        for rows, header in examples
    ]
    print(f"with the weights in use, {sum(right)} of {len(right)} headers are right")


if __name__ == "__main__":
    main()
