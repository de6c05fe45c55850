"""Turtle and RDF/XML of catalogues, as nodes with their properties by local name."""

import time

import pytest

from datahound.readers.portals.dcat_ap import looks_like_turtle, parse_turtle, read_rdf, read_turtle
from datahound.readers.xml_tree import parse_xml

HEAD = "@prefix dcat: <http://www.w3.org/ns/dcat#> .\n@prefix dct: <http://purl.org/dc/terms/> .\n"


def read(text):
    return {node["@id"]: node for node in parse_turtle(HEAD + text)}


def test_statements_with_lists_of_properties_and_objects():
    nodes = read('<d> a dcat:Dataset ; dct:title "One", "Two"@fr ; dcat:distribution <f>, <g> .')
    assert nodes["d"] == {
        "@id": "d",
        "@type": ["dcat:Dataset"],
        "title": ["One", "Two"],
        "distribution": [{"@id": "f"}, {"@id": "g"}],
    }


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('"a"', "a"),
        ("'a'", "a"),
        (r'"say \"hi\"\n\u00e9\U0001F600"', 'say "hi"\né😀'),
        ('"""two\n"lines" """', 'two\n"lines" '),
        ("'''it's'''", "it's"),
        ('"12"^^<http://www.w3.org/2001/XMLSchema#integer>', "12"),
        ('"2024-01-02"^^xsd:date', "2024-01-02"),
        ('"text"@en-GB', "text"),
        ("<http://x.example/a#b>", {"@id": "http://x.example/a#b"}),
        ("dcat:Dataset", {"@id": "dcat:Dataset"}),
        ("12", {"@id": "12"}),
        (r'"\U00FFFFFF"', "\ufffd"),
    ],
)
def test_objects(written, value):
    assert read(f"<d> dct:title {written} .")["d"]["title"] == [value]


def test_blank_nodes_stand_for_what_is_in_them():
    nodes = read(
        '<d> dcat:distribution [ dcat:downloadURL <f> ; dct:license [ dct:title "CC0" ] ] ;'
        ' dct:title "After" .'
    )
    (distribution,) = nodes["d"]["distribution"]
    inner = nodes[distribution["@id"]]
    assert inner["downloadurl"] == [{"@id": "f"}]
    (licence,) = inner["license"]
    assert nodes[licence["@id"]]["title"] == ["CC0"]
    assert nodes["d"]["title"] == ["After"]


def test_a_statement_may_end_without_a_blank():
    nodes = read("<d> dcat:theme dcat:One.\n<e> dcat:theme dcat:Two .")
    assert nodes["d"]["theme"] == [{"@id": "dcat:One"}]
    assert nodes["e"]["theme"] == [{"@id": "dcat:Two"}]


def test_many_dots_end_one_statement():
    nodes = read(f"<d> dct:title t{'.' * 5000} <e> dct:title u.")
    assert {name: list(node) for name, node in nodes.items()} == {
        "d": ["@id", "title"],
        "e": ["@id", "title"],
    }


def test_a_property_may_have_the_name_of_names():
    """What is called `@id` is left out, and the rest is read."""
    nodes = read('<d> <http://x.example/#@id> "b" ; dct:title "One" .')
    assert nodes == {"d": {"@id": "d", "title": ["One"]}}


def test_comments_and_directives_are_no_statements():
    nodes = parse_turtle(
        "# one\nPREFIX a: <http://a/>\n@base <http://b/> .\n<d> # two\n a:p <#f> . # three"
    )
    assert [node["@id"] for node in nodes] == ["http://b/d"]
    assert nodes[0]["p"] == [{"@id": "http://b/#f"}]


def test_what_was_read_before_an_error_is_kept():
    nodes = read('<d> dct:title "One" . <e> dct:title "broken')
    assert nodes["d"]["title"] == ["One"]
    assert "title" not in nodes.get("e", {})


@pytest.mark.parametrize(
    ("text", "is_turtle"),
    [
        (HEAD, True),
        ("  \n" + HEAD, True),
        ("<http://x/d> a <http://www.w3.org/ns/dcat#Dataset> .", True),
        ("@prefix foaf: <http://xmlns.com/foaf/0.1/> .", False),
        ("A text about http://www.w3.org/ns/dcat#", False),
    ],
)
def test_recognition(text, is_turtle):
    assert looks_like_turtle(text) is is_turtle


@pytest.mark.parametrize(
    "hostile",
    ["[" * 100_000, "<a> <b> " + "<c>, " * 50_000, '"' * 100_000, "<" * 100_000, "'''" * 50_000,
     "<a> <b> [" * 20_000, "# " * 100_000, "a." * 50_000, '"' + "\\" * 100_000],
)  # fmt: skip
def test_hostile_texts_cost_linear_time(hostile):
    begun = time.process_time()
    parse_turtle(HEAD + hostile)
    assert time.process_time() - begun < 3


def test_a_thing_that_is_named_again_and_again_costs_linear_time():
    """What a distribution says is read once, however often its dataset names it."""
    said = "<d> a dcat:Dataset ; dcat:distribution <f> . <f> dcat:downloadURL <a.csv> .\n"
    text = f"@prefix dcat: <http://www.w3.org/ns/dcat#> .\n{said * 3_000}"
    begun = time.process_time()
    page = read_turtle("https://x.example/c.ttl", text)
    assert time.process_time() - begun < 2
    assert [link.url for link in page.links] == ["https://x.example/a.csv"]


NESTED = """<rdf:RDF><dcat:Catalog rdf:about="c"><dcat:dataset><dcat:Dataset rdf:about="d">
<dct:title>One</dct:title><dcat:distribution><dcat:Distribution rdf:about="f">
<dcat:downloadURL rdf:resource="https://x.example/a.csv"/></dcat:Distribution></dcat:distribution>
</dcat:Dataset></dcat:dataset></dcat:Catalog></rdf:RDF>"""
FLAT = """<rdf:RDF><rdf:Description rdf:about="c"><rdf:type rdf:resource="dcat:Catalog"/>
<dcat:dataset rdf:resource="d"/></rdf:Description>
<rdf:Description rdf:about="d"><rdf:type rdf:resource="dcat:Dataset"/><dct:title>One</dct:title>
<dcat:distribution rdf:nodeID="f"/></rdf:Description>
<rdf:Description rdf:nodeID="f"><dcat:downloadURL rdf:resource="https://x.example/a.csv"/>
</rdf:Description></rdf:RDF>"""


@pytest.mark.parametrize(("text", "name"), [(NESTED, "f"), (FLAT, "_:f")], ids=["nested", "flat"])
def test_both_forms_of_rdf_xml_say_the_same(text, name):
    nodes = {node["@id"]: node for node in read_rdf(parse_xml(text))}
    assert nodes["c"]["dataset"] == [{"@id": "d"}]
    assert nodes["d"]["title"] == ["One"]
    assert nodes["d"]["distribution"] == [{"@id": name}]
    assert nodes[name]["downloadurl"] == [{"@id": "https://x.example/a.csv"}]
    assert nodes["d"]["@type"][0].lower().endswith("dataset")


def test_things_without_a_name_are_kept_apart():
    root = parse_xml("<rdf:RDF><a><title>One</title></a><a><title>Two</title></a></rdf:RDF>")
    assert sorted(node["title"][0] for node in read_rdf(root)) == ["One", "Two"]
