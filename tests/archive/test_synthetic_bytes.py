"""Synthetic websites stay the same from version to version, byte for byte.

Results of experiments name a preset and a seed; they can be repeated only if these give the same
website. To write the hashes again after a change that is meant, run this file as a program.
"""

import hashlib
import json
from pathlib import Path

import pytest

from datahound.archive import glance, open_archive

PINNED = Path(__file__).with_name("pinned_sites.json")
SPECS = [
    "synthetic:demo",
    "synthetic:demo?bodies=on&max_body=20000&traps=on",
    "synthetic:ju?scale=0.02",
    "synthetic:cl?scale=0.1",
    "synthetic:ok?scale=0.01&bodies=on&max_body=15000",
    "synthetic:wh?scale=0.005&seed=3",
    "synthetic:jp?scale=0.005&dead_links=0.5&redirects=0.5",
    "synthetic:qa?scale=0.1",
    "synthetic:?pages=300&targets=0",
    "synthetic:?seed=7&pages=120&extensionless=1",
]


def hash_site(spec):
    """A hash of every exchange and every glance of a site."""
    archive = open_archive(spec)
    digest, urls = hashlib.sha256(), []
    for fetch, answer in archive:
        urls.append(fetch.url)
        digest.update(repr((fetch.url, answer.status, sorted(answer.headers.items()))).encode())
        digest.update(answer.body)
        digest.update(repr((answer.size, answer.truncated)).encode())
    for url in urls:
        digest.update(repr(tuple(glance(archive, url))).encode())
    return digest.hexdigest()


@pytest.mark.parametrize("spec", SPECS)
def test_a_synthetic_site_is_what_it_was(spec):
    assert hash_site(spec) == json.loads(PINNED.read_text())[spec]


if __name__ == "__main__":
    PINNED.write_text(json.dumps({spec: hash_site(spec) for spec in SPECS}, indent=1) + "\n")
