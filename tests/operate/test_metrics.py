"""Figures for Prometheus: from a folder, and from a run while it lasts."""

import asyncio
import re
from contextlib import closing

import pytest
from pretend import PretendWeb, small_site

from datahound.dashboard.crawls import Crawls
from datahound.errors import StorageError
from datahound.operate.metrics import metrics_written, write_metrics
from datahound.report.status import Figures, figures_of, metrics_text
from datahound.runs.options import make_options
from datahound.runs.run import Run
from datahound.store.sqlite import open_to_read

LINE = re.compile(r'datahound_\w+\{crawl="[^"]*"(,class="\w+")?\} [0-9.e+]+')


def read(text):
    """The samples, as Prometheus takes them."""
    samples = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        assert LINE.fullmatch(line), line
        name, value = line.split(" ")
        name, _, labels = name.partition("{")
        kind = re.search(r'class="(\w+)"', labels)
        samples[name.removeprefix("datahound_") + (f" {kind[1]}" if kind else "")] = float(value)
    return samples


def test_a_run_keeps_its_file_of_figures(tmp_path):
    """There from the beginning, up to date while it runs, final at its end."""
    site = small_site()
    file = tmp_path / "metrics.prom"
    options = make_options(site.seed, {"output": str(tmp_path / "crawl"), "delay": 0})
    seen = []
    web = PretendWeb(site, lambda web: len(web.asked) == 30 and seen.append(file.read_text()))
    run = Run(options, going_online=web.going_online)

    async def go():
        async with metrics_written(file, [run], every_seconds=0.01):
            run.ended = await run.go()

    asyncio.run(go())
    first, last = read(seen[0]), read(file.read_text())
    assert first["running"] == 1
    assert last["running"] == 0
    assert last["targets_total"] == last["files"] == 40
    assert first["requests_total"] < last["requests_total"]
    assert not list(tmp_path.glob(".*"))
    with closing(open_to_read(tmp_path / "crawl" / "crawl.db")) as connection:
        stored = read(metrics_text({"demo": figures_of(connection, running=False)}))
    # The file and `/metrics` of the dashboard have the same set, with the same values at the end.
    for name in stored.keys() - {"last_request_timestamp_seconds"}:
        assert stored[name] == pytest.approx(last[name], abs=2e-3), name
    assert stored.keys() == last.keys()
    assert (last["ended"], last["failed"], first["ended"]) == (1, 0, 0)
    assert last["last_success_timestamp_seconds"] > 1e9
    assert last["new_files"] == 40
    with closing(open_to_read(tmp_path / "crawl" / "crawl.db")) as connection:
        ask = "SELECT count(*) FROM request WHERE status BETWEEN 400 AND 499"
        (errors,) = connection.execute(ask).fetchone()
    assert last["errors_total client"] == errors > 0


def test_names_are_quoted():
    text = metrics_text({'a"b\\c\nd': Figures(requests=3)})
    assert 'crawl="a\\"b\\\\c\\nd"} 3' in text
    assert text.count("\n# TYPE") == text.count("# HELP")
    assert metrics_text({}) == ""


def test_crawls_of_one_host_have_a_name_each(tmp_path):
    """That of their folders, as in the dashboard; two hosts at one address are not one crawl."""
    folders = [tmp_path / "a" / "north", tmp_path / "a" / "south", tmp_path / "b" / "south"]
    site = small_site()
    runs = [Run(make_options(site.seed, {"output": str(folder)})) for folder in folders]
    write_metrics(tmp_path / "x.prom", runs)
    text = (tmp_path / "x.prom").read_text()
    names = re.findall(r'datahound_requests_total\{crawl="(.*)"\}', text)
    assert names == ["north", "south", "south~2"]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "crawl.db").touch()
    assert [crawl.id for crawl in Crawls([tmp_path]).all()] == names


def test_a_file_that_cant_be_written_is_a_line(tmp_path):
    (tmp_path / "taken").touch()
    with pytest.raises(StorageError, match="can't be written"):
        write_metrics(tmp_path / "taken" / "x.prom", [])
    write_metrics(tmp_path / "new" / "x.prom", [])
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["x.prom"]


def test_no_file_is_kept_where_none_is_wanted():
    async def go():
        async with metrics_written(None, []):
            pass

    asyncio.run(go())


def test_a_crawl_that_failed_says_so(tmp_path):
    """Without a start page there is no success, and the class of the error is counted."""
    options = make_options("https://gone.example/", {"output": str(tmp_path), "delay": 0})
    web = PretendWeb(small_site())
    run = Run(options, going_online=web.going_online)
    run.ended = asyncio.run(run.go())
    write_metrics(tmp_path / "x.prom", [run])
    found = read((tmp_path / "x.prom").read_text())
    assert (found["failed"], found["last_success_timestamp_seconds"]) == (1, 0)
    assert found["errors_total client"] == 1
