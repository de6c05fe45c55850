"""Sandboxed workers: limits, deaths, and the next job."""

import json
import os
import signal
import subprocess
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from catalog_files import FIGURES, catalogue, keep
from export_material import SEED, Material, delimited

from datahound import sandbox as workers
from datahound.catalog.catalog import Catalog
from datahound.catalog.exports.tables import Exported, TableWorker
from datahound.catalog.readers.task import Limits, Unreadable
from datahound.errors import StorageError
from datahound.sandbox import Failure, Job, OutOfTime, Workers


def fate(payload, scratch):
    """What a worker of these tests does with a payload."""
    match payload:
        case "exit":
            os._exit(3)
        case "abort":
            os.abort()
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "hoard":
            bytearray(1 << 40)
        case "fill":
            (scratch / "large").write_bytes(bytes(2 << 20))
        case "sleep":
            time.sleep(60)
        case "ignore":
            while True:
                try:
                    time.sleep(60)
                except OutOfTime:
                    signal.signal(signal.SIGALRM, signal.SIG_IGN)
        case "catch":
            try:
                time.sleep(60)
            except OutOfTime:
                return {"late": True}
        case "print":
            os.write(1, b"noise")
            print("noise")
        case "scratch":
            (scratch / "file").write_text("x")
            with tempfile.NamedTemporaryFile() as file:
                return {"empty": len(list(scratch.iterdir())) == 2, "in": file.name}
    return {"pid": os.getpid(), "payload": payload}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs payloads, one after the other, in workers of this module."""
    path = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))

    def run_all(*payloads, count=1, **limits):
        spend = {"seconds": 20.0, "memory_bytes": 1 << 30} | limits
        jobs = [Job(number, payload, **spend) for number, payload in enumerate(payloads)]
        with Workers(f"{__name__}:fate", tmp_path / "scratch", count) as pool:
            found = {job.key: answer for job, answer in pool.run_all(jobs)}
        assert not list((tmp_path / "scratch").glob("*"))
        return [found[number] for number in range(len(payloads))]

    return run_all


def test_one_worker_answers_many_jobs(run):
    """In one process, until it has done its share."""
    answers = run(*range(5))
    assert [answer["payload"] for answer in answers] == list(range(5))
    assert len({answer["pid"] for answer in answers}) == 1


def test_a_worker_is_replaced_after_its_share(run, monkeypatch):
    """Libraries leak."""
    monkeypatch.setattr(workers, "_JOBS_PER_WORKER", 2)
    assert len({answer["pid"] for answer in run(*range(5))}) == 3


def test_several_workers_share_the_jobs(run):
    """No more of them than asked for."""
    assert 1 <= len({answer["pid"] for answer in run(*range(20), count=2)}) <= 2


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("exit", "breaks its reader"),
        ("abort", "needs more memory than is allowed, or breaks its reader"),
        ("crash", "breaks its reader (it crashed)"),
        ("kill", "its reader was killed, as if out of memory"),
        ("hoard", "breaks its reader"),
    ],
)
def test_a_death_costs_one_job(run, payload, reason):
    """The reason is named, and the next job has a new worker."""
    before, death, after = run("a", payload, "b")
    assert death == Failure(reason)
    assert (before["payload"], after["payload"]) == ("a", "b")
    assert before["pid"] != after["pid"]


def test_a_file_that_grows_too_large_is_refused(run):
    """By the operating system, for as long as the job has that limit."""
    (death,) = run("fill", file_bytes=1 << 20)
    assert isinstance(death, Failure)
    (answer,) = run("fill", file_bytes=4 << 20)
    assert answer["payload"] == "fill"


def test_the_seconds_of_a_job_end_it(run):
    """By an exception that the handler may catch."""
    assert run("catch", seconds=0.3) == [{"late": True}]


def test_code_that_never_returns_is_killed(run, monkeypatch):
    """By the second alarm, or by the parent."""
    monkeypatch.setattr(workers, "_PARENT_SECONDS", 1.0)
    begun = time.monotonic()
    slow, after = run("ignore", "a", seconds=0.5)
    assert slow == Failure("took longer than 0 s", too_slow=True)
    assert after["payload"] == "a"
    assert time.monotonic() - begun < 15


def test_what_libraries_print_does_not_reach_the_answers(run):
    """Neither through Python nor past it."""
    assert run("print")[0]["payload"] == "print"


def test_the_scratch_folder_is_empty_for_every_job(run):
    """Temporary files go there, too."""
    one, two = run("scratch", "scratch")
    assert one["empty"]
    assert two["empty"]
    assert "/scratch/worker-1/" in one["in"]


def test_an_answer_that_is_too_long_ends_its_worker(run, monkeypatch):
    """Memory of the parent is limited, too."""
    monkeypatch.setattr(workers, "_MAX_ANSWER_BYTES", 1 << 20)
    long, after = run("x" * (8 << 20), "a")
    assert long == Failure("the answer of its reader is too large")
    assert after["payload"] == "a"


def test_answers_are_not_unpickled():
    """A worker that was taken over must not run code in its parent."""
    assert workers._parse_answer(b"cos\nsystem\n(S'true'\ntR.") is None
    assert workers._parse_answer(json.dumps([1]).encode()) is None
    assert workers._parse_answer(b'{"a": 1}\n') == {"a": 1}


def test_a_reader_that_does_not_come_back_in_time_is_called_slow(tmp_path, monkeypatch):
    """It is ended by its own clock, a little later than the looking."""
    code = (
        "import sys; from datahound import sandbox as workers; workers._KILL_FACTOR = 1.0001;"
        "workers.serve(*sys.argv[1:])"
    )
    real = subprocess.Popen
    monkeypatch.setattr(
        subprocess,
        "Popen",
        lambda command, **more: real([command[0], "-c", code, *command[3:]], **more),
    )
    slow = "<html>" + "<table><tr><td>1<td>2<tr><td>3<td>4</table>" * 400_000
    sources = keep(tmp_path, {"slow.html": slow})
    catalogue(tmp_path, sources, limits=Limits(seconds=1.0))
    with Catalog(tmp_path) as catalog:
        assert "took longer than 1 s" in catalog.entry_of(sources[0].url).error


def test_a_crashed_worker_is_replaced(tmp_path, monkeypatch):
    """A library that crashes takes its worker along, and no other file."""
    code = (
        "import os, sys, datahound.catalog.inspect as i\n"
        "from datahound.sandbox import serve\n"
        "inspect = i.inspect_file\n"
        "i.inspect_file = lambda p, t: os.abort() if p.name == 'evil.csv' else inspect(p, t)\n"
        "serve(*sys.argv[1:])\n"
    )
    monkeypatch.setattr(workers, "_SERVE", code)
    sources = keep(tmp_path, {"evil.csv": FIGURES, "good.csv": FIGURES + "East,2021,1,1.5\n"})
    catalogue(tmp_path, sources)
    with Catalog(tmp_path) as catalog:
        assert "reader" in catalog.entry_of(sources[0].url).error
        assert catalog.entry_of(sources[1].url).statistics == 1


@pytest.fixture
def material(tmp_path):
    found = Material(tmp_path / "crawl")
    found.add(SEED + "a.csv", b"a\n1\n", tables=[delimited(["a"], ["integer"], 1)])
    return found


def test_a_reader_that_dies_costs_one_table(material, tmp_path, monkeypatch):
    """A crash in a library, or one that never ends, is one line; the next table is read."""
    monkeypatch.setattr("datahound.catalog.exports.tables._MIN_SECONDS", 8.0)
    here = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(here))
    fates = ("dies", "well", "hoards", "broken", "fault", "fine", "full")
    said = {}
    with TableWorker("export_fates", tmp_path / "scratch") as worker:
        for fate in fates:
            with closing(Catalog(material.folder)) as catalog:
                entry = next(catalog.entries())
                table = replace(catalog.tables(entry.id)[0], place=fate)
            try:
                worker.write(Exported(entry, table, tmp_path, "x", ""), tmp_path / fate)
            except (Unreadable, StorageError) as error:
                said[fate] = f"{type(error).__name__}: {error}"
        monkeypatch.setattr("datahound.catalog.exports.tables._MIN_SECONDS", 0.5)
        hanging = Exported(entry, replace(table, place="hangs"), tmp_path, "x", "")
        with pytest.raises(Unreadable, match="too long"):
            worker.write(hanging, tmp_path / "x")
    assert said == {
        "dies": "Unreadable: breaks its reader, or needs too much memory",
        "hoards": "Unreadable: needs more memory than is allowed",
        "broken": "Unreadable: broken",
        "fault": "Unreadable: could not be written: TypeError",
        "full": "StorageError: no space",
    }
    assert (tmp_path / "well").read_text() == "well"
    assert (tmp_path / "fine").read_text() == "fine"
    assert not (tmp_path / "scratch").exists()
