"""With one fetch in flight, every strategy makes exactly the requests that are pinned here.

`python tests/conformance/test_fetch_sequences.py` prints the digests of the code as it is now. A
digest is replaced only by a commit that means to change what is asked for, and says so. A network
trained by an extra differs between machines, so that nothing of it is pinned.
"""

import json
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.events import Fetched
from datahound.lab.bounds import ArchiveOracle
from datahound.strategies import BUILT_IN, make_strategy
from datahound.web.targets import DEFAULT_TARGETS

sys.path.insert(0, str(Path(__file__).parents[1]))
from shared import shared

PINNED = Path(__file__).with_name("fetch_sequences.json")
RECORDED = ["dnsde", "innovazione", "seacoahuila", "uima"]
SITES = ["synthetic:demo", *RECORDED]


def digest_of(name, site):
    """A digest of every fetch of a crawl: its URL, its purpose and the kind of the answer."""
    archive, targets = opened(site)
    oracle = ArchiveOracle(archive, DEFAULT_TARGETS, targets)
    crawl = Crawl(archive.seed, make_strategy(name, seed=1, oracle=oracle), watch={Fetched})
    sequence, count = sha256(), 0

    def observe(events):
        nonlocal count
        for event in events:
            line = f"{event.fetch.url} {event.fetch.purpose.value} {event.kind.value}\n"
            sequence.update(line.encode())
            count += 1

    replay(crawl, archive, observe)
    return f"{count} {sequence.hexdigest()[:32]}"


@cache
def opened(site):
    """A site, and the URLs that an exhaustive crawl finds to be targets."""
    archive = open_archive(str(shared(f"sites/{site}.warc.gz")) if site in RECORDED else site)
    found = []
    crawl = Crawl(archive.seed, make_strategy("bfs"), watch={Fetched})
    replay(
        crawl,
        archive,
        lambda events: found.extend(e.fetch.url for e in events if e.kind.value == "target"),
    )
    return archive, found


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("name", BUILT_IN)
def test_the_requests_are_those_that_are_pinned(name, site):
    """URL, purpose and kind of answer of every fetch, in order."""
    pinned = json.loads(PINNED.read_text())
    assert digest_of(name, site) == pinned[site][name]


if __name__ == "__main__":
    found = {site: {name: digest_of(name, site) for name in BUILT_IN} for site in SITES}
    print(json.dumps(found, indent=2))
