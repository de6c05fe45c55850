"""`datahound refresh` over HTTP: rounds, versions, what is gone, and exit statuses."""

import csv
import hashlib
import itertools
import json
import re
import time
import xml.etree.ElementTree as ET

import pytest
from changing_site import ChangingSite, page, serve_site

from datahound.cli import run
from datahound.store.writer import Store

FILES = {f"/f{n}.csv": b"a,b\n1,%d\n" % n for n in range(5)}


@pytest.fixture
def site():
    bodies = {"/": page("/list.html", "/quiet.html"), "/quiet.html": page(), **FILES}
    with serve_site(ChangingSite({**bodies, "/list.html": page(*FILES)})) as site:
        yield site


@pytest.fixture
def folder(site, tmp_path):
    folder = tmp_path / "site"
    arguments = ["crawl", site.url, "--output", str(folder), "--delay", "0", "--no-catalog"]
    assert run([*arguments, "--plain"]) == 0
    site.requests.clear()
    return folder


def refresh(folder, *arguments):
    return run(["refresh", str(folder), "--delay", "0", "--no-catalog", *arguments])


def whatsnew(folder):
    return json.loads((folder / "whatsnew.json").read_text())


def listed(folder):
    with (folder / "datasets.csv").open(encoding="utf-8-sig") as file:
        return {row["url"].rpartition("/")[2]: row for row in csv.DictReader(file)}


def test_nothing_new_is_said_with_3(site, folder):
    """Every page and file is asked for once, files only if they have changed."""
    assert refresh(folder) == 3
    assert {path for path, _, _ in site.requests} >= {"/", "/list.html", "/quiet.html", *FILES}
    assert all(len(site.asked(path)) == 1 for path in FILES)
    assert any(304 in site.asked(path) for path in FILES)
    assert whatsnew(folder)["round"] == 1


def test_new_and_changed_files_are_kept_beside_their_versions(site, folder):
    """A new file is there, the changed one in both versions, and the list counts them."""
    site.bodies["/list.html"] = page(*FILES, "/new.csv")
    site.bodies |= {"/new.csv": b"new,1\n", "/f1.csv": b"a,b\n9,9\n"}
    assert refresh(folder) == 0
    found = whatsnew(folder)
    assert [file["url"] for file in found["new"]] == [site.url + "new.csv"]
    (changed,) = found["changed"]
    assert (folder / changed["file"]).read_bytes() == b"a,b\n9,9\n"
    assert (folder / changed["before"]).read_bytes() == FILES["/f1.csv"]
    rows = listed(folder)
    assert rows["f1.csv"]["versions"] == "2"
    assert rows["f1.csv"]["last_changed"] >= rows["f1.csv"]["first_seen"]
    assert len(ET.parse(folder / "whatsnew.atom").getroot().findall("{*}entry")) == 2
    assert "new.csv" in (folder / "whatsnew.html").read_text()


def test_the_feed_keeps_the_entries_of_earlier_rounds(site, folder):
    """The newest first, each once: who reads it once a week misses nothing."""
    for number in range(3):
        site.bodies[f"/n{number}.csv"] = b"n,%d\n" % number
        site.bodies["/list.html"] = page(*FILES, *(f"/n{n}.csv" for n in range(number + 1)))
        assert refresh(folder) == 0
    assert refresh(folder) == 3
    feed = ET.parse(folder / "whatsnew.atom").getroot()
    ids = [entry.find("{*}id").text.rpartition("/")[2] for entry in feed.findall("{*}entry")]
    assert ids == ["n2.csv#new-3", "n1.csv#new-2", "n0.csv#new-1"]


def test_a_file_is_gone_when_its_page_dropped_it(site, folder):
    """A 404 and no link: gone at once; a 404 that is still linked is not, yet."""
    del site.bodies["/f1.csv"], site.bodies["/f2.csv"]
    site.bodies["/list.html"] = page(*(path for path in FILES if path != "/f1.csv"))
    assert refresh(folder, "--fail-on", "gone") == 4
    assert [file["url"] for file in whatsnew(folder)["gone"]] == [site.url + "f1.csv"]
    assert listed(folder)["f1.csv"]["gone"]
    assert not listed(folder)["f2.csv"]["gone"]


