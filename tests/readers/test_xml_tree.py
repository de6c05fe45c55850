"""XML that breaks rules: what can be understood is kept, in linear time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.readers.xml_tree import parse_xml


def outline(element):
    """An element as nested lists: name, text, children."""
    return [element.name, element.text, *map(outline, element.children)]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("<a><b>1</b><b>2</b></a>", ["a", "", ["b", "1"], ["b", "2"]]),
        ("<?xml version='1.0'?><!-- <x> --><A/>", ["a", ""]),
        ("<gmd:A xmlns:gmd='u'><gco:B>t</gco:B></gmd:A>", ["a", "", ["b", "t"]]),
        # Text around children is joined, blanks at its ends are dropped.
        ("<a> one <b/> two </a>", ["a", "one two", ["b", ""]]),
        ("<a>x &amp; y &#233; &lt;</a>", ["a", "x & y é <"]),
        ("<a><![CDATA[<b> & &amp;]]></a>", ["a", "<b> & &amp;"]),
        # An end tag closes what is open inside; one that opens nothing is passed over.
        ("<a><b><c></a>", ["a", "", ["b", "", ["c", ""]]]),
        ("<a></x><b/></a>", ["a", "", ["b", ""]]),
        # A lone "<" is text.
        ("<a>1 < 2</a>", ["a", "1 < 2"]),
        # Cut off in a tag, a comment, a section, an instruction.
        ("<a><b>1</b><c", ["a", "", ["b", "1"]]),
        ("<a><b>1</b><!-- for", ["a", "", ["b", "1"]]),
        ("<a><b>1</b><?php", ["a", "", ["b", "1"]]),
    ],
)
def test_trees(text, tree):
    assert outline(parse_xml(text)) == tree


@pytest.mark.parametrize(
    "text", ["", "no markup", "<!-- <a/> -->", "<?xml version='1.0'?>", "</a>"]
)
def test_texts_without_an_element(text):
    assert parse_xml(text) is None


def test_a_doctype_is_skipped_and_its_entities_are_not_used():
    text = '<!DOCTYPE a [<!ENTITY x "boom"><!ENTITY y SYSTEM "file:///etc/passwd">]><a>&x;&y;</a>'
    assert parse_xml(text).text == "&x;&y;"


def test_attributes_are_found_by_local_name():
    element = parse_xml("<a xlink:HREF='one &amp; two' b = \" c \" empty=''/>")
    assert element.get("href") == "one & two"
    assert element.get("b") == "c"
    assert element.get("empty", "default") == ""
    assert element.get("none", "default") == "default"


def test_searching():
    root = parse_xml("<a><b><c>1</c></b><b><c>2</c><d>3 <e>4</e></d></b></a>")
    assert [e.text for e in root.find_all("c", "e")] == ["1", "2", "4"]
    assert root.read("b", "c") == "1"  # the first of each step
    assert root.read("b", "d") == ""
    assert [b.read("d") for b in root.all("b")] == ["", "3 4"]
    assert root.first("x", "y") is None
    assert [e.name for e in root.walk()] == ["a", "b", "c", "b", "c", "d", "e"]


def test_what_is_nested_too_deep_is_dropped_and_closes_nothing_else():
    deep = 1000
    root = parse_xml(f"<r>{'<a>' * deep}{'</a>' * deep}<b>after</b></r>")
    assert [child.name for child in root.children] == ["a", "b"]
    assert root.read("b") == "after"
    assert 100 < sum(1 for _ in root.walk()) < 300


@pytest.mark.parametrize(
    "hostile",
    ["<" * 200_000, "<a " * 70_000, "<a b='" * 40_000, "<!--" * 50_000, "<a>" * 70_000,
     "</a>" * 50_000, "<a " + "x='1' " * 40_000, "<!DOCTYPE [" * 20_000],
)  # fmt: skip
def test_hostile_texts_cost_linear_time(hostile):
    begun = time.process_time()
    parse_xml("<r>" + hostile)
    assert time.process_time() - begun < 3


@given(st.text(alphabet="<>/a b='\"!-[]?&;", max_size=200))
def test_any_text_is_read_without_an_error(text):
    root = parse_xml(text)
    assert root is None or root.name
