"""All hosts of a site under one local address, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.archive.server import HostRewriter, is_html
from datahound.model import Response
from datahound.web.site import Site

LOCAL = "http://127.0.0.1:8000"
SEED = "https://www.site.example/"
REWRITER = HostRewriter(Site(SEED), LOCAL)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        (SEED, LOCAL + "/https/www.site.example/"),
        ("http://data.site.example/a?b=c", LOCAL + "/http/data.site.example/a?b=c"),
        ("https://other.example/", "https://other.example/"),
    ],
)
def test_urls_of_the_site_become_local(url, local):
    assert REWRITER.to_local(url) == local


@pytest.mark.parametrize("target", ["/", "/x/a.org/", "/https", "/https/", "", "/ftp/a.org/x"])
def test_other_targets_are_not_urls(target):
    assert REWRITER.to_original(target) is None


@given(st.sampled_from(["http", "https"]), st.text("abc/?=&%.", max_size=20))
def test_there_and_back(scheme, rest):
    url = f"{scheme}://www.site.example/{rest}"
    assert REWRITER.to_original(REWRITER.to_local(url).removeprefix(LOCAL)) == url


@pytest.mark.parametrize(
    ("location", "local"),
    [
        ("/b", LOCAL + "/https/www.site.example/b"),
        ("b", LOCAL + "/https/www.site.example/dir/b"),
        ("https://other.example/", "https://other.example/"),
        ("http://[broken", "http://[broken"),
    ],
)
def test_a_location_is_resolved_before_it_is_rewritten(location, local):
    assert REWRITER.rewrite_location(SEED + "dir/a", location) == local


def rewrite(html, content_type="text/html"):
    response = Response(SEED + "dir/a", 200, {"content-type": content_type}, html)
    return REWRITER.rewrite_page(response).decode()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (b'<a href="b">x</a>', f'href="{LOCAL}/https/www.site.example/dir/b"'),
        (b'<a href=" /b ">x</a>', f'href="{LOCAL}/https/www.site.example/b"'),
        (b'<img src="//data.site.example/i">', f'src="{LOCAL}/https/data.site.example/i"'),
        (b'<form action="?q">', f'action="{LOCAL}/https/www.site.example/dir/a?q"'),
        (b'<a href="b#part">x</a>', f'href="{LOCAL}/https/www.site.example/dir/b#part"'),
        (b'<a href="#part">x</a>', 'href="#part"'),
        (b'<a href="https://other.example/">x</a>', 'href="https://other.example/"'),
        (b'<a href="mailto:a@b.example">x</a>', 'href="mailto:a@b.example"'),
        (b'<base href="/c/"><a href="d">x</a>', f'href="{LOCAL}/https/www.site.example/c/d"'),
    ],
)
def test_addresses_on_a_page_lead_to_the_local_site(html, expected):
    assert expected in rewrite(html)


def test_a_page_in_another_encoding_becomes_utf_8():
    html = "<p>café</p>".encode("latin-1")
    assert "café" in rewrite(html, "text/html; charset=iso-8859-1")


@pytest.mark.parametrize(
    ("content_type", "html"),
    [
        ("text/html", True),
        ("TEXT/HTML; charset=utf-8", True),
        ("application/xhtml+xml", True),
        ("text/csv", False),
        ("", False),
        ("nonsense", False),
    ],
)
def test_only_pages_are_rewritten(content_type, html):
    assert is_html(Response(SEED, 200, {"content-type": content_type})) is html
