"""Trials on recorded sites."""

import csv
import sys
import time

import pytest
from made_results import ignore

from datahound.archive import open_archive
from datahound.archive.archive import MemoryArchive, Recorded
from datahound.errors import ArchiveError, UserError
from datahound.events import TargetFound
from datahound.lab.metrics import Curve
from datahound.lab.trials import (
    ArchiveOracle,
    ParsedSite,
    Trial,
    TrialGround,
    TrialResult,
    open_curve_csv,
    plan_trials,
    run_trials,
    take_census,
)
from datahound.model import Choice, Fetch, Kind, Purpose, Response
from datahound.settings import CrawlSettings, Settings
from datahound.web.targets import DEFAULT_TARGETS

HOME = "https://www.a.example/"


def page(path, *links):
    body = "".join(f'<a href="{link}">x</a>' for link in links).encode()
    return answer(path, "text/html", body)


def answer(path, mime_type, body=b"", size=0, status=200, **headers):
    url = HOME + path
    response = Response(url, status, {"content-type": mime_type, **headers}, body, size)
    return Recorded(Fetch(url), response)


def moved(path, location):
    return answer(path, "text/html", status=302, location=location)


ARCHIVE = MemoryArchive(
    HOME,
    [
        page("", "a", "one.csv", "gone", "old", "x.png"),
        page("a", "/", "two.pdf"),
        moved("old", "/two.pdf"),
        answer("one.csv", "text/csv", b"1,2", size=3),
        answer("two.pdf", "application/pdf", b"%PDF-", size=7),
        page("unlinked", "three.csv"),
    ],
    "site",
)


class CountingArchive:
    """Counts what an archive is asked for."""

    def __init__(self, archive):
        self.archive, self.asked = archive, 0
        self.name, self.seed = archive.name, archive.seed

    def get(self, fetch):
        self.asked += 1
        return self.archive.get(fetch)


def test_the_census_counts_what_can_be_reached():
    """Targets by links and redirects, each once; the limits of a crawl do not count."""
    site = ParsedSite(ARCHIVE, Settings())
    census = take_census(site, CrawlSettings(max_requests=1), ignore)
    assert (census.targets, census.target_bytes) == (2, 10)
    assert sorted(census.target_urls) == [HOME + "one.csv", HOME + "two.pdf"]
    assert census.requests == 6


def test_the_census_counts_the_wanted_types():
    """What a target is is the caller's choice."""
    site = ParsedSite(ARCHIVE, Settings())
    wanted = CrawlSettings(targets=frozenset({"text/csv"}))
    assert take_census(site, wanted, ignore).targets == 1


def test_a_synthetic_site_lists_its_targets():
    """They are not crawled for, and are those that a crawl finds."""
    archive = open_archive("synthetic:demo?pages=100")
    listed = take_census(ParsedSite(archive, Settings()), CrawlSettings(), ignore)
    assert listed.requests is None
    ground = TrialGround(archive, Settings(), ignore)
    found = []
    ground.run(Trial("bfs", 0, Settings()), [found.extend], (TargetFound,))
    assert {event.link.url for event in found} == set(listed.target_urls)
    assert sum(event.size for event in found) == listed.target_bytes


def test_a_site_without_start_page_or_targets():
    """Both are named in one line."""
    with pytest.raises(ArchiveError, match=r"empty: the start page .* is not recorded"):
        TrialGround(MemoryArchive(HOME, [], "empty"), Settings(), ignore)
    with pytest.raises(UserError, match="bare: no target can be reached"):
        TrialGround(MemoryArchive(HOME, [page("")], "bare"), Settings(), ignore)


def test_pages_are_parsed_once():
    """The second answer has no body, but its page is known; the archive is not asked again."""
    archive = CountingArchive(ARCHIVE)
    site = ParsedSite(archive, Settings())
    for _ in range(3):
        response = site.get(Fetch(HOME))
        assert response.body == b""
        assert [link.url for link in site.read(response).links][:2] == [
            HOME + "a",
            HOME + "one.csv",
        ]
    assert archive.asked == 1


def test_a_probe_is_another_question():
    """HEAD and GET of a URL have their own answers; what is not recorded is asked for once."""
    archive = CountingArchive(ARCHIVE)
    site = ParsedSite(archive, Settings())
    for purpose in (Purpose.VISIT, Purpose.PROBE, Purpose.COLLECT):
        site.get(Fetch(HOME + "one.csv", purpose))
    assert archive.asked == 2
    assert site.get(Fetch(HOME + "nowhere")) is site.get(Fetch(HOME + "nowhere")) is None
    assert archive.asked == 3


def test_what_does_not_fit_is_parsed_again(monkeypatch):
    """The cache is bounded; answers are the same without it."""
    monkeypatch.setattr(sys.modules["datahound.lab.trials"], "_MAX_CACHED_LINKS", 0)
    archive = CountingArchive(ARCHIVE)
    site = ParsedSite(archive, Settings())
    for _ in range(2):
        response = site.get(Fetch(HOME))
        assert response.body
        assert len(site.read(response).links) == 5
    assert archive.asked == 2


def test_a_parsed_site_is_not_recorded_into():
    """It is for reading only."""
    site = ParsedSite(ARCHIVE, Settings())
    with pytest.raises(ArchiveError, match="read-only"):
        site.put(Fetch(HOME), Response(HOME, 200, {}))
    assert len(list(site)) == 6


