"""What recorded answers of portals list: files, services, next page and total."""

import gzip
import json
import pickle
import sys
from pathlib import Path

import pytest

from datahound.model import Response, Role
from datahound.readers import Readers, read_listing
from datahound.readers.html import read_page
from datahound.readers.job import BodyReading, ReadingJob, ResultReader, pack_result
from datahound.settings import PageSettings
from datahound.web.urls import canonical, join

sys.path.insert(0, str(Path(__file__).parents[1]))
from shared import SHARED, shared

CASES = sorted(
    f"{path.parent.parent.name}/{path.parent.name}"
    for path in (SHARED / "portals").glob("*/*/facts.json")
)
ANOTHER_ANSWER = "the total is the number of rows, which another answer of the server has"
DISAGREEMENTS = {
    # A total that is counted elsewhere: the answer itself is one layer.
    "arcgis/layer-carson-ca": {"total": ANOTHER_ANSWER},
    "arcgis/layer-esri-test": {"total": ANOTHER_ANSWER},
    "arcgis/layer-tuolumne-ca": {"total": ANOTHER_ANSWER},
    "csw/geonode-state-gov": {
        "files": "an address with {z}, {x} and {y} can't be requested, and pictures are no data"
    },
    "csw/geoscience-australia": {
        "files": "the document is linked as a .docx, too",
        "next": "the record after the last of this page is named by nextRecord",
    },
    "csw/inspire-getrecords": {"next": "the record after the last one is named by nextRecord"},
    "csw/vic-geonetwork": {"next": "the record after the last one is named by nextRecord"},
    "pxweb/scb-v2-metadata": {
        "files": "without a selection the API answers a part of the table, chosen by the portal"
    },
    "sdmx/bis-sdmx-csv": {"total": "data, not a list: the number of its rows is not read"},
    "stac/planetary-computer-collections": {
        "files": "an asset with an address of a storage of its own can't be requested by HTTP"
    },
    "stac/planetary-computer-search": {
        "next": "the body of the POST for the next page is asked for as the query of a GET"
    },
    "sitemap/html-instead": {"total": "no list at all"},
    "sitemap/robots-relative-sitemap": {"total": "read by find_sitemaps"},
    "sitemap/robots-sitemap": {"total": "read by find_sitemaps"},
}


def facts_of(case):
    return json.loads(shared(f"portals/{case}/facts.json").read_text())


def response_of(case, facts, **headers):
    body = shared(f"portals/{case}/{facts['bodies'][0]}").read_bytes()
    return Response(facts["url"], 200, headers, body)


def addresses(entries, base):
    return {join(base, entry if isinstance(entry, str) else entry["url"]) for entry in entries}


@pytest.mark.skipif(not CASES, reason="recorded answers of portals are not beside the checkout")
@pytest.mark.parametrize("case", CASES)
def test_recorded_answers_are_read(case):
    """Files, services, next page and total are those that the facts of the case name."""
    facts = facts_of(case)
    expected, base = facts["expected"], facts["url"]
    excused = DISAGREEMENTS.get(case, {})
    if facts["bodies"][0].endswith((".html", ".csv")) and "sitemap" not in case:
        pytest.skip("no list: pages are tested by test_pages_of_portals")
    page = read_listing(response_of(case, facts))
    entries = page.listing.entries if page else ()
    found = {
        "files": {entry.url for entry in entries if entry.role is Role.FILE},
        "next": page.next_pages[0].url if page and page.next_pages else None,
        "total": page.listing.total if page else None,
    }
    wanted = {
        "files": addresses(expected["files"], base),
        "next": expected["next_page"] and canonical(expected["next_page"]),
        "total": expected["total"],
    }
    wrong = {name for name in wanted if found[name] != wanted[name]}
    assert wrong == set(excused), (found, wanted)
    if isinstance(expected.get("services"), list):
        services = {entry.url for entry in entries if entry.role is Role.SERVICE}
        assert addresses(expected["services"], base) <= services


@pytest.mark.skipif(not CASES, reason="recorded answers of portals are not beside the checkout")
def test_sitemaps_name_all_their_urls():
    """URLs and parts, in sitemaps that keep the rules and in those that do not."""
    for case in (name for name in CASES if name.startswith("sitemap/")):
        facts = facts_of(case)
        expected = facts["expected"]
        page = read_listing(response_of(case, facts))
        if page is None:
            assert case in DISAGREEMENTS
            continue
        assert {x.url for x in page.links} == addresses(expected["urls"], facts["url"]) - {
            facts["url"]
        }, case
        assert {x.url for x in page.endpoints} == addresses(expected["sitemaps"], facts["url"]), (
            case
        )


