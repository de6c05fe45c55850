"""What is said when crawls have ended: what they brought, where it is, and what to do next."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from datahound.operate.summary import CrawlSummary
from datahound.text import show_text
from datahound.units import show_count, show_duration, show_size
from datahound.web.urls import host_of

_LABEL = 10
_GO_ON = "to go on, "
_SHOWN_FAILURES = 20
_NAME = 32


def describe_ending(summary: CrawlSummary, remarks: Sequence[str] = ()) -> list[str]:
    """The end of one crawl: a headline, and a line for each thing worth knowing."""
    # What the web sent may be in a reason, and must not steer a terminal.
    lines = [f"{host_of(summary.site)}: {show_text(summary.reason)}"]
    for label, text in [
        *_describe_found(summary, remarks),
        ("go on", summary.hint.removeprefix(_GO_ON)),
    ]:
        if text:
            lines.append(f"  {label:<{_LABEL}}{text}")
    return lines


def _describe_found(summary: CrawlSummary, remarks: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from (("note", show_text(remark)) for remark in remarks)
    if not summary.requests:
        return
    yield "found", _count_found(summary)
    if summary.failed:
        yield "failed", f"{show_count(summary.failed, 'file')} could not be had"
    yield "folder", str(summary.folder)
    if summary.report:
        yield "report", str(summary.report)
    for number, line in enumerate(summary.portals):
        yield "" if number else "portals", line
    for number, sentence in enumerate(summary.missed):
        yield "" if number else "missed", sentence
    yield "left", summary.left
    command = "fetch" if summary.list_only else "serve"
    yield "next", f"datahound {command} {shlex.quote(str(summary.folder))}"


def _count_found(summary: CrawlSummary) -> str:
    tables = f" with {show_count(summary.tables, 'table')}" if summary.tables is not None else ""
    listed = "listed" if summary.list_only else show_size(summary.kept_bytes)
    return (
        f"{show_count(summary.files, 'file')} ({listed}){tables}, in"
        f" {show_count(summary.requests, 'request')} and {show_duration(summary.seconds)}"
    )


def describe_endings(summaries: Sequence[CrawlSummary], table: Path | None) -> list[str]:
    """The end of many crawls: totals, what failed and why, and where the figures are."""
    failed = [summary for summary in summaries if summary.failed_crawl]
    reasons = Counter(summary.reason for summary in summaries if not summary.failed_crawl)
    lines = [
        f"{show_count(len(summaries), 'site')}, {len(failed):,} failed",
        f"  {'found':<{_LABEL}}{_count_all(summaries)}",
    ]
    for reason, count in reasons.most_common():
        lines.append(f"  {'ended':<{_LABEL}}{show_count(count, 'site')}: {show_text(reason)}")
    for summary in failed[:_SHOWN_FAILURES]:
        reason = show_text(summary.reason)
        lines.append(f"  {'failed':<{_LABEL}}{host_of(summary.site)[:_NAME]:<{_NAME}}  {reason}")
    if len(failed) > _SHOWN_FAILURES:
        lines.append(f"  {'':<{_LABEL}}and {len(failed) - _SHOWN_FAILURES:,} more")
    if any(summary.status for summary in summaries):
        lines.append(f"  {'go on':<{_LABEL}}the same command goes on with those that are not done")
    if table is not None:
        lines.append(f"  {'summary':<{_LABEL}}{table}")
        folder = shlex.quote(str(table.parent))
        lines.append(f"  {'next':<{_LABEL}}datahound serve {folder}")
    return lines


def _count_all(summaries: Sequence[CrawlSummary]) -> str:
    counted = [summary.tables for summary in summaries if summary.tables is not None]
    tables = f" with {show_count(sum(counted), 'table')}" if counted else ""
    return (
        f"{show_count(sum(s.files for s in summaries), 'file')}"
        f" ({show_size(sum(s.kept_bytes for s in summaries))}){tables}, in"
        f" {show_count(sum(s.requests for s in summaries), 'request')}"
    )
