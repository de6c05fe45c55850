"""Begin or resume a crawl: check whose folder it is, build the crawl, replay its journal."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace

from datahound.archive import Recorded, WarcArchive
from datahound.crawl.crawl import Crawl as Crawl  # noqa: PLC0414 for runs
from datahound.engines.live import next_fetches
from datahound.engines.replay import Observer
from datahound.errors import UserError
from datahound.model import Answer, Fetch, Link
from datahound.readers import Readers
from datahound.runs.online import Online
from datahound.runs.options import OPTIONS, Options
from datahound.store.queries import list_files_elsewhere
from datahound.store.writer import Store
from datahound.strategies import make_strategy
from datahound.web.targets import find_wanted

_IDENTITY = "identity"
_TARGET = OPTIONS["target"].identity
_MAY_WIDEN = (OPTIONS["allow_host"].identity, OPTIONS["linked_files"].identity)
"""Options that may add hosts to a folder whose crawl has begun."""
# Far beyond what hosts of one site can use; it bounds memory.
_MOST_KNOWN = 1_000_000
"""Known URLs of a crawl: a website can make links faster than anybody visits them."""
_MOST_IN_FLIGHT = 256
"""Fetches under way at a time in one crawl, over all hosts."""


def claim_identity(store: Store, options: Options) -> None:
    """Note whose folder this is, or make sure that it is the same crawl's."""
    ours = options.identity()
    theirs = store.fact(_IDENTITY)
    if theirs is None:
        store.note(_IDENTITY, ours)
        return
    for name in ours:
        # A folder of a version that did not have `--set` was crawled without it.
        was = theirs.get(name, [] if name == OPTIONS["set"].identity else ours[name])
        if ours[name] == was or (name in _MAY_WIDEN and _is_wider(was, ours[name])):
            continue
        if not (name == _TARGET and _are_same_targets(was, ours[name])):
            raise UserError(_difference(name, was, ours[name], options))


def has_identity(store: Store) -> bool:
    """Whether a crawl has claimed this database."""
    return store.fact(_IDENTITY) is not None


def narrow_reach(crawl: Crawl, store: Store) -> None:
    """Let a crawl reach what it reached when its journal was made."""
    begun = store.fact(_IDENTITY) or {}
    hosts, linked = (begun.get(name) for name in _MAY_WIDEN)
    # With a wider reach it would make fetches that the journal has no answer for.
    crawl.change_reach(tuple(hosts or ()), linked_files=bool(linked))


def widen_reach(crawl: Crawl, store: Store, options: Options) -> None:
    """Let a crawl reach what its present options allow, once its journal was replayed."""
    settings = options.settings().crawl
    crawl.change_reach(settings.site.allowed_hosts, linked_files=settings.linked_files)
    now = options.identity()
    store.note(_IDENTITY, (store.fact(_IDENTITY) or {}) | {name: now[name] for name in _MAY_WIDEN})


def _is_wider(was: object, now: object) -> bool:
    """Whether hosts were added, and none was taken away."""
    if isinstance(was, list) and isinstance(now, list):
        return set(was) <= set(now)
    return bool(now) or not was


def _are_same_targets(was: list[str] | None, now: list[str] | None) -> bool:
    """Whether an older version, which kept the MIME types of a name, meant the same."""
    # MIME types have a slash, names have none.
    if not was or not now or not all("/" in word for word in was):
        return False
    return set(was) <= find_wanted(frozenset(now)).mime_types


def _difference(name: str, was: object, now: object, options: Options) -> str:
    return (
        f"{options.output}: holds a crawl with another {name} ({_shown(was)}, not {_shown(now)}); "
        "give the same one, or another --output"
    )


def _shown(value: object) -> str:
    if value is None or value == "" or value == []:
        return "none"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def list_left_out(store: Store, crawl: Crawl) -> list[Link]:
    """Files on other hosts that were left out before, and that the present options admit."""
    site, linked = crawl.site, crawl.settings.linked_files
    return [
        file
        for file in list_files_elsewhere(store.connection)
        if site.admits(file.url) or (linked and not site.excludes(file.url))
    ]


def collect_left_out(store: Store, crawl: Crawl, recorded: int) -> None:
    """Collect files on hosts that were added since their links were left out."""
    if left_out := list_left_out(store, crawl):
        crawl.collect_files(left_out)
        # The journal goes on with these files, so the checkpoint must know of them.
        if crawl.can_snapshot:
            store.checkpoint(crawl, recorded)


async def complete_untried(store: Store, online: Online, *, list_only: bool) -> None:
    """Download targets that the journal answered but that have no file.

    That happens where a record of the journal was damaged, or a newer version reads it in
    another order: the crawl then finds targets by their URLs, and asks the web for none.
    """
    store.flush()
    untried = [] if list_only else store.ledger().untried()
    if untried:
        online.complete(untried)
        await online.finish()


# Some 50 ms of reading pages.
_RECORDS_AT_ONCE = 20


def build_crawl(options: Options) -> Crawl:
    """A crawl that has not begun."""
    settings = options.settings()
    most = settings.crawl.max_known or _MOST_KNOWN
    return Crawl(
        options.url,
        make_strategy(
            options.strategy,
            settings.strategy,
            seed=options.seed,
            targets=settings.crawl.targets,
        ),
        settings=replace(settings.crawl, max_known=most),
        in_flight=_MOST_IN_FLIGHT,
        per_host=settings.web.concurrency,
        read=Readers(settings.pages).read,
    )


async def replay_journal(
    crawl: Crawl,
    recorded: Iterable[Recorded],
    observe: Observer,
    prepare: Callable[[Fetch, Answer], Awaitable[Answer]],
    after_answer: Callable[[], Awaitable[None]],
) -> int:
    """Answer the crawl's fetches with the records in their order; the number of records used.

    A crawl makes the same fetches again, as long as it is the same: then every record finds its
    fetch. Where one does not (a newer version may read pages otherwise), the archive answers later,
    by URL.
    """
    count = 0
    waiting = {_key(fetch): fetch for fetch in crawl.open_fetches()}
    for fetch, answer in recorded:
        async for asked in next_fetches(crawl):
            waiting[_key(asked)] = asked
        # By method too: a URL may be asked for by HEAD, then by GET.
        same = waiting.pop(_key(fetch), None)
        if same is None:
            break
        crawl.answer(same, await prepare(same, answer))
        observe(crawl.take_events())
        await after_answer()
        count += 1
        if count % _RECORDS_AT_ONCE == 0:
            # Other crawls share this loop, and a journal never waits for anything.
            await asyncio.sleep(0)
    return count


def describe_misfit(
    archive: WarcArchive, position: int, used: int, *, is_over: bool
) -> Iterator[str]:
    """Say that the journal could not be replayed to its end, and what follows from it."""
    left = archive.recorded - position - used
    if archive.damaged or (left > 0 and not is_over):
        yield (
            f"the journal is damaged or does not fit after record {position + used:,}: "
            "later answers are looked up by their URLs, and what is missing is requested again"
        )


def _key(fetch: Fetch) -> tuple[str, str]:
    return fetch.url, fetch.method