def test_the_oracle_follows_redirects():
    """The kind of a URL is that of its end; loops and what is not recorded are nothing."""
    loop = [moved("loop", "/loop"), moved("away", "")]
    archive = MemoryArchive(HOME, [*ARCHIVE, *loop], "site")
    oracle = ArchiveOracle(archive, DEFAULT_TARGETS, [HOME + "one.csv"])
    kinds = {path: oracle.kind_of(HOME + path) for path in ("a", "one.csv", "old", "gone", "loop")}
    assert kinds == {
        "a": Kind.PAGE,
        "one.csv": Kind.TARGET,
        "old": Kind.TARGET,
        "gone": Kind.OTHER,
        "loop": Kind.OTHER,
    }
    assert list(oracle.targets()) == [HOME + "one.csv"]


def test_only_random_strategies_run_several_times():
    """Seeds count up from the first."""
    planned = plan_trials(["bfs", "random"], 3, 10, Settings())
    assert [(trial.strategy, trial.seed) for trial in planned] == [
        ("bfs", 10), ("random", 10), ("random", 11), ("random", 12),
    ]  # fmt: skip
    with pytest.raises(UserError, match="unknown strategy 'x'"):
        plan_trials(["x"], 1, 0, Settings())


@pytest.mark.parametrize("cores", [1, 2])
def test_results_come_in_the_order_of_trials(monkeypatch, cores):
    """Whichever ends first; they are the same on one core and on two."""
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    ground = TrialGround(open_archive("synthetic:demo?pages=100"), Settings(), ignore)
    trials = plan_trials(["sb-classifier", "omniscient", "bfs", "random"], 2, 0, Settings())
    progress = []
    results = list(run_trials(ground, trials, lambda *told: progress.append(told)))
    assert [(r.strategy, r.seed) for r in results] == [(t.strategy, t.seed) for t in trials]
    assert all(result.curve.targets == ground.census.targets for result in results)
    assert {total for _, _, total in progress} == {len(trials)}
    again = [ground.run(trial) for trial in trials]
    assert [r.curve.found_at for r in results] == [r.curve.found_at for r in again]


def test_a_slow_trial_does_not_lose_the_others(monkeypatch):
    """What ended before it is given after it."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)

    class Ground:
        def run(self, trial):
            time.sleep(trial.seed / 10)
            return trial.seed

    trials = [Trial("bfs", seed, Settings()) for seed in (5, 0, 1, 0)]
    assert list(run_trials(Ground(), trials, ignore)) == [5, 0, 1, 0]


class Pondering:
    """Thinks for 20 ms before each choice, or sleeps."""

    def __init__(self, pause):
        self.links, self.pause = [], pause

    def add(self, link):
        self.links.append(link)

    def choose(self, gets, under_way):  # noqa: ARG002
        self.pause(0.02)
        return Choice(self.links.pop()) if self.links else None


def work(seconds):
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass


def test_a_slow_step_ends_a_trial(monkeypatch):
    """One that takes more processor time than allowed; waiting for the processor is none."""
    ground = TrialGround(open_archive("synthetic:demo?pages=100"), Settings(), ignore)
    found = {}
    for name, pause in (("working", work), ("waiting", time.sleep)):
        monkeypatch.setattr(
            "datahound.lab.trials.make_strategy", lambda *_, p=pause, **__: Pondering(p)
        )
        trial = Trial("bfs", 0, Settings(crawl=CrawlSettings(max_requests=4)))
        found[name] = ground.run(trial, max_step_seconds=0.015)
    assert found["working"].stopped == "step over 0.015 s"
    assert found["working"].curve.requests == 1
    assert found["working"].slowest_step > 0.015
    assert found["waiting"].stopped == "requests spent"


def test_a_trial_that_fails_ends_them():
    """Its error is raised here, from whichever process it came."""
    ground = TrialGround(open_archive("synthetic:demo?pages=100"), Settings(), ignore)
    trials = [Trial("bfs", 0, Settings()), Trial("x", 0, Settings())]
    with pytest.raises(UserError, match="unknown strategy 'x'"):
        list(run_trials(ground, trials, ignore))


def test_figures_for_machines():
    """Shares of the site's totals; None where they were not reached."""
    curve = Curve(requests=9, found_at=[2, 5], sizes=[10, 30], other_bytes_at=[1, 2])
    result = TrialResult("site", "bfs", 3, curve, 4, 40, 1.23456, "")
    assert result.figures() == {
        "site": "site",
        "strategy": "bfs",
        "seed": 3,
        "requests": 9,
        "targets": 2,
        "total_targets": 4,
        "requests_to_50": 5,
        "requests_to_90": None,
        "requests_to_99": None,
        "bytes_to_90": 2,
        "seconds": 1.235,
    }


def test_curves_are_written_when_they_are_complete(tmp_path):
    """One row per target and one for the end; a failure leaves no file, and an old one alone."""
    path = tmp_path / "curve.csv"
    curve = Curve(requests=9, found_at=[2], sizes=[10], other_bytes_at=[1], other_bytes=7)
    result = TrialResult("site", "bfs", 0, curve, 1, 10, 0.1, "")
    with open_curve_csv(path) as write:
        write(result)
        assert not path.exists()
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["request"] for row in rows] == ["2", "9"]
    assert rows[0]["strategy"] == "bfs"
    before = path.read_bytes()
    with pytest.raises(RuntimeError), open_curve_csv(path) as write:
        raise RuntimeError
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["curve.csv"]


def test_curves_without_a_file(tmp_path):
    """No path, no file; a path that can't be written is found before the first trial."""
    with open_curve_csv(None) as write:
        write(None)
    with pytest.raises(UserError, match="can't be written"), open_curve_csv(tmp_path / "x/y.csv"):
        pytest.fail("entered")
