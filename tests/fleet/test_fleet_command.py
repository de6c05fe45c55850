"""`datahound fleet` on a terminal: mistakes in one line, the state of a fleet, and its format."""

import json
import sys
from collections import Counter

import pytest
from rich.console import Console

from datahound.cli import fleet, run
from datahound.fleet.control import Control, write_control, write_figures
from datahound.fleet.orders import join_by_address
from datahound.fleet.records import GROUPS, MOST_FAILURES, FleetSite, Group
from datahound.fleet.status import read_fleet
from datahound.remote.objects import open_objects

COMMANDS = (
    ["status"], ["stop"], ["serve", "--port", "0"], ["refresh"], ["worker"],
    ["catalog", "--output", "all.parquet"],
)  # fmt: skip


@pytest.fixture
def store(tmp_path):
    return str(tmp_path / "store")


@pytest.fixture
def add(store, tmp_path):
    """Add sites that are written as lines; the exit status."""

    def go(*lines, place=store):
        listed = tmp_path / "sites.txt"
        listed.write_text("\n".join(lines))
        return run(["fleet", "add", str(listed), "--store", place])

    return go


def find_sites(store):
    return {one.site.url: one for one in read_fleet(open_objects(store)).sites}


def test_all_mistakes_in_a_list_are_said_with_their_lines(add, capsys):
    """Before anything is written; a long list need not be tried once for each of them."""
    lines = [
        "http://127.0.0.1:1", "http://127.0.0.1:2 --priority high", "http://127.0.0.1:1/",
        "http://127.0.0.1:3 --deadline soon", "http://127.0.0.1:4 --output x",
    ]  # fmt: skip
    assert add(*lines) == 2
    (line,) = capsys.readouterr().err.splitlines()
    for part in (
        "line 2: --priority", "line 3: http://127.0.0.1:1/ (line 1) is listed twice",
        "line 4: --deadline", "line 5: http://127.0.0.1:4: a fleet has its own place",
    ):  # fmt: skip
        assert part in line
    assert add("http://127.0.0.1:1 --prority 5") == 2
    known = capsys.readouterr().err
    assert "deadline" in known
    assert "priority" in known
    assert " output" not in known


@pytest.mark.parametrize("words", COMMANDS)
def test_a_place_without_a_fleet_is_bad_input(words, tmp_path, capsys):
    """A typing error starts no worker that waits for ever, and leaves nothing behind."""
    (tmp_path / "other").mkdir()
    for name in ("none", "other"):
        assert run(["fleet", *words, "--store", str(tmp_path / name)]) == 2
        assert "no fleet is there" in capsys.readouterr().err
    assert list(tmp_path.rglob("*")) == [tmp_path / "other"]


def test_no_place_and_a_file_are_bad_input(add, tmp_path, capsys):
    """An empty variable in a script is not the folder of now."""
    (tmp_path / "file").write_text("")
    assert add("http://127.0.0.1:1", place="") == 2
    assert add("http://127.0.0.1:1", place=str(tmp_path / "file")) == 2
    assert "file: is a file" in capsys.readouterr().err
    assert run(["fleet", "status", "--store", ""]) == 2


