"""Do other sites say better what an extension means than the table of file types does?

    python benchmarks/quality/prior_of_types.py ../shared/sites/*.warc.gz

Each recorded site is left out in turn. From the others, the odds that a URL with this extension is
a data file are learned (each site counts alike, shrunk towards what the table says); both are then
judged on the URLs of the site that was left out: the area under the curve, and the log loss.
"""

import csv
import math
import sys
from collections import Counter
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from datahound.web.targets import DEFAULT_TARGETS, kind_of_type
from datahound.web.types import PAGE_EXTENSIONS
from datahound.web.urls import extension_of

RESULTS = Path(__file__).parents[1] / "results" / "prior_of_types.csv"
PRIOR, WEIGHT = 2.0, 2.0
"""The default of `extension_prior`; how many sites the table counts for."""
PAGES = PAGE_EXTENSIONS | {""}


def read_site(path: Path) -> Counter[tuple[str, bool]]:
    """URLs of a recorded site by extension and by whether they are data files."""
    found: Counter[tuple[str, bool]] = Counter()
    with path.open("rb") as stream:
        for record in ArchiveIterator(
            stream, record_types=WarcRecordType.response, parse_http=True
        ):
            head = record.http_headers
            if head is None or head.status_code != 200:
                continue
            kind = kind_of_type((record.http_content_type or "").lower()).name
            if kind in ("TARGET", "PAGE"):
                url = record.headers["WARC-Target-URI"]
                found[extension_of(url), kind == "TARGET"] += 1
    return found


def score_by_table(extension: str) -> float:
    if extension in PAGES:
        return -PRIOR
    return PRIOR if extension in DEFAULT_TARGETS.extensions else 0.0


def learn(sites: list[Counter]) -> dict[str, float]:
    """The logarithm of the odds for each extension, shrunk towards the table's."""
    extensions = {extension for site in sites for extension, _ in site}
    scores = {}
    for extension in extensions:
        shares = [
            site[extension, True] / (site[extension, True] + site[extension, False])
            for site in sites
            if site[extension, True] + site[extension, False]
        ]
        start = 1 / (1 + math.exp(-score_by_table(extension)))
        share = (sum(shares) + WEIGHT * start) / (len(shares) + WEIGHT)
        scores[extension] = math.log(share / (1 - share))
    return scores


def judge(site: Counter, score) -> tuple[float, float]:
    """Area under the curve (equal scores count half), and the mean log loss."""
    targets = [(score(ext), n) for (ext, is_target), n in site.items() if is_target]
    pages = [(score(ext), n) for (ext, is_target), n in site.items() if not is_target]
    wins = sum(a * b * ((x > y) + (x == y) / 2) for x, a in targets for y, b in pages)
    area = wins / (sum(n for _, n in targets) * sum(n for _, n in pages))
    loss = sum(n * math.log1p(math.exp(-x)) for x, n in targets)
    loss += sum(n * math.log1p(math.exp(x)) for x, n in pages)
    return area, loss / site.total()


def main() -> None:
    sites = {path.name.split(".")[0]: read_site(path) for path in map(Path, sys.argv[1:])}
    usable = {
        name: site for name, site in sites.items()
        if any(kind for _, kind in site) and not all(kind for _, kind in site)
    }  # fmt: skip
    rows = []
    for name, site in usable.items():
        scores = learn([other for key, other in usable.items() if key != name])
        table = judge(site, score_by_table)
        learned = judge(site, lambda ext, s=scores: s.get(ext, score_by_table(ext)))
        rows.append({
            "left_out": name, "urls": site.total(),
            "area_by_table": round(table[0], 4), "area_by_sites": round(learned[0], 4),
            "loss_by_table": round(table[1], 4), "loss_by_sites": round(learned[1], 4),
        })  # fmt: skip
        print(rows[-1], flush=True)
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
