"""Events as JSON lines: complete, selected, and as the schema says."""

import asyncio
import json

import jsonschema
import pytest
from pretend import PretendWeb, small_site

from datahound.errors import StorageError, UserError
from datahound.operate.event_log import open_log, parse_selection
from datahound.operate.event_schema import make_schema
from datahound.runs import Run
from datahound.runs.options import make_options


def crawl(path, selection, folder):
    """A crawl whose events are kept in a file; the events."""
    site = small_site()
    options = make_options(site.seed, {"output": str(folder), "delay": 0})
    with open_log(path, selection, printed=False) as log:
        run = Run(
            options,
            going_online=PretendWeb(site).going_online,
            watch=lambda run, events: log.note(run.options, events),
            on_file=lambda record: log.note_file(options, record),
        )
        log.note_end(options, asyncio.run(run.go()))
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_line_is_as_the_schema_says(tmp_path):
    """Time, crawl, site, level, and what happened; a schema that is wrong refuses a line."""
    events = crawl(tmp_path / "log", frozenset(), tmp_path / "crawl")
    check = jsonschema.Draft202012Validator(make_schema())
    jsonschema.Draft202012Validator.check_schema(make_schema())
    for event in events:
        check.validate(event)
    kinds = {event["event"] for event in events}
    assert kinds >= {"Fetched", "TargetFound", "Chosen", "Visited", "File", "Ended"}
    assert not check.is_valid(events[0] | {"level": "loud"})
    assert not check.is_valid({**events[-1], "cause": "no reason at all"})
    assert not check.is_valid({k: v for k, v in events[-1].items() if k != "time"})


def test_file_events_have_path_sum_and_size(tmp_path):
    events = crawl(tmp_path / "log", frozenset({"files"}), tmp_path / "crawl")
    assert {event["event"] for event in events} == {"File", "Ended"}
    files = [event for event in events if event["event"] == "File"]
    assert len(files) == 40
    assert all(file["path"] and file["sha256"] and file["bytes"] == 1 for file in files)
    assert {event["crawl"] for event in events} == {str(tmp_path / "crawl")}


def test_errors_alone(tmp_path):
    events = crawl(tmp_path / "log", frozenset({"errors"}), tmp_path / "crawl")
    assert all(e["level"] in ("warning", "error") for e in events if e["event"] != "Ended")
    assert events[-1]["event"] == "Ended"


def test_the_file_rotates(tmp_path, monkeypatch):
    monkeypatch.setattr("datahound.operate.event_log._MOST_BYTES", 20_000)
    monkeypatch.setattr("datahound.operate.event_log._OLD_FILES", 2)
    crawl(tmp_path / "log", frozenset(), tmp_path / "crawl")
    names = sorted(path.name for path in tmp_path.glob("log*"))
    assert names == ["log", "log.1", "log.2"]
    assert all((tmp_path / name).stat().st_size <= 20_000 for name in names)


def test_mistakes_are_one_line(tmp_path):
    with pytest.raises(UserError, match="'file' is none of"):
        parse_selection("file")
    log = open_log(tmp_path / "no" / "log", frozenset(), printed=False)
    with pytest.raises(StorageError, match="can't be written"), log:
        pass


def test_nothing_is_kept_where_nothing_is_wanted():
    with open_log(None, frozenset(), printed=False) as log:
        assert log is None
