"""Groups of links with similar tag paths."""

import random

import numpy as np
import pytest

from datahound.learn.actions import ActionSpace, ExactNearest, HnswNearest, TagPathEmbedding
from datahound.settings import ActionSettings

MENU = "html body div#page nav.menu ul li a"
FILES = "html body div#page main.content table.files tbody tr td a.download"


def some_paths(count, seed=1):
    rng = random.Random(seed)
    tags = [
        f"{tag}{extra}"
        for tag in "div ul li p section td".split()
        for extra in ("", ".a", ".b", "#c")
    ]
    heads = [["html", "body", *rng.choices(tags, k=rng.randint(2, 8))] for _ in range(30)]
    return [" ".join([*rng.choice(heads), *rng.choices(tags, k=2), "a"]) for _ in range(count)]


@pytest.mark.parametrize("search", ["exact", "hnsw"])
def test_similar_paths_share_an_action(search):
    """Actions are numbered as they are founded; a similar path joins, another founds."""
    space = ActionSpace(ActionSettings(search=search))
    assert space.assign(MENU) == 0
    assert space.assign(FILES) == 1
    assert space.assign(MENU) == 0
    assert space.assign(FILES.replace("tr td", "tr td.odd")) == 1
    assert len(space) == 2
    assert space.snapshot()["founders"][1] == FILES


def test_the_threshold_decides():
    """At similarity 0 everything is one action, just below 1 each path is its own."""
    paths = sorted(set(some_paths(200)))
    lump, split = (ActionSpace(ActionSettings(min_similarity=s)) for s in (0.0, 0.999))
    assert {lump.assign(path) for path in paths} == {0}
    assert len({split.assign(path) for path in paths}) > 0.9 * len(paths)


@pytest.mark.parametrize("search", ["exact", "hnsw"])
def test_a_similarity_of_exactly_the_threshold_joins(search):
    """Six 2-grams of eight in common are a cosine of 3/4, whichever way it is rounded."""
    space = ActionSpace(ActionSettings(search=search))
    common = "main section ul li a.file b"
    assert space.assign(f"div {common}") == space.assign(f"nav {common}")


def test_equal_paths_stay_together_at_a_similarity_of_one():
    """At θ = 1 a path joins the group of equal paths, however often it comes."""
    paths = sorted(set(some_paths(12)))
    for normalize in (True, False):
        space = ActionSpace(ActionSettings(min_similarity=1.0, normalize=normalize))
        for path in paths:  # all n-grams are known from here on
            space.assign(path)
        known = len(space)
        for _ in range(20):
            for path in paths:
                space.assign(path)
        assert len(space) == known


def test_approximate_search_agrees_with_exact_search():
    """Over the same centroids, HNSW finds one as similar as exact search does, nearly always."""
    embedding = TagPathEmbedding(ActionSettings())
    exact, hnsw = ExactNearest(4096), HnswNearest(4096)
    as_good = 0
    paths = some_paths(1000)
    for path in paths:
        vector = embedding.embed(path)
        (nearest, similarity), (_, approximate) = exact.find(vector), hnsw.find(vector)
        assert approximate <= similarity + 1e-3
        as_good += approximate >= similarity - 1e-3
        for index in (exact, hnsw):
            if similarity >= 0.75:
                index.join(nearest, vector)
            else:
                index.create(vector)
    assert as_good >= 0.95 * len(paths)


def test_exact_search_finds_the_most_similar_centroid():
    """The chosen action is the one with the highest cosine, computed the plain way."""
    embedding, nearest, sums = TagPathEmbedding(ActionSettings()), ExactNearest(4096), []
    for path in some_paths(400, seed=3):
        vector = embedding.embed(path)
        dense = np.zeros(4096)
        dense[vector.buckets] = vector.values
        found, similarity = nearest.find(vector)
        if sums:
            cosines = [s @ dense / np.linalg.norm(s) / np.linalg.norm(dense) for s in sums]
            assert cosines[found] == pytest.approx(max(cosines), abs=1e-5)
            assert similarity == pytest.approx(max(cosines), abs=1e-5)
        if similarity >= 0.75:
            nearest.join(found, vector)
            sums[found] += dense
        else:
            nearest.create(vector)
            sums.append(dense)


def test_a_snapshot_keeps_the_actions():
    """A restored space assigns every further path as the original does."""
    paths = some_paths(600, seed=5)
    one, two = ActionSpace(), ActionSpace()
    for path in paths[:300]:
        one.assign(path)
    two.restore(one.snapshot())
    assert [one.assign(p) for p in paths[300:]] == [two.assign(p) for p in paths[300:]]
