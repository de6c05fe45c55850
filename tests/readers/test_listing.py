"""The page of a list: what is a file, a page or a service, and what is cleaned on the way."""

import pytest

from datahound.model import ENDPOINT, LISTED_FILE, Role
from datahound.readers import listing
from datahound.readers.listing import ListingMaker, clean_text, guess_role

URL = "https://x.example/api/list"


@pytest.fixture
def maker():
    return ListingMaker(URL, "ckan", "search")


@pytest.mark.parametrize(
    ("reference", "declared", "role"),
    [
        ("/a.csv", "CSV", Role.FILE),
        ("/a", "", Role.FILE),
        ("/a", "HTML", Role.PAGE),
        ("/a", " Web page ", Role.PAGE),
        ("/a.csv", "link", Role.PAGE),
        ("/a", "WMS", Role.SERVICE),
        ("/a", "ogc_wfs", Role.SERVICE),
        ("/a", "Esri REST", Role.SERVICE),
        ("/geo?service=WMS&request=GetCapabilities", "", Role.SERVICE),
        ("/rest/services/Roads/MapServer/0", "", Role.SERVICE),
        # A query of a service is a file; so are words that only contain the name of one.
        ("/rest/services/Roads/MapServer/0/query?f=geojson", "GeoJSON", Role.FILE),
        ("/forest/services.csv", "CSV", Role.FILE),
        ("/wfsdata.zip", "ZIP", Role.FILE),
        # The name of a vendor, or of a second way, makes no service of a file.
        ("/a", "ESRI Shapefile", Role.FILE),
        ("/a", "Esri File Geodatabase", Role.FILE),
        ("/a", "OGC GeoPackage", Role.FILE),
        ("/a", "CSV, API", Role.FILE),
        ("/roads.zip", "WFS", Role.FILE),
        ("https://x.example/a.csv", "API", Role.FILE),
        ("/a.json", "API", Role.SERVICE),
        ("https://x.example", "ArcGIS GeoServices REST API", Role.SERVICE),
        # A whole request for the data of a layer, and one for what a service can do.
        ("/ows?service=WFS&request=GetFeature&typeName=a&outputFormat=csv", "WFS", Role.FILE),
        ("/ows?service=WFS&request=GetFeature", "WFS", Role.SERVICE),
        ("/ows?service=WFS&request=GetCapabilities&typeName=a", "", Role.SERVICE),
    ],
)
def test_what_an_address_is(reference, declared, role):
    assert guess_role(reference, declared) is role


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("<p>One<br>two</p>", "One two"),
        ("A &amp; B &lt;3", "A & B <3"),
        ("a\n\tb\x00\u202ec", "a bc"),
        ("x" * 50, "x" * 9 + "…"),
        ("", ""),
    ],
)
def test_texts_are_one_printable_line(text, clean):
    assert clean_text(text, 10) == clean


def test_files_take_what_their_dataset_says(maker):
    maker.begin_dataset("d1", "Jobs", licence="CC0", modified="2024-01-02", page="/d1")
    maker.add("/a.csv", format="CSV", size="120")
    maker.add("/b.csv", "Own", format="CSV", licence="ODbL", modified="2024-05-06")
    maker.begin_dataset("d2", "Other")
    maker.add("/c.csv")
    page = maker.make_page("All", "2")
    first, second, third = page.listing.entries
    assert (first.title, first.licence, first.modified) == ("Jobs", "CC0", "2024-01-02")
    assert (first.size, first.dataset) == (120, 0)
    assert (second.title, second.licence, second.modified) == ("Own", "ODbL", "2024-05-06")
    assert (third.title, third.licence, third.dataset) == ("Other", "", 1)
    assert [dataset.files for dataset in page.listing.datasets] == [2, 1]
    assert page.listing.total == 2


def test_pages_of_datasets_without_files_come_first(maker):
    maker.begin_dataset("full", page="/full")
    maker.add("/a.csv", format="CSV")
    maker.begin_dataset("empty", page="/empty")
    marks = {link.url: link.tag_path for link in maker.make_page().links}
    assert marks["https://x.example/full"] == "ckan @landing"
    assert marks["https://x.example/empty"] == "@page ckan"
    assert marks["https://x.example/a.csv"] == f"{LISTED_FILE}ckan csv"


def test_a_service_is_listed_and_not_followed(maker):
    maker.add("/geo", "Roads", format="WMS")
    page = maker.make_page()
    assert [entry.role for entry in page.listing.entries] == [Role.SERVICE]
    assert not page.links


def test_a_file_stays_one_where_it_is_named_again(maker):
    maker.add_as(Role.FILE, "/a", "First", format="CSV")
    maker.add_as(Role.PAGE, "/a", "Second")
    (entry,) = maker.make_page().listing.entries
    assert (entry.role, entry.title) == (Role.FILE, "First")


def test_a_page_that_turns_out_to_be_a_file_is_one(maker):
    maker.add_as(Role.PAGE, "/a")
    maker.add_as(Role.FILE, "/a", format="CSV")
    (entry,) = maker.make_page().listing.entries
    assert entry.role is Role.FILE


@pytest.mark.parametrize(
    "reference", ["", "  ", "javascript:x()", "/{id}", "a" * 100_000, "http://"]
)
def test_what_is_no_address_is_left_out(maker, reference):
    maker.add(reference, "x", format="CSV")
    maker.add_endpoint(reference, "more")
    maker.follow_with(reference)
    page = maker.make_page()
    assert not page.links
    assert not page.endpoints
    assert not page.next_pages


def test_a_list_does_not_lead_to_itself(maker):
    maker.add_endpoint("list", "more")
    maker.follow_with(URL)
    page = maker.make_page()
    assert not page.endpoints
    assert not page.next_pages


def test_answers_to_ask_for_name_platform_and_request(maker):
    maker.add_endpoint("/api/one", "show", "<b>One</b>")
    maker.follow_with("?page=2")
    page = maker.make_page()
    (endpoint,), (following,) = page.endpoints, page.next_pages
    assert (endpoint.tag_path, endpoint.anchor) == (f"{ENDPOINT}ckan show", "One")
    assert following.tag_path == f"{ENDPOINT}ckan search"
    assert following.url == f"{URL}?page=2"


def test_entries_beyond_the_limit_are_counted(maker, monkeypatch):
    monkeypatch.setattr(listing, "MAX_ENTRIES", 3)
    for number in range(5):
        maker.add(f"/{number}.csv", format="CSV")
    page = maker.make_page()
    assert len(page.listing.entries) == len(page.links) == 3
    assert page.links_left_out == 2


def test_a_table_without_cells_is_none(maker):
    maker.add_table("/t", "Empty", 0, [("a", ["1"])])
    maker.begin_dataset("d")
    maker.add_table("/t", "Full", 6, [("a", ["1", "2"]), ("b", ["x", "y", "z"])])
    (table,) = maker.make_page().tables
    assert (table.title, table.size, table.dataset) == ("Full", 6, 0)
    assert table.axes == (("a", ("1", "2")), ("b", ("x", "y", "z")))
