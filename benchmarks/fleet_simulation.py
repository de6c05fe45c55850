"""Simulate a large fleet with the real sessions, placement and records, on a clock that skips.

    python benchmarks/fleet_simulation.py --sites 100000 --nodes 50 --output fleet_simulation.csv

With `--worker`: memory and requests to the store of one busy worker that knows all sites.

Objects are in memory, and every request to the store is counted. A site asks one request a second
and is shipped every 30 s; its crawl takes ten minutes on average. A node is killed every ten
minutes and comes back after a minute; another is frozen for two minutes every half hour.
"""

import argparse
import csv
import heapq
import logging
import random
import statistics
import time
import tracemalloc
from collections import Counter
from dataclasses import replace
from pathlib import Path

from datahound.fleet.board import Board
from datahound.fleet.records import FleetSite, Group
from datahound.fleet.sessions import Moment, Session, Watch
from datahound.fleet.station import Station
from datahound.remote.objects import Stored

TERM, SHIP, PER_LIST = 60.0, 30.0, 1000
START = 1e9


class MemoryObjects:
    """Objects in memory, by folder, with the rules of a bucket."""

    def __init__(self):
        self.folders = {}
        self.marks = 0
        self.requests = Counter()

    def _find(self, key):
        folder, _, name = key.rpartition("/")
        return self.folders.setdefault(folder + "/", {}), name

    def get(self, key):
        self.requests["GET"] += 1
        folder, name = self._find(key)
        return folder.get(name)

    def _store(self, key, data):
        folder, name = self._find(key)
        self.marks += 1
        folder[name] = Stored(data, str(self.marks))
        return str(self.marks)

    def create(self, key, data):
        self.requests["PUT"] += 1
        folder, name = self._find(key)
        return None if name in folder else self._store(key, data)

    def replace(self, key, data, mark):
        self.requests["PUT"] += 1
        folder, name = self._find(key)
        there = folder.get(name)
        return self._store(key, data) if there and there.mark == mark else None

    def delete(self, key):
        self.requests["DELETE"] += 1
        folder, name = self._find(key)
        folder.pop(name, None)

    def list(self, prefix):
        folder = self.folders.get(prefix, {})
        self.requests["LIST"] += 1 + len(folder) // PER_LIST
        return [(prefix + name, len(stored.data)) for name, stored in folder.items()]

    def list_marks(self, prefix):
        folder = self.folders.get(prefix, {})
        self.requests["LIST"] += 1 + len(folder) // PER_LIST
        return [(prefix + name, stored.mark) for name, stored in folder.items()]


class Simulation:
    """All nodes on one clock."""

    def __init__(self, sites, nodes, slots, seed):
        self.now, self.draw = 0.0, random.Random(seed)
        self.objects, self.events, self.number = MemoryObjects(), [], 0
        self.left = self.make_sites(sites)
        self.shipped = dict.fromkeys(self.left, 0.0)
        self.crawled_by, self.overlaps, self.repeated = {}, 0, 0.0
        self.lost_at, self.recoveries, self.asked = {}, [], 0.0
        self.nodes = [Node(self, f"node{n}", slots) for n in range(nodes)]
        self.kills = self.freezes = 0

    def clock(self):
        return Moment(self.now, START + self.now)

    def make_sites(self, count):
        board, work, number = Board(self.objects), {}, 0
        while number < count:
            # A third of the sites share an address: groups of one site, and every fourth of three.
            size = 3 if self.draw.random() < 1 / 7 else 1
            slugs = [f"site{n}" for n in range(number, min(count, number + size))]
            number += len(slugs)
            key = f"{self.draw.getrandbits(64):016x}"
            made = tuple(FleetSite(f"https://{slug}/", slug, {"delay": 1}) for slug in slugs)
            board.put(key, lambda _, k=key, m=made: Group(k, (k,), m))
            for slug in slugs:
                work[slug] = min(7200.0, self.draw.lognormvariate(6.0, 0.9))
        self.objects.requests.clear()
        return work

    def at(self, seconds, function, *arguments):
        self.number += 1
        heapq.heappush(self.events, (self.now + seconds, self.number, function, arguments))

    def kill_one(self):
        self.kills += 1
        node = self.draw.choice(self.nodes)
        node.lose()
        node.life += 1
        self.at(60, node.join, node.life)
        self.at(600, self.kill_one)

    def freeze_one(self):
        self.freezes += 1
        node = self.draw.choice(self.nodes)
        node.lose()
        node.life += 1
        self.at(120, node.thaw, node.life)
        self.at(1800, self.freeze_one)

    def go(self, limit):
        for node in self.nodes:
            self.at(self.draw.random() * 15, node.join, 0)
        self.at(900, self.kill_one)
        self.at(1200, self.freeze_one)
        begun, told = time.process_time(), 0
        while self.left and self.now < limit:
            self.now, _, function, arguments = heapq.heappop(self.events)
            function(*arguments)
            if time.process_time() - told > 30:
                told = time.process_time()
                print(f"{self.now / 3600:.2f} h: {len(self.left):,} sites left", flush=True)
        return time.process_time() - begun


