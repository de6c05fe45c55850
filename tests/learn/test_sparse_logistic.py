"""Logistic regression on hashed features: the formula, slow tokens, and a table that grows."""

import json
import math

import numpy as np
import pytest

from datahound.learn.sparse_logistic import PADDING, SparseLogistic


def row_of(features, width=8):
    hashes = np.frombuffer(features, np.int32)
    return np.concatenate([hashes, np.full(width - len(hashes), PADDING, np.int32)])


def test_a_step_is_that_of_the_formula():
    model = SparseLogistic(16, rate=0.5)
    features = model.hash_tokens(["a", "b"])
    assert model.learn(features, positive=True) == 0
    weight = 0.5 * 0.5 / math.sqrt(1 + 0.25)
    assert model.score(features) == pytest.approx(2 * weight)
    slope = 1 / (1 + math.exp(-2 * weight))
    assert model.learn(features, positive=False) == pytest.approx(2 * weight)
    assert model.score(features) == pytest.approx(
        2 * (weight - 0.5 * slope / math.sqrt(1.25 + slope**2))
    )


def test_slow_tokens_take_shorter_first_steps():
    model = SparseLogistic(16, 0.5, slow=("w:",))
    slow, fast = model.hash_tokens(["w:a"]), model.hash_tokens(["a"])
    for features in (slow, fast):
        model.learn(features, positive=True)
    assert 3 * model.score(slow) < model.score(fast) < 4 * model.score(slow)


def test_rows_have_the_scores_of_their_features_whatever_their_padding():
    model = SparseLogistic(16, 0.5)
    examples = [model.hash_tokens([f"t{n}" for n in range(count)]) for count in (0, 1, 5, 8)]
    for features in examples:
        model.learn(features, positive=True)
    scores = model.score_rows(np.array([row_of(features) for features in examples]))
    assert scores.tolist() == pytest.approx([model.score(features) for features in examples])


@pytest.mark.parametrize("slow", [(), ("w:",)])
def test_the_table_grows_and_no_feature_loses_its_weight(slow):
    model = SparseLogistic(14, 0.5, slow)
    tokens = [f"{'w:' if n % 2 else ''}{n}" for n in range(400)]
    first = model.hash_tokens(tokens[:20])
    model.learn(first, positive=True)
    sizes, before = [], model.score(first)
    for token in tokens[20:]:
        model.learn(model.hash_tokens([token]), positive=False)
        sizes.append(len(model.snapshot()["weights"]))
    assert (sizes[0], sizes[-1]) == (1 << 12, 1 << 13)
    assert model.score(first) == pytest.approx(before, rel=0.2)
    for n in range(5000):
        model.learn(model.hash_tokens([f"more {n}"]), positive=False)
    assert len(model.snapshot()["weights"]) == 1 << 14


def test_it_survives_a_snapshot():
    model, other = SparseLogistic(16, 0.5), SparseLogistic(16, 0.5)
    for n in range(600):
        model.learn(model.hash_tokens([f"t{n}", f"u{n % 7}"]), positive=n % 3 == 0)
    other.restore(json.loads(json.dumps(model.snapshot(), default=list)))
    for n in range(600, 900):
        features = model.hash_tokens([f"t{n}", f"u{n % 7}"])
        assert model.learn(features, positive=n % 2 == 0) == other.learn(
            features, positive=n % 2 == 0
        )
    assert model.snapshot() == other.snapshot()
