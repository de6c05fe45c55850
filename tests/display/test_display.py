"""The display suits the place, and its lines are true and short."""

import asyncio
import io
import sys

import pytest
from rich.console import Console

from datahound.display.display import Lines, Terminal, describe_line, make_display, on_display
from datahound.runs.progress import Progress


def test_a_line_is_one_line_without_jargon(run):
    """Files, requests, bytes; links that wait are for those who ask."""
    text = describe_line(run)
    assert "\n" not in text
    assert "in 150 of 150 requests" in text
    assert "waiting" not in text
    assert "links waiting" in describe_line(run, verbose=True)


def test_numbers_have_the_right_nouns(run, monkeypatch):
    tally = run.progress.tally
    monkeypatch.setattr(tally, "targets", 1)
    assert "1 file found" in describe_line(run)
    assert "1 files" not in describe_line(run)


@pytest.mark.parametrize(
    ("given", "kind"), [({"hidden": True}, type(None)), ({"plain": True}, Lines), ({}, Lines)]
)
def test_the_display_suits_the_place(given, kind):
    """The output of a test is no terminal."""
    assert isinstance(make_display(**given), kind)


def test_lines_say_nothing_twice(run, capsys):
    display = Lines()
    display.show([run])
    display.show([run])
    display.show([run, run])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("2 sites: ")


def test_a_terminal_leaves_nothing_behind(run):
    """The view is taken away; what a crawl brought is said afterwards."""
    out = io.StringIO()
    console = Console(width=80, force_terminal=True, file=out)
    display = Terminal(console)
    display.show([run])
    display.end([run])
    assert "150 of 150 requests" in out.getvalue()
    # The cursor goes up over the view, and what was below is erased.
    assert "\x1b[1A\x1b[2K" in out.getvalue()


def test_it_is_shown_while_the_block_lasts(run, capsys):
    async def go():
        display = Lines()
        display.every_seconds = 0.01
        async with on_display(display, [run]):
            await asyncio.sleep(0.1)

    asyncio.run(go())
    assert "150 of 150" in capsys.readouterr().out


def test_output_that_is_no_utf_8_gets_ascii(run, monkeypatch):
    """A bar of blocks would end the crawl with an error."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    monkeypatch.setattr(sys, "stdout", out)
    progress = Progress(run.crawl)
    progress.found.count_target()
    monkeypatch.setattr(run, "progress", progress)
    display = Terminal(Console(width=60, force_terminal=True))
    display.show([run])
    display.end([run])
    out.flush()
    assert b"##########" in out.buffer.getvalue()