def test_a_soft_404_is_no_new_version(site, folder):
    """A page in place of a file neither replaces it nor makes it gone."""
    del site.bodies["/f1.csv"]
    site.soft_404 = True
    assert refresh(folder) == 3
    assert (folder / listed(folder)["f1.csv"]["file"]).read_bytes() == FILES["/f1.csv"]


def test_new_validators_for_old_bytes_are_no_change(site, folder):
    """An ETag that is always new costs the bytes, and reports nothing."""
    tags = itertools.count()
    site.make_tag = lambda _: str(next(tags))
    assert refresh(folder) == 3
    assert whatsnew(folder)["changed"] == []


def test_a_host_that_lies_is_asked_for_the_bytes(site, tmp_path):
    """One validator for all bytes: once a test has shown it, no condition is sent any more."""
    site.make_tag = lambda _: "same"
    folder = tmp_path / "liar"
    many = {f"/m{n}.csv": b"a,b\n1,%d\n" % n for n in range(60)}
    site.bodies |= {**many, "/list.html": page(*many)}
    start = ["crawl", site.url, "--output", str(folder), "--delay", "0", "--no-catalog"]
    assert run([*start, "--plain"]) == 0
    site.bodies |= {path: body + b"2,2\n" for path, body in many.items()}
    for _ in range(10):  # which answers are tested is chance: a round may not show the lie
        refresh(folder)
        if whatsnew(folder)["changed"]:
            break
    refresh(folder)
    assert sum(row["versions"] == "2" for row in listed(folder).values()) == len(many)


def test_a_budget_is_kept_and_rounds_go_on(site, folder):
    """Two requests at most, and the next round begins anew."""
    assert refresh(folder, "--budget", "2") in (0, 3)
    assert len([path for path, _, _ in site.requests if path != "/robots.txt"]) == 2
    assert refresh(folder) == 3
    assert whatsnew(folder)["round"] == 2
    assert whatsnew(folder)["left"]["requests"] == 0


def test_what_is_new_since_an_earlier_round(site, folder):
    """`--since 0` has what all rounds found."""
    for number in range(2):
        site.bodies |= {f"/new{number}.csv": b"x,%d\n" % number}
        news = [f"/new{n}.csv" for n in range(number + 1)]
        site.bodies["/list.html"] = page(*FILES, *news)
        assert refresh(folder) == 0
    assert len(whatsnew(folder)["new"]) == 1
    refresh(folder, "--since", "0")
    assert len(whatsnew(folder)["new"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--share", "2"),
        ("--share", "0.1", "--budget", "3"),
        ("--fail-on", "rain"),
        ("--since", "3"),
        ("--versions", "some"),
        ("--webhook", "ftp://x"),
        ("--webhook-key", "/dev/null"),
        ("--delay", "no"),
    ],
)
def test_bad_input_is_one_line(folder, capfd, arguments):
    """Exit status 2, and what is wrong."""
    capfd.readouterr()
    assert refresh(folder, *arguments) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_a_folder_is_refused_a_second_time(site, folder, capfd):
    """Before anything is asked for: one of the two would fail in the middle."""
    capfd.readouterr()
    assert run(["refresh", str(folder), str(folder / "." / ".." / folder.name)]) == 2
    assert "once" in capfd.readouterr().err
    assert not site.requests


def test_a_receiver_that_is_not_there_is_trouble(site, folder, capfd):
    """No mistake of the user: exit status 1, and how to post the same again."""
    site.bodies |= {"/new.csv": b"n,1\n", "/list.html": page(*FILES, "/new.csv")}
    assert refresh(folder, "--webhook", "http://127.0.0.1:9/") == 1
    assert "--since 0" in capfd.readouterr().err
    assert len(whatsnew(folder)["new"]) == 1


def test_a_folder_without_a_crawl_is_refused(tmp_path):
    """Nothing is made in it."""
    assert refresh(tmp_path / "nothing") == 2
    assert not (tmp_path / "nothing").exists()


def test_files_are_stored_once_by_content(site, folder):
    """A file that returns to its first bytes uses the version that is kept."""
    first = site.bodies["/f1.csv"]
    for body in (b"a,b\n7,7\n", first):
        site.bodies["/f1.csv"] = body
        assert refresh(folder) == 0
    kept = [path.read_bytes() for path in (folder / "files").rglob("*.csv")]
    assert len({hashlib.sha256(body).digest() for body in kept}) == len(kept)


