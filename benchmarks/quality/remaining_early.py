"""Does the estimate of what is left hold early in a crawl? Leave one site out, at few requests.

    python benchmarks/quality/remaining_early.py ../shared/sites/dnsde.warc.gz ... --runs 2

Each crawl of hound is stopped at 50, 100, 200, 500 and 1,000 requests; each site is judged by
formulas fitted on the other sites (`remaining.py`), at these stops and at those that it takes.
Writes one row a stop to benchmarks/results/remaining_early.csv, and says how often the interval
held.
"""

import argparse
import csv
import gc
import statistics
from dataclasses import replace
from pathlib import Path

from remaining import HOLDS_ABOVE, WATCHED, Case, Sample, Watching, judge

from datahound.archive import open_archive
from datahound.lab.trials import Trial, TrialGround
from datahound.settings import Settings

RESULTS = Path(__file__).parent.parent / "results" / "remaining_early.csv"
STOPS = (50, 100, 200, 500, 1000)
COLUMNS = "site seed requests found truth estimate low high held".split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", nargs="+", help="recorded sites, or synthetic ones")
    parser.add_argument("--runs", type=int, default=2)
    arguments = parser.parse_args()
    cases: list[Case] = []
    for spec in arguments.sites:
        archive = open_archive(spec)
        ground = TrialGround(archive, Settings(), lambda *_: None)
        for seed in range(arguments.runs):
            cases += stop_early(ground, archive.name, seed)
        print(spec, len(cases), flush=True)
        archive.close()
        del ground
        gc.collect()
    judged = list(judge(cases, Sample(cases), HOLDS_ABOVE["grouped"]))
    early = [one for one in judged if one.case.points == "early"]
    with RESULTS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for one in early:
            case = one.case
            which = (case.site, case.seed, case.history.requests, len(case.history.found_at))
            writer.writerow((*which, case.truth, one.likely, one.low, one.high, int(one.held)))
    for stop in STOPS:
        at = [one for one in early if one.case.history.requests == stop]
        held = statistics.fmean(one.held for one in at) if at else float("nan")
        print(f"{stop} requests: {len(at)} cases, the interval held {held:.0%}")


def stop_early(ground: TrialGround, site: str, seed: int) -> list[Case]:
    """The crawl at the early stops, and at those spread over it, which teach as well."""
    watching = Watching()
    ground.run(Trial("hound", seed, Settings()), [watching.observe], WATCHED)
    stops = [("early", stop) for stop in STOPS if stop < watching.requests]
    cases = []
    for points, requests in (*stops, *watching.stops()):
        history = watching.history(requests)
        if len(history.groups):
            left = len(watching.found) - len(history.found_at)
            case = Case(site, "hound", seed, points, history, left, None)
            # A synthetic site stands for a recorded one here: it is judged, too.
            cases.append(replace(case, site=site.replace("synthetic:", "made:")))
    return cases


if __name__ == "__main__":
    main()
