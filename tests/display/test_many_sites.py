"""The view of many crawls fits the screen, and those that need attention are on top."""

from types import SimpleNamespace

from datahound.display.many_sites import Attention, draw_many, judge_attention
from datahound.display.symbols import BLOCKS
from datahound.model import Fetch
from datahound.report.phrases import Cause
from datahound.runs.outcome import Ended
from datahound.runs.progress import Progress


def make(run, name, *, requests=0, ended=None, url=None, wait=None, **more):
    """A crawl in some state."""
    progress = Progress(run.crawl, now=lambda: 0.0)
    if url:
        progress.begin_fetch(Fetch(url), 0.0)
    if wait:
        progress.wait(wait, name, 60)
    for field, value in more.items():
        setattr(progress, field, value)
    tally = SimpleNamespace(requests=requests, targets=2, bytes=10)
    return SimpleNamespace(
        name=name,
        options=run.options,
        settings=run.settings,
        crawl=SimpleNamespace(tally=tally),
        progress=progress,
        ended=ended,
        files_under_way=0,
        remarks=[],
    )


def all_states(run):
    url = "https://{}/x".format
    return [
        make(run, "queued.example"),
        make(run, "done.example", requests=3, ended=Ended(Cause.EXHAUSTED, "done")),
        make(run, "runs.example", requests=3, url=url("runs.example")),
        make(run, "loses.example", requests=3, url=url("loses.example"), failed=1),
        make(run, "rests.example", requests=3, url=url("rests.example"), wait="Retry-After"),
        make(run, "paused.example", requests=3, paused=True),
        make(run, "failed.example", requests=3, ended=Ended(Cause.TROUBLE, "disk", 1)),
    ]


def test_trouble_is_on_top(run, printed):
    runs = all_states(run)
    judged = [judge_attention(one) for one in runs]
    assert judged == sorted(Attention, reverse=True)
    view = printed(draw_many(runs, 24, BLOCKS))
    names = [line.split(".example")[0].strip() for line in view.splitlines() if ".example" in line]
    assert names == ["failed", "paused", "rests", "loses", "runs", "done"]
    assert "7 sites: 4 crawled now, 1 waiting for their turn, 1 done, 1 failed" in view
    assert "14 files found in 18 requests" in view


def test_it_fits_the_screen(run, printed):
    runs = [make(run, f"n{n}.example", requests=n + 1) for n in range(1000)]
    view = printed(draw_many(runs, 24, BLOCKS))
    assert len(view.splitlines()) <= 24
    assert max(map(len, view.splitlines())) <= 80
    assert "and 980 more sites" in view or "and 980 sites more" in view
