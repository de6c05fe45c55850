"""Objects in a bucket and in a folder keep the same rules."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from datahound.errors import UserError
from datahound.remote.objects import RemoteError, open_objects, shorten_mark
from datahound.runs.options import make_options


@pytest.fixture(params=["folder", "bucket"])
def place(request, tmp_path):
    if request.param == "folder":
        return str(tmp_path / "objects")
    return request.getfixturevalue("bucket")[0]


def test_what_was_put_is_there(place, tmp_path):
    """Bytes and files of any size come back as they were; what is not there is not."""
    objects = open_objects(place)
    large = tmp_path / "large"
    large.write_bytes(bytes(range(256)) * 40_000)
    objects.put("files/a b/ä.csv", b"1")
    objects.put("files/large", large)
    assert objects.get("files/a b/ä.csv").data == b"1"
    assert objects.get("files/none") is None
    assert objects.fetch("files/large", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == large.read_bytes()
    assert not objects.fetch("files/none", tmp_path / "none")
    assert dict(objects.list("files/")) == {"files/a b/ä.csv": 1, "files/large": 10_240_000}
    objects.delete("files/large")
    objects.delete("files/large")
    assert dict(objects.list("files/l")) == {}


def test_only_one_creates(place):
    """Of several that create an object at the same time, one does, and its bytes stay."""
    objects = open_objects(place)
    with ThreadPoolExecutor(8) as pool:
        marks = list(pool.map(lambda n: objects.create("lease", b"%d" % n), range(8)))
    (winner,) = [number for number, mark in enumerate(marks) if mark]
    assert objects.get("lease").data == b"%d" % winner


def test_only_what_was_read_is_replaced(place):
    """A replacement needs the mark of what is there now: no writer overwrites another unseen."""
    objects = open_objects(place)
    first = objects.create("lease", b"first")
    second = objects.replace("lease", b"second", first)
    assert second
    assert objects.replace("lease", b"late", first) is None
    assert objects.get("lease").data == b"second"
    assert objects.get("lease").mark == second
    with ThreadPoolExecutor(8) as pool:
        marks = list(pool.map(lambda n: objects.replace("lease", b"%d" % n, second), range(8)))
    assert sum(mark is not None for mark in marks) == 1


def test_a_list_has_the_mark_of_every_object(place):
    """The same as after a read or a write, so that a change is seen without a read."""
    objects = open_objects(place)
    first = objects.create("groups/a", b"1")
    objects.put("groups/b", b"2")
    marks = dict(objects.list_marks("groups/"))
    assert marks == {
        "groups/a": shorten_mark(first),
        "groups/b": shorten_mark(objects.get("groups/b").mark),
    }
    assert objects.replace("groups/a", b"3", first)
    assert dict(objects.list_marks("groups/"))["groups/a"] != marks["groups/a"]


def test_an_object_that_goes_away_meanwhile_is_not_listed(tmp_path):
    """Another worker may end between the names of a folder and their sizes."""
    objects = open_objects(str(tmp_path))
    for name in ("a", "b"):
        objects.put(f"workers/{name}", b"1")
    listed = objects.list("workers/")
    assert next(listed) == ("workers/a", 1)
    objects.delete("workers/b")
    assert list(listed) == []


def test_a_folder_that_fails_later_is_trouble_with_the_store(tmp_path):
    """Its disk may have room again: nothing is wrong with what the user gave."""
    objects = open_objects(str(tmp_path))
    objects.put("a", b"1")
    for use in (lambda: objects.put("a/b", b"2"), lambda: objects.get(".")):
        with pytest.raises(RemoteError, match="can't be"):
            use()


def test_a_file_and_no_place_at_all_are_bad_input(tmp_path):
    """Without a word, the folder of now would be the store."""
    (tmp_path / "file").write_text("x")
    for place, why in ((str(tmp_path / "file"), "is a file"), ("", "a place is missing")):
        with pytest.raises(UserError, match=why):
            open_objects(place)


def test_errors_of_a_server_are_tried_again(bucket):
    """Every third request failing costs nothing: not even a conditional write."""
    place, day = bucket
    objects = open_objects(place)
    day.fail_every = 3
    mark = objects.create("lease", b"0")
    for number in range(1, 8):
        mark = objects.replace("lease", b"%d" % number, mark)
        assert mark
    assert objects.get("lease").data == b"7"
    assert day.failures > 2


@pytest.mark.parametrize("place", ["ftp://example.org/x", "s3://", "gs:///"])
def test_a_place_that_is_none_is_bad_input(place):
    """The line names what can be given; as the output of a crawl, too."""
    for use in (open_objects, lambda text: make_options("a.example", {"output": text})):
        with pytest.raises(UserError, match=r"s3://|bucket"):
            use(place)


def write_put(objects):
    objects.put("a", b"1")


def write_create(objects):
    objects.create("a", b"1")


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("write", [write_put, write_create])
def test_a_bucket_that_is_not_there_is_said(write):
    """It is not another process that has written there."""
    with pytest.raises(UserError, match=r"^s3://no-such-bucket/x: there is no bucket 'no-such-b"):
        write(open_objects("s3://no-such-bucket/x"))


@pytest.mark.usefixtures("bucket")
def test_a_server_that_is_gone_is_one_line(monkeypatch):
    """Without the insides of a library."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(RemoteError) as error:
        open_objects("s3://bucket/x").get("a")
    assert str(error.value) == "s3://bucket/x: GET http://127.0.0.1:9/bucket/x/a: can't be reached"


def test_what_an_object_was_replaced_by_is_gone(place):
    """An object that was deleted meanwhile is not replaced."""
    objects = open_objects(place)
    mark = objects.create("lease", b"1")
    objects.delete("lease")
    assert objects.replace("lease", b"2", mark) is None
