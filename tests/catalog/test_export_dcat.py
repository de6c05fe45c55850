"""The DCAT-AP catalogue, parsed as RDF and checked against shapes of the profile's demands."""

import json
from pathlib import Path

import pyshacl
import pytest
from export_material import HOSTILE, HOSTILE_URL, SEED, Material, column
from rdflib import DCTERMS, RDF, Graph, Namespace, URIRef

from datahound.catalog.exports.dcat import export_dcat
from datahound.errors import UserError

# Its parser of JSON-LD uses an older class of its own.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SHAPES = Path(__file__).parent / "dcat_ap_shapes.ttl"
DCAT = Namespace("http://www.w3.org/ns/dcat#")
SPDX = Namespace("http://spdx.org/rdf/terms#")
EU = "http://publications.europa.eu/resource/authority/file-type/"
IANA = "https://www.iana.org/assignments/media-types/"


@pytest.fixture
def material(tmp_path):
    found = Material(tmp_path / "crawl")
    pupils = {"family": 7, "first_year": 2019, "last_year": 2019, "title": "Pupils 2019"}
    table = {"rows": 9, "fields": [column("Region", role="dimension"), column("Pupils")]}
    found.add(SEED + "pupils-2019.csv", b"a\n1\n", tables=[table], **pupils, places=["Nord"])
    excel = {"format": "xlsx", "mime_type": "application/octet-stream"}
    found.add(SEED + "pupils-2019.xlsx", b"PK", **pupils, **excel)
    later = {**pupils, "first_year": 2020, "last_year": 2020, "title": "Pupils 2020"}
    found.add(SEED + "pupils-2020.csv", b"a\n2\n", **later)
    found.add(SEED + "alone.pdf", b"%PDF", format="pdf", mime_type="application/pdf", page="")
    return found


def graph_of(path):
    return Graph().parse(path, format="json-ld")


def conforms(graph):
    ok, _, said = pyshacl.validate(graph, shacl_graph=Graph().parse(SHAPES))
    return ok, said


def subject(graph, kind, **values):
    """The one node of a kind with these values."""
    terms = {"url": DCAT.downloadURL, "title": DCTERMS.title}
    for node in graph.subjects(RDF.type, kind):
        if all(str(graph.value(node, terms[name])) == text for name, text in values.items()):
            return node
    raise AssertionError(values)


def test_the_catalogue_conforms(material, tmp_path):
    """It is RDF, and has everything that the profile demands."""
    outcome = material.export(export_dcat, tmp_path / "c.jsonld")
    ok, said = conforms(graph_of(tmp_path / "c.jsonld"))
    assert ok, said
    assert outcome.written == {"datasets": 3, "distributions": 4}


def test_the_shapes_can_fail(material, tmp_path):
    """A catalogue without a title, a distribution without an address, a size that is none."""
    material.export(export_dcat, tmp_path / "c.jsonld")
    for kind, term in ((DCAT.Catalog, DCTERMS.title), (DCAT.Distribution, DCAT.accessURL)):
        graph = graph_of(tmp_path / "c.jsonld")
        graph.remove((next(graph.subjects(RDF.type, kind)), term, None))
        assert not conforms(graph)[0]


def test_formats_of_one_table_are_distributions_of_one_dataset(material, tmp_path):
    """And its years are datasets of one series."""
    material.export(export_dcat, tmp_path / "c.jsonld")
    graph = graph_of(tmp_path / "c.jsonld")
    dataset = subject(graph, DCAT.Dataset, title="Pupils 2019")
    found = {
        str(graph.value(d, DCAT.downloadURL)) for d in graph.objects(dataset, DCAT.distribution)
    }
    assert found == {SEED + "pupils-2019.csv", SEED + "pupils-2019.xlsx"}
    later = subject(graph, DCAT.Dataset, title="Pupils 2020")
    assert graph.value(dataset, DCAT.inSeries) == graph.value(later, DCAT.inSeries) is not None
    assert graph.value(subject(graph, DCAT.Dataset, title="A title"), DCAT.inSeries) is None
    catalog = next(graph.subjects(RDF.type, DCAT.Catalog))
    assert len(set(graph.objects(catalog, DCAT.dataset))) == 3


def test_two_tables_in_one_format_stay_apart(tmp_path):
    """Of the same family and year: the names of the files say which formats belong together."""
    material = Material(tmp_path / "crawl")
    for name in ("north.csv", "south.csv", "north.xlsx", "south.xlsx"):
        more = {"family": 3, "format": name.partition(".")[2], "title": name}
        material.add(SEED + name, name.encode(), **more)
    outcome = material.export(export_dcat, tmp_path / "c.jsonld")
    assert outcome.written == {"datasets": 2, "distributions": 4}