@pytest.mark.skipif(not CASES, reason="recorded answers of portals are not beside the checkout")
def test_titles_and_sizes_are_those_of_the_source():
    """Where the facts say a size, so does the entry; titles are there almost always."""
    titled = sized = total = 0
    for case in CASES:
        facts = facts_of(case)
        if (
            facts["bodies"][0].endswith(".html")
            or (page := read_listing(response_of(case, facts))) is None
        ):
            continue
        entries = {entry.url: entry for entry in page.listing.entries}
        for file in facts["expected"]["files"]:
            entry = entries.get(join(facts["url"], file["url"]))
            if entry is None:
                continue
            total += 1
            titled += bool(entry.title)
            if file.get("size"):
                assert entry.size == int(file["size"]), (case, file)
                sized += 1
    assert total > 800
    assert sized > 100
    assert titled > 0.95 * total


@pytest.mark.skipif(not CASES, reason="recorded answers of portals are not beside the checkout")
@pytest.mark.parametrize(
    "case", [c for c in CASES if c.split("/")[0] in ("html", "listing")] or ["none"]
)
def test_pages_of_portals(case):
    """Portals are recognized by their pages, and pages of other software are no portals."""
    facts = facts_of(case)
    response = response_of(case, facts, **{"content-type": "text/html"})
    page = Readers().read(response)
    files = {link.url for link in page.links}
    assert addresses(facts["expected"]["files"], facts["url"]) <= files
    platforms = {link.tag_path.split()[1] for link in page.endpoints}
    software = facts["expected"].get("software")
    assert platforms == ({software} if software else set())


@pytest.mark.parametrize("case", ["thredds/unidata-rap-html", "erddap/coastwatch-status-html"])
def test_recognized_by_address(case):
    """Software whose pages have its name in their addresses."""
    facts = facts_of(case)
    response = response_of(case, facts, **{"content-type": "text/html"})
    platform = facts["platform"]
    endpoints = [x for x in Readers().read(response).endpoints if platform in x.tag_path]
    assert endpoints
    if "xml" in facts["expected"]:
        assert endpoints[0].url == facts["expected"]["xml"]


@pytest.mark.parametrize("case", ["json-ld/pangaea-902845", "json-ld/malformed-null-ld-mock"])
def test_pages_with_json_ld(case):
    """The files that JSON-LD on a page names."""
    facts = facts_of(case)
    page = read_page(response_of(case, facts, **{"content-type": "text/html"}))
    named = {link.url for link in (*page.declared, *page.links)}
    assert addresses(facts["expected"]["files"], facts["url"]) <= named


def test_a_listing_travels_between_processes():
    """What a worker read arrives as it was: by records, and pickled."""
    body = json.dumps({
        "dataset": [
            {
                "title": "Prices",
                "license": "CC0",
                "distribution": [{"downloadURL": "/a.csv", "mediaType": "text/csv", "byteSize": 7}],
            },
            {"title": "Nothing", "landingPage": "/nothing", "accessLevel": "public"},
        ]
    }).encode()  # fmt: skip
    job = ReadingJob("https://x.example/data.json", {}, body, 1 << 20, PageSettings(), is_list=True)
    result = BodyReading().read(job)
    taker = ResultReader(job)
    for record in json.loads(json.dumps(pack_result(job, result))):
        taker.take(record)
    assert taker.result.page == result.page == pickle.loads(pickle.dumps(result.page))
    listing = result.page.listing
    assert [d.files for d in listing.datasets] == [1, 0]
    assert (listing.entries[0].size, listing.entries[0].licence) == (7, "CC0")
    assert [x.tag_path for x in result.page.links] == ["@file dcat-us csv", "@page dcat-us"]


