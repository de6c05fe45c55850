"""What fuzzing has found is read in a moment, without an error; hostile answers are, too."""

import importlib.util
import time
from pathlib import Path

import pytest
from hostile import Hostile

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("parsers", ROOT / "benchmarks/fuzz/parsers.py")
PARSERS = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(PARSERS)
FINDINGS = sorted(ROOT.glob("tests/findings/*/*"))
SECONDS = 2.0
ANSWERS = 12
MOST_BYTES = 20_000


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_finding_stays_mended(path):
    begun = time.thread_time()
    PARSERS.PARSERS[path.parent.name](path.read_bytes())
    assert time.thread_time() - begun < SECONDS


@pytest.mark.parametrize("name", PARSERS.PARSERS)
def test_every_parser_takes_hostile_answers(name):
    for seed in range(ANSWERS):
        PARSERS.PARSERS[name](Hostile(seed).answer().payload[:MOST_BYTES])


def test_every_finding_names_its_parser():
    assert {path.parent.name for path in FINDINGS} <= PARSERS.PARSERS.keys()
