"""A shipped folder fetched again: only what differs, nothing damaged, nothing outside."""

import hashlib

import pytest

from datahound.errors import UserError
from datahound.remote.local_copy import find_cache_folder, find_local
from datahound.remote.manifest import Manifest, Piece, Shipped, write_manifest
from datahound.remote.objects import FolderObjects, RemoteError
from datahound.remote.pull import pull_folder


class Counted(FolderObjects):
    """Object storage in a folder that notes what was fetched."""

    def __init__(self, path):
        super().__init__(path)
        self.fetched = []

    def fetch(self, key, path):
        self.fetched.append(key)
        return super().fetch(key, path)

    def get(self, key):
        self.fetched.append(key)
        return super().get(key)


def piece(objects, key, data):
    objects.put(key, data)
    return Piece(key, len(data), hashlib.sha256(data).hexdigest())


@pytest.fixture
def store(tmp_path):
    """A crawl with a list, a journal in two parts and two data files."""
    objects = Counted(tmp_path / "store")
    documents = {"datasets.csv": piece(objects, "d/1", b"url\n"),
                 "crawl.db": piece(objects, "d/2", b"a database")}  # fmt: skip
    parts = (piece(objects, "j/1", b"first,"), piece(objects, "j/2", b"second"))
    for name in ("a.csv", "b/c.csv"):
        objects.put(f"files/{name}", name.encode())
    manifest = Manifest(documents=documents, journals={"pages/a.warc": parts})
    write_manifest(objects, Shipped(Manifest()), manifest)
    objects.fetched.clear()
    return objects


def written(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


WHOLE = {
    "datasets.csv": b"url\n",
    "crawl.db": b"a database",
    "pages/a.warc": b"first,second",
    "files/a.csv": b"a.csv",
    "files/b/c.csv": b"b/c.csv",
}


def test_a_folder_is_made_as_it_was_shipped(store, tmp_path):
    done = []
    assert pull_folder(store, tmp_path / "copy", advance=done.append)
    assert written(tmp_path / "copy") == WHOLE
    assert done == [1, 2]


def test_without_files_the_databases_and_lists_come(store, tmp_path):
    assert pull_folder(store, tmp_path / "copy", files=False)
    assert written(tmp_path / "copy").keys() == {"datasets.csv", "crawl.db"}


def test_what_has_not_changed_is_not_fetched_again(store, tmp_path):
    pull_folder(store, tmp_path / "copy")
    store.fetched.clear()
    pull_folder(store, tmp_path / "copy")
    assert store.fetched == ["manifest.json"]


@pytest.mark.parametrize(
    ("name", "key"),
    [("datasets.csv", "d/1"), ("pages/a.warc", "j/1"), ("files/b/c.csv", "files/b/c.csv")],
)
def test_what_was_changed_here_is_fetched_again(store, tmp_path, name, key):
    pull_folder(store, tmp_path / "copy")
    (tmp_path / "copy" / name).write_bytes(b"of another size")
    store.fetched.clear()
    pull_folder(store, tmp_path / "copy")
    assert key in store.fetched
    assert written(tmp_path / "copy") == WHOLE


def test_a_database_that_is_replaced_loses_its_log(store, tmp_path):
    """The log of another database would be applied to the new one."""
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "crawl.db").write_bytes(b"older")
    for side in ("-wal", "-shm"):
        (copy / f"crawl.db{side}").write_bytes(b"log")
    pull_folder(store, copy)
    assert written(copy) == WHOLE


@pytest.mark.parametrize(("key", "name"), [("d/1", "datasets.csv"), ("j/2", "pages/a.warc")])
@pytest.mark.parametrize("data", [b"something else", None])
def test_what_is_missing_or_damaged_is_never_left_behind(store, tmp_path, key, name, data):
    store.delete(key) if data is None else store.put(key, data)
    with pytest.raises(RemoteError, match=f"{key}: is missing or damaged; pull again"):
        pull_folder(store, tmp_path / "copy")
    assert name not in written(tmp_path / "copy")


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "a/../../outside"])
@pytest.mark.parametrize("kind", ["documents", "journals"])
def test_nothing_is_written_outside_the_folder(tmp_path, name, kind):
    """A manifest comes from elsewhere."""
    objects = FolderObjects(tmp_path / "store")
    made = piece(objects, "x", b"data")
    documents = {"datasets.csv": piece(objects, "d", b"url\n")}
    journals = {}
    if kind == "documents":
        documents[name] = made
    else:
        journals[name] = (made,)
    manifest = Manifest(documents=documents, journals=journals)
    write_manifest(objects, Shipped(Manifest()), manifest)
    with pytest.raises(UserError, match="is outside the folder"):
        pull_folder(objects, tmp_path / "a" / "b" / "copy")
    assert not list(tmp_path.rglob("outside"))


def test_where_nothing_was_shipped_nothing_is_made(tmp_path):
    assert not pull_folder(FolderObjects(tmp_path / "store"), tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_folder_of_this_machine_is_read_in_its_place(tmp_path):
    assert find_local(tmp_path) == tmp_path
    assert find_local(tmp_path / "nowhere") == tmp_path / "nowhere"


def test_two_places_have_two_copies(tmp_path, monkeypatch):
    """Below the cache folder of the user, also where their names look alike."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first, second = find_cache_folder("s3://bucket/a"), find_cache_folder("s3://bucket/a/")
    assert first != second
    assert first == find_cache_folder("s3://bucket/a")
    assert first.is_relative_to(tmp_path / "datahound")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert find_cache_folder("s3://x").is_relative_to(tmp_path / "home" / ".cache")
