"""A crawl folder in object storage: resumed elsewhere after a kill between any two uploads."""

import asyncio
import hashlib
import shutil
from contextlib import nullcontext
from dataclasses import replace

import pytest
from websites import SEED, Website, data, page

from datahound.cli import run as run_command
from datahound.remote.manifest import TakenOver, read_manifest, take_over
from datahound.remote.objects import FolderObjects, open_objects
from datahound.remote.pull import pull_folder
from datahound.remote.ship import FolderShipper
from datahound.runs import finish_crawl, go_shipped, ship_ended
from datahound.runs.options import make_options
from datahound.runs.run import Run

FILES = {f"/{n}.csv": data(b"year,people\n" + b"%d,7\n" % (1900 + n) * 30) for n in range(24)}
PATHS = {
    "/": page("/p0", "/p1", "/p2", "/p3"),
    **{f"/p{n}": page(*list(FILES)[6 * n : 6 * n + 6]) for n in range(4)},
    **FILES,
}
REQUESTS = len(PATHS) + 1
"""Every page and file, and robots.txt."""


class Killed(BaseException):
    """The process is gone: nothing that it would do next is done."""


class KilledAt:
    """Objects whose writer is killed before a write, as counted from the first."""

    def __init__(self, objects, kill_at=None):
        self._objects = objects
        self._kill_at = kill_at
        self.writes = 0

    def __getattr__(self, name):
        method = getattr(self._objects, name)
        return self._counted(method) if name in ("put", "create", "replace", "delete") else method

    def _counted(self, method):
        def write(*given):
            self.writes += 1
            if self.writes == self._kill_at:
                raise Killed
            return method(*given)

        return write


def crawl(folder, site, going=Run.go, *, stop_after=None, **given):
    """Crawl the site; `stop_after` so many requests."""

    def watch(run, _events):
        if stop_after is not None and run.crawl.tally.requests >= stop_after:
            run.stop()

    async def go():
        async with site.served() as address:
            given.setdefault("connect-to", address)
            options = make_options(SEED, {"delay": 0, "seed": 1, **given})
            options = replace(options, output=folder)
            run = Run(options, watch=watch, checkpoint_seconds=0.0)
            return await going(run), run

    return asyncio.run(go())


def contents(folder):
    """The bytes of everything that belongs to a crawl, by path."""
    passing = (".lock", ".remote", ".index", "-wal", "-shm")
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(passing) and not path.name.startswith(".")
    }


def assert_no_more_is_asked(stopped, here, elsewhere, between=()):
    """Another machine asks for what this one does, each URL once.

    What was asked for `between` need not be asked again.

    Besides, for the files that were coming when the crawl was stopped: what came of them lies in
    parts on this machine, which are not shipped.
    """
    asked = {(exchange.host, exchange.path) for exchange in here.asked}
    more = {(exchange.host, exchange.path) for exchange in elsewhere.asked}
    assert len(more) == len(elsewhere.asked)
    assert asked <= more | {(exchange.host, exchange.path) for exchange in between}
    assert len(more - asked) <= len(list(stopped.rglob("*.part")))


def kept_files(folder):
    return sorted((folder / "files").rglob("*.csv"))


def ship(folder, objects, *, ended=False):
    shipper = FolderShipper(folder, objects, take_over(objects, "test"))
    shipper.ship(ended=ended)
    return shipper


@pytest.fixture(scope="module")
def half(tmp_path_factory):
    """The folder of a crawl that was stopped half-way, and what its site was asked for."""
    folder = tmp_path_factory.mktemp("half") / "crawl"
    site = Website(PATHS)
    crawl(folder, site, stop_after=24)
    return folder, len(site.asked)


def count_writes(folder, tmp_path):
    objects = KilledAt(FolderObjects(tmp_path / "count"))
    ship(folder, objects)
    return objects.writes


def test_a_kill_between_any_two_uploads_loses_nothing(half, tmp_path):
    """Another machine goes on from the last whole shipment, and ends with every file."""
    folder, _ = half
    writes = count_writes(folder, tmp_path)
    assert writes > 10
    shutil.copytree(folder, tmp_path / "here")
    here = Website(PATHS)
    crawl(tmp_path / "here", here)
    for kill_at in (*range(2, writes, 3), writes, writes + 1):
        place = tmp_path / f"objects-{kill_at}"
        with pytest.raises(Killed) if kill_at <= writes else nullcontext():
            ship(folder, KilledAt(FolderObjects(place), kill_at))
        elsewhere = tmp_path / f"elsewhere-{kill_at}"
        shipped = pull_folder(FolderObjects(place), elsewhere)
        assert shipped == (kill_at > writes)
        site = Website(PATHS)
        ended, _ = crawl(elsewhere, site)
        assert ended.status == 0
        assert len(kept_files(elsewhere)) == len(FILES)
    assert_no_more_is_asked(folder, here, site)
    assert len(site.asked) < REQUESTS


