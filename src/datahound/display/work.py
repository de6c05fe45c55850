"""What a crawl does at the moment, in plain words."""

from datahound.display.shown import Shown
from datahound.model import Fetch, Purpose
from datahound.report.phrases import find_section
from datahound.runs import ActionProgress
from datahound.units import show_count
from datahound.web.urls import host_of

_LIST_PAGE = 1.5
_HARDLY_ANY = 0.02
_POLITENESS = "politeness"


def describe_work(run: Shown) -> str:
    """What a crawl does now, without jargon."""
    progress = run.progress
    if progress.paused:
        return "paused; it can be continued in the dashboard (datahound serve)"
    if progress.phase:
        return progress.phase
    fetches = [under_way.fetch for under_way in progress.fetching.values()]
    if not fetches:
        return "" if run.progress.tally.requests else "starting"
    if all(fetch.purpose is Purpose.PROBE for fetch in fetches):
        return "asking the server what links lead to"
    return _describe_reading(run)


def describe_wait(run: Shown) -> str:
    """What keeps the crawl from asking, such as a host that is out of reach; '' if nothing does."""
    if run.progress.paused or run.progress.phase:
        return ""
    hosts = dict.fromkeys(host_of(url) for url in run.progress.fetching)
    waits = [(host, run.progress.find_wait(host)) for host in hosts]
    # Without the seconds: the same line is printed once.
    held = [f"{host} ({wait[0]})" for host, wait in waits if wait and wait[0] != _POLITENESS]
    return f"waiting for {', '.join(held)}" if held else ""


def _describe_reading(run: Shown) -> str:
    chosen = run.progress.chosen
    if chosen is None:
        return "reading the start page"
    section = find_section(chosen.choice.link.url, host_of(run.options.url))
    where = "at the top of the site" if section == "/" else f"under {section}"
    group = (
        run.progress.actions.get(chosen.choice.group) if chosen.choice.group is not None else None
    )
    if group is None or not group.visits:
        return f"reading pages {where}"
    kind = "list pages" if group.lately >= _LIST_PAGE else "pages"
    return f"reading {kind} {where}, {describe_rate(group)} lately"


def describe_rate(group: ActionProgress) -> str:
    """The files that pages of a group brought lately.

    >>> [describe_rate(ActionProgress("", 9, 9, rate)) for rate in (12.4, 3.0, 1.0, 0.25, 0.0)]
    ['12 files per page', '3 files per page', '1 file per page', '1 file in 4 pages', 'no files']
    """
    rate = group.lately
    if rate < _HARDLY_ANY:
        return "no files"
    if rate < 0.7:
        return f"1 file in {show_count(max(2, round(1 / rate)), 'page')}"
    return f"{show_count(round(rate), 'file')} per page"


def describe_next(run: Shown, *, limit: int = 1) -> list[str]:
    """The URLs under way or next, and what each waits for."""
    fetching = [under_way.fetch for under_way in run.progress.fetching.values()]
    lines = [_describe_fetch(run, fetch) for fetch in fetching[:limit]]
    if len(fetching) > limit > 1:
        lines.append(f"and {len(fetching) - limit} more")
    return lines


def _describe_fetch(run: Shown, fetch: Fetch) -> str:
    wait = run.progress.find_wait(host_of(fetch.url))
    if run.progress.paused or wait is None:
        return fetch.url
    reason, seconds = wait
    why = "" if reason == _POLITENESS else f" ({reason})"
    return f"in {seconds:.0f}s{why}: {fetch.url}" if seconds >= 1 or why else fetch.url