def test_terms_and_shares_that_make_no_sense_are_bad_input(add, store, capsys):
    assert add("http://127.0.0.1:1") == 0
    for words in (
        ["worker", "--term", "0s"],
        ["worker", "--term", "x"],
        ["refresh", "--share", "7"],
    ):
        assert run(["fleet", *words, "--store", store]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_a_fleet_of_another_format_is_left_alone(add, store, capsys):
    """By all commands: an older version would write records that a newer one no longer knows."""
    assert add("http://127.0.0.1:1") == 0
    objects = open_objects(store)
    objects.put("fleet/fleet.json", b'{"format": 2}')
    for words in COMMANDS:
        assert run(["fleet", *words, "--store", store]) == 2
        assert "has format 2, and this version of Datahound knows 1" in capsys.readouterr().err
    assert add("http://127.0.0.1:2") == 2
    assert len(list(objects.list(GROUPS))) == 1
    objects.put("fleet/fleet.json", b"{")
    assert run(["fleet", "status", "--store", store]) == 2
    # Fleets had no such record at first.
    objects.delete("fleet/fleet.json")
    assert run(["fleet", "status", "--store", store]) == 0


def test_sites_that_share_an_address_by_way_of_others_share_a_group(add, store, capsys):
    """In whatever order they are listed."""
    clusters = join_by_address([("a",), ("b", "c"), ("d",), ("c", "a")])
    assert clusters == [(("a", "b", "c"), [0, 1, 3]), (("d",), [2])]
    sites = [f"http://s{n}.example/ --connect-to 127.7.4.{n % 4 + 1}:80" for n in range(20)]
    assert add(*sites) == 0
    assert "20 sites in 4 groups" in capsys.readouterr().out
    assert Counter(len(group) for group in _list_groups(store)) == {5: 4}


def _list_groups(store):
    objects = open_objects(store)
    return [json.loads(objects.get(key).data)["sites"] for key, _ in objects.list(GROUPS)]


def test_a_mended_site_is_crawled_again(add, store):
    """One that was given up; the others are not touched."""
    assert add("http://127.0.0.1:1 --budget 5", "http://127.0.0.1:2 --budget 5") == 0
    objects = open_objects(store)
    ((key, _),) = objects.list(GROUPS)
    fields = json.loads(objects.get(key).data)
    for site in fields["sites"]:
        site |= {"due": None, "ended": "bad input"}
    objects.put(key, json.dumps(fields).encode())
    assert {one.state for one in find_sites(store).values()} == {"failed"}
    assert add("http://127.0.0.1:1 --budget 9", "http://127.0.0.1:2 --budget 5") == 0
    states = {url: one.state for url, one in find_sites(store).items()}
    assert states == {"http://127.0.0.1:1/": "waiting", "http://127.0.0.1:2/": "failed"}


def test_the_state_says_why_nobody_works(add, store, capsys):
    """Stopped, or the budget is spent: the sites that are left wait for a person."""
    assert add("http://127.0.0.1:1") == 0
    assert run(["fleet", "stop", "--store", store]) == 0
    assert run(["fleet", "status", "--store", store]) == 0
    out = capsys.readouterr().out
    assert "0 workers to ship what they have and end" in out
    assert "stopped: `datahound fleet stop --undo`" in out
    objects = open_objects(store)
    write_control(objects, Control(budget=1000))
    write_figures(objects, "w", {"requests": 1007, "running": {}, "at": 0})
    assert run(["fleet", "status", "--store", store]) == 0
    assert "the budget of 1,000 requests is spent" in capsys.readouterr().out
    assert run(["fleet", "status", "--store", store, "--json"]) == 0
    assert "is spent" in json.loads(capsys.readouterr().out)["halt"]


def test_the_state_of_a_thousand_sites_fits_the_terminal(store, monkeypatch, capsys):
    """Failures first; long addresses and reasons are cut, and no figure is."""
    objects = open_objects(store)
    for number in range(1000):
        host = f"www.statistics-of-the-interior-{number}.example-authority.gov.xx"
        failed = number % 100 == 99
        site = FleetSite(
            f"https://{host}/", host, due=None, failures=MOST_FAILURES if failed else 0,
            requests=123_456, files=12_345, round=1, news={"new": 1_234},
            reason="the start page answers 503: " + host,
        )  # fmt: skip
        objects.put(f"{GROUPS}{number}", Group(str(number), (), (site,)).encode())
    objects.put(f"{GROUPS}damaged", b"{")
    for number in range(12):
        objects.put(f"fleet/workers/ip-10-0-0-{number:03}-1234567890ab", b"{}")
    monkeypatch.setattr(fleet, "console", lambda: Console(width=80, file=sys.stdout))
    assert run(["fleet", "status", "--store", store]) == 0
    totals, damaged, workers, *table = capsys.readouterr().out.splitlines()
    assert totals.startswith("1,000 sites: 10 failed, 990 finished; 12,345,000 files in")
    assert damaged.startswith("fleet/groups/damaged: is damaged")
    assert workers.endswith("9 more")
    assert table[-1] == "and 960 more sites: --json"
    rows = table[1:-1]
    assert len(rows) == 40
    assert max(len(row.rstrip()) for row in table) <= 80
    assert all("123,456" in row and "12,345" in row and "1,234" in row for row in rows)
    assert [" failed " in row for row in rows] == [True] * 10 + [False] * 30
