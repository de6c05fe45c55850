"""Files that JSON-LD names: as pages write it, as hostile ones do, and only where it is wanted."""

import json

import pytest

from datahound.archive import MemoryArchive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.events import TargetFound
from datahound.model import Fetch, Response
from datahound.parameters import with_parameters
from datahound.readers.html import read_page
from datahound.readers.linked_data import declared_files
from datahound.settings import Settings
from datahound.strategies import make_strategy

SITE = "https://data.example"
DATASET = {"@context": "https://schema.org/", "@type": "Dataset", "name": "Rents"}


def named(data):
    return [reference for reference, _ in declared_files(json.dumps(data))]


@pytest.mark.parametrize(
    ("data", "files"),
    [
        ({**DATASET, "distribution": {"contentUrl": "/a.csv"}}, ["/a.csv"]),
        ({**DATASET, "distribution": [{"contentUrl": "/a"}, {"contentUrl": "/b"}]}, ["/a", "/b"]),
        ([DATASET, {**DATASET, "distribution": [{"contentUrl": ["/a", "/b"]}]}], ["/a", "/b"]),
        ({"@graph": [{"dcat:distribution": {"dcat:downloadURL": {"@id": "/a"}}}]}, ["/a"]),
        ({"dataset": [{"distribution": [{"downloadURL": {"@value": "/a"}}]}]}, ["/a"]),
        ({**DATASET, "distribution": [{"contentUrl": "/a"}, {"contentUrl": "/a"}]}, ["/a"]),
        # A picture of the dataset is no distribution of it.
        ({**DATASET, "image": {"contentUrl": "/a.png"}, "distribution": []}, []),
        ({**DATASET, "distribution": [{"contentUrl": 7}, {"contentUrl": None}, 8, "x"]}, []),
        ({**DATASET, "distribution": {"creator": {"contentUrl": "/a.png"}}}, []),
        (DATASET, []),
        ("distribution", []),
    ],
)
def test_how_distributions_are_written(data, files):
    assert named(data) == files


def test_names_come_with_files():
    data = {"distribution": {"name": "Rents by town", "contentUrl": "/a"}}
    assert declared_files(json.dumps(data)) == [("/a", "Rents by town")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "distribution",
        '{"distribution": ',
        '{"distribution":' * 100_000,
        '{"distribution":' + "[" * 100_000,
        '{"distribution": {"contentUrl": "' + "x" * (1 << 20) + '"}}',
        '{"distribution": {"contentUrl": NaN, "name": Infinity}}',
        '{"distribution": ' + "9" * 10_000 + "}",
    ],
)
def test_nonsense_names_nothing(text):
    assert declared_files(text) == []


def test_no_page_names_files_without_end():
    assert len(named({"distribution": [{"contentUrl": f"/{n}"} for n in range(5000)]})) == 1000


def page(data, *, script="application/ld+json", head=""):
    body = f'<html><head>{head}<script type="{script}">{data}</script></head><body>x</body></html>'
    return Response(f"{SITE}/rents/", 200, {"content-type": "text/html"}, body.encode(), len(body))


def test_a_page_declares_its_files():
    data = json.dumps(
        {"distribution": [{"contentUrl": " rents.csv ", "name": " Rents\n by town "}]}
    )
    [link] = read_page(page(data)).declared
    assert (link.url, link.anchor) == (f"{SITE}/rents/rents.csv", "Rents by town")
    assert link.found_on == f"{SITE}/rents/"
    [link] = read_page(page(data, head='<base href="/files/">')).declared
    assert link.url == f"{SITE}/files/rents.csv"
    assert read_page(page(data)).links == ()
    assert read_page(page(data, script="text/javascript")).declared == ()


@pytest.mark.parametrize("url", ["javascript:alert(1)", "\\ud800", "http://[", "data:,x", ""])
def test_addresses_that_are_none(url):
    data = '{"distribution": {"contentUrl": "' + url + '", "name": "a\\udfff\\u0000b"}}'
    for link in read_page(page(data)).declared:
        assert link.url.startswith("https://data.example/")
        assert link.url.isascii()
        assert link.anchor == "a b"


def portal(count=30):
    """A portal whose pages show their downloads with a script, and name them for search engines."""
    archive = MemoryArchive(f"{SITE}/")
    menu = "".join(f'<a href="/dataset/{n}">Dataset {n}</a>' for n in range(count))
    bodies = {"": menu}
    for n in range(count):
        data = {**DATASET, "distribution": [{"contentUrl": f"/download?id={n}", "name": "CSV"}]}
        bodies[f"dataset/{n}"] = (
            f'<title>{n}</title><script type="application/ld+json">{json.dumps(data)}</script>'
        )
        url = f"{SITE}/download?id={n}"
        archive.put(Fetch(url), Response(url, 200, {"content-type": "text/csv"}, size=100))
    for path, body in bodies.items():
        url = f"{SITE}/{path}"
        headers = {"content-type": "text/html"}
        archive.put(Fetch(url), Response(url, 200, headers, body.encode(), len(body)))
    return archive


@pytest.mark.parametrize(
    ("strategy", "parameters", "found"),
    [("hound", [], 30), ("hound", ["metadata=no"], 0), ("sb-classifier", [], 0)],
)
def test_a_portal_whose_downloads_only_metadata_names(strategy, parameters, found):
    """hound finds them all, and asks for no page twice; the paper's crawler knows links alone."""
    events = []
    settings = with_parameters(Settings(), parameters)
    crawl = Crawl(f"{SITE}/", make_strategy(strategy, settings.strategy), settings=settings.crawl)
    replay(crawl, portal(), events.extend)
    assert sum(isinstance(event, TargetFound) for event in events) == found
    # hound asks for a sitemap and a catalogue that no page links to.
    assert crawl.tally.gets == 31 + found + (2 if strategy == "hound" else 0)
