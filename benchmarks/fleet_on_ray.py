"""A fleet on Ray on one machine, with trouble: is every file kept, and no address asked too fast?

    unshare --net sh -c 'ip link set lo up; python benchmarks/fleet_on_ray.py --sites 1000'

Ray listens on the address of the machine: in a network namespace of its own that is loopback.
Three nodes of Ray, an S3 server in a process of its own that fails and is slow now and then, and
served sites on loopback addresses, a third of which share one. A node is killed and replaced at
intervals; a worker is frozen once and thawed. What the sites' server has logged and what is in the
store decides. Appends a row to benchmarks/results/fleet_on_ray.csv.

The S3 server is one Python process that answers some 70 requests per second, and a site takes about
40. With the defaults it is not the limit; with `--at-once 20 --delay 0.5 --ship-every 5` it is.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import fleet_trial as trial  # noqa: E402

from datahound.fleet.status import read_fleet  # noqa: E402
from datahound.remote.objects import join_place, open_objects  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "fleet_on_ray.csv"
STORE = "s3://bucket/fleet"
SERVER = """
import sys; sys.path.insert(0, sys.argv[1])
import s3_server; s3_server.serve_until_closed(fail_every=97, wait_every=41)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=3)
    parser.add_argument("--files", type=int, default=2)
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--at-once", type=int, default=6)
    parser.add_argument("--ship-every", type=float, default=3.0)
    parser.add_argument("--term", type=float, default=30)
    parser.add_argument("--kill-every", type=float, default=120)
    parser.add_argument("--freeze", type=float, default=60)
    parser.add_argument("--most-seconds", type=float, default=3600)
    options = parser.parse_args()
    with TemporaryDirectory() as scratch, serve_storage():
        row = run_trial(options, Path(scratch))
    print(json.dumps(row, indent=1))
    trial.append_row(RESULTS, row)


def run_trial(options: argparse.Namespace, folder: Path) -> dict[str, object]:
    addresses = [f"127.8.{n // 200}.{n % 200 - (n % 3 == 2) + 1}" for n in range(options.sites)]
    with trial.served_sites(folder, addresses, options.pages, options.files) as (sites, log):
        listed = folder / "sites.txt"
        listed.write_text("".join(f"{site}/ --delay {options.delay}\n" for site in sites))
        begun = time.monotonic()
        trouble = run_on_nodes(options, folder, listed)
        seconds = time.monotonic() - begun
        rows = trial.read_log(log)
    found = read_fleet(open_objects(STORE))
    pulled = folder / "pulled"
    wrong = trial.find_wrong_files(
        open_objects(STORE), lambda name: open_objects(join_place(STORE, name)), pulled,
        options.pages, options.files,
    )  # fmt: skip
    repeats = trial.count_repeats(rows)
    return {
        "date": date.today().isoformat(), "sites": options.sites, "nodes": 3,
        "workers": options.workers, "at_once": options.at_once, "delay": options.delay,
        "ship_every": options.ship_every, "seconds": round(seconds), **trouble,
        "finished": found.counts["finished"], "requests": len(rows), "repeated": repeats,
        "repeated_share": round(repeats / len(rows), 4), "files": found.files,
        "wrong_files": len(wrong),
        "sites_with_two_workers": len(trial.find_overlaps(rows, options.term)),
        "addresses_too_fast": len(trial.find_fast_addresses(rows, options.delay)),
    }  # fmt: skip


def run_on_nodes(options: argparse.Namespace, folder: Path, listed: Path) -> dict[str, int]:
    """Run the fleet while nodes die and a worker is frozen; what was done to it."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    draw, killed, frozen = random.Random(1), 0, 0
    cluster = Cluster()
    start_node(cluster, num_cpus=1, include_dashboard=False)  # the head
    nodes = [start_node(cluster) for _ in range(2)]
    words = [
        sys.executable, "-m", "datahound", "fleet", "run", str(listed), "--store", STORE,
        "--ray", cluster.address, "--workers", str(options.workers), "--term", f"{options.term}s",
        "--ship-every", f"{options.ship_every}s", "--at-once", str(options.at_once),
        "--work", str(folder / "work"),
    ]  # fmt: skip
    fleet = subprocess.Popen(words)
    begun = kill_at = time.monotonic()
    kill_at += options.kill_every
    try:
        while fleet.poll() is None:
            time.sleep(2)
            now = time.monotonic()
            if now - begun > options.most_seconds:
                break
            if not frozen and now - begun > options.kill_every / 2:
                frozen = freeze_worker(options.freeze)
            if now > kill_at:
                cluster.remove_node(nodes.pop(draw.randrange(2)), allow_graceful=False)
                nodes.append(start_node(cluster))
                killed += 1
                kill_at = time.monotonic() + options.kill_every
    finally:
        trial.end_process(fleet)
        cluster.shutdown()
        shutil.rmtree(folder / "work", ignore_errors=True)
    return {"nodes_killed": killed, "workers_frozen": frozen}


def start_node(cluster: object, num_cpus: int = 2, **given: object) -> object:
    """Start a node; on a busy machine Ray gives up after half a minute, and is asked again."""
    for _ in range(5):
        try:
            return cluster.add_node(num_cpus=num_cpus, **given)
        except Exception as error:  # noqa: BLE001 Ray raises nothing narrower
            print(f"a node did not start: {error}", flush=True)
    raise SystemExit("no node starts on this machine")


def freeze_worker(seconds: float) -> int:
    """Freeze one actor and thaw it; how many were frozen."""
    command = ["pgrep", "-f", "^ray::_Actor"]
    names = subprocess.run(command, capture_output=True, text=True, check=False)
    numbers = [int(line) for line in names.stdout.split()]
    if not numbers:
        return 0
    os.kill(numbers[0], signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(numbers[0], signal.SIGCONT)
    return 1


@contextmanager
def serve_storage() -> Iterator[None]:
    """An S3 server on loopback, which the environment names for every process from now on."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(ROOT / "tests")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.environ |= {
        "AWS_ENDPOINT_URL": server.stdout.readline().decode().strip(),
        "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1",
        "RAY_AUTH_MODE": "disabled",
    }  # fmt: skip
    try:
        yield
    finally:
        server.stdin.close()
        server.stdout.close()
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
