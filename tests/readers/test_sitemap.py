"""Sitemaps as sites write them: by the book, as text, and against every rule."""

import pytest

from datahound.readers.sitemap import (
    MAX_URLS,
    SITEMAP_LINK,
    find_sitemaps,
    looks_like_sitemap,
    read_sitemap,
    read_url_list,
)

URL = "https://x.example/sitemap.xml"


def urls(page):
    return [link.url for link in page.links]


def test_a_sitemap_by_the_book():
    page = read_sitemap(
        URL,
        "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
        "<url><loc>https://x.example/a</loc><lastmod>2024-01-02</lastmod></url>"
        "<url><loc>https://x.example/b</loc></url></urlset>",
    )
    assert urls(page) == ["https://x.example/a", "https://x.example/b"]
    assert {link.tag_path for link in page.links} == {SITEMAP_LINK}
    assert page.listing.total == 2
    assert [(e.url, e.modified) for e in page.listing.entries] == [
        ("https://x.example/a", "2024-01-02")
    ]


def test_an_index_leads_to_sitemaps_and_not_to_pages():
    page = read_sitemap(
        URL, "<sitemapindex><sitemap><loc>/1.xml</loc></sitemap>"
        "<sitemap><loc>/2.xml.gz</loc></sitemap></sitemapindex>",
    )  # fmt: skip
    assert urls(page) == []
    assert [link.url for link in page.endpoints] == [
        "https://x.example/1.xml", "https://x.example/2.xml.gz"
    ]  # fmt: skip
    assert page.listing.request == "index"


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("<url><loc> https://x.example/a </loc></url>", "https://x.example/a"),
        ("<url><loc><![CDATA[https://x.example/a?b=1&c=2]]></loc></url>",
         "https://x.example/a?b=1&c=2"),
        ("<url><loc>https://x.example/a?b=1&amp;c=2</loc></url>", "https://x.example/a?b=1&c=2"),
        ("<url><loc>https://x.example/a?b=1&c=2</loc></url>", "https://x.example/a?b=1&c=2"),
        ("<url><loc>https://x.example/&#97;</loc></url>", "https://x.example/a"),
        ("<url><loc>/a</loc></url>", "https://x.example/a"),
        ("<URL><LOC>https://x.example/a</LOC></URL>", "https://x.example/a"),
        ("<sm:url><sm:loc>https://x.example/a</sm:loc></sm:url>", "https://x.example/a"),
        # A picture of the page is no entry of its own.
        (("<url><loc>https://x.example/a</loc><image:image><image:loc>https://x.example/p.png"
         "</image:loc></image:image></url>"), "https://x.example/a"),
        # An element that never ends.
        ("<url><loc>https://x.example/a<url>", "https://x.example/a"),
    ],
)  # fmt: skip
def test_entries_as_sites_write_them(entry, url):
    assert urls(read_sitemap(URL, f"<urlset>{entry}</urlset>")) == [url]


def test_a_sitemap_does_not_lead_to_itself():
    page = read_sitemap(URL, f"<sitemapindex><sitemap><loc>{URL}</loc></sitemap></sitemapindex>")
    assert not page.endpoints


def test_more_urls_than_the_protocol_allows_are_counted():
    many = MAX_URLS + 7
    text = "".join(f"<url><loc>/{number}</loc></url>" for number in range(many))
    page = read_sitemap(URL, f"<urlset>{text}</urlset>")
    assert len(page.links) == MAX_URLS
    assert page.links_left_out == 7
    assert page.listing.total == many


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("<urlset>", True),
        ("<?xml version='1.0'?>\n<ns:sitemapindex>", True),
        ("<html><head>", False),
        ("x" * 5000 + "<urlset>", False),
        ("", False),
    ],
)
def test_recognition(text, is_one):
    assert looks_like_sitemap(text) is is_one
    assert (read_sitemap(URL, text) is not None) is is_one


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://x.example/a\nhttps://x.example/b\r\n\r\n", ["/a", "/b"]),
        ("https://x.example/a\nhttps://x.example/a", ["/a"]),
        ("https://x.example/a\nSee also this", None),
        ("https://x.example/a and more", None),
        ("", None),
    ],
)
def test_a_list_of_urls_has_nothing_else(text, found):
    page = read_url_list(URL, text)
    assert (page and urls(page)) == (found and [f"https://x.example{path}" for path in found])


def test_robots_txt_names_sitemaps_in_any_case_and_once():
    robots = (
        "User-agent: *\nDisallow: /x\nSITEMAP: https://x.example/a.xml\n  sitemap :/b.xml # two\n"
        "Sitemap: https://x.example/a.xml\nNo-sitemap: /c.xml\n"
    )
    found = find_sitemaps("https://x.example/robots.txt", robots)
    assert found == ("https://x.example/a.xml", "https://x.example/b.xml")


def test_a_robots_txt_with_thousands_of_sitemaps_is_bounded():
    robots = "\n".join(f"Sitemap: /{number}.xml" for number in range(5000))
    assert 1 < len(find_sitemaps("https://x.example/robots.txt", robots)) <= 100


def test_a_sitemap_of_hundreds_of_thousands_is_read_to_its_bound_and_counted():
    """What is beyond the protocol's limit costs next to nothing: no link, no date, no join."""
    one = "<url><loc>https://x.example/p{}</loc><lastmod>2024-01-01</lastmod></url>"
    text = f"<urlset>{''.join(one.format(number) for number in range(200_000))}</urlset>"
    page = read_sitemap("https://x.example/sitemap.xml", text)
    assert len(page.links) == len(page.listing.entries) == MAX_URLS
    assert page.links_left_out == 200_000 - MAX_URLS
    assert page.listing.total == 200_000
