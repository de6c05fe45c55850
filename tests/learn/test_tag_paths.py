"""Tag paths as vectors."""

import numpy as np
import pytest

from datahound.learn.actions import TagPathEmbedding
from datahound.settings import ActionSettings

PLAIN = ActionSettings(normalize=False)


def test_the_papers_hash():
    """h(2) = 1 and h(4) = h(8) = h(9) = 3, with m = 2 and w = 11, as the paper works out."""
    embedding = TagPathEmbedding(ActionSettings(dimension_bits=2, hash_bits=11))
    assert embedding.bucket(2) == 1
    assert [embedding.bucket(x) for x in (4, 8, 9)] == [3, 3, 3]
    usual, positions = TagPathEmbedding(ActionSettings()), range(1, 200_000, 997)
    expected = [(766_245_317 * x % 2**15) // 2**3 for x in positions]
    assert [usual.bucket(x) for x in positions] == expected


def test_ngrams_have_a_begin_and_an_end():
    """Four elements are five 2-grams; a part of a path has another begin or end than the whole."""
    embedding = TagPathEmbedding(ActionSettings())
    embedding.embed("html body div a")
    assert embedding.snapshot() == ["< html", "html body", "body div", "div a", "a >"]
    embedding.embed("body div")
    assert embedding.snapshot()[5:] == ["< body", "div >"]


def test_a_bucket_holds_the_mean_of_its_positions():
    """Zeros at positions of other paths count, as in the paper's worked example."""
    embedding = TagPathEmbedding(ActionSettings(dimension_bits=2, hash_bits=11, normalize=False))
    embedding.embed("html body div a")  # five 2-grams: positions 0 to 4
    path = "html body main ul li ul li a"
    buckets, values = embedding.embed(path)
    ngrams = ["< html", "html body", "body main", "main ul", "ul li", "li ul", "li a", "a >"]
    counts = {"ul li": 2}
    places = {ngram: place for place, ngram in enumerate(embedding.snapshot())}
    expected = {}
    for bucket in range(4):
        positions = [p for p in range(len(places)) if embedding.bucket(p) == bucket]
        total = sum(counts.get(n, 1) for n in ngrams if places[n] in positions)
        if total:
            expected[bucket] = total / len(positions)
    assert dict(zip(buckets.tolist(), values.tolist(), strict=True)) == pytest.approx(expected)


def test_lengths_are_divided_out_by_default():
    """As in the paper's kit, the counts of a path sum to one before they are projected."""
    long, short = "html body div div div a", "html a"
    for path in (long, short):
        assert TagPathEmbedding(ActionSettings()).embed(path).values.sum() == pytest.approx(1)
        plain = TagPathEmbedding(PLAIN).embed(path)
        assert plain.values.sum() == pytest.approx(len(path.split()) + 1)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_ngrams_of_any_length(n):
    """Paths shorter than n, and empty ones, have a vector too."""
    embedding = TagPathEmbedding(ActionSettings(ngram=n))
    for path in ("", "a", "html a", "html body p a"):
        assert np.all(embedding.embed(path).values > 0)


def test_a_snapshot_keeps_the_vocabulary():
    """A restored embedding gives the same vectors, for old paths and for new ones."""
    one = TagPathEmbedding(ActionSettings())
    for path in ("html body a", "html body div.x a"):
        one.embed(path)
    two = TagPathEmbedding(ActionSettings())
    two.restore(one.snapshot())
    for path in ("html body div.x a", "html new a", "html body a"):
        for ours, theirs in zip(one.embed(path), two.embed(path), strict=True):
            assert ours.tolist() == theirs.tolist()
