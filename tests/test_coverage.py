"""A plain crawl finds the files of nearly every way to publish them, and says what it missed."""

import asyncio
from pathlib import Path

import pytest
from ways import WAYS, make_site, marker, table
from websites import SEED

from datahound.report.status import read_status
from datahound.runs.options import make_options
from datahound.runs.run import Run

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ways") / "crawl"

    async def run():
        async with make_site().served() as address:
            given = {"output": str(folder), "delay": 0, "connect-to": address}
            given |= {"max-file-size": "100kB", "set": ["web.retry_seconds=0.01"]}
            return await Run(make_options(SEED, given)).go()

    return folder, asyncio.run(run())


def kept_ways(folder):
    """The numbers of the ways whose files were kept."""
    bodies = [path.read_bytes() for path in (folder / "files").rglob("*") if path.is_file()]
    plain = [body.replace(b"\x00", b"") + b" " for body in bodies]
    numbers = range(len(WAYS))
    ends = b' ,;\n\r"<'
    return {
        n for n in numbers
        if any(marker(n) + bytes([end]) in body for body in plain for end in ends)
    }  # fmt: skip


def test_every_way_is_found_or_said_to_be_missed(crawled):
    """Each file that is not kept has its sentence in the block of what was probably missed."""
    folder, ended = crawled
    assert ended.status == 0
    expected = {number for number, way in enumerate(WAYS) if not way.missed}
    kept = kept_ways(folder)
    names = {number: way.name for number, way in enumerate(WAYS)}
    assert {names[n] for n in kept ^ expected} == set()
    sentences = "\n".join(read_status(folder).missed)
    for way in WAYS:
        assert way.missed in sentences, way.name


def test_there_are_enough_ways():
    """At least 200, nine tenths of them found by a plain crawl; each under a name of its own."""
    assert len({way.name for way in WAYS}) == len(WAYS) >= 200
    assert sum(not way.missed for way in WAYS) >= 0.9 * len(WAYS)


def test_the_table_in_the_documentation_is_fresh():
    """`python tests/ways.py` prints it."""
    assert table() in PAGE.read_text("utf-8")
