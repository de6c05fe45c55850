"""Feeds of every kind: their enclosures are files, their items pages."""

import pytest

from datahound.model import LISTED_FILE, Role
from datahound.readers.feed import FEED_LINK, read_feed
from datahound.readers.xml_tree import parse_xml

URL = "https://x.example/feeds/new?start=0"


def read(text, url=URL):
    return read_feed(url, parse_xml(text))


def roles(page):
    return {entry.url: entry.role for entry in page.listing.entries}


def test_an_item_of_rss_has_a_page_and_a_file():
    page = read(
        "<rss><channel><title>News</title><item><title>Jobs in May</title><link>/jobs</link>"
        "<pubDate>Mon, 01 Jun 2020</pubDate>"
        "<enclosure url='jobs.csv' type='text/csv' length='120'/></item></channel></rss>"
    )
    assert page.title == "News"
    entries = {entry.role: entry for entry in page.listing.entries}
    assert entries.keys() == {Role.FILE, Role.PAGE}
    dated = entries[Role.PAGE]
    assert (dated.url, dated.modified) == ("https://x.example/jobs", "Mon, 01 Jun 2020")
    entry = entries[Role.FILE]
    assert entry.url == "https://x.example/feeds/jobs.csv"
    assert (entry.title, entry.size, entry.modified) == ("Jobs in May", 120, "Mon, 01 Jun 2020")
    by_url = {link.url: link.tag_path for link in page.links}
    assert by_url["https://x.example/jobs"] == FEED_LINK
    assert by_url["https://x.example/feeds/jobs.csv"].startswith(LISTED_FILE)


@pytest.mark.parametrize(
    ("guid", "page"),
    [
        ("<guid>https://x.example/a</guid>", "https://x.example/a"),
        ("<guid isPermaLink='true'>https://x.example/a</guid>", "https://x.example/a"),
        ("<guid isPermaLink='false'>https://x.example/a</guid>", None),
        ("<guid>urn-17</guid>", None),
    ],
)
def test_a_guid_is_an_address_unless_it_says_otherwise(guid, page):
    found = read(f"<rss><channel><item><title>a</title>{guid}</item></channel></rss>")
    assert [link.url for link in found.links] == ([page] if page else [])


@pytest.mark.parametrize(
    ("link", "role"),
    [
        ("<link rel='enclosure' href='a.bin'/>", Role.FILE),
        ("<link rel='alternate' type='application/zip' href='a.bin'/>", Role.FILE),
        ("<link rel='section' type='application/gml+xml' href='a.bin'/>", Role.FILE),
        ("<link rel='related' title='pdf' href='a.bin'/>", Role.FILE),
        ("<content src='a.bin' type='application/zip'/>", Role.FILE),
        ("<link rel='alternate' type='text/html' href='a.bin'/>", None),
        ("<link rel='self' type='application/zip' href='a.bin'/>", None),
        ("<link rel='alternate' type='image/png' href='a.bin'/>", None),
        ("<content src='a.bin' type='text/html'/>", None),
    ],
)
def test_links_of_atom_that_are_files(link, role):
    page = read(f"<feed><entry><title>t</title>{link}</entry></feed>")
    assert roles(page) == ({"https://x.example/feeds/a.bin": role} if role else {})


def test_references_are_relative_to_the_nearest_base():
    page = read(
        "<feed xml:base='https://d.x.example/one/'><entry xml:base='two/'><title>t</title>"
        "<link rel='enclosure' href='a.csv'/></entry>"
        "<entry><title>u</title><link rel='enclosure' href='b.csv'/></entry></feed>"
    )
    assert list(roles(page)) == [
        "https://d.x.example/one/two/a.csv", "https://d.x.example/one/b.csv"
    ]  # fmt: skip


def test_feeds_of_a_feed_are_asked_for():
    page = read(
        "<feed><entry><title>Sub</title>"
        "<link rel='alternate' type='application/atom+xml' href='sub.xml'/></entry></feed>"
    )
    assert [link.url for link in page.endpoints] == ["https://x.example/feeds/sub.xml"]
    assert not page.listing.entries


@pytest.mark.parametrize(
    ("head", "following"),
    [
        ("<link rel='next' href='?page=2'/>", "https://x.example/feeds/new?page=2"),
        ("<totalResults>9</totalResults><startIndex>0</startIndex>",
         "https://x.example/feeds/new?start=1"),
        ("<totalResults>1</totalResults><startIndex>0</startIndex>", None),
        ("<totalResults>9</totalResults>", None),
    ],
)  # fmt: skip
def test_the_next_page(head, following):
    page = read(f"<feed>{head}<entry><title>t</title></entry></feed>")
    assert [link.url for link in page.next_pages] == ([following] if following else [])


def test_a_list_of_feeds():
    page = read(
        "<opml><head><title>All</title></head><body><outline text='Group'>"
        "<outline title='One' xmlUrl='one.xml'/><outline text='Two' xmlUrl='two.xml'/>"
        "</outline></body></opml>"
    )
    assert page.title == "All"
    assert [link.url.rpartition("/")[2] for link in page.endpoints] == ["one.xml", "two.xml"]
    assert page.listing.total == 2


def test_items_of_rdf_stand_beside_their_channel():
    page = read(
        "<rdf:RDF><channel><title>c</title></channel>"
        "<item><title>t</title><link>https://x.example/1</link></item></rdf:RDF>"
    )
    assert [link.url for link in page.links] == ["https://x.example/1"]


@pytest.mark.parametrize("text", ["<html><body/></html>", "<rdf/>", "<opml/>", "<urlset/>"])
def test_what_is_no_feed(text):
    assert read(text) is None


def test_too_long_addresses_are_left_out():
    long = "a" * 100_000
    page = read(
        f"<feed xml:base='{long}'><entry><title>t</title>"
        f"<link rel='enclosure' href='{long}'/><link href='/ok'/></entry></feed>"
    )
    assert all(len(link.url) < 10_000 for link in page.links)
    assert not page.listing.entries
