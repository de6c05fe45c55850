"""GeoNode: its pages are recognized, and of each layer one export is a file."""

import json

import pytest

from datahound.model import Response
from datahound.readers import Readers, read_listing

SITE = "https://maps.example"
URL = f"{SITE}/api/v2/datasets?page=1&page_size=1"
WARDS = {
    "pk": "7",
    "uuid": "u-7",
    "title": "Wards",
    "license": {"identifier": "odbl"},
    "links": [
        {"extension": "png", "link_type": "image", "url": f"{SITE}/wms/reflect"},
        {"extension": "zip", "link_type": "data", "url": f"{SITE}/ows?outputFormat=SHAPE-ZIP"},
        {"extension": "csv", "link_type": "data", "url": f"{SITE}/ows?outputFormat=csv"},
        {"extension": "html", "link_type": "OGC:WFS", "url": f"{SITE}/ows"},
    ],
}


def read(**answer):
    answer = {"total": 2, "page": 1, "page_size": 1, "links": {"next": None}} | answer
    return read_listing(Response(URL, 200, {}, json.dumps(answer).encode()))


def test_pages_are_recognized():
    html = b'<link href="/static/geonode/css/base.css" rel="stylesheet">'
    page = Readers().read(Response(f"{SITE}/", 200, {"content-type": "text/html"}, html))
    assert [link.url for link in page.endpoints] == [
        f"{SITE}/api/v2/datasets?page=1&page_size=100",
        f"{SITE}/api/v2/documents?page=1&page_size=100",
    ]


def test_a_layer_is_one_file_in_the_best_format():
    """Pictures and services are none; the total and the next page are those of the answer."""
    following = f"{SITE}/api/v2/datasets?page=2&page_size=1"
    page = read(datasets=[WARDS], links={"next": following})
    assert [link.url for link in page.links] == [f"{SITE}/ows?outputFormat=csv"]
    assert page.links[0].tag_path == "@file geonode csv"
    assert [link.url for link in page.next_pages] == [following]
    assert page.listing.total == 2
    assert page.listing.datasets[0].licence == "odbl"


def test_documents_are_files():
    document = {
        "pk": 8,
        "title": "Plan",
        "extension": "pdf",
        "download_url": "/documents/8/download",
    }
    page = read(documents=[document, {"pk": 9, "title": "A link", "links": []}])
    assert [link.url for link in page.links] == [f"{SITE}/documents/8/download"]
    assert page.next_pages == ()


@pytest.mark.parametrize(
    "answer",
    [{"datasets": "none"}, {"maps": [{"pk": 1}]}, {"datasets": None, "total": None}],
)
def test_other_answers_are_not_of_this_platform(answer):
    assert read(**answer) is None


def test_odd_values_do_no_harm():
    odd = [{"links": [{"link_type": "data", "url": None, "extension": 3}], "title": {}}, {}, 3]
    assert read(datasets=odd).links == ()
