"""What people ask of a fleet: to add sites, to begin a round of refreshes, to stop and go on."""

import hashlib
import json
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from datahound.errors import UserError
from datahound.fleet.board import Board
from datahound.fleet.control import count_requests, forget_ended, read_control, write_control
from datahound.fleet.records import ADDRESSES, FLEET, FORMAT, GROUPS, SITES, FleetSite, Group
from datahound.remote.objects import Objects, is_remote, open_objects
from datahound.runs.options import OPTIONS, Options, make_options
from datahound.store.folder import folder_named_for
from datahound.web.urls import host_of

_AT_ONCE = 16
_REFUSED = ("output",)
Listed = tuple[FleetSite, Options]
"""A site that a user has listed, and the options of its crawl."""


@dataclass(frozen=True, slots=True)
class Added:
    """How many sites were listed, in how many groups, and how many hosts have no address."""

    sites: int
    groups: int
    unresolved: int


def open_fleet(place: str) -> Objects:
    """Open the store of a fleet that is there, and of this version of Datahound."""
    # A folder is made by `open_objects`: a typing error must not leave one behind.
    is_there = not place or is_remote(place) or Path(place).exists()
    objects = open_objects(place) if is_there else None
    if objects is None or not _has_fleet(objects):
        raise UserError(f"{place}: no fleet is there: `datahound fleet add` begins one")
    return objects


def _has_fleet(objects: Objects) -> bool:
    stored = objects.get(FLEET)
    if stored is None:
        # Fleets had no mark of their own at first.
        return any(True for _ in objects.list(GROUPS))
    try:
        number = int(json.loads(stored.data)["format"])
    except (ValueError, TypeError, KeyError):
        raise UserError(f"{FLEET}: is damaged: it should be {_mark_fleet().decode()}") from None
    if number != FORMAT:
        raise UserError(
            f"{FLEET}: the fleet has format {number}, and this version of Datahound knows {FORMAT}:"
            " use one version for all workers"
        )
    return True


def _mark_fleet() -> bytes:
    return json.dumps({"format": FORMAT}).encode()


def make_site(url: str, given: Mapping[str, Any]) -> Listed:
    """Make a site from what a user wrote: options of a crawl, a priority and a deadline."""
    rest = dict(given)
    priority, deadline = rest.pop("priority", None), rest.pop("deadline", None)
    if refused := [name for name in _REFUSED if name in rest]:
        raise UserError(f"{url}: a fleet has its own place for every site: leave {refused[0]} out")
    if unknown := [name for name in rest if name.replace("-", "_") not in OPTIONS]:
        names = {option.written for option in OPTIONS.values()} - set(_REFUSED)
        known = ", ".join(sorted({*names, "priority", "deadline"}))
        raise UserError(f"unknown option {unknown[0]!r}: choose among {known}")
    options = make_options(url, rest)
    # Two seeds may have one host: the name of the folder must still be theirs alone.
    mark = hashlib.sha256(options.url.encode()).hexdigest()[:8]
    slug = f"{folder_named_for(options.url)}-{mark}"
    site = FleetSite(
        options.url, slug, rest, priority=_read_priority(priority), deadline=_read_date(deadline)
    )
    return site, options


def find_addresses(
    options: Options, lookup: Callable[..., list[Any]] = socket.getaddrinfo
) -> tuple[str, ...]:
    """The addresses of a site's host, and its canonical name; or else the host itself.

    A network that delivers many sites answers with other addresses each time, but with one name.
    """
    if options.connect_to:
        return (options.connect_to.rpartition(":")[0] or options.connect_to,)
    host = host_of(options.url)
    try:
        found = lookup(host, None, type=socket.SOCK_STREAM, flags=socket.AI_CANONNAME)
    except (OSError, UnicodeError):
        return (host,)
    names = {str(entry[3]).lower().rstrip(".") for entry in found if entry[3]}
    return tuple(sorted({str(entry[4][0]) for entry in found} | (names - {host})))


def add_sites(objects: Objects, listed: Iterable[Listed]) -> Added:
    """Add sites; those that are there keep their state, and get the new options."""
    pairs = list(listed)
    if objects.create(FLEET, _mark_fleet()) is None:
        _has_fleet(objects)
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        addresses = list(threads.map(lambda pair: find_addresses(pair[1]), pairs))
        keys = _find_groups(objects, [site.slug for site, _ in pairs], addresses, threads)
        # One write per group, however many of its sites are listed.
        groups: dict[str, tuple[set[str], list[FleetSite]]] = {}
        for (site, _), found, key in zip(pairs, addresses, keys, strict=True):
            known, sites = groups.setdefault(key, (set(), []))
            known.update(found)
            sites.append(site)
        board = Board(objects)
        list(threads.map(lambda item: _put_group(board, item[0], *item[1]), groups.items()))
    unresolved = sum(
        found == (host_of(site.url),) and not _is_address(found[0])
        for (site, _), found in zip(pairs, addresses, strict=True)
    )
    return Added(len(pairs), len(groups), unresolved)


