"""Crawl and refresh from Python: the same folders as the commands leave."""

import asyncio
import logging
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypedDict, TypeVar, Unpack

from datahound.errors import Unreachable, UserError
from datahound.events import Event, TargetFound
from datahound.model import FileRecord, Link
from datahound.news.whatsnew import check_since, choose_versions, publish_whatsnew
from datahound.runs import (
    BAD_INPUT,
    TROUBLE,
    Ended,
    ReadingPool,
    RoundRequest,
    Run,
    default_at_once,
    describe_error,
    finish_crawl,
    finish_crawls,
    go_all,
    go_shipped,
    make_runs,
    options_of_each,
    ship_ended,
    update_catalog,
)
from datahound.runs.options import OPTIONS, Options, make_options
from datahound.store import queries

_P = ParamSpec("_P")
_R = TypeVar("_R")


class CrawlOptions(TypedDict, total=False):
    """The options as keyword arguments in Python; a test compares them with the table."""

    output: str | Path
    target: str | list[str] | None
    budget: int | str | None
    max_bytes: int | str | None
    max_time: float | str | None
    delay: float | str
    concurrency: int | str
    strategy: str
    seed: int | str
    early_stop: bool
    max_file_size: int | str | None
    include: str | list[str]
    exclude: str | list[str]
    subdomains: bool
    allow_host: str | list[str]
    scope: str
    linked_files: bool
    traps: bool
    linked_only: bool
    api: bool
    sitemap: bool
    forms: bool
    max_table: int | str
    list_only: bool
    contact: str
    user_agent: str
    header: str | list[str]
    cookies: str | Path | None
    proxy: str | None
    sign: str
    sign_agent: str
    ignore_robots: bool
    connect_to: str | None
    set: Mapping[str, object] | str | list[str]


