"""The paper's printed values."""

from pathlib import Path

import pytest
from shared import shared

from datahound.lab import report
from datahound.lab.report.paper_values import (
    read_classifier_value,
    read_crawler_value,
    read_early_stopping_value,
    read_hyperparameter_value,
    read_reward_value,
)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (read_crawler_value("requests", "sb-classifier", "cl"), "74.4"),
        (read_crawler_value("requests", "focused", "il"), "+∞"),
        (read_crawler_value("requests", "sb-oracle", "ab"), ""),
        (read_crawler_value("requests", "bfs", "demo"), ""),
        (read_hyperparameter_value("exploration", "2.8284271247461903", "cl"), "76.4 | 56.3"),
        (read_hyperparameter_value("ngram", "3", "demo"), ""),
    ],
)
def test_values_are_found(value, printed):
    """By our names of crawlers and settings; infinity has its sign, what is absent is empty."""
    assert value == printed


def test_every_table_is_read():
    """Each of the paper's tables has values of numbers for a site it is about."""
    for value in (
        read_crawler_value("volume", "bfs", "cl"),
        read_early_stopping_value("Saved req.", "ju"),
        read_early_stopping_value("Lost targets", "ju"),
        read_classifier_value("lr", "url", "MR"),
        read_classifier_value("svm", "context", "MR"),
        read_reward_value("Mean", "ju"),
        read_reward_value("Std", "ju"),
    ):
        assert float(value) >= 0


def test_the_tables_are_those_that_are_shared():
    """The copies inside the package are the shared files."""
    for path in (Path(report.__file__).parent / "paper").iterdir():
        assert path.read_text() == shared(f"data/{path.name}").read_text()
