"""The manifest of a shipped folder: replaced under a condition, by one process at a time."""

import json

import pytest

from datahound.errors import UserError
from datahound.remote.manifest import (
    MANIFEST,
    Manifest,
    Piece,
    Shipped,
    TakenOver,
    read_manifest,
    take_over,
    write_manifest,
)
from datahound.remote.objects import open_objects


@pytest.fixture
def objects(tmp_path):
    return open_objects(str(tmp_path / "store"))


WHOLE = Manifest(
    epoch=3,
    writer="machine 1",
    documents={"crawl.db": Piece("state/a/crawl.db", 10, "a" * 64)},
    journals={"pages/site.warc.gz": (Piece("pages/1", 5, "b" * 64), Piece("pages/2", 6, "c" * 64))},
)


def test_nothing_shipped_is_an_empty_manifest(objects):
    assert read_manifest(objects) == Shipped(Manifest(), "")


def test_what_was_written_is_read(objects):
    written = write_manifest(objects, Shipped(Manifest()), WHOLE)
    found = read_manifest(objects)
    assert found.manifest == WHOLE
    assert found.mark == written.mark != ""
    assert WHOLE.keys() == {"state/a/crawl.db", "pages/1", "pages/2"}


def test_folders_of_one_store_have_their_own(objects):
    write_manifest(objects, Shipped(Manifest()), WHOLE, "a.example/")
    assert read_manifest(objects, "a.example/").manifest == WHOLE
    assert read_manifest(objects, "b.example/").manifest == Manifest()
    assert read_manifest(objects).manifest == Manifest()


def test_only_what_was_read_is_replaced(objects):
    first = write_manifest(objects, Shipped(Manifest()), WHOLE)
    second = write_manifest(objects, first, Manifest(epoch=4))
    with pytest.raises(TakenOver, match="another process"):
        write_manifest(objects, first, Manifest(epoch=9))
    with pytest.raises(TakenOver):
        write_manifest(objects, Shipped(Manifest()), Manifest(epoch=9))
    assert read_manifest(objects) == second


def test_to_take_over_refuses_whoever_shipped_before(objects):
    ours = take_over(objects, "machine 1")
    ours = write_manifest(objects, ours, WHOLE)
    theirs = take_over(objects, "machine 2")
    assert theirs.manifest.epoch == WHOLE.epoch + 1
    assert theirs.manifest.writer == "machine 2"
    assert theirs.manifest.documents == WHOLE.documents
    with pytest.raises(TakenOver):
        write_manifest(objects, ours, WHOLE)
    assert read_manifest(objects) == theirs


def damage(change):
    """The manifest as JSON, with a change."""
    fields = json.loads(WHOLE.encode())
    change(fields)
    return json.dumps(fields).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"null",
        b'"text"',
        damage(lambda fields: fields.pop("format")),
        damage(lambda fields: fields.update(format=99)),
        damage(lambda fields: fields.pop("documents")),
        damage(lambda fields: fields.update(documents=[1])),
        damage(lambda fields: fields.update(more=1)),
        damage(lambda fields: fields["documents"]["crawl.db"].pop("size")),
        damage(lambda fields: fields["journals"].update(a=5)),
    ],
)
def test_what_is_no_manifest_is_one_line(objects, data):
    objects.put(MANIFEST, data)
    with pytest.raises(UserError, match=r"manifest\.json: is not of a crawl folder"):
        read_manifest(objects)