RATES = b"region,rate\nNord,12.1\nOst,3.5\nWest,8.0\n"


@pytest.fixture
def rates(site, folder):
    """A folder with a table of rates, from round 1 on."""
    site.bodies |= {"/rates.csv": RATES, "/list.html": page(*FILES, "/rates.csv")}
    assert refresh(folder) == 0
    return folder


def test_a_changed_figure_is_told_in_words(site, rates, capfd):
    """The page, the feed, the JSON and the last lines have it; it is no change of the schema."""
    site.bodies["/rates.csv"] = RATES.replace(b"12.1", b"12.4")
    assert refresh(rates, "--fail-on", "schema") == 0
    assert "Nord: 12.1 -> 12.4" in capfd.readouterr().out
    found = whatsnew(rates)
    (table,) = found["changed"][0]["difference"]["tables"]
    assert table["lines"][-1] == "Nord: 12.1 -> 12.4"
    assert found["schema"] == []
    for name in ("whatsnew.html", "whatsnew.atom"):
        assert "Nord: 12.1 -&gt; 12.4" in (rates / name).read_text()


def test_another_column_is_feared_if_the_user_says_so(site, rates):
    """Exit status 4, and which columns."""
    site.bodies["/rates.csv"] = RATES.replace(b"region,rate", b"region,share")
    assert refresh(rates, "--fail-on", "gone,schema") == 4
    (changed,) = whatsnew(rates)["schema"]
    assert (changed["added"], changed["lost"]) == (["share"], ["rate"])


def test_several_changes_are_one_since_an_earlier_round(site, rates):
    """From the first version to the newest; a file that is back as it was has not changed."""
    for rate in (b"12.2", b"12.3"):
        site.bodies["/rates.csv"] = RATES.replace(b"12.1", rate)
        assert refresh(rates) == 0
    refresh(rates, "--since", "1")
    (changed,) = whatsnew(rates)["changed"]
    assert changed["difference"]["tables"][0]["lines"][-1] == "Nord: 12.1 -> 12.3"
    site.bodies["/rates.csv"] = RATES
    refresh(rates)
    refresh(rates, "--since", "1")
    assert whatsnew(rates)["changed"] == []


def test_news_that_a_crash_kept_back_come_with_the_next_round(site, folder):
    """The round ended, and the process died before it could write what it had found."""
    assert refresh(folder) == 3
    written = (folder / "whatsnew.json").read_text()
    site.bodies |= {"/new.csv": b"n,1\n", "/list.html": page(*FILES, "/new.csv")}
    assert refresh(folder) == 0
    (folder / "whatsnew.json").write_text(written)
    assert refresh(folder) == 0
    assert [file["url"] for file in whatsnew(folder)["new"]] == [site.url + "new.csv"]


def change_five_times(site, folder, *arguments):
    """Change a file in each round; the bodies that the folder then has of it."""
    bodies = [b"a,b\n1,%d\n" % number for number in range(100, 105)]
    for body in bodies:
        site.bodies["/f1.csv"] = body
        assert refresh(folder, *arguments) == 0
    kept = {path.read_bytes() for path in (folder / "files").rglob("*.csv")}
    return [body for body in [FILES["/f1.csv"], *bodies] if body in kept]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ((), 6),
        (("--versions", "all", "--set", "refresh.versions=0"), 6),
        (("--versions", "2"), 3),
        (("--versions", "0"), 1),
        (("--set", "refresh.versions=1"), 2),
    ],
)
def test_as_many_versions_are_kept_as_the_user_wants(site, folder, arguments, kept):
    """The newest ones beside the current one; all are counted, and differences are told of all."""
    bodies = change_five_times(site, folder, *arguments)
    assert len(bodies) == kept
    assert bodies[-1] == site.bodies["/f1.csv"]
    assert listed(folder)["f1.csv"]["versions"] == "6"
    assert whatsnew(folder)["changed"][0]["difference"]["tables"]