def document_options(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add the table of options to the docstring of a function that takes them as keywords."""
    lines = [f"    {o.name}: {o.help}".rstrip(": ") for o in OPTIONS.values()]
    function.__doc__ = "\n".join([function.__doc__ or "", "Options:", *lines, ""])
    return function


_LOOK_EVERY_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Target:
    """A data file of a website."""

    url: str
    file: Path | None
    """Where it is; None if it was only listed, or could not be kept (then `note` says why)."""
    title: str
    """The text of the link that led to it."""
    page: str
    """The URL of the page it was found on."""
    mime_type: str = ""
    bytes: int = 0
    sha256: str = ""
    note: str = ""


@document_options
async def crawl(url: str, **options: Unpack[CrawlOptions]) -> AsyncIterator[Target]:
    """Crawl a website and give each target once its file is there.

    Options are those of `datahound crawl`, with underscores. To stop the crawl, stop iterating;
    the same call resumes it, and gives only new targets. At the end, the iterator returns after
    the catalogue and the report are written.

    >>> async for target in crawl("https://www.example.org", budget=500):   # doctest: +SKIP
    ...     print(target.file, target.title)
    """
    stream = _Stream(url, options)
    going = asyncio.create_task(stream.go())
    try:
        while (target := await stream.targets.get()) is not None:
            yield target
        await going
    finally:
        stream.run.stop()
        await asyncio.gather(going, return_exceptions=True)


@document_options
def crawl_blocking(url: str, **options: Unpack[CrawlOptions]) -> Iterator[Target]:
    """`crawl` for programs without an event loop: it runs in its own thread."""
    targets: queue.Queue[Target | BaseException | None] = queue.Queue()
    enough = threading.Event()

    def work() -> None:
        try:
            asyncio.run(_collect(url, options, targets, enough))
            targets.put(None)
        except BaseException as error:  # noqa: BLE001 handed to the code that iterates
            targets.put(error)

    thread = threading.Thread(target=work, name="datahound", daemon=True)
    thread.start()
    try:
        while (item := targets.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        enough.set()
        thread.join()


async def refresh(
    *folders: str | Path,
    budget: int | None = None,
    share: float | None = None,
    until_empty: bool = False,
    since: int | None = None,
    versions: int | str | None = None,
    catalog: bool = True,
    **options: Any,
) -> list[dict[str, Any]]:
    """Look for what is new on sites that were crawled before, as `datahound refresh` does.

    Gives what `whatsnew.json` of each folder has. Options are those of `datahound refresh`, with
    underscores. Raises `Unreachable` if a site could not be asked, once all others are done.

    >>> (found,) = await refresh("www.example.org", share=0.1)              # doctest: +SKIP
    ... print([file["url"] for file in found["new"]])
    """
    request = RoundRequest(budget, share, until_empty)
    places = [Path(folder) for folder in folders]
    given = {name.replace("_", "-"): value for name, value in options.items()}
    planned = options_of_each(places, given)
    keeps = [choose_versions(versions, one.settings().refresh.versions) for one in planned]
    if since is not None:
        check_since(places, since)
    endings = await _go_rounds(planned, request)
    await asyncio.to_thread(_finish_rounds, planned, endings, catalog=catalog)
    _raise_failure(places, endings)
    kept = zip(places, keeps, strict=True)
    return await asyncio.to_thread(
        lambda: [publish_whatsnew(one, since, keep) for one, keep in kept]
    )


def refresh_blocking(*folders: str | Path, **options: Any) -> list[dict[str, Any]]:
    """`refresh` for programs without an event loop."""
    return asyncio.run(refresh(*folders, **options))


async def _go_rounds(planned: list[Options], request: RoundRequest) -> list[Ended]:
    """Run the rounds of all folders, several at a time."""
    async with ReadingPool() as reader:
        runs = make_runs(planned, lambda *_: None, reader)
        for run in runs:
            run.request = request
        going = asyncio.create_task(go_all(runs, go_shipped, default_at_once()))
        try:
            return await asyncio.shield(going)
        finally:
            for run in runs:
                run.stop()
            await asyncio.gather(going, return_exceptions=True)


def _finish_rounds(planned: list[Options], endings: list[Ended], *, catalog: bool) -> None:
    """Write catalogues and reports, as the command does."""
    complain = logging.getLogger(__name__).warning
    catalogue = update_catalog if catalog else None
    finish_crawls(zip(planned, endings, strict=True), catalogue=catalogue, complain=complain)
    ship_ended(planned, complain)


def _raise_failure(places: list[Path], endings: list[Ended]) -> None:
    """Raise the first failure of a round, where there is one."""
    for place, ended in zip(places, endings, strict=True):
        if ended.status in (TROUBLE, BAD_INPUT):
            raise (UserError if ended.status == BAD_INPUT else Unreachable)(f"{place}: {ended}")


async def _collect(
    url: str,
    options: Mapping[str, Any],
    targets: "queue.Queue[Target | BaseException | None]",
    enough: threading.Event,
) -> None:
    stream = _Stream(url, options)
    going = asyncio.create_task(stream.go())
    while not going.done() or not stream.targets.empty():
        if enough.is_set():
            stream.run.stop()
        try:
            target = await asyncio.wait_for(stream.targets.get(), _LOOK_EVERY_SECONDS)
        except TimeoutError:
            continue
        if target is not None:
            targets.put(target)
    await going


class _Stream:
    """A run whose targets can be waited for; None is the last of them."""

    def __init__(self, url: str, options: Mapping[str, Any]) -> None:
        given = {name.replace("_", "-"): value for name, value in options.items()}
        self.targets: asyncio.Queue[Target | None] = asyncio.Queue()
        self.run = Run(make_options(url, given), watch=self._watch, on_file=self._on_file)
        self._links: dict[str, Link] = {}
        # A file that is refused by its headers is settled before the crawl has met its answer.
        self._early: dict[str, FileRecord] = {}

    async def go(self) -> Ended:
        """Crawl, then write the catalogue and the report, as the command does."""
        try:
            ended = await go_shipped(self.run)
        except Exception as error:
            await self._finish(describe_error(error))
            raise
        finally:
            for record in self._early.values():
                self._give(record, Link(record.url))
            self.targets.put_nowait(None)
        await self._finish(ended)
        if ended.failed_start:
            raise Unreachable(str(ended))
        return ended

    async def _finish(self, ended: Ended) -> None:
        # In a thread, since it takes minutes and must not block the caller's event loop.
        await asyncio.to_thread(finish_crawl, self.run.options, ended)
        complain = logging.getLogger(__name__).warning
        await asyncio.to_thread(ship_ended, [self.run.options], complain)

    def _watch(self, run: Run, events: list[Event]) -> None:
        for event in events:
            if not isinstance(event, TargetFound):
                continue
            self._links[event.link.url] = event.link
            if (record := self._early.pop(event.link.url, None)) is not None:
                self._on_file(record)
            if run.options.list_only and not run.catching_up:
                self.targets.put_nowait(_listed(event))

    def _on_file(self, record: FileRecord) -> None:
        link = self._links.pop(record.url, None) or self._recalled(record.url)
        if link.found_on or link.anchor:
            self._give(record, link)
        else:
            self._early[record.url] = record

    def _give(self, record: FileRecord, link: Link) -> None:
        file = self.run.folder.files / record.file if record.file else None
        note = record.note or ("" if file else record.status)
        what = (record.mime_type, record.bytes, record.sha256, note)
        self.targets.put_nowait(Target(record.url, file, link.anchor, link.found_on, *what))

    def _recalled(self, url: str) -> Link:
        """A link that an earlier process found."""
        with queries.open_folder(self.run.folder.path) as connection:
            return queries.read_target_link(connection, url)


def _listed(event: TargetFound) -> Target:
    link = event.link
    return Target(link.url, None, link.anchor, link.found_on, event.mime_type, event.size)
