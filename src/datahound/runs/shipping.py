"""Crawl into object storage: fetch the folder from there, ship it while it grows and at the end."""

import asyncio
import json
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

from datahound.errors import DatahoundError, UserError
from datahound.files import write_whole
from datahound.remote.manifest import Shipped, TakenOver, read_manifest, take_over
from datahound.remote.objects import Objects, open_objects
from datahound.remote.pull import pull_folder
from datahound.remote.ship import FolderShipper
from datahound.report.phrases import CAUSES, Cause
from datahound.runs.options import Options
from datahound.runs.outcome import TROUBLE, Ended
from datahound.runs.run import Run
from datahound.store.folder import Folder

# A crash of the machine loses at most the work of these seconds.
_SHIP_SECONDS = 30.0

_log = logging.getLogger(__name__)


async def go_shipped(run: Run, go: Callable[[Run], Awaitable[Ended]] = Run.go) -> Ended:
    """Let a crawl run; if its folder is in object storage, resume it from there and ship it."""
    if not run.options.remote:
        return await go(run)
    shipper = await asyncio.to_thread(begin_shipping, run.options)
    return await go_shipping(run, shipper, go)


async def go_shipping(
    run: Run,
    shipper: FolderShipper,
    go: Callable[[Run], Awaitable[Ended]] = Run.go,
    *,
    seconds: float = _SHIP_SECONDS,
    may_ship: Callable[[], bool] = lambda: True,
) -> Ended:
    """Let a crawl run, and ship its folder: every `seconds` while it runs, and when it has ended.

    A store that is out of reach for a while costs nothing: what waits is shipped later.
    """
    ended = asyncio.Event()
    shipping = asyncio.create_task(_keep_shipping(run, shipper, ended, seconds, may_ship))
    try:
        return await go(run)
    finally:
        ended.set()
        await shipping


def ship_ended(
    crawls: Iterable[Options], complain: Callable[[str], None]
) -> tuple[list[str], bool]:
    """Ship the folders of crawls that have ended, with catalogue and report.

    Returns where they are, and whether all of them are.
    """
    places, done = [], True
    for options in crawls:
        if not options.remote or not Folder(options.output).database.exists():
            continue
        try:
            _open_again(options).ship(ended=True)
            places.append(options.remote)
        except DatahoundError as error:
            complain(f"{options.output}: not all of it was shipped: {error}")
            done = False
    return places, done


def begin_shipping(options: Options, lease: int | None = None) -> FolderShipper:
    """Take the folder over; fetch it if object storage has a newer one than there is here."""
    objects = open_objects(options.remote)
    folder = Folder(options.output)
    seen = _read_epoch(folder, options.remote)
    if seen is None and folder.database.exists() and read_manifest(objects).manifest.epoch:
        raise UserError(
            f"{options.output}: holds a crawl that was not fetched from {options.remote}: "
            "crawl in an empty folder, or ship to another place"
        )
    # First of all: what another process shipped after a fetch would be lost.
    shipped = take_over(objects, _name_process(), lease=lease)
    before = shipped.manifest.epoch - 1
    # Equal epochs: the last process that shipped was here, so the folder here is the newer one.
    if before and seen != before:
        # A crawl that still writes into it must not see its files replaced.
        with folder.claimed():
            pull_folder(objects, options.output)
    # Only now: after a crash before this line, the folder is fetched again.
    _write_epoch(folder, options.remote, shipped)
    return FolderShipper(options.output, objects, shipped)


def _open_again(options: Options) -> FolderShipper:
    """The shipper of a folder that this process has taken over, at the end of its crawl."""
    objects: Objects = open_objects(options.remote)
    shipped = read_manifest(objects)
    if shipped.manifest.writer != _name_process():
        raise TakenOver(f"{options.remote}: another process has taken this crawl over")
    return FolderShipper(options.output, objects, shipped)


async def _keep_shipping(
    run: Run,
    shipper: FolderShipper,
    ended: asyncio.Event,
    seconds: float,
    may_ship: Callable[[], bool],
) -> None:
    while not ended.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), seconds)
        # A crawl that was stopped gets no catalogue: its last shipment follows at once.
        if may_ship() and not run.stopping:
            await _ship(run, shipper)


async def _ship(run: Run, shipper: FolderShipper) -> None:
    try:
        await asyncio.to_thread(shipper.ship)
    except TakenOver as error:
        run.stop(Ended(Cause.TROUBLE, f"{CAUSES[Cause.TROUBLE].phrase}: {error}", TROUBLE))
    except DatahoundError as error:
        _log.warning("%s: not shipped, tried again later: %s", run.options.output, error)


def _name_process() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _read_epoch(folder: Folder, remote: str) -> int | None:
    """The takeover after which the folder was last shipped from here; None if it never was."""
    try:
        noted: dict[str, Any] = json.loads(folder.remote.read_text())
        return int(noted["epoch"]) if noted["place"] == remote else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write_epoch(folder: Folder, remote: str, shipped: Shipped) -> None:
    with write_whole(folder.remote) as draft:
        draft.write_text(json.dumps({"place": remote, "epoch": shipped.manifest.epoch}))
