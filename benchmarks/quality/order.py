"""Do the crawlers come in the order that the authors' code gives them, on the recorded sites?

    python benchmarks/quality/order.py ../shared/sites/SITES.md benchmarks/results/lab

Looks at each pair of crawlers whose runs with the authors' code do not overlap, and says where the
medians of `datahound lab run` are the other way round. Prints only.
"""

import argparse
import csv
import itertools
import re
import statistics
from pathlib import Path

Runs = dict[tuple[str, str], list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="the table of the authors' runs")
    parser.add_argument("results", type=Path, help="a folder of results of the lab")
    arguments = parser.parse_args()
    theirs, ours = authors(arguments.sites), lab(arguments.results / "results.csv")
    agreed, turned = 0, []
    for site in dict.fromkeys(site for site, _ in theirs):
        crawlers = [name for where, name in theirs if where == site and (site, name) in ours]
        for one, other in itertools.combinations(crawlers, 2):
            a, b = theirs[site, one], theirs[site, other]
            if min(a) <= max(b) and min(b) <= max(a):
                continue
            ahead, behind = (one, other) if max(a) < min(b) else (other, one)
            x, y = (statistics.median(ours[site, name]) for name in (ahead, behind))
            if x <= y:
                agreed += 1
            else:
                turned.append(f"{site}: {ahead} {x:.0f}, {behind} {y:.0f}")
    print(f"{agreed} of {agreed + len(turned)} pairs are in the same order")
    print("\n".join(turned))


def authors(path: Path) -> Runs:
    """Requests to 90 % of each run, from rows such as `| edgov | bfs | 1 | ... | 9778 (9778) |`."""
    runs: Runs = {}
    for line in path.read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        found = re.fullmatch(r"\d+ \(([\d, ]+)\)", cells[7]) if len(cells) > 8 else None
        if found:
            runs[cells[1], cells[2]] = [float(number) for number in found[1].split(",")]
    return runs


def lab(path: Path) -> Runs:
    runs: Runs = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if not row["variant"] and row["requests_to_90"]:
                key = row["site"], row["strategy"]
                runs.setdefault(key, []).append(float(row["requests_to_90"]))
    return runs


if __name__ == "__main__":
    main()
