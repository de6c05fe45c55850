"""`report.html`: a crawl on one page that works offline and prints well."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Template

from datahound.catalog.catalog import Catalog, Summary
from datahound.errors import DatahoundError
from datahound.files import storage_errors, write_whole
from datahound.report import charts, phrases
from datahound.report.estimate import (
    Outlook,
    VisitColumns,
    describe_remaining,
    read_outlook,
    read_visits,
    round_roughly,
)
from datahound.report.format import load_templates, show_value
from datahound.report.phrases import CAUSES, HINTS, SKIPS, Cause
from datahound.report.read import Findings, read_findings
from datahound.report.remaining import TRACK_RECORD
from datahound.report.status import Estimate
from datahound.store.folder import Folder
from datahound.store.queries import open_snapshot
from datahound.web.urls import host_of

NAME = "report.html"
_ROWS = 12
_SECTIONS = 15
_HOSTS = 10
_KINDS_OF_TROUBLE = 5
_MOST_TEXT = 200


def render_report(folder: Path, *, bfs_found_at: Sequence[int] | None = None) -> str:
    """The report of the crawl in a folder, as HTML.

    `bfs_found_at` has the requests at which breadth-first order would have found each target.
    """
    place = Folder(folder)
    running = place.is_claimed()
    with open_snapshot(place.database) as connection:
        # Texts of websites may hold surrogates that are not UTF-8.
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        visits = read_visits(connection)
        findings = read_findings(connection, visits)
        outlook = _estimate_outlook(connection, findings, visits)
    view = _make_view(findings, outlook, running=running, bfs_found_at=bfs_found_at)
    return _load_template().render(view, catalog=_read_summary(folder))


def write_report(
    folder: Path, *, output: Path | None = None, bfs_found_at: Sequence[int] | None = None
) -> Path:
    """Write the report atomically; returns its path."""
    path = output or folder / NAME
    html = render_report(folder, bfs_found_at=bfs_found_at)
    with storage_errors(path), write_whole(path) as draft:
        draft.write_text(html, "utf-8")
    return path


def estimate_remaining(folder: Path) -> Estimate | None:
    """Estimate the files that a crawl has not found; None while it is too early."""
    with open_snapshot(Folder(folder).database) as connection:
        left = read_outlook(connection, exhausted=False).remaining
    if left is None:
        return None
    return Estimate(left.likely, left.low, left.high, describe_remaining(left))


def _estimate_outlook(
    connection: sqlite3.Connection, findings: Findings, visits: VisitColumns
) -> Outlook | None:
    if not findings.pages:
        return None
    exhausted = findings.cause is Cause.EXHAUSTED
    return read_outlook(connection, exhausted=exhausted, visits=visits)


def _read_summary(folder: Path) -> Summary | None:
    """The figures of the catalogue; None if there is none that can be read."""
    try:
        if not Catalog.exists(folder):
            return None
        with Catalog(folder) as catalog:
            return catalog.summary()
    except (DatahoundError, sqlite3.Error):
        return None


@cache
def _load_template() -> Template:
    # Compiling takes 0.1 s, and a run over many sites writes a report for each.
    filters: dict[str, Callable[..., str]] = {
        "day": _format_day,
        "rough": round_roughly,
        "local": _link_local,
        "state_words": phrases.describe_state,
        "spent_words": phrases.describe_outcome,
    }
    return load_templates("datahound.report", filters, _show_short).get_template(NAME)


def _show_short(value: object) -> object:
    """A value for a template: hidden characters are shown, long texts are cut."""
    if isinstance(value, str) and type(value) is str and len(value) > _MOST_TEXT:
        # The end is kept as well: it is where URLs differ.
        value = f"{value[: _MOST_TEXT // 2]} … {value[-_MOST_TEXT // 2 :]}"
    return show_value(value)


def _link_local(path: str | None) -> str:
    """The URL of a kept file, relative to the report."""
    return f"files/{quote(path)}" if path else ""


def _format_day(at: float | None) -> str:
    if at is None:
        return "–"
    try:
        return f"{datetime.fromtimestamp(at, UTC):%-d %B %Y, %H:%M}"
    except (OverflowError, OSError, ValueError):
        return "–"


def _describe_time(began: float | None, last: float | None) -> str:
    """The time that a crawl took, with no date twice."""
    first, second = _format_day(began), _format_day(last)
    day, _, time = second.rpartition(", ")
    if first.startswith(f"{day}, "):
        return f"on {first.replace(', ', ' from ')} to {time}" if first != second else f"on {first}"
    return f"from {first} to {second}"


def _make_view(
    findings: Findings,
    outlook: Outlook | None,
    *,
    running: bool,
    bfs_found_at: Sequence[int] | None,
) -> dict[str, Any]:
    files = findings.files
    left = outlook.remaining if outlook else None
    return {
        **_view_ending(findings),
        **_view_charts(findings),
        **_view_losses(findings),
        "crawl": findings,
        "host": host_of(findings.seed) if findings.seed else "a website",
        "files": files,
        "running": running,
        "when": _describe_time(findings.began_at, findings.last_at),
        "portals": findings.portals,
        "not_followed": findings.missed,
        "outlook": outlook,
        "left": left,
        "left_bar": charts.draw_outlook(files.count, left.likely, left.high) if left else None,
        "record": TRACK_RECORD,
        "curve": charts.draw_report_curve(files.found_at, findings.requests, bfs_found_at or None),
        "bfs": _compare_bfs(files.found_at, bfs_found_at),
        "made_at": datetime.now(UTC).timestamp(),
    }


def _view_ending(findings: Findings) -> dict[str, Any]:
    cause = findings.cause
    return {
        "ended": findings.ended,
        "hint": HINTS.get(cause, "") if cause else "",
        "explanation": CAUSES[cause].explanation if cause else "",
        "failed_start": cause is Cause.NO_START_PAGE,
    }


def _view_losses(findings: Findings) -> dict[str, Any]:
    """The requests that failed, and the links that were left out."""
    return {
        "troubles": findings.troubles[:_HOSTS],
        "more_troubles": len(findings.troubles) - _HOSTS,
        "kinds_of_trouble": _KINDS_OF_TROUBLE,
        "skipped": [(SKIPS[reason], count, url) for reason, count, url in findings.skipped[:_ROWS]],
        "more_skipped": sum(count for _, count, _ in findings.skipped[_ROWS:]),
    }


def _view_charts(findings: Findings) -> dict[str, Any]:
    files = findings.files
    types, more_types = charts.rank_bars(files.types, files.type_bytes, _ROWS)
    sections, more_sections = charts.rank_bars(files.sections, files.section_bytes, _SECTIONS)
    spent = [(what, findings.spent.get(what, 0)) for what in phrases.SPENT_ORDER]
    return {
        "types": types,
        "more_types": more_types,
        "sections": sections,
        "more_sections": more_sections,
        "years": charts.draw_columns(files.years),
        "spent": charts.split_shares(spent),
    }


def _compare_bfs(found_at: Sequence[int], bfs: Sequence[int] | None) -> dict[str, Any] | None:
    """Requests until nine in ten targets were found, ours and in breadth-first order."""
    if not bfs or not found_at:
        return None
    # Nine tenths, rounded up; of the smaller number, since neither order may have found all.
    needed = -(-9 * min(len(found_at), len(bfs)) // 10)
    ours, theirs = found_at[needed - 1], bfs[needed - 1]
    return {"ours": ours, "theirs": theirs, "saved": round(100 * (1 - ours / theirs))}
