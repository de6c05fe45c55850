"""What a recording knows of its site, and the least that a crawler needs there."""

from random import Random

import pytest

from datahound.archive import MemoryArchive, Recorded
from datahound.lab.bounds import (
    ArchiveOracle,
    CrawlGraph,
    find_greedy_cost,
    find_optimum,
    make_hard_sets,
    set_cover_graph,
    to_archive,
)
from datahound.lab.trials import Trial, TrialGround
from datahound.model import Failure, Fetch, Kind, Response
from datahound.settings import Settings
from datahound.web.targets import find_wanted


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


def search_all_crawls(graph):
    """The least cost, by trying every set of nodes that a crawl can have."""
    crawls = {frozenset([graph.root])}
    for cost in range(1, 20):
        if any(graph.targets <= crawl for crawl in crawls):
            return cost
        crawls = {
            crawl | {node}
            for crawl in crawls
            for page in crawl - graph.targets
            for node in graph.links.get(page, ())
        }
    return None


@pytest.mark.parametrize("seed", range(30))
def test_the_exact_solver_is_exact(seed):
    """On small graphs of any form, with circles and pages that lead nowhere."""
    rng = Random(seed)
    pages, files = [f"p{n}" for n in range(rng.randint(1, 5))], ["t0", "t1", "t2"]
    links = {p: tuple(rng.sample([*pages, *files], k=rng.randint(0, 3))) for p in pages}
    links["root"] = tuple(rng.sample(pages, k=1))
    found = frozenset(node for nodes in links.values() for node in nodes if node in files)
    graph = CrawlGraph("root", links, found)
    least = search_all_crawls(graph)
    assert find_optimum(graph) == least
    if least is not None and found:
        assert find_greedy_cost(graph) >= least


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
    read = ground.read_graph()
    assert find_optimum(read) == optimum
    assert find_greedy_cost(read) == find_greedy_cost(graph)


def test_redirects_are_on_the_way():
    """A page and a target that are linked under old names cost a request more each."""
    home = "https://a.example/"
    archive = MemoryArchive(home)
    answers = {
        "": (200, *html('<a href="/old">l</a>')),
        "old": (301, {"location": "/list"}, b""),
        "list": (200, *html('<a href="/moved">file</a><a href="/t2.csv">file</a>')),
        "moved": (302, {"location": "/t1.csv"}, b""),
        "t1.csv": (200, {"content-type": "text/csv"}, b"a"),
        "t2.csv": (200, {"content-type": "text/csv"}, b"a"),
    }
    for path, (status, headers, body) in answers.items():
        archive.put(Fetch(home + path), Response(home + path, status, headers, body))
    graph = TrialGround(archive, Settings(), lambda *_: None).read_graph()
    assert graph.targets == {f"{home}t1.csv", f"{home}t2.csv"}
    assert find_optimum(graph) == find_greedy_cost(graph) == len(answers)


SITE = "https://a.example"
CSV = find_wanted(frozenset({"text/csv"}))


def html(body):
    return {"content-type": "text/html; charset=utf-8"}, body.encode()


ANSWERS = {
    "/": (200, *html('<title>Start</title><p>Hello</p><a href="/list">l</a>')),
    "/list": (200, *html('<a href="/moved">file</a><a href="/gone">no</a>')),
    "/empty": (200, *html("")),
    "/t.csv": (200, {"content-type": "text/csv"}, b"a,b\n1,2\n"),
    "/image": (200, {"content-type": "image/png"}, b"\x89PNG"),
    "/moved": (301, {"location": "/twice"}, b""),
    "/twice": (302, {"location": f"{SITE}/t.csv"}, b""),
    "/loop": (301, {"location": "/loop"}, b""),
    "/nowhere": (301, {"location": "http://[broken"}, b""),
    "/choice": (300, {"location": "/t.csv"}, b""),
    "/gone": (404, *html('<a href="/t.csv">file</a>')),
}


@pytest.fixture
def archive():
    recorded = [
        Recorded(Fetch(SITE + path), Response(SITE + path, status, headers, body))
        for path, (status, headers, body) in ANSWERS.items()
    ]
    failed = Fetch(f"{SITE}/failed")
    return MemoryArchive(
        f"{SITE}/", [*recorded, Recorded(failed, Failure(failed.url, "timed out"))]
    )


@pytest.fixture
def oracle(archive):
    return ArchiveOracle(archive, CSV, [f"{SITE}/t.csv"])


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", Kind.PAGE),
        ("/list", Kind.PAGE),
        ("/t.csv", Kind.TARGET),
        ("/moved", Kind.TARGET),
        ("/twice", Kind.TARGET),
        ("/image", Kind.OTHER),
        ("/gone", Kind.OTHER),
        ("/loop", Kind.OTHER),
        ("/nowhere", Kind.OTHER),
        ("/choice", Kind.OTHER),
        ("/failed", Kind.OTHER),
        ("/never-recorded", Kind.OTHER),
    ],
)
def test_the_kind_is_that_of_the_end_of_redirects(oracle, path, kind):
    assert oracle.kind_of(SITE + path) is kind
    assert oracle.kind_of(SITE + path) is kind, "asked again, from memory"


def test_ten_redirects_are_followed_and_no_more():
    def chain(length):
        hops = [
            Recorded(
                Fetch(f"{SITE}/{n}"),
                Response(f"{SITE}/{n}", 301, {"location": f"/{n + 1}"}),
            )
            for n in range(length)
        ]
        end = f"{SITE}/{length}"
        answer = Response(end, 200, {"content-type": "text/csv"}, b"a")
        archive = MemoryArchive(f"{SITE}/0", [*hops, Recorded(Fetch(end), answer)])
        return ArchiveOracle(archive, CSV, []).kind_of(f"{SITE}/0")

    assert chain(9) is Kind.TARGET
    assert chain(10) is Kind.OTHER


def test_pages_are_those_that_answer(oracle):
    assert set(oracle.page_urls()) == {SITE + path for path in ("/", "/list", "/empty")}


def test_pages_that_lead_to_a_target(oracle):
    """Behind redirects too; the page that answers 404 is none."""
    assert {url for url in oracle.page_urls() if oracle.links_to_target(url)} == {f"{SITE}/list"}


def test_the_text_of_a_page(oracle):
    assert oracle.page_text(f"{SITE}/").split() == ["Hello", "l"]
    for path in ("/t.csv", "/image", "/failed", "/never-recorded", "/moved"):
        assert oracle.page_text(SITE + path) == "", path


def test_targets_are_those_that_can_be_reached(oracle):
    assert list(oracle.targets()) == [f"{SITE}/t.csv"]


def test_what_is_the_same_for_each_crawl_is_made_once(oracle):
    made = []
    for _ in range(3):
        assert oracle.make_once("key", lambda: made.append(1) or "thing") == "thing"
    assert made == [1]
    assert oracle.make_once("other", lambda: "else") == "else"


def test_pages_that_were_read_before_are_not_read_again(archive):
    """A set of runs reads the pages of a site once."""

    class Broken(type(archive)):
        def __iter__(self):
            raise AssertionError("read again")

    page = ArchiveOracle(archive, CSV, [])._read_pages()
    broken = Broken(archive.seed, list(archive))
    oracle = ArchiveOracle(broken, CSV, [], page)
    assert oracle.links_to_target(f"{SITE}/list")
