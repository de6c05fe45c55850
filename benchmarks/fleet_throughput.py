"""Requests per second of a fleet with 1, 2 and 4 workers, where politeness is the limit.

    python benchmarks/fleet_throughput.py

Sites on loopback addresses of their own, each asked once per `--delay`; a worker crawls `--at-once`
of them. The server's log is counted from when every worker has asked. Processor time is that of the
workers. Appends rows to benchmarks/results/fleet_throughput.csv.
"""

import argparse
import os
import sys
import time
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import fleet_trial as trial  # noqa: E402

from datahound.cli import run  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "fleet_throughput.csv"
_SETTLED = 20.0
"""Seconds after the last worker's first request."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--delay", type=float, default=2.0)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    for workers in options.workers:
        with TemporaryDirectory() as scratch:
            row = measure(workers, options, Path(scratch))
        print(row, flush=True)
        trial.append_row(RESULTS, row)


def measure(workers: int, options: argparse.Namespace, folder: Path) -> dict[str, object]:
    count = 2 * workers * options.at_once
    addresses = [f"127.9.{n // 200}.{n % 200 + 1}" for n in range(count)]
    # More than can be asked while this lasts: no worker runs out of sites.
    with trial.served_sites(folder, addresses, pages=40, files=10) as (sites, log):
        listed = folder / "sites.txt"
        listed.write_text("".join(f"{site}/ --delay {options.delay}\n" for site in sites))
        store = str(folder / "store")
        assert run(["fleet", "add", str(listed), "--store", store]) == 0
        processes = [
            trial.start_worker(store, folder / f"work{n}", 60.0, options.at_once)
            for n in range(workers)
        ]
        try:
            numbers = {each.pid for each in processes}
            asked = lambda: {row[4] for row in trial.read_log(log)}  # noqa: E731
            assert trial.wait_for(lambda: numbers <= asked(), 300), "a worker did not begin"
            time.sleep(_SETTLED)
            begun, used = time.time(), sum(map(read_processor_time, numbers))
            time.sleep(options.seconds)
            ended, used = time.time(), sum(map(read_processor_time, numbers)) - used
        finally:
            for process in processes:
                trial.end_process(process)
        rows = [row for row in trial.read_log(log) if begun <= row[0] < ended]
    rate = len(rows) / (ended - begun)
    return {
        "date": date.today().isoformat(), "workers": workers, "sites_at_once": options.at_once,
        "delay": options.delay, "seconds": round(ended - begun), "requests": len(rows),
        "requests_per_second": round(rate, 2),
        "most_by_politeness": round(workers * options.at_once / options.delay, 2),
        "processor_ms_per_request": round(1000 * used / max(1, len(rows)), 1),
        "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def read_processor_time(number: int) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
