"""Exports to web archives as jobs: drafts, refusals, and files outside of the folder."""

import pytest
from export_material import SEED, Material, collected, visited

from datahound.catalog.exports import Page
from datahound.catalog.exports.wacz import export_wacz
from datahound.catalog.exports.warc import export_warc
from datahound.errors import StorageError, UserError

BODY = b"a,b\n1,2\n" * 40_000
CSV = SEED + "a.csv"


@pytest.fixture
def material(tmp_path):
    found = Material(tmp_path / "crawl")
    found.keep(CSV, BODY)
    found.pages = [Page(SEED, "Home", "2026-01-01T00:00:00Z")]
    found.record(visited(SEED), collected(CSV, len(BODY)), collected(SEED + "lost.csv", 99))
    return found


@pytest.mark.parametrize(
    ("export", "counts"),
    [
        (export_warc, {"records": 3, "whole files": 1}),
        (export_wacz, {"records": 3, "whole files": 1, "pages": 1}),
    ],
)
def test_the_outcome_counts_what_was_written(material, tmp_path, export, counts):
    outcome = material.export(export, tmp_path / "out")
    assert (outcome.path, outcome.written, outcome.left_out) == (tmp_path / "out", counts, 0)


def test_what_is_left_out_is_counted(material, tmp_path):
    (material.folder / "files/www.site.example/a.csv").unlink()
    assert material.export(export_warc, tmp_path / "out").left_out == 1
    assert any("a.csv" in line for line in material.told)


def test_links_out_of_the_folder_are_not_followed(material, tmp_path):
    """A path or a symbolic link that leads outside brings nothing in."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (material.folder / "files/link.csv").symlink_to(secret)
    crawled = material.crawled
    assert crawled.file("link.csv") is None
    assert crawled.file("../../secret") is None
    assert crawled.file("www.site.example") is None
    assert crawled.file("a\0b") is None


def test_nothing_half_written_stays(material, tmp_path, monkeypatch):
    """An export that fails leaves neither the file nor a draft, and keeps the one before."""
    to = tmp_path / "out.warc.gz"
    material.export(export_warc, to)
    before = to.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("datahound.archive.export.warc.WarcWriter.put_file", full)
    with pytest.raises(StorageError, match="No space left"):
        material.export(export_warc, to)
    assert to.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


@pytest.mark.parametrize("export", [export_warc, export_wacz])
def test_what_is_not_ours_stays(material, tmp_path, export):
    """A file of somebody else's is refused, one of ours is replaced, --force means it."""
    to = tmp_path / "out.file"
    to.write_text("a letter")
    with pytest.raises(UserError, match="--force"):
        material.export(export, to)
    assert to.read_text() == "a letter"
    material.export(export, to, force=True)
    material.export(export, to)
    with pytest.raises(UserError, match="is a folder"):
        material.export(export, tmp_path)
