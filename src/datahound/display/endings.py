"""Messages at the end of crawls: what one brought and where it is, or the totals of many."""

import shlex
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from datahound.operate.summary import CrawlSummary
from datahound.report.phrases import CAUSES, Cause
from datahound.text import show_text
from datahound.units import show_count, show_duration, show_size
from datahound.web.urls import host_of

_ENDING_LABEL = 10
_NARROWEST = 40
_GO_ON = "to go on, "
_SHOWN_FAILURES = 20
_FAILED_NAME = 32
_NO_START = CAUSES[Cause.NO_START_PAGE].phrase


def describe_ending(summary: CrawlSummary, remarks: Sequence[str] = ()) -> list[str]:
    """The end of one crawl: a headline, and a line for each thing worth knowing."""
    # What the web sent may be in a reason, and must not steer a terminal.
    lines = [f"{host_of(summary.site)}: {show_text(summary.reason)}"]
    for label, text in [
        *_describe_found(summary, remarks),
        ("go on", summary.hint.removeprefix(_GO_ON)),
    ]:
        if text:
            lines.append(f"  {label:<{_ENDING_LABEL}}{text}")
    return lines


def wrap_lines(lines: Sequence[str], width: int) -> list[str]:
    """Break lines between words, so that a terminal does not break them inside; none is lost."""
    indent = " " * (_ENDING_LABEL + 2)
    return [
        piece
        for line in lines
        for piece in textwrap.wrap(
            line,
            max(width, _NARROWEST),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    ]


def _describe_found(summary: CrawlSummary, remarks: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from (("note", show_text(remark)) for remark in remarks)
    if not summary.requests:
        return
    if summary.cause == Cause.NO_START_PAGE.value:
        # Nothing was found, and there is nothing to look at.
        yield "folder", str(summary.folder)
        return
    yield "found", _count_found(summary)
    if summary.failed:
        yield "failed", f"{show_count(summary.failed, 'file')} could not be downloaded"
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
    cost = f"{show_count(summary.requests, 'request')} and {show_duration(summary.seconds)}"
    if not summary.files:
        return f"no file, in {cost}"
    listed = "listed" if summary.list_only else _describe_kept(summary.kept_bytes, summary.copies)
    tables = _describe_tables(summary.tables)
    return f"{show_count(summary.files, 'file')} ({listed}){tables}, in {cost}"


def _describe_kept(size: int, copies: int) -> str:
    return f"{show_size(size)}; {copies:,} of them copies" if copies else show_size(size)


def _describe_tables(tables: int | None) -> str:
    if tables is None:
        return ""
    return f" with {show_count(tables, 'table')}" if tables else " without tables"


def describe_endings(summaries: Sequence[CrawlSummary], table: Path | None) -> list[str]:
    """The end of many crawls: totals, what failed and why, and where the figures are."""
    failed = [summary for summary in summaries if summary.failed_crawl]
    reasons = Counter(summary.reason for summary in summaries if not summary.failed_crawl)
    lines = [
        f"{show_count(len(summaries), 'site')}, {len(failed):,} failed",
        f"  {'found':<{_ENDING_LABEL}}{_count_all(summaries)}",
    ]
    for reason, count in reasons.most_common():
        lines.append(
            f"  {'ended':<{_ENDING_LABEL}}{show_count(count, 'site')}: {show_text(reason)}"
        )
    names = [summary.folder.name[:_FAILED_NAME] for summary in failed[:_SHOWN_FAILURES]]
    width = max(map(len, names), default=0)
    for name, summary in zip(names, failed, strict=False):
        reason = shorten_reason(show_text(summary.reason))
        lines.append(f"  {'failed':<{_ENDING_LABEL}}{name:<{width}}  {reason}")
    if len(failed) > _SHOWN_FAILURES:
        lines.append(f"  {'':<{_ENDING_LABEL}}and {len(failed) - _SHOWN_FAILURES:,} more")
    if any(summary.status for summary in summaries):
        lines.append(
            f"  {'go on':<{_ENDING_LABEL}}the same command goes on with those that are not done"
        )
    if table is not None:
        lines.append(f"  {'summary':<{_ENDING_LABEL}}{table}")
        folder = shlex.quote(str(table.parent))
        lines.append(f"  {'next':<{_ENDING_LABEL}}datahound serve {folder}")
    return lines


def shorten_reason(reason: str) -> str:
    """Why a crawl failed, without the words that most reasons begin with.

    >>> shorten_reason("the start page could not be fetched: host not found")
    'start page: host not found'
    """
    return reason.replace(_NO_START, "start page", 1)


def describe_shipped(places: Sequence[str]) -> list[str]:
    """Where in object storage crawls are by now.

    >>> describe_shipped(["s3://bucket/crawls"])
    ['  shipped   s3://bucket/crawls']
    """
    if len(places) > 1:
        first, count = places[0].rpartition("/")[0], len(places)
        return [f"  {'shipped':<{_ENDING_LABEL}}{show_count(count, 'crawl')} below {first}"]
    return [f"  {'shipped':<{_ENDING_LABEL}}{place}" for place in places]


def _count_all(summaries: Sequence[CrawlSummary]) -> str:
    cost = show_count(sum(summary.requests for summary in summaries), "request")
    files = sum(summary.files for summary in summaries)
    if not files:
        return f"no file, in {cost}"
    counted = [summary.tables for summary in summaries if summary.tables is not None]
    kept = _describe_kept(
        sum(summary.kept_bytes for summary in summaries),
        sum(summary.copies for summary in summaries),
    )
    tables = _describe_tables(sum(counted) if counted else None)
    return f"{show_count(files, 'file')} ({kept}){tables}, in {cost}"
