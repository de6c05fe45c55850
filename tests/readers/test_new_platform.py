"""A platform is added by one module: it is recognized, asked, read and called by its title."""

import json

import pytest

from datahound.model import Response
from datahound.readers import Readers, platform_titles, portals, read_listing

SITE = "https://x.example"
MODULE = """
from datahound.readers.json_text import dicts_of, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.platform import Platform, Sign


def endpoints(base):
    yield "sets", f"{base}/toys?page=1"


def read(url, data):
    if not isinstance(data, dict) or "toys" not in data:
        return None
    maker = ListingMaker(url, "toy", "sets")
    for toy in dicts_of(data["toys"]):
        maker.begin_dataset(text_of(toy.get("id")), text_of(toy.get("name")))
        maker.add(text_of(toy.get("file")), format="CSV")
    return maker.make_page("", data.get("total"))


PLATFORM = Platform("toy", "Toy Box", read_json=read, endpoints=endpoints, signs=(Sign(b"toybox"),))
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The package of platforms with one more module in it."""
    (tmp_path / "toy_box.py").write_text(MODULE)
    monkeypatch.setattr(portals, "__path__", [*portals.__path__, str(tmp_path)])
    for kept in (portals.platforms, portals.platform_titles):
        kept.cache_clear()
    yield
    monkeypatch.undo()
    for kept in (portals.platforms, portals.platform_titles):
        kept.cache_clear()


@pytest.mark.usefixtures("toy")
def test_one_module_is_all_it_takes():
    page = b"<html><body class=ToyBox></body></html>"
    html = Response(f"{SITE}/", 200, {"content-type": "text/html"}, page)
    (endpoint,) = Readers().read(html).endpoints
    assert (endpoint.url, endpoint.tag_path) == (f"{SITE}/toys?page=1", "@api toy sets")
    body = json.dumps({"toys": [{"id": 1, "name": "Ball", "file": "/ball.csv"}], "total": 7})
    listed = read_listing(Response(endpoint.url, 200, {}, body.encode()))
    assert [(x.url, x.tag_path, x.anchor) for x in listed.links] == [
        (f"{SITE}/ball.csv", "@file toy csv", "Ball")
    ]
    assert listed.listing.total == 7
    assert platform_titles()["toy"] == "Toy Box"
