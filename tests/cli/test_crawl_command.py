"""The commands of a crawl, over loopback HTTP: what they leave, what they say, how they exit."""

import asyncio
import contextlib
import csv
import json
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
import websites
from websites import Website, data, page, redirect

from datahound.api import crawl, crawl_blocking
from datahound.archive import open_archive
from datahound.cli import run, running
from datahound.errors import Unreachable, UserError
from datahound.store.folder import Folder
from datahound.store.writer import Store

SEED = websites.SEED
served = websites.served_in_thread
MAIN = "from datahound.cli import main; main()"


def small_site(**more):
    paths = {
        "/": page("/a.html", "/b.html", "/x.csv", "/logo.png"),
        "/a.html": page("/1.csv", "/2.csv", "https://elsewhere.example/"),
        "/b.html": page("/3.csv", "/a.html"),
        "/1.csv": data(b"a,1\n"),
        "/2.csv": data(b"b,2\n"),
        "/3.csv": data(b"c,3\n"),
        "/x.csv": data(b"x,0\n"),
    }
    return Website({**paths, **more})


def options(address, folder, *more):
    manners = ["--delay", "0", "--connect-to", address, "--ignore-robots"]
    return ["crawl", SEED, "--output", str(folder), *manners, *more]


def test_a_crawl_leaves_files_and_their_list(tmp_path, capsys):
    """Files under their names, a list of where each was found; a last line that says why."""
    with served(small_site()) as address:
        assert run(options(address, tmp_path / "out")) == 0
    out = capsys.readouterr().out
    assert "www.site.example: every link on the site has been followed" in out
    assert "4 files (16 B) without tables, in 7 requests" in out
    for path in ("out", "out/report.html"):
        assert str(tmp_path / path) in out
    assert out.splitlines()[-1] == f"  next      datahound serve {tmp_path / 'out'}"
    with (tmp_path / "out" / "datasets.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["url"]: row for row in csv.DictReader(file)}
    assert len(rows) == 4
    for url, row in rows.items():
        body = (tmp_path / "out" / row["file"]).read_bytes()
        assert len(body) == int(row["bytes"]) == 4
        assert row["title"] == "/" + url.rpartition("/")[2]
        assert row["page_title"] == "A page"
    assert list((tmp_path / "out" / "pages").glob("*.warc.gz"))


def test_the_same_command_again(tmp_path, capsys):
    """A crawl that was stopped goes on; a finished one says so; another one is refused."""
    site = small_site()
    with served(site) as address:
        assert run(options(address, tmp_path, "--budget", "3")) == 0
        assert "larger --budget" in capsys.readouterr().out.splitlines()[-1]
        assert run(options(address, tmp_path)) == 0
        assert "every link on the site has been followed" in capsys.readouterr().out
        count = len(site.asked)
        assert run(options(address, tmp_path)) == 0
        assert "finished before" in capsys.readouterr().out
        assert run(options(address, tmp_path, "--strategy", "bfs")) == 2
        assert "--strategy" in capsys.readouterr().err.splitlines()[-1]
        assert len(site.asked) == count
    asked = [(exchange.method, exchange.path) for exchange in site.asked]
    assert len(asked) == len(set(asked))


def test_events_as_json(tmp_path, capsys):
    """One JSON object a line, the last one the ending."""
    with served(small_site()) as address:
        assert run(options(address, tmp_path, "--json")) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {event["event"] for event in events} >= {"Fetched", "TargetFound", "Visited", "Ended"}
    assert all(event["site"] == SEED for event in events)
    assert events[-1]["status"] == 0


def test_list_only_then_fetch(tmp_path, capsys):
    """A list first, the files later."""
    site = small_site()
    with served(site) as address:
        assert run(options(address, tmp_path, "--list-only")) == 0
        assert not (tmp_path / "files").exists()
        assert run(["status", str(tmp_path)]) == 0
        assert "4 (datahound fetch gets them)" in capsys.readouterr().out
        where = ["--connect-to", address, "--delay", "0", "--ignore-robots"]
        assert run(["fetch", str(tmp_path), *where]) == 0
    assert len(list((tmp_path / "files").rglob("*.csv"))) == 4
    assert run(["status", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["files"]["complete"][0] == 4


def test_the_state_has_whole_addresses_and_says_paused(tmp_path, capsys, monkeypatch):
    """On a narrow terminal, too: options to copy are among them."""
    host = "files.of-the-statistics-office.example"
    site = small_site(**{"/": page("/1.csv", f"https://{host}/x.csv")})
    with served(site) as address:
        assert run(options(address, tmp_path)) == 0
    monkeypatch.setenv("COLUMNS", "50")
    capsys.readouterr()
    assert run(["status", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert f"--allow-host{host} gets" in "".join(line[18:].strip() for line in shown.splitlines())
    store = Store(tmp_path / "crawl.db")
    store.note("now", {"paused": True})
    store.close()
    with Folder(tmp_path).claimed():
        assert run(["status", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("paused\n")


def test_files_are_asked_for_before_their_pages_unless_told_otherwise(tmp_path, capsys):
    """Both ways all files are kept; a folder stays with the way it was begun."""
    site = websites.site_with_companions(40)
    with served(site) as address:
        assert run(options(address, tmp_path / "soon")) == 0
        assert run(options(address, tmp_path / "linked", "--linked-only")) == 0
        assert run(options(address, tmp_path / "linked")) == 2
    assert "another --linked-only (True, not False)" in capsys.readouterr().err
    assert sum(before_page(tmp_path / "soon")) > 25
    assert sum(before_page(tmp_path / "linked")) == 0


def test_settings_by_name_stay_with_the_folder(tmp_path, capsys):
    """What changes the crawl must be the same again; how the web is asked may change."""
    with served(small_site()) as address:
        first = options(address, tmp_path, "--set", "hound.credit=0.3", "--budget", "3")
        assert run(first) == 0
        capsys.readouterr()
        assert run(options(address, tmp_path)) == 2
        said = capsys.readouterr().err.splitlines()[-1]
        assert "another --set (strategy.hound.credit=0.3, not none)" in said
        again = ["--set", "credit=0.3", "--set", "idle_seconds=9", "--set", "downloads.at_once=1"]
        assert run(options(address, tmp_path, *again)) == 0
        assert run(["fetch", str(tmp_path), "--set", "idle_seconds=8"]) == 0
    assert len(list((tmp_path / "files").rglob("*.csv"))) == 4


def before_page(folder):
    """Of each file whether it was asked for before its page."""
    assert len(list((folder / "files").rglob("*.csv"))) == 40
    with contextlib.closing(sqlite3.connect(folder / "crawl.db")) as connection:
        numbers = dict(connection.execute("SELECT url, number FROM request").fetchall())
    files = [url for url in numbers if url.endswith(".csv")]
    return [numbers[url] < numbers[url.replace(".csv", ".html")] for url in files]


def test_many_sites_in_one_process(tmp_path, capsys):
    """Each has its folder and its options; one that can't be fetched does not stop the other."""
    sites = tmp_path / "sites.txt"
    sites.write_text(f"{SEED} --budget 4\nhttp://gone.example/ # not there\n")
    site = small_site(**{"gone.example/": websites.error(404)})
    with served(site) as address:
        manners = ["--delay", "0", "--connect-to", address, "--ignore-robots"]
        code = run(["crawl", "--sites", str(sites), "--output", str(tmp_path / "out"), *manners])
    assert code == 1
    out = capsys.readouterr().out
    assert "2 sites, 1 failed" in out
    assert "1 site: the budget of requests is spent" in out
    failed = next(line for line in out.splitlines() if "gone.example" in line)
    assert "start page: status 404" in failed
    with (tmp_path / "out" / "summary.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["site"]: row for row in csv.DictReader(file)}
    assert rows[SEED]["requests"] == "4"
    assert rows[SEED]["status"] == "0"
    assert rows["http://gone.example/"]["status"] == "1"
    assert (tmp_path / "out" / "www.site.example" / "crawl.db").exists()


def test_a_site_that_moved_is_followed(tmp_path, capsys):
    """A seed that redirects to another host moves the site there, and the user is told."""
    moved = {"/": redirect("http://new.example/"), "new.example/": page("/n.csv")}
    site = Website({**moved, "new.example/n.csv": data(b"n\n")})
    with served(site) as address:
        assert run(options(address, tmp_path, "--json")) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [e["seed"] for e in events if e["event"] == "SiteMoved"] == ["http://new.example/"]
    assert list((tmp_path / "files").rglob("n.csv"))


def test_a_configuration_file(tmp_path, capsys):
    """Any option, and the URL, may stand in a file; the command line wins."""
    with served(small_site()) as address:
        config = tmp_path / "crawl.toml"
        lines = [f'url = "{SEED}"', f'connect-to = "{address}"', 'output = "nowhere"', "delay = 0"]
        config.write_text("\n".join([*lines, "ignore-robots = true", "budget = 3", ""]))
        assert run(["crawl", "--config", str(config), "--output", str(tmp_path / "out")]) == 0
    assert "budget of requests is spent" in capsys.readouterr().out
    assert (tmp_path / "out" / "crawl.db").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["crawl"],
        ["crawl", "mailto:me@example.org"],
        ["crawl", "a.example", "--target", "cvs"],
        ["crawl", "a.example", "--config", "nowhere.toml"],
        ["crawl", "a.example", "--connect-to", "10.0.0.1:80"],
        ["crawl", "example.org", "--concurrency", "0"],
        ["crawl", "example.org", "--concurrency", "65"],
        ["crawl", "example.org", "--set", "idle_seconds=soon"],
        ["crawl", "example.org", "--set", "idle_seconds"],
        ["record", "example.org", "--set", "nothing=1"],
        ["status", "nowhere"],
        ["fetch", "nowhere"],
        ["record", "a.example", "--output", "site.zip"],
    ],
)
def test_mistakes_are_one_line_and_status_2(arguments, capsys, tmp_path, monkeypatch):
    """No traceback for what the user can mend."""
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert len([line for line in (said.out + said.err).splitlines() if line]) == 1


def test_recording_for_experiments(tmp_path, capsys):
    """`record` makes an archive that replays; bodies of files are in it only if asked for."""
    with served(small_site()) as address:
        manners = ["--delay", "0", "--connect-to", address, "--ignore-robots"]
        for name, more in (("plain", []), ("full", ["--bodies"])):
            path = tmp_path / f"{name}.warc.gz"
            assert run(["record", SEED, "--output", str(path), *manners, *more]) == 0
    assert "followed" in capsys.readouterr().out.splitlines()[-1]
    bodies = []
    for name in ("plain", "full"):
        archive = open_archive(str(tmp_path / f"{name}.warc.gz"))
        answers = {fetch.url: answer for fetch, answer in archive}
        bodies.append(answers[f"{SEED}1.csv"].body)
        archive.close()
    assert bodies == [b"", b"a,1\n"]


def test_ctrl_c_ends_within_two_seconds(tmp_path):
    """Whatever the server does: 130, a line that says so, and the crawl can be gone on with."""

    async def hang(exchange):
        await exchange.hang()

    site = small_site(**{"/b.html": hang, "/a.html": hang})
    with served(site) as address:
        command = [sys.executable, "-c", MAIN, *options(address, tmp_path / "out")]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        wait_for(lambda: any(e.path in ("/a.html", "/b.html") for e in site.asked))
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
        assert time.monotonic() - begun < 2
        assert process.returncode == 130
        assert "www.site.example: interrupted" in out
        assert not err
    with served(small_site()) as address:
        assert run(options(address, tmp_path / "out")) == 0
    assert len(list((tmp_path / "out" / "files").rglob("*.csv"))) == 4


def test_a_second_signal_ends_at_once_and_says_so(tmp_path):
    async def hang(exchange):
        await exchange.hang()

    site = small_site(**{"/b.html": hang, "/a.html": hang})
    with served(site) as address:
        command = [sys.executable, "-c", MAIN, *options(address, tmp_path / "out")]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: any(e.path in ("/a.html", "/b.html") for e in site.asked))
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "datahound: ended at once; the same command goes on from here\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_between_catalogues_costs_no_summary(number, tmp_path, capsys, monkeypatch):
    """The crawls have ended by then; the same command writes what is missing."""
    handler = signal.getsignal(signal.SIGTERM)
    sites = tmp_path / "sites.txt"
    with served(small_site()) as one, served(small_site()) as other:
        out = tmp_path / "out"
        sites.write_text(f"http://{one}/ --output {out}/a\nhttp://{other}/ --output {out}/b\n")
        command = ["crawl", "--sites", str(sites), "--delay", "0", "--ignore-robots"]
        with monkeypatch.context() as interrupted:
            interrupted.setattr(running, "update_catalog", lambda _: signal.raise_signal(number))
            assert run(command) == 130
        printed = capsys.readouterr()
        assert "found     8 files" in printed.out
        assert "interrupted" in printed.err
        assert len((out / "summary.csv").read_text().splitlines()) == 3
        assert signal.getsignal(signal.SIGTERM) is handler
        assert run(command) == 0
    assert len(list(out.glob("*/catalog.db"))) == 2


def test_a_full_disk_ends_with_a_reason_and_loses_nothing(tmp_path):
    """Whatever can't be written: one line, no traceback, and later the crawl goes on."""
    big = {f"/big-{n}.csv": data(b"x" * 300_000) for n in range(3)}
    site = small_site(**big, **{"/a.html": page(*big, "/1.csv", "/2.csv")})
    small = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (200_000, -1)); " + MAIN
    with served(site) as address:
        command = [sys.executable, "-c", small, *options(address, tmp_path / "out")]
        process = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert process.returncode in (1, 2)
        assert "Traceback" not in process.stderr
        assert "can't be" in (process.stdout + process.stderr).splitlines()[-1]
        assert run(options(address, tmp_path / "out")) == 0
    assert len(list((tmp_path / "out" / "files").rglob("*.csv"))) == 5  # the big ones are equal


def wait_for(condition):
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_targets_from_python(tmp_path):
    """An async iterator of targets, each with its file, URL, title and page."""

    async def collect(address):
        manners = {"delay": 0, "connect_to": address, "ignore_robots": True}
        return [target async for target in crawl(SEED, output=tmp_path / "a", **manners)]

    with served(small_site()) as address:
        targets = asyncio.run(collect(address))
    assert sorted(target.file.read_bytes()[:1] for target in targets) == [b"a", b"b", b"c", b"x"]
    assert all(target.title and target.page.startswith(SEED) for target in targets)


def test_targets_from_python_without_a_loop(tmp_path):
    """The blocking twin gives the same; whoever has enough just stops."""
    with served(small_site()) as address:
        manners = {"delay": 0, "connect_to": address, "ignore_robots": True}
        for target in crawl_blocking(SEED, output=tmp_path / "b", **manners):
            assert target.file.exists()
            break
        rest = list(crawl_blocking(SEED, output=tmp_path / "b", **manners))
    assert len(list((tmp_path / "b" / "files").rglob("*.csv"))) == 4
    assert len(rest) <= 3


def test_mistakes_from_python_are_exceptions(tmp_path):
    """The same line, as an exception."""
    with pytest.raises(UserError, match="cvs"):
        list(crawl_blocking(SEED, output=tmp_path, target="cvs"))


def test_a_start_page_that_is_gone_is_an_exception(tmp_path):
    """No targets and no page are not the same."""
    with served(Website({"/": websites.error(404)})) as address:
        manners = {"delay": 0, "connect_to": address, "ignore_robots": True}
        with pytest.raises(Unreachable, match="start page"):
            list(crawl_blocking(SEED, output=tmp_path / "gone", **manners))


def test_a_mistyped_host_leaves_no_folder(tmp_path, capsys, monkeypatch):
    """What a typing error made is removed."""
    monkeypatch.chdir(tmp_path)
    assert run(["crawl", "nowhere.invalid", "--set", "web.max_retries=0"]) == 1
    said = capsys.readouterr().out
    assert "host not found" in said
    assert not list(tmp_path.iterdir())


def test_an_unknown_strategy_is_told_those_that_crawl(capsys):
    """Some work on recorded sites only."""
    assert run(["crawl", "a.example", "--strategy", "hunod"]) == 2
    said = capsys.readouterr().err
    assert "hound" in said
    assert "omniscient" not in said
    assert "sb-oracle" not in said