def test_later_kills_keep_the_earlier_shipment(half, tmp_path):
    """A second shipment that is killed anywhere leaves the first as it was."""
    folder, _ = half
    first = FolderObjects(tmp_path / "objects")
    ship(folder, first)
    before = tmp_path / "before"
    pull_folder(first, before)
    elsewhere = tmp_path / "more"
    pull_folder(first, elsewhere)
    crawl(elsewhere, Website(PATHS))
    kill_at = 1
    while True:
        kill_at += 1
        try:
            ship(elsewhere, KilledAt(first, kill_at))
        except Killed:
            again = tmp_path / f"again-{kill_at}"
            pull_folder(first, again)
            found = contents(again)
            # Killed while it removed what the new shipment replaces: the new one is whole. Its
            # database is a copy, which is not equal byte by byte.
            other = {name for name, _ in contents(elsewhere).items() ^ found.items()}
            assert found.items() >= contents(before).items() or other <= {"crawl.db"}
            continue
        break
    assert kill_at > 3


def test_the_folder_rebuilt_equals_the_local_one(bucket, tmp_path):
    """With a server that fails every seventh request and is slow: equal by SHA-256, all of it."""
    place, day = bucket
    day.fail_every, day.wait_every = 7, 5
    folder = tmp_path / "local"
    ended, run = crawl(folder, Website(PATHS), go_shipped, output=place)
    assert ended.status == 0
    finish_crawl(run.options, ended)
    complaints = []
    assert ship_ended([run.options], complaints.append)[1], complaints
    assert day.failures
    day.fail_every = day.wait_every = 0
    assert pull_folder(open_objects(place), tmp_path / "rebuilt")
    assert contents(tmp_path / "rebuilt") == contents(folder)
    assert {"crawl.db", "catalog.db", "datasets.csv", "report.html"} <= contents(folder).keys()


def test_the_crawl_goes_on_on_another_machine(bucket, tmp_path):
    """The same command with an empty disk goes on from the bucket, and repeats little."""
    place, _ = bucket
    first = Website(PATHS)
    crawl(tmp_path / "one", first, go_shipped, output=place, stop_after=14)
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    shutil.copytree(tmp_path / "one", tmp_path / "stopped")
    here = Website(PATHS)
    crawl(tmp_path / "copy", here)
    again = Website(PATHS)
    options = crawl(tmp_path / "one", again, go_shipped, output=place, budget=1)[1].options
    assert ship_ended([options], print) == ([place], True)
    second = Website(PATHS)
    ended, _ = crawl(tmp_path / "two", second, go_shipped, output=place)
    assert ended.status == 0
    assert len(kept_files(tmp_path / "two")) == len(FILES)
    assert_no_more_is_asked(tmp_path / "stopped", here, second, again.asked)


def test_a_process_that_was_replaced_ships_nothing(half, tmp_path):
    """Whoever took the folder over is safe from a process that comes back."""
    folder, _ = half
    objects = FolderObjects(tmp_path / "objects")
    old = ship(folder, objects)
    successor = take_over(objects, "successor")
    (folder / "datasets.csv").write_text("changed by the one that was replaced")
    with pytest.raises(TakenOver):
        old.ship(ended=True)
    assert read_manifest(objects) == successor


class GrowsMeanwhile:
    """Objects to which a list is sent while the crawl adds to it."""

    def __init__(self, objects, path):
        self._objects = objects
        self._path = path

    def __getattr__(self, name):
        return getattr(self._objects, name)

    def put(self, key, what):
        with self._path.open("a") as file:
            file.write("one more row\n")
        self._objects.put(key, what)


def test_a_list_that_grows_on_its_way_is_shipped_whole(half, tmp_path):
    """What the manifest says of a document is true of the object, so that it can be fetched."""
    folder = tmp_path / "crawl"
    shutil.copytree(half[0], folder)
    objects = FolderObjects(tmp_path / "objects")
    ship(folder, GrowsMeanwhile(objects, folder / "datasets.csv"))
    assert pull_folder(objects, tmp_path / "pulled")


def test_a_manifest_names_no_place_outside_the_folder(half, tmp_path):
    """A manifest comes from elsewhere: it can't make files anywhere else."""
    folder, _ = half
    objects = FolderObjects(tmp_path / "objects")
    ship(folder, objects)
    stored = objects.get("manifest.json")
    objects.put("manifest.json", stored.data.replace(b'"crawl.db"', b'"../crawl.db"'))
    with pytest.raises(Exception, match="outside"):
        pull_folder(objects, tmp_path / "victim")
    assert not (tmp_path / "crawl.db").exists()


@pytest.mark.usefixtures("bucket")
def test_a_crawl_into_a_bucket_that_is_not_there_is_a_mistake(tmp_path, monkeypatch, capsys):
    """One line, before anything is asked for; nothing is said to be shipped."""
    monkeypatch.chdir(tmp_path)
    assert run_command(["crawl", "https://a.example", "--output", "s3://nobucket/x"]) == 2
    said = capsys.readouterr()
    assert said.err == "datahound: s3://nobucket/x: there is no bucket 'nobucket'\n"
    assert not said.out
    assert not list(tmp_path.iterdir())
