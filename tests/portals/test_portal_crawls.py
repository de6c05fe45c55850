"""Crawls of made-up portals find all files, and by their APIs for few requests."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from portal_servers import PORTALS, crawl_portal

from datahound.report.status import read_status

COUNT = int(os.environ.get("DATAHOUND_PORTAL_DATASETS", "60"))
"""The benchmark has 1,000; with that number the saving is at its full size."""
RATIO = 50 if COUNT >= 1000 else COUNT / 10
# Zenodo gives 25 records at once, about as many as a page of HTML lists: the datasets' own pages
# are what its API saves.
RATIOS = {"zenodo": min(RATIO, 20)}
WITH_PAGES = [name for name, p in PORTALS.items() if p.has_pages]
WITHOUT_PAGES = [name for name, p in PORTALS.items() if not p.has_pages]


@pytest.mark.parametrize("name", WITH_PAGES)
def test_an_api_finds_files_for_a_fraction_of_the_requests(name, tmp_path):
    """All files are found in both ways; 90 % by the API for far fewer requests than by pages."""
    by_api = crawl_portal(PORTALS[name](COUNT), tmp_path / "api")
    by_pages = crawl_portal(PORTALS[name](COUNT), tmp_path / "pages", api=False)
    assert not by_api.missed
    assert not by_pages.missed
    assert by_api.overhead_to(0.9) * RATIOS.get(name, RATIO) <= by_pages.overhead_to(0.9)
    (line,) = read_status(tmp_path / "api").portals
    assert line


@pytest.mark.parametrize("name", WITHOUT_PAGES)
def test_an_api_finds_what_no_page_links_to(name, tmp_path):
    """All files of portals whose pages are made by scripts, or are forms."""
    measure = crawl_portal(PORTALS[name](COUNT), tmp_path)
    assert not measure.missed
    assert measure.wanted
    assert len(measure.found) == len(set(measure.found))


def test_a_table_of_version_2_is_fetched_once(tmp_path):
    """The whole table, and not also the part that the portal gives without a selection."""
    portal = PORTALS["pxweb-2"](20)
    measure = crawl_portal(portal, tmp_path)
    assert set(measure.found) == measure.wanted
    assert sum("/data?" in path for path in portal.requests) == len(measure.wanted)
    assert read_status(tmp_path).portals == ("PxWeb: 20 of 20 datasets; recognized by 'pxweb2'",)