class Node:
    """One worker: what `fleet.worker` does, without a crawl."""

    def __init__(self, simulation, name, slots):
        self.s, self.name, self.slots = simulation, name, slots
        self.life, self.tasks, self.station = 0, {}, None

    def join(self, life):
        if life != self.life:
            return
        s = self.s
        number = f"{life}-{s.number}"
        session = Session(s.objects, self.name, TERM, s.clock, lambda: number)
        watch = Watch(s.objects, TERM, s.clock)
        self.station = Station(Board(s.objects), session, watch, s.clock)
        self.beat(life)

    def thaw(self, life):
        if life != self.life:
            return
        assert not self.station.session.is_valid
        if self.station.session.renew():  # nobody has noticed
            self.beat(life)
        else:
            self.join(life)

    def lose(self):
        """All crawls end without a word."""
        s = self.s
        for key, (slug, begun, _) in self.tasks.items():
            spent = s.now - begun
            kept = spent - spent % SHIP
            s.shipped[slug] += kept
            s.repeated += spent - kept
            s.crawled_by.pop(slug, None)
            s.lost_at[key] = s.now
        self.tasks = {}

    def beat(self, life):
        if life != self.life:
            return
        s, station = self.s, self.station
        station.session.renew()
        station.look_around()
        s.objects.requests["GET"] += 1  # the control object
        s.objects.requests["PUT"] += 1  # the figures
        for key in station.held.keys() - self.tasks.keys():
            self.begin(key)
        if self.fill():
            station.look_at_others()
        s.at(TERM / 4, self.beat, life)

    def fill(self):
        while len(self.tasks) < self.slots:
            seen = self.station.take_next()
            if seen is None:
                return True
            lost = self.s.lost_at.pop(seen.group.key, None)
            if lost is not None:
                self.s.recoveries.append(self.s.now - lost)
            self.begin(seen.group.key)
        return False

    def begin(self, key):
        s = self.s
        site = self.station.held[key].group.find_due(START + s.now)
        if site is None:
            self.station.write(key, lambda group: replace(group, holder=""))
            self.fill()
            return
        s.overlaps += site.slug in s.crawled_by
        s.crawled_by[site.slug] = self.name
        need = s.left[site.slug] - s.shipped[site.slug]
        self.tasks[key] = (site.slug, s.now, self.life)
        s.at(need, self.finish, key, site, self.life)

    def finish(self, key, site, life):
        if life != self.life or key not in self.tasks:
            return
        s = self.s
        del self.tasks[key]
        s.crawled_by.pop(site.slug, None)
        s.asked += s.left.pop(site.slug)
        requests = int(s.now)
        done = site.finish(cause="exhausted", reason="", requests=requests, files=1)
        self.station.write(key, lambda group: group.put(done))
        self.begin(key)


def measure_worker(sites):
    """What one worker holds that knows all groups, and its requests to the store per hour."""
    s = Simulation(sites, 1, 1, 0)
    session = Session(s.objects, "one", TERM, s.clock, lambda: "1")
    station = Station(Board(s.objects), session, Watch(s.objects, TERM, s.clock), s.clock)
    s.objects.requests.clear()
    tracemalloc.start()
    station.look_around()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    first = s.objects.requests.total()
    s.objects.requests.clear()
    while s.now < 3600:
        s.now += TERM / 4
        session.renew()
        station.look_around()
        s.objects.requests.update(("GET", "PUT"))  # the control object and the figures
    return {
        "sites": sites,
        "worker_mb": round(held / 1e6, 1),
        "store_requests_to_read_all": first,
        "store_requests_per_hour": s.objects.requests.total(),
        "of_these_lists": s.objects.requests["LIST"],
    }


def write_row(path, row):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)
    print(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    logging.disable(logging.WARNING)
    parser.add_argument("--sites", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=50)
    parser.add_argument("--slots", type=int, default=50)
    parser.add_argument("--hours", type=float, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--worker", action="store_true", help="measure one worker that is busy")
    given = parser.parse_args()
    if given.worker:
        write_row(given.output, measure_worker(given.sites))
        return
    s = Simulation(given.sites, given.nodes, given.slots, given.seed)
    cpu = s.go(given.hours * 3600)
    total = s.objects.requests.total()
    recovered = sorted(s.recoveries) or [0.0]
    row = {
        "sites": given.sites,
        "nodes": given.nodes,
        "sites_at_once_per_node": given.slots,
        "hours": round(s.now / 3600, 2),
        "sites_left": len(s.left),
        "nodes_killed": s.kills,
        "nodes_frozen": s.freezes,
        "sites_with_two_workers": s.overlaps,
        "store_requests_per_second": round(total / s.now, 2),
        "store_requests_per_site": round(total / given.sites, 2),
        **{f"store_{name}": s.objects.requests[name] for name in ("GET", "PUT", "LIST", "DELETE")},
        "groups_recovered": len(s.recoveries),
        "recovery_seconds_median": round(statistics.median(recovered), 1),
        "recovery_seconds_p95": round(recovered[int(len(recovered) * 0.95)], 1),
        "recovery_seconds_most": round(recovered[-1], 1),
        "requests_repeated_percent": round(100 * s.repeated / max(1.0, s.asked), 3),
        "cpu_ms_per_site": round(1000 * cpu / given.sites, 2),
    }
    write_row(given.output, row)


if __name__ == "__main__":
    main()
