"""Sums and ranks of arrays: what they are, and that every processor gives the same."""

import os
import subprocess
import sys

import numpy as np
import pytest

from datahound.learn.arrays import rank_highest

PROGRAM = """
import hashlib
import numpy as np
from datahound.learn.arrays import add_products, rank_highest
rng = np.random.default_rng(1)
found = hashlib.sha256()
for size in (5, 40, 700):
    for _ in range(20):
        values, rows = rng.random(size), rng.random((size, 30)).astype(np.float32)
        found.update(add_products(values * values[::-1]).tobytes())
        found.update(add_products(values.astype(np.float32)[:, None] * rows).tobytes())
        found.update(rank_highest(rng.integers(0, 9, size).astype(float), size // 3).tobytes())
print(found.hexdigest())
"""
PROCESSORS = [
    {"OPENBLAS_CORETYPE": "Haswell"},
    {"OPENBLAS_CORETYPE": "SkylakeX"},
    {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL"},
    {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL"},
]


def digest(processor):
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
    environment = os.environ | processor
    return subprocess.run(command, env=environment, check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def here():
    return digest({})


@pytest.mark.parametrize("processor", PROCESSORS, ids=str)
def test_sums_and_ranks_are_the_same_on_every_processor(here, processor):
    """A crawl must not take another course on another machine."""
    assert digest(processor) == here


def test_the_highest_come_first_and_of_equals_the_first():
    rng = np.random.default_rng(2)
    for size in (1, 2, 50):
        for count in (1, 2, size, size + 5):
            scores = rng.integers(-2, 4, size).astype(float)
            ranked = sorted(range(size), key=lambda place: (-scores[place], place))
            expected = [place for place in ranked if scores[place] >= 0][:count]
            assert rank_highest(scores, count).tolist() == expected