def _find_groups(
    objects: Objects,
    slugs: Sequence[str],
    addresses: Sequence[tuple[str, ...]],
    threads: ThreadPoolExecutor,
) -> list[str]:
    """The group of each site; a new site is noted, so that it never has another one.

    A site stays where it was added first, although its addresses may be others now: in two groups,
    it would be crawled by two workers at a time.
    """
    notes = list(threads.map(lambda slug: _read_note(objects, SITES + slug), slugs))
    new = [n for n, note in enumerate(notes) if note is None]
    # No two of these share an address, so they are placed side by side.
    clusters = join_by_address([addresses[n] for n in new])
    placed = threads.map(lambda cluster: _find_group(objects, cluster[0]), clusters)
    keys = {
        new[member]: key
        for (_, members), key in zip(clusters, list(placed), strict=True)
        for member in members
    }
    noted = threads.map(lambda n: _note_group(objects, SITES + slugs[n], keys[n]), new)
    keys.update(zip(new, noted, strict=True))
    return [note or keys[n] for n, note in enumerate(notes)]


def join_by_address(
    addresses: Sequence[tuple[str, ...]],
) -> list[tuple[tuple[str, ...], list[int]]]:
    """Sites that share an address, or each one with a third site; all addresses of each cluster.

    >>> join_by_address([("a",), ("b",), ("c", "a")])
    [(('a', 'c'), [0, 2]), (('b',), [1])]
    """
    above: dict[str, str] = {}

    def find_first(address: str) -> str:
        while above.setdefault(address, address) != address:
            # Union-find: paths are halved on the way.
            above[address] = above[above[address]]
            address = above[address]
        return address

    for found in addresses:
        for address in found[1:]:
            above[find_first(address)] = find_first(found[0])
    clusters: dict[str, tuple[set[str], list[int]]] = {}
    for number, found in enumerate(addresses):
        known, members = clusters.setdefault(find_first(found[0]), (set(), []))
        known.update(found)
        members.append(number)
    return [(tuple(sorted(known)), members) for known, members in clusters.values()]


def _find_group(objects: Objects, addresses: tuple[str, ...]) -> str:
    """The group of new sites: one that has one of their addresses, or a new one."""
    names = [ADDRESSES + quote(address, safe="") for address in addresses]
    noted = [key for name in names if (key := _read_note(objects, name))]
    # The least one, so that all processes choose alike.
    key = min(noted, default=hashlib.sha256(addresses[0].encode()).hexdigest()[:16])
    for name in names if len(noted) < len(names) else ():
        # Two processes may add sites of one address at a time; the first one's group is taken.
        there = _note_group(objects, name, key)
        key = key if noted else there
    return key


def _note_group(objects: Objects, name: str, key: str) -> str:
    """Note a group for an address or a site; the one that another process has noted just now."""
    if objects.create(name, key.encode()) is not None:
        return key
    return _read_note(objects, name) or key


def _read_note(objects: Objects, name: str) -> str | None:
    """The group that an address or a site belongs to."""
    stored = objects.get(name)
    return stored.data.decode() if stored else None


def _put_group(board: Board, key: str, addresses: set[str], sites: list[FleetSite]) -> None:
    def change(group: Group | None) -> Group:
        group = group or Group(key, ())
        group = replace(group, addresses=tuple(sorted({*group.addresses, *addresses})))
        there = {site.slug: site for site in group.sites}
        for site in sites:
            old = there.get(site.slug, site)
            there[site.slug] = old.order_again(site)
        return replace(group, sites=tuple(there.values()))

    board.put(key, change)


def _is_address(text: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, text.strip("[]"))
        except OSError:
            continue
        return True
    return False


def _read_priority(given: object) -> int:
    try:
        return int(str(given)) if given is not None else 0
    except ValueError:
        raise UserError(f"--priority: {given!r} is not a whole number") from None


def _read_date(given: object) -> float | None:
    if given is None:
        return None
    try:
        date = datetime.fromisoformat(str(given))
    except ValueError:
        raise UserError(f"--deadline: {given!r} is not a date such as 2030-01-31") from None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def begin_work(objects: Objects, groups: list[Group], budget: int | None) -> bool:
    """Let workers work; if every site is finished, on their next refresh. Whether it is that.

    The budget counts what is asked from the beginning of a crawl or refresh on, so that a command
    that is given again after a crash does not get it twice.
    """
    control = read_control(objects)
    is_new = bool(groups) and all(group.next_due is None for group in groups)
    if is_new:
        forget_ended(objects)
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
    board = Board(objects)

    def begin(there: Group | None, read: Group) -> Group:
        group = there or read
        sites = tuple(
            site.begin_round(limits) if site.is_finished else site for site in group.sites
        )
        return replace(group, sites=sites)

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        list(
            threads.map(lambda read: board.put(read.key, lambda there: begin(there, read)), groups)
        )
