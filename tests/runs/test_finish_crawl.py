"""A crawl leaves its catalogue and its report, from Python as from the command."""

import asyncio

import pytest
import websites
from websites import Website, data, page

from datahound.api import crawl_blocking
from datahound.archive import open_archive
from datahound.archive.server import serve_archive
from datahound.cli import run
from datahound.errors import Unreachable
from datahound.events import Stop
from datahound.report.phrases import Cause
from datahound.runs import finish
from datahound.runs.finish import finish_crawl, finish_crawls, replay_breadth_first, report_crawl
from datahound.runs.options import make_options
from datahound.runs.outcome import BAD_INPUT, Ended, as_planned, interrupted
from datahound.runs.run import Run

MANNERS = {"delay": "0", "ignore-robots": True}


def small_site():
    return Website(
        {
            "/": page("/a.html", "/x.csv"),
            "/a.html": page("/1.csv"),
            "/x.csv": data(b"year,pupils\n2019,5\n2020,6\n"),
            "/1.csv": data(b"year,pupils\n2021,5\n2022,6\n"),
        }
    )


def files_in(folder):
    """Every file of a crawl's folder; what SQLite keeps beside a database comes and goes."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(str(path) for path in found if not path.name.endswith(("-wal", "-shm")))


def crawl_demo(output, **given):
    """Crawl a small built-in site over loopback; its options and why it ended."""

    async def go():
        archive = open_archive("synthetic:demo?pages=120&targets=40")
        async with serve_archive(archive) as served:
            address = served.address.removeprefix("http://")
            asked = {"output": str(output), "delay": "0", "connect-to": address, **given}
            options = make_options(archive.seed, asked)
            return options, await Run(options).go()

    return asyncio.run(go())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    output = tmp_path_factory.mktemp("whole") / "site"
    options, ended = crawl_demo(output, **{"list-only": True, "early-stop": False})
    return options, ended


def test_python_leaves_the_folder_of_the_command(tmp_path):
    """The same files in both folders: list, catalogue and report too."""
    with websites.served_in_thread(small_site()) as address:
        asked = ["--delay", "0", "--ignore-robots", "--connect-to", address]
        assert run(["crawl", websites.SEED, "--output", str(tmp_path / "command"), *asked]) == 0
        manners = {"delay": 0, "ignore_robots": True, "connect_to": address}
        list(crawl_blocking(websites.SEED, output=tmp_path / "python", **manners))
    found = files_in(tmp_path / "python")
    assert found == files_in(tmp_path / "command")
    assert {"datasets.csv", "catalog.db", "report.html", "crawl.db"} <= set(found)


def test_a_caller_who_stops_gets_a_report_and_no_catalogue(tmp_path):
    """As after Ctrl-C: a catalogue may take minutes."""
    many = {f"/{n}.csv": data(b"a,%d\n" % n) for n in range(60)}
    site = Website({"/": page(*many), **many})
    with websites.served_in_thread(site) as address:
        manners = {"delay": 0.05, "ignore_robots": True, "connect_to": address}
        for _ in crawl_blocking(websites.SEED, output=tmp_path / "x", **manners):
            break
    found = files_in(tmp_path / "x")
    assert "report.html" in found
    assert "catalog.db" not in found


def test_a_start_page_that_is_gone_has_a_report(tmp_path):
    """The error is raised after the report is written."""
    with websites.served_in_thread(Website({"/": websites.error(404)})) as address:
        manners = {"delay": 0, "ignore_robots": True, "connect_to": address}
        with pytest.raises(Unreachable, match="start page"):
            list(crawl_blocking(websites.SEED, output=tmp_path / "x", **manners))
    assert (tmp_path / "x" / "report.html").exists()


@pytest.mark.parametrize("step", ["update", "write_report"])
@pytest.mark.parametrize("error", [ValueError("odd\nfile"), MemoryError()])
def test_a_fault_in_a_step_costs_one_line(whole, monkeypatch, caplog, step, error):
    """Neither the crawl nor the other step is lost."""

    def fail(*_, **__):
        raise error

    options, ended = whole
    monkeypatch.setattr(finish, step, fail)
    (options.output / "report.html").unlink(missing_ok=True)
    with_files = make_options(options.url, {"output": str(options.output)})
    finish_crawl(with_files, ended)
    name = {"update": "catalogue", "write_report": "report"}[step]
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith(f"no {name}: a fault in Datahound: {type(error).__name__}")
    assert "\n" not in caplog.messages[0]
    assert (options.output / "report.html").exists() == (step == "update")


def test_steps_depend_on_how_the_crawl_ended(whole, tmp_path):
    """Bad input gets neither, an interrupted or listing crawl no catalogue."""
    options, _ = whole
    with_files = make_options(options.url, {"output": str(options.output)})
    catalogued, complaints = [], []

    def go(options, ended, catalogue=catalogued.append):
        (options.output / "report.html").unlink(missing_ok=True)
        catalogued.clear()
        finish_crawls([(options, ended)], catalogue=catalogue, complain=complaints.append)
        return len(catalogued), (options.output / "report.html").exists()

    planned = as_planned(Stop.EXHAUSTED)
    assert go(with_files, planned) == (1, True)
    assert go(with_files, planned, catalogue=None) == (0, True)
    assert go(with_files, interrupted()) == (0, True)
    assert go(options, planned) == (0, True)
    assert go(with_files, Ended(Cause.BAD_INPUT, "another seed", BAD_INPUT)) == (0, False)
    nowhere = make_options(options.url, {"output": str(tmp_path / "nowhere")})
    assert go(nowhere, planned) == (0, False)
    assert not complaints


def test_a_broken_folder_costs_a_line_and_no_other_report(whole, tmp_path):
    """Each folder is finished by itself."""
    options, ended = whole
    (options.output / "report.html").unlink(missing_ok=True)
    (tmp_path / "crawl.db").write_text("no database at all, whatever it is called")
    broken = make_options(options.url, {"output": str(tmp_path)})
    complaints = []
    pairs = [(broken, ended), (options, ended)]
    finish_crawls(pairs, catalogue=None, complain=complaints.append)
    assert (options.output / "report.html").exists()
    assert len(complaints) == 1


def test_breadth_first_order_finds_as_many(whole):
    """The journal answers all fetches of a breadth-first crawl; without time there is none."""
    folder = whole[0].output
    found = replay_breadth_first(folder, 60)
    assert len(found) == 40
    assert found == sorted(found)
    assert replay_breadth_first(folder, 0) is None


def test_a_crawl_cut_short_is_not_compared(tmp_path):
    """Breadth-first order would ask for pages that the journal does not have."""
    crawl_demo(tmp_path / "site", budget="60", **{"list-only": True})
    assert replay_breadth_first(tmp_path / "site", 60) is None
    assert report_crawl(tmp_path / "site") == tmp_path / "site" / "report.html"
