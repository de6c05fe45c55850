"""Rounds of a whole fleet: once every site is finished, all of them are refreshed."""

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from datahound.fleet.board import Board
from datahound.fleet.control import count_requests, read_control, write_control
from datahound.fleet.records import Group
from datahound.remote.objects import Objects

_AT_ONCE = 16


def begin_work(objects: Objects, groups: list[Group], budget: int | None) -> bool:
    """Let workers work; if every site is finished, on their next refresh. Whether it is that.

    The budget counts what is asked from the beginning of a crawl or refresh on, so that a command
    that is given again after a crash does not get it twice.
    """
    control = read_control(objects)
    is_new = bool(groups) and all(group.next_due is None for group in groups)
    spent = count_requests(objects) if is_new else control.spent
    write_control(objects, replace(control, stop=False, budget=budget, spent=spent))
    if is_new:
        _begin_round(objects, groups, control.limits)
    return is_new


def allow_round(objects: Objects, limits: Mapping[str, Any]) -> None:
    """Note what the next refresh of every site may ask for."""
    write_control(objects, replace(read_control(objects), limits=limits))


def stop_work(objects: Objects, *, stop: bool) -> None:
    """Let all workers stop, or work again."""
    write_control(objects, replace(read_control(objects), stop=stop))


def is_stopped(objects: Objects) -> bool:
    """Whether workers are to stop."""
    return read_control(objects).stop


def _begin_round(objects: Objects, groups: list[Group], limits: Mapping[str, Any]) -> None:
    board, now = Board(objects), time.time()

    def begin(there: Group | None, read: Group) -> Group:
        group = there or read
        sites = tuple(
            site.begin_round(now, limits) if site.is_finished else site for site in group.sites
        )
        return replace(group, sites=sites)

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        list(
            threads.map(lambda read: board.put(read.key, lambda there: begin(there, read)), groups)
        )
