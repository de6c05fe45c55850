"""Links, anchors, titles and tag paths of an HTML body."""

import time

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import shared

from datahound.model import Response
from datahound.readers.html import HtmlReader, read_page
from datahound.settings import PageSettings

URL = "http://www.e.org/dir/page.html"
PAGE = """<!doctype html><html><head><title> The
 title </title><base href="/base/"></head><body class="x  y"><div id="main">
<p>About <a href="a.csv#top" class="file big" id="one">Table&nbsp;<b>A</b></a> and more</p>
<map><area href="/b" alt="Area B"></map><iframe src="//www.e.org/c"></iframe>
<a href=" d?e=1 "><img alt="Picture"></a><a>no</a><a href="mailto:x@e.org">m</a>
<a href="javascript:void(0)">j</a><a href="http://[bad">bad</a></div></body></html>"""


def read(html, settings=None, headers=None):
    body = html if isinstance(html, bytes) else html.encode()
    return HtmlReader(settings).read(Response(URL, 200, headers or {}, body))


def test_links_of_a_page():
    """Each link has its canonical URL, its tag path, its text and the page it stands on."""
    page = read(PAGE)
    assert page.title == "The title"
    assert [(link.url, link.tag_path, link.anchor) for link in page.links] == [
        (
            "http://www.e.org/base/a.csv",
            "html body.x.y div#main p a#one.file.big",
            "Table A",
        ),
        ("http://www.e.org/b", "html body.x.y div#main map area", "Area B"),
        ("http://www.e.org/c", "html body.x.y div#main iframe", ""),
        ("http://www.e.org/base/d?e=1", "html body.x.y div#main a", "Picture"),
    ]
    assert {link.found_on for link in page.links} == {URL}


def test_element_order_is_the_kits():
    """On request all `a` come first, then `area`, `frame`, `iframe`."""
    html = "<iframe src=1></iframe><area href=2><a href=3>x</a><a href=4>y</a>"
    urls = [link.url[-1] for link in read(html, PageSettings(link_order="element")).links]
    assert urls == ["3", "4", "2", "1"]


def test_surrounding_text():
    """The text of the enclosing block comes along when it is asked for, cut at 200 characters."""
    settings = PageSettings(surrounding=True)
    assert read(PAGE, settings).links[0].surrounding == "About Table A and more"
    long = read("<p>" + "word " * 100 + "<a href=x>x</a></p>", settings).links[0].surrounding
    assert len(long) <= 200
    assert read(PAGE).links[0].surrounding == ""


@pytest.mark.parametrize(
    ("body", "headers", "title"),
    [
        ("<title>é</title>".encode(), {}, "é"),
        ("<title>é</title>".encode("latin-1"), {}, "é"),
        ("<title>é</title>".encode("latin-1"), {"content-type": "text/html;charset=latin1"}, "é"),
        ("<meta charset=shift_jis><title>表</title>".encode("shift_jis"), {}, "表"),
        ("<title>é</title>".encode("utf-16"), {}, "é"),
        ("<meta charset=utf-16><title>é</title>".encode(), {}, "é"),
        ("<title>é</title>".encode(), {"content-type": "text/html;charset=nonsense"}, "é"),
        (b"<title>\xe9\xff</title>", {"content-type": "text/html;charset=utf-8"}, "��"),
    ],
)
def test_encodings(body, headers, title):
    """Bytes become text by their mark, their header, their own word, or a good guess."""
    assert read(body, headers=headers).title == title


def html_cases():
    for file in sorted(shared("suites/html").glob("*.dat")):
        for case in file.read_bytes().split(b"#data\n")[1:]:
            yield case.partition(b"\n#")[0]


def test_every_case_of_the_html_standard():
    """1,936 cases of HTML at its worst are read without failing, and quickly."""
    cases = list(html_cases())
    assert len(cases) == 1936
    begun = time.perf_counter()
    for case in cases:
        read(case, PageSettings(surrounding=True))
    assert time.perf_counter() - begun < 20


def second_opinion(html):
    """Tag paths as another parser has them."""
    document = html5lib.parse(html, treebuilder="dom")
    paths = []

    def walk(node, path):
        for child in node.childNodes:
            if child.nodeType != child.ELEMENT_NODE:
                continue
            tag = child.tagName
            if identifier := child.getAttribute("id"):
                tag += "#" + identifier
            if classes := child.getAttribute("class").split():
                tag += "." + ".".join(classes)
            here = f"{path} {tag}".strip()
            if child.tagName == "a" and child.hasAttribute("href"):
                paths.append(here)
            walk(child, here)

    walk(document, "")
    return paths


elements = st.recursive(
    st.just("<a href='x'>t</a>"),
    lambda inner: st.builds(
        lambda tag, extra, parts: f"<{tag}{extra}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "ul", "section", "span", "nav", "b"]),
        st.sampled_from(["", " class='c d'", " id='i'", " id='i' class='c'"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=12,
)


@given(elements)
def test_tag_paths_equal_those_of_another_parser(html):
    """On well-formed pages the tag paths are those that html5lib finds."""
    assert [link.tag_path for link in read(html).links] == second_opinion(html)


def test_recorded_pages_have_the_same_tag_paths_in_another_parser():
    """On pages of real sites too, for every link that both parsers keep."""
    from datahound.archive import open_archive

    archive = open_archive(str(shared("sites/uima.warc.gz")))
    pages = [r.answer for r in archive if "html" in r.answer.headers.get("content-type", "")][:8]
    for response in pages:
        hrefs = [link for link in read_page(response).links if link.tag_path.split()[-1][0] == "a"]
        expected = second_opinion(response.body.decode())
        assert {link.tag_path for link in hrefs} <= set(expected)
    archive.close()


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "<a href=x>deep</a>",
        "<ul><li>" * 50_000 + "<a href=x>deep</a>",
        "<b>" * 100_000 + "<a href=x>deep</a>",
        "<table><tr><td>" * 30_000 + "<a href=x>deep</a>",
        "<a href=y><div>" * 20_000 + "<a href=x>deep</a>",
        "<div>" * 100_000 + "</div>" * 100_000 + "<a href=x>flat</a>",
    ],
)
def test_deep_nesting_is_bounded(html):
    """100,000 levels are read in a moment, no link is lost, and a tag path has a cap."""
    begun = time.perf_counter()
    links = read(html, PageSettings(surrounding=True)).links
    assert time.perf_counter() - begun < 10
    assert links[-1].url == "http://www.e.org/dir/x"
    assert max(len(link.tag_path.split()) for link in links) <= 100


def test_huge_flat_pages_are_left_alone():
    """A page with many unclosed but flat elements keeps all its tag paths."""
    links = read("<ul>" + "<li><a href=x>x</a>" * 5000 + "</ul>").links
    assert {link.tag_path for link in links} == {"html body ul li a"}


@given(st.binary(max_size=400))
def test_any_bytes_are_read(body):
    """Binary, empty or broken: a page is read without failing."""
    read(body)