def test_bytes_that_another_file_has_are_kept(site, folder):
    """A version that is not kept has the bytes of a file that is."""
    site.bodies["/f1.csv"] = b"a,b\n9,9\n"
    site.bodies |= {"/copy.csv": FILES["/f1.csv"], "/list.html": page(*FILES, "/copy.csv")}
    assert refresh(folder, "--versions", "0") == 0
    assert (folder / listed(folder)["copy.csv"]["file"]).read_bytes() == FILES["/f1.csv"]


def test_a_share_needs_no_larger_budget(folder, capfd):
    """The last words of a round are about the next one."""
    capfd.readouterr()
    refresh(folder, "--share", "0.2")
    said = capfd.readouterr().out
    assert "--budget" not in said
    assert "the next round asks for what is left" in said


def test_the_stop_rule_is_a_sentence(folder, capfd):
    """How many files what number of requests would bring; nothing is left after all were made."""
    refresh(folder, "--share", "0.2")
    said = capfd.readouterr().out
    assert re.search(
        r"about 0 more new or changed files \(0 to \d\) would cost [56] requests", said
    )
    refresh(folder)
    assert "would cost" not in capfd.readouterr().out


def test_until_empty_says_why_it_ends(site, folder, capfd):
    """Some requests were not made, so not every link was followed."""
    for _ in range(8):
        refresh(folder)
    capfd.readouterr()
    site.requests.clear()
    refresh(folder, "--until-empty")
    said = capfd.readouterr().out
    if "would cost" in said:
        assert "is expected to bring too little" in said
    else:
        assert len(site.requests) >= 8


def test_json_is_one_object_and_nothing_else(folder, capfd):
    """A program can read the standard output as it is."""
    capfd.readouterr()
    assert refresh(folder, "--json") == 3
    (line,) = capfd.readouterr().out.splitlines()
    assert json.loads(line)["round"] == 1


def test_a_limit_of_bytes_is_one_of_the_round(site, folder):
    """What earlier rounds have received does not count; what this one receives does."""
    site.bodies |= {f"/big{n}.csv": b"%d\n" % n + b"7" * 40_000 for n in range(20)}
    site.bodies["/list.html"] = page(*FILES, *(f"/big{n}.csv" for n in range(20)))
    assert refresh(folder) == 0
    assert refresh(folder, "--max-bytes", "300KB") == 3
    more = {f"/more{n}.csv": b"%d\n" % n + b"8" * 40_000 for n in range(20)}
    site.bodies |= more
    site.bodies["/list.html"] = page(*FILES, *more)
    assert refresh(folder, "--max-bytes", "300KB") == 0
    assert 0 < len(whatsnew(folder)["new"]) < 20


def test_an_outage_is_said_and_ends_the_round(site, folder, capfd):
    """The server is gone: the display says what it waits for, and the same command goes on."""
    site.stop()
    capfd.readouterr()
    assert refresh(folder, "--set", "max_outage_seconds=8") == 1
    said = capfd.readouterr().out
    assert "waiting for 127.0.0.1" in said
    assert "used to answer and no longer does" in said
    assert "the round has not ended" in said
    assert not whatsnew(folder)["over"]


def test_a_site_that_gives_everything_the_time_of_now_reports_nothing(tmp_path):
    """Last-Modified is always now, and there is no ETag: the bytes decide."""
    bodies = {"/": page(*FILES), **FILES}
    with serve_site(ChangingSite(bodies)) as site:
        site.make_tag = None
        folder = tmp_path / "now"
        assert run(["crawl", site.url, "--output", str(folder), "--delay", "0", "--plain"]) == 0
        for _ in range(2):
            assert refresh(folder) == 3
        assert listed(folder)["f1.csv"]["versions"] == "1"


def test_a_clock_that_was_set_back_does_no_harm(site, folder, monkeypatch):
    """A year back: the round finds what is new, and the next one as well."""
    monkeypatch.setattr(Store.__init__, "__defaults__", (lambda: time.time() - 366 * 86_400,))
    for number in range(2):
        new = f"/later{number}.csv"
        site.bodies |= {new: b"n,%d\n" % number, "/list.html": page(*FILES, new)}
        assert refresh(folder, *(["--share", "1"] if number else [])) == 0
        assert [one["url"].rpartition("/")[2] for one in whatsnew(folder)["new"]] == [new[1:]]


