"""Damaged files of all formats; benchmarks/quality/mutated_files.py has more of them."""

import math
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "quality"))

pytest.importorskip("pyreadstat", reason="the extra `statistics` is not installed")
pytest.importorskip("pyreadr", reason="the extra `statistics` is not installed")

from mutated_files import LIMITS, write_damaged, write_samples

from datahound.catalog.inspect import inspect_all


def test_damaged_files_cost_a_line_each(tmp_path):
    """Every file has an answer, however it was damaged."""
    (tmp_path / "damaged").mkdir()
    samples = write_samples(tmp_path)
    files = write_damaged(
        samples, tmp_path / "damaged", 2 * len(samples), random.Random(7), math.inf
    )
    found = dict(inspect_all(files, tmp_path / "scratch", LIMITS, 1))
    assert set(found) == set(range(2 * len(samples)))
    assert sum(bool(profile["tables"]) for profile in found.values()) > len(samples) / 2