def test_a_distribution_says_what_it_is(material, tmp_path):
    """Format by the bytes, not by what the server said; size; checksum; times; years; places."""
    material.export(export_dcat, tmp_path / "c.jsonld")
    graph = graph_of(tmp_path / "c.jsonld")
    node = subject(graph, DCAT.Distribution, url=SEED + "pupils-2019.xlsx")
    assert str(graph.value(node, DCTERMS.format)) == EU + "XLSX"
    assert str(graph.value(node, DCAT.mediaType)).endswith("spreadsheetml.sheet")
    assert int(graph.value(node, DCAT.byteSize)) == 2
    checksum = graph.value(node, SPDX.checksum)
    assert graph.value(checksum, SPDX.algorithm) == SPDX.checksumAlgorithm_sha256
    assert str(graph.value(checksum, SPDX.checksumValue)).lower() == material.kept[1].sha256
    assert str(graph.value(node, DCTERMS.modified)).startswith("2020-10-16")
    dataset = subject(graph, DCAT.Dataset, title="Pupils 2019")
    period = graph.value(dataset, DCTERMS.temporal)
    assert str(graph.value(period, DCAT.startDate)) == "2019-01-01"
    assert str(graph.value(period, DCAT.endDate)) == "2019-12-31"
    assert str(graph.value(dataset, DCAT.landingPage)) == SEED + "page"
    assert {str(word) for word in graph.objects(dataset, DCAT.keyword)} == {"Nord", "Region"}


def test_names_are_for_ever(material, tmp_path):
    """The same file has the same name in every export, whatever is found later."""
    material.export(export_dcat, tmp_path / "a.jsonld")
    more = {"family": 7, "first_year": 2019, "last_year": 2019, "found_at": "2026-02-01T00:00:00Z"}
    material.add(SEED + "a-2019.json", b"[]", format="json", title="Pupils 2019", **more)
    material.export(export_dcat, tmp_path / "b.jsonld")
    before, after = (graph_of(tmp_path / name) for name in ("a.jsonld", "b.jsonld"))
    for kind in (DCAT.Catalog, DCAT.Dataset, DCAT.DatasetSeries, DCAT.Distribution):
        assert set(before.subjects(RDF.type, kind)) <= set(after.subjects(RDF.type, kind))
    assert (tmp_path / "a.jsonld").read_text() != (tmp_path / "b.jsonld").read_text()
    material.export(export_dcat, tmp_path / "c.jsonld")
    assert (tmp_path / "b.jsonld").read_text() == (tmp_path / "c.jsonld").read_text()


def test_hostile_texts_and_addresses(tmp_path):
    """Nothing that a website says breaks out of its literal or its address."""
    material = Material(tmp_path / "crawl")
    texts = dict.fromkeys(("title", "link_title", "page_title", "section"), HOSTILE)
    odd = {"last_modified": "yesterday\x00", "mime_type": HOSTILE, "format": "unknown"}
    table = {"rows": 1, "fields": [column(HOSTILE, role="dimension"), column("")]}
    material.add(
        HOSTILE_URL, b"x", "a/b", [table], **texts, **odd, places=[HOSTILE], page=HOSTILE_URL
    )
    nothing = dict.fromkeys(("title", "link_title", "page_title", "page", "found_at"), "")
    material.add(SEED + '"><script>', b"y", "a/\u202e", **nothing, format="unknown", mime_type="")
    material.export(export_dcat, tmp_path / "c.jsonld")
    text = (tmp_path / "c.jsonld").read_text("utf-8")
    assert not set("\x00\x1b\u202e\r") & set(text)
    graph = graph_of(tmp_path / "c.jsonld")
    ok, said = conforms(graph)
    assert ok, said
    for node in graph.all_nodes():
        if isinstance(node, URIRef):
            assert not set(' <>"{}|\\^`\n') & set(node), node
    # Written and read again as another form of RDF, it is the same.
    again = Graph().parse(data=graph.serialize(format="nt"), format="nt")
    assert len(again) == len(graph)


def test_nothing_found(tmp_path):
    """An empty catalogue conforms too."""
    material = Material(tmp_path / "crawl")
    material.export(export_dcat, tmp_path / "c.jsonld")
    ok, said = conforms(graph_of(tmp_path / "c.jsonld"))
    assert ok, said


def test_only_statistics(material, tmp_path):
    """The rest is left aside when asked."""
    outcome = material.export(export_dcat, tmp_path / "c.jsonld", statistics_only=True)
    assert outcome.written == {"datasets": 1, "distributions": 1}


def test_what_is_not_ours_stays(material, tmp_path):
    """A file of somebody else's is refused; ours is replaced."""
    to = tmp_path / "c.jsonld"
    to.write_text("{}")
    with pytest.raises(UserError, match="--force"):
        material.export(export_dcat, to)
    material.export(export_dcat, to, force=True)
    material.export(export_dcat, to)
    assert json.loads(to.read_text("utf-8"))["@graph"]