def test_a_refresh_without_a_limit_ends_with_the_files_of_a_fresh_crawl(tmp_path):
    """In each of six states of a site: pages and files come, change, move and go."""
    states = [make_state(number) for number in range(6)]
    with serve_site(ChangingSite(states[0])) as site:
        folder = tmp_path / "site"
        crawl = ["crawl", site.url, "--delay", "0", "--no-catalog", "--plain", "--output"]
        assert run([*crawl, str(folder)]) == 0
        for number, state in enumerate(states[1:], 1):
            site.bodies = state
            assert refresh(folder) == 0
            assert run([*crawl, str(tmp_path / f"fresh{number}")]) == 0
            fresh = {
                name: row["sha256"] for name, row in listed(tmp_path / f"fresh{number}").items()
            }
            kept = {name: row["sha256"] for name, row in listed(folder).items() if not row["gone"]}
            assert kept == fresh


def make_state(number):
    """A site that grows, whose files are revised, and which moves a section now and then."""
    section = f"/s{number // 2}"
    dated = {f"{section}/d{n}.csv": b"d,%d,%d\n" % (n, number // 3) for n in range(number + 2)}
    old = {f"/old{n}.csv": b"o,%d\n" % n for n in range(number, 4)}
    more = {f"{section}/p{n}.html": page(f"{section}/d{n}.csv") for n in range(number + 2)}
    return {
        "/": page("/hub.html", f"{section}/index.html"),
        "/hub.html": page(*old),
        f"{section}/index.html": page(*more),
        **dated,
        **old,
        **more,
    }


def test_a_redesign_is_noticed_said_and_followed(tmp_path, capfd):
    """All pages have moved: with a quarter of the requests, what is new is found all the same."""
    old = {f"/old/p{n}.html": page(f"/old/f{n}.csv") for n in range(40)}
    data = {f"/old/f{n}.csv": b"o,%d\n" % n for n in range(40)}
    with serve_site(ChangingSite({"/": page(*old), **old, **data})) as site:
        folder = tmp_path / "site"
        assert run(["crawl", site.url, "--output", str(folder), "--delay", "0", "--plain"]) == 0
        new = {f"/v2/p{n}.html": page(f"/v2/f{n}.csv") for n in range(40)}
        files = {f"/v2/f{n}.csv": b"n,%d\n" % n for n in range(40)}
        site.bodies = {"/": page(*new), **new, **files}
        capfd.readouterr()
        assert refresh(folder, "--budget", "60") == 0
        assert "redesigned" in capfd.readouterr().out
        assert "redesigned" in (folder / "whatsnew.html").read_text()
        assert len(whatsnew(folder)["new"]) >= 15
        assert refresh(folder) == 0
        assert sum(not row["gone"] for row in listed(folder).values()) == 40


def test_files_that_only_seem_to_change_are_learned_as_unchanged(tmp_path):
    """Their ETags are always new: a later round asks for those first that have really changed."""
    bodies = {"/": page(*FILES), **FILES}
    with serve_site(ChangingSite(bodies)) as site:
        tags = itertools.count()
        site.make_tag = lambda _: str(next(tags))
        folder = tmp_path / "site"
        assert run(["crawl", site.url, "--output", str(folder), "--delay", "0", "--plain"]) == 0
        for number in range(4):
            site.bodies["/f3.csv"] = b"a,b\n3,%d\n" % number
            assert refresh(folder) == 0
        site.requests.clear()
        refresh(folder, "--budget", "3")
        asked = [path for path, _, _ in site.requests if path in FILES]
        assert asked[:1] == ["/f3.csv"]


def test_a_nightly_job_keeps_its_figures_and_events(site, folder, tmp_path, capfd):
    """As of a crawl: a file for Prometheus, a log of events; a wrong kind of events is refused."""
    site.bodies |= {"/new.csv": b"n,1\n", "/list.html": page(*FILES, "/new.csv")}
    metrics, log = tmp_path / "metrics.prom", tmp_path / "events.jsonl"
    assert refresh(folder, "--metrics-file", str(metrics), "--log", str(log)) == 0
    assert "datahound_" in metrics.read_text()
    assert "/new.csv" in log.read_text()
    capfd.readouterr()
    assert refresh(folder, "--events", "nonsense") == 2
    assert len(capfd.readouterr().err.splitlines()) == 1
