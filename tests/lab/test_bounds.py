"""The least that a crawler needs."""

from random import Random

import pytest

from datahound.lab.bounds import (
    CrawlGraph,
    find_greedy_cost,
    find_optimum,
    make_hard_sets,
    read_graph,
    set_cover_graph,
    to_archive,
)
from datahound.lab.trials import Trial, TrialGround
from datahound.settings import Settings


def test_the_construction_from_set_cover():
    """With m elements and a smallest cover of B sets, the cheapest crawl costs m + B + 1."""
    sets = [[1, 2, 3], [1, 4], [2, 5], [3, 6], [4, 5, 6]]
    assert find_optimum(set_cover_graph(sets)) == 6 + 2 + 1
    assert find_optimum(set_cover_graph([[1], [2], [3]])) == 3 + 3 + 1


@pytest.mark.parametrize("seed", range(4))
def test_greedy_is_between_the_optimum_and_everything(seed):
    """On hard sites with a hidden cover, whose optimum the exact solver finds."""
    sets = make_hard_sets(Random(seed), 12, 3, 6)
    graph = set_cover_graph(sets)
    optimum = find_optimum(graph)
    assert optimum <= 12 + 3 + 1
    assert optimum <= find_greedy_cost(graph) <= 12 + len(sets) + 1


def test_pages_on_the_way_count():
    """Targets behind a chain of pages cost the chain, once."""
    links = {"root": ("a", "b"), "a": ("c",), "c": ("t1", "t2"), "b": ("t3",)}
    graph = CrawlGraph("root", links, frozenset({"t1", "t2", "t3"}))
    assert find_optimum(graph) == find_greedy_cost(graph) == 7
    assert find_greedy_cost(graph, 0.5) == 5, "root, a, c and two targets beat b first"


def test_a_large_graph_has_no_exact_answer():
    """Beyond twenty pages the search would never end."""
    assert find_optimum(set_cover_graph([[i] for i in range(30)])) is None


def test_crawlers_run_on_a_hard_site():
    """None needs less than the optimum; the recorded site gives the graph back."""
    graph = set_cover_graph(make_hard_sets(Random(1), 12, 3, 6))
    ground = TrialGround(to_archive(graph), Settings(), lambda *_: None)
    optimum = find_optimum(graph)
    for name in ("bfs", "hound", "sb-oracle"):
        curve = ground.run(Trial(name, 0, Settings())).curve
        assert curve.targets == 12
        assert curve.found_at[-1] >= optimum
    read = read_graph(ground.site.seed, ground.site.pages, ground._oracle.kind_of)
    assert find_optimum(read) == optimum
    assert ground.find_greedy_cost(1.0) == find_greedy_cost(graph)