HOSTILE = {
    "deep": b"[" * 200_000 + b"]" * 200_000,
    "deep object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "bomb": b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">"""
    + b"".join(b'<!ENTITY a%d "%s">' % (i, b"&a%d;" % (i - 1) * 10) for i in range(1, 12))
    + b"]><rss><channel><item><title>&a11;</title><link>/x</link></item></channel></rss>",
    "outside entity": b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><url><loc>'
    b"http://x.example/&e;</loc></url></urlset>",
    "unclosed": b"<urlset>" + b"<url><loc>http://x.example/a" * 50_000,
    "only opens": b"<feed>" + b"<entry>" * 100_000,
    "comments": b"<rss>" + b"<!--" * 200_000,
    "attributes": b"<rss " + b'a="b" ' * 200_000,
    "turtle": b"@prefix dcat: <http://www.w3.org/ns/dcat#> . " + b"[ a " * 100_000,
    "quotes": b'@prefix dcat: <http://www.w3.org/ns/dcat#> . a b """' + b'\\"' * 200_000,
    "charset": '<?xml version="1.0" encoding="utf-16"?><rss><channel/></rss>'.encode("latin-1"),
    "nul": b"\0" * 100_000 + b"{}",
    "wrong types": b'{"success":true,"result":{"count":"x","results":[1,null,{"resources":"no"},'
    b'{"resources":[7,{"url":{"a":1}},{"url":["/a.csv"],"size":-5,"name":{"en":null}}]}]}}',
    "numbers": b'{"success":true,"result":{"count":1e400,"results":[{"name":"\\ud800",'
    b'"resources":[{"url":"http://x.example/a.csv","size":1e400}]}]}}',
    "stac": b'{"stac_version":[],"links":{"rel":"x"},"assets":[1],"properties":{}}',
    "hub": b'{"data":[{"type":1,"attributes":{"url":"javascript:alert(1)"}}],"meta":[]}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_answers_harm_nobody(name):
    """Nothing raises, nothing is expanded, and no link leads outside the web."""
    page = read_listing(Response("https://x.example/list", 200, {}, HOSTILE[name]))
    for link in page.links if page else ():
        assert link.url.startswith(("http://", "https://"))
        assert "root:" not in link.url
        assert len(link.anchor) <= 200


def test_entities_are_not_expanded():
    """An entity of a feed's own stays as it is written."""
    page = read_listing(Response("https://x.example/list", 200, {}, HOSTILE["bomb"]))
    assert page.links[0].anchor == "&a11;"


def test_a_cut_catalogue_gives_what_is_whole():
    """Of a document that ends early, the datasets before its end."""
    datasets = [{"title": str(i), "distribution": [{"downloadURL": f"/{i}.csv"}]} for i in range(9)]
    body = json.dumps({"conformsTo": "x", "dataset": datasets}).encode()[:-100]
    page = read_listing(Response("https://x.example/data.json", 200, {}, body, truncated=True))
    assert 5 <= len(page.links) < 9
    assert page.listing.remark == "the answer was cut"


def test_fifty_thousand_urls():
    """A sitemap as long as the format allows, packed, is read whole; what is beyond is counted."""
    urls = "".join(
        f"<url><loc>https://x.example/{i}</loc><lastmod>2024-01-01</lastmod></url>"
        for i in range(50_010)
    )
    body = gzip.compress(f"<urlset>{urls}</urlset>".encode())
    page = read_listing(Response("https://x.example/sitemap.xml.gz", 200, {}, body))
    assert (len(page.links), page.links_left_out) == (50_000, 10)
    assert page.listing.entries[0].modified == "2024-01-01"


def test_a_packed_bomb_is_cut():
    """A list that unpacks to more than is allowed is read as far as that."""
    body = gzip.compress(b"<urlset>" + b" " * (65 << 20))
    page = read_listing(Response("https://x.example/sitemap.xml.gz", 200, {}, body))
    assert page.links == ()


def test_utf_16_is_read():
    """A feed in UTF-16, with and without a mark."""
    text = "<rss><channel><item><title>Ä</title><link>/x</link></item></channel></rss>"
    for body in (text.encode("utf-16"), text.encode("utf-16-le")):
        page = read_listing(Response("https://x.example/feed", 200, {}, body))
        assert page.links[0].anchor == "Ä"


def test_ten_megabytes_of_json():
    """A large catalogue gives its first entries, and counts the rest."""
    dataset = {"title": "x" * 60, "description": "y" * 400, "accessLevel": "public"}
    datasets = [
        {**dataset, "distribution": [{"downloadURL": f"https://x.example/{i}.csv"}]}
        for i in range(20_000)
    ]
    body = json.dumps({"dataset": datasets}).encode()
    assert len(body) > 10 << 20
    page = read_listing(Response("https://x.example/data.json", 200, {}, body))
    assert len(page.links) == 20_000
