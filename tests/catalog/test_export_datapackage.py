"""The data package, checked with frictionless itself; which delimited files are clean tables."""

import gzip
import io
import json
import zipfile

import pytest
from export_material import HOSTILE, HOSTILE_URL, SEED, Material, delimited
from frictionless import Package, validate

from datahound.catalog.exports.datapackage import MAX_BYTES, export_datapackage, find_clean_table
from datahound.errors import UserError

# Frictionless leaves files open.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)

CLEAN = (
    "Région,Jahr,Pupils,Share,Opened,At,Open,Code\n"
    "Nord,2019,1200,0.5,2001-09-01,2001-09-01T10:00:00Z,true,0012\n"
    '"Süd, Ost",2020,..,-1e-3,,,false,0013\n'
)
NAMES = CLEAN.splitlines()[0].split(",")
TYPES = ["string", "year", "integer", "number", "date", "datetime", "boolean", "string"]


@pytest.fixture
def material(tmp_path):
    return Material(tmp_path / "crawl")


def zipped(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return file.getvalue()


def fill(material):
    """Clean tables, and everything that is not."""
    two = delimited(NAMES, TYPES, 2)
    material.add(SEED + "clean.csv", CLEAN.encode(), tables=[two])
    semicolon = "a;b\r\n1,5;x\r\n2;y\r\n".encode("cp1252")
    table = delimited(["a", "b"], ["number", "string"], 2)
    more = {"delimiter": ";", "encoding": "cp1252"}
    material.add(SEED + "semicolon.csv", semicolon, tables=[table], **more)
    marked = b"\xef\xbb\xbf" + CLEAN.encode()
    material.add(SEED + "bom.csv", marked, tables=[two], encoding="utf-8-sig")
    tabs = {"delimiter": "\t", "format": "tsv"}
    material.add(
        SEED + "t.tsv", b"a\tb\n1\t2\n", tables=[delimited(["a", "b"], TYPES[:2], 1)], **tabs
    )
    one = [delimited(["a", "b"], ["string", "string"], 2)]
    material.add(SEED + "ragged.csv", b"a,b\n1,2,3\n\n4\n", tables=one)
    material.add(SEED + "title.csv", b"Table 1\n\na,b\n1,2\n3,4\n", tables=one)
    below = delimited(["a", "b"], ["string", "string"], 2)
    below["address"]["first"] = 3
    remarks = b"# Table 1, 2019\n\na,b\n1,2\n#,\n3,4\n# the end\n"
    material.add(SEED + "remarks.csv", remarks, tables=[below])
    material.add(SEED + "empty.csv", b"")
    material.add(SEED + "twice.csv", b"a,a\n1,2\n3,4\n", tables=one)
    material.add(SEED + "bad.csv", b"a,b\n\xff,1\n2,3\n", tables=one)
    material.add(SEED + "quote.csv", b'a,b\n"1,2\n3,4\n', tables=one)
    material.add(SEED + "good.zip", zipped(a="1"), format="zip", mime_type="application/zip")
    material.add(SEED + "page.xlsx", b"<html>no", format="html", mime_type="text/html")
    material.add(SEED + "j.json", b"{", format="json", mime_type="application/json")
    material.add(SEED + "csv.gz", gzip.compress(b"a\n1\n"), format="gz")
    material.keep(SEED + "new.bin", b"\0\1", mime="no type")


def read(path):
    return json.loads((path / "datapackage.json").read_text("utf-8"))


def test_the_package_validates_in_place(material):
    """Frictionless reads every file, its hash, its size and its table, and has nothing to say."""
    fill(material)
    outcome = material.export(export_datapackage, material.folder / "datapackage.json")
    report = validate(str(material.folder / "datapackage.json"))
    assert report.valid, [(task.name, task.errors) for task in report.tasks if not task.valid]
    resources = {
        item["path"].rpartition("/")[2]: item for item in read(material.folder)["resources"]
    }
    assert len(resources) == 16
    tabular = {name for name, item in resources.items() if "schema" in item}
    assert tabular == {"clean.csv", "semicolon.csv", "bom.csv", "t.tsv", "remarks.csv"}
    assert resources["remarks.csv"]["dialect"]["headerRows"] == [3]
    assert resources["remarks.csv"]["dialect"]["commentChar"] == "#"
    assert outcome.written == {"resources": 16, "tables with a schema": 5}
    assert all("dialect" not in item for name, item in resources.items() if name not in tabular)


def test_the_schema_is_true(material):
    """Types as the cells have them, and what stands for nothing named as such."""
    fill(material)
    material.export(export_datapackage, material.folder / "datapackage.json")
    first, second = read(material.folder)["resources"][:2]
    kinds = [field["type"] for field in first["schema"]["fields"]]
    assert kinds == TYPES
    assert first["schema"]["missingValues"] == ["", ".."]
    assert first["bytes"] == len(CLEAN.encode())
    assert first["hash"] == f"sha256:{material.kept[0].sha256}"
    assert first["mediatype"] == "text/csv"
    assert first["sources"][0] == {"title": "A link", "path": SEED + "clean.csv"}
    assert second["encoding"] == "cp1252"
    assert second["dialect"]["delimiter"] == ";"
    assert second["schema"]["fields"][0] == {"name": "a", "type": "number", "decimalChar": ","}
    package = Package(str(material.folder / "datapackage.json"))
    rows = package.get_resource(first["name"]).read_rows()
    assert rows[1]["Région"] == "Süd, Ost"
    assert rows[1]["Pupils"] is None
    assert rows[0]["Code"] == "0012"


def test_a_changed_file_is_noticed(material):
    """By frictionless, from the hash; and by us, from the size."""
    fill(material)
    material.export(export_datapackage, material.folder / "datapackage.json")
    file = material.folder / "files" / material.kept[0].path
    file.write_bytes(file.read_bytes().replace(b"1200", b"1300"))
    assert not validate(str(material.folder / "datapackage.json")).valid
    file.write_bytes(b"short")
    outcome = material.export(export_datapackage, material.folder / "datapackage.json")
    assert outcome.left_out == 1
    assert validate(str(material.folder / "datapackage.json")).valid


def test_broken_archives_are_named_apart(material):
    """What no reader could open is listed, with the reason, and does not spoil the rest."""
    fill(material)
    material.add(SEED + "broken.zip", b"PK no zip", format="unknown")
    material.add(SEED + "none.zip", zipped(), format="zip")
    material.add(SEED + "broken.gz", b"\x1f\x8b\x08 no gzip", format="gz")
    material.add(SEED + "named.gz", b"a,b\n1,2\n", format="csv")
    outcome = material.export(export_datapackage, material.folder / "datapackage.json")
    assert validate(str(material.folder / "datapackage.json")).valid
    omitted = read(material.folder)["omitted"]
    assert {item["path"].rpartition("/")[2] for item in omitted} == {
        "broken.zip", "none.zip", "broken.gz", "named.gz",
    }  # fmt: skip
    assert outcome.left_out == len(omitted) == len(material.told) == 4


@pytest.mark.parametrize("output", [None, "out", "out/datapackage.json"])
def test_odd_names_validate(material, tmp_path, output):
    """Whatever files are called: names are unique and plain, paths are found by every reader."""
    for number, name in enumerate(
        ["Écoles & élèves.csv", "Ecoles eleves.csv", "a b;c.csv", "%41%.csv", "#x?.csv", "~.csv",
         "日本.csv", "😀.csv", "a'b\"c.csv", "x" * 200 + ".csv", "A.csv", "a.csv", "-.csv",
         "=1.csv", "[1].csv", "*.csv", "d.tar/e.csv", "...x.csv", "nul.csv", "&lt;.csv"]
    ):  # fmt: skip
        body = f"a,b\n{number},2\n".encode()
        table = delimited(["a", "b"], ["integer", "integer"], 1)
        url = f"{SEED}{number}?{HOSTILE_URL}"
        odd = {"title": HOSTILE, "page_title": HOSTILE, "link_title": HOSTILE, "page": HOSTILE_URL}
        material.add(url, body, f"www.site.example/{name}", [table], **odd)
    place = tmp_path / output if output else material.folder / "datapackage.json"
    outcome = material.export(export_datapackage, place)
    assert outcome.written == {"resources": 20, "tables with a schema": 20}
    folder = place if place.is_dir() else place.parent
    report = validate(str(folder / "datapackage.json"))
    assert report.valid, [(task.name, task.errors) for task in report.tasks if not task.valid]
    text = (folder / "datapackage.json").read_text("utf-8")
    assert not set("\x00\x1b\u202e") & set(text)
    names = [item["name"] for item in json.loads(text)["resources"]]
    assert len(set(names)) == len(names)


def test_unsafe_names_in_place_are_named_apart(material, monkeypatch):
    """A name that readers refuse can't be helped where the file is; a linked copy is renamed."""
    monkeypatch.setenv("HOME", "/root")
    material.add(SEED + "home", b"a\n1\n", "www.site.example/$HOME.csv")
    material.keep(SEED + "half", b"a\n2\n", "www.site.example/\udce9.csv")
    outcome = material.export(export_datapackage, material.folder / "datapackage.json")
    assert outcome.left_out == 2
    other = material.folder.with_name("other")
    outcome = material.export(export_datapackage, other)
    assert outcome.written["resources"] == 2
    assert validate(str(other / "datapackage.json")).valid


def test_linked_files_take_no_space(material, tmp_path):
    """With --output the files are linked, and a second run changes nothing."""
    fill(material)
    out = tmp_path / "out"
    material.export(export_datapackage, out)
    linked = out / "files/www.site.example/clean.csv"
    assert linked.stat().st_ino == (material.folder / "files" / material.kept[0].path).stat().st_ino
    before = read(out)
    material.export(export_datapackage, out)
    assert read(out) == before
    assert validate(str(out / "datapackage.json")).valid
    assert not list(out.rglob("*.part"))


def test_the_same_file_is_one_resource(material):
    """With the addresses of all who gave it."""
    material.add(SEED + "a.csv", b"a\n1\n")
    material.add(SEED + "b.csv", b"a\n1\n", path=material.kept[0].path)
    material.export(export_datapackage, material.folder / "datapackage.json")
    (resource,) = read(material.folder)["resources"]
    urls = [source["path"] for source in resource["sources"]]
    assert SEED + "a.csv" in urls
    assert SEED + "b.csv" in urls


def test_only_statistics(material):
    """The rest is left aside when asked."""
    fill(material)
    place = material.folder / "datapackage.json"
    material.export(export_datapackage, place, statistics_only=True)
    assert len(read(material.folder)["resources"]) == 10
    assert validate(str(place)).valid


def test_nothing_kept(material):
    """An empty package says so in its own way, and is JSON."""
    material.export(export_datapackage, material.folder / "datapackage.json")
    assert read(material.folder)["resources"] == []


def test_a_package_of_somebody_else_stays(material):
    """Unless forced."""
    place = material.folder / "datapackage.json"
    place.write_text('{"name": "mine"}')
    with pytest.raises(UserError, match="--force"):
        material.export(export_datapackage, place)
    material.export(export_datapackage, place, force=True)
    material.export(export_datapackage, place)


def test_a_folder_inside_the_crawl_is_never_left(material):
    """A path that leads out is neither read nor described."""
    material.keep(SEED + "a.csv", b"a\n1\n")
    material.kept[0] = type(material.kept[0])(SEED, "../../etc/passwd", 1, "0" * 64)
    outcome = material.export(export_datapackage, material.folder / "datapackage.json")
    assert outcome.left_out == 1
    assert read(material.folder)["resources"] == []


def check(tmp_path, body, encoding="utf-8", delimiter=",", header_row=1):
    path = tmp_path / "x.csv"
    path.write_bytes(body)
    return find_clean_table(path, encoding, delimiter, header_row)


@pytest.mark.parametrize(
    "body",
    [b"", b"a,b\n", b"\n1,2\n", b"a,\n1,2\n", b" a,b\n1,2\n", b"a,b\n1\n", b"a,b\n,\n", b"a\n1\0\n",
     b"a,b\n1,2\n\n3,4\n", b"\xff\xfe", b'a,b\n"1"x,2\n'],
)  # fmt: skip
def test_what_is_not_clean(tmp_path, body):
    """Anything less than a header and rows of its width is described as a file."""
    (tmp_path / "x.csv").write_bytes(body)
    assert find_clean_table(tmp_path / "x.csv", "utf-8", ",") is None


@pytest.mark.parametrize(
    ("cells", "field"),
    [
        (["1", "-2", "+3", "0"], {"type": "integer"}),
        (["007"], {"type": "string"}),
        (["2019", "1850"], {"type": "year"}),
        (["2019", "12"], {"type": "integer"}),
        (["1.5", "2"], {"type": "number"}),
        (["1,5"], {"type": "number", "decimalChar": ","}),
        (["1.5", "1,5"], {"type": "string"}),
        (["2020-02-28"], {"type": "date"}),
        (["2020-02-30"], {"type": "string"}),
        (["2020-02-28T10:00:00Z"], {"type": "datetime"}),
        (["true", "FALSE"], {"type": "boolean"}),
        (["true", "1"], {"type": "string"}),
        ([".."], {"type": "string"}),
        (["1e5", "n/a"], {"type": "number"}),
        (["1" * 19], {"type": "string"}),
        ([" 1"], {"type": "string"}),
    ],
)
def test_a_column_has_the_first_type_that_fits_every_cell(tmp_path, cells, field):
    """No cell is an exception."""
    body = "name;value\n" + "".join(f"x;{cell}\n" for cell in cells)
    found = check(tmp_path, body.encode(), delimiter=";")
    assert found.schema["fields"][1] == {"name": "value", **field}
    assert found.rows == len(cells)


def test_marks_of_missing_values_are_named_only_for_typed_columns(tmp_path):
    """A text column keeps its dashes."""
    found = check(tmp_path, b"a,b\n1,x\n..,-\n")
    assert found.schema["missingValues"] == ["", ".."]


def test_comments_and_a_late_header_are_part_of_the_dialect(tmp_path):
    """So that a reader skips them."""
    found = check(tmp_path, b"title\na,b\n1,2\n#x\n", header_row=2)
    assert found.dialect["headerRows"] == [2]
    assert found.dialect["commentChar"] == "#"
    assert found.names == ["a", "b"]


def test_a_byte_order_mark_is_not_part_of_the_header(tmp_path):
    """Whatever encoding is named."""
    for encoding in ("utf-8", "utf-8-sig"):
        found = check(tmp_path, b"\xef\xbb\xbfa,b\n1,2\n", encoding)
        assert found.names == ["a", "b"]
        assert found.encoding == "utf-8"


def test_what_can_not_be_checked_is_not_clean(tmp_path):
    """An unknown encoding, no delimiter, a file that is too large."""
    assert check(tmp_path, b"a,b\n1,2\n", "no-such-codec") is None
    assert check(tmp_path, b"a,b\n1,2\n", delimiter="") is None
    assert check(tmp_path, b"a,b\n1,2\n") is not None
    with (tmp_path / "x.csv").open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    assert find_clean_table(tmp_path / "x.csv", "utf-8", ",") is None
