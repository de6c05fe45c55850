"""Crawling from Python: what the iterator gives, when it stops, and what it raises."""

import asyncio
import inspect
from typing import get_type_hints

import pytest
import websites
from websites import Website, data, error, page

import datahound
from datahound.api import CrawlOptions, Target, crawl, crawl_blocking
from datahound.errors import Unreachable, UserError
from datahound.runs.options import OPTIONS

SITE = {
    "/": page("/list.html", "/notes.pdf"),
    "/list.html": page("/1.csv", "/2.csv"),
    "/1.csv": data(b"year,pupils\n2021,5\n2022,6\n"),
    "/2.csv": data(b"year,pupils\n2023,7\n2024,8\n"),
    "/notes.pdf": data(b"%PDF-1.4 notes", "application/pdf"),
}


def polite(address, output, **more):
    return {
        "output": output, "delay": 0, "ignore_robots": True, "connect_to": address, **more
    }  # fmt: skip


def test_every_target_comes_with_its_file_its_text_and_its_page(tmp_path):
    """What a program needs to go on with a file is in the value it gets."""
    with websites.served_in_thread(Website(SITE)) as address:
        found = list(crawl_blocking(websites.SEED, **polite(address, tmp_path / "site")))
    by_name = {target.url.rsplit("/", 1)[1]: target for target in found}
    assert sorted(by_name) == ["1.csv", "2.csv", "notes.pdf"]
    first = by_name["1.csv"]
    assert first.file.read_bytes() == SITE["/1.csv"].body
    assert (first.title, first.page) == ("/1.csv", websites.SEED + "list.html")
    assert (first.mime_type, first.bytes, len(first.sha256)) == ("text/csv", 26, 64)


def test_the_same_call_gives_only_what_is_new(tmp_path):
    """A program that runs every night sees each file once."""
    site = Website(SITE)
    with websites.served_in_thread(site) as address:
        asked = polite(address, tmp_path / "site", budget=2)
        first = [target.url for target in crawl_blocking(websites.SEED, **asked)]
        rest = [t.url for t in crawl_blocking(websites.SEED, **{**asked, "budget": 50})]
        again = [t.url for t in crawl_blocking(websites.SEED, **{**asked, "budget": 50})]
    assert len(first) < 3
    assert sorted(first + rest) == sorted(set(first + rest))
    assert len(first + rest) == 3
    assert again == []


def test_a_list_has_no_files(tmp_path):
    with websites.served_in_thread(Website(SITE)) as address:
        asked = polite(address, tmp_path / "site", list_only=True)
        found = list(crawl_blocking(websites.SEED, **asked))
    assert {target.file for target in found} == {None}
    assert len(found) == 3


def test_a_file_that_could_not_be_had_has_a_note(tmp_path):
    """It is not left out in silence: the caller learns of it as of any other."""
    shorter = {**SITE, "/1.csv": data(b"1" * 100), "/2.csv": data(b"2" * 10)}
    with websites.served_in_thread(Website(shorter)) as address:
        asked = polite(address, tmp_path / "site", max_file_size="50B")
        found = {t.url.rsplit("/", 1)[1]: t for t in crawl_blocking(websites.SEED, **asked)}
    assert found["1.csv"].file is None
    assert found["1.csv"].note == "too large"
    assert found["1.csv"].page == websites.SEED + "list.html"
    assert found["2.csv"].file.read_bytes() == b"2" * 10


def test_stopping_the_iteration_stops_the_crawl(tmp_path):
    """Nobody is left asking the site in a thread."""
    many = {f"/{n}.csv": data(b"a,%d\n" % n) for n in range(200)}
    site = Website({"/": page(*many), **many})
    with websites.served_in_thread(site) as address:
        for _ in crawl_blocking(websites.SEED, **polite(address, tmp_path / "site", delay=0.02)):
            break
        asked = len(site.asked)
    assert asked < 100


def test_targets_come_while_the_crawl_goes_on(tmp_path):
    """The asynchronous form gives the first target long before the last request."""

    async def take_two(address):
        taken: list[Target] = []
        async for target in crawl(websites.SEED, **polite(address, tmp_path / "site")):
            taken.append(target)
            if len(taken) == 2:
                return taken
        return taken

    with websites.served_in_thread(Website(SITE)) as address:
        taken = asyncio.run(take_two(address))
    assert len(taken) == 2


def test_a_site_that_is_not_there_raises(tmp_path):
    """An error, not an empty iteration: nobody would notice the second."""
    with websites.served_in_thread(Website({"/": error(500)})) as address:
        gone = polite(address, tmp_path / "site")
    with pytest.raises(Unreachable):
        list(crawl_blocking(websites.SEED, **gone, set={"max_outage_seconds": 0.2}))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"budget": "many"}, "budget"),
        ({"delay": -1}, "delay"),
        ({"strategy": "astrology"}, "astrology"),
        ({"budgett": 5}, "budgett"),
        ({"target": "spreadsheeets"}, "spreadsheeets"),
    ],
)
def test_bad_options_are_refused_before_anything_is_asked(tmp_path, given, named):
    """One line that names the option, and no folder left behind."""
    output = tmp_path / "site"
    with pytest.raises(UserError, match=named):
        list(crawl_blocking(websites.SEED, output=output, **given))
    assert not output.exists()


def test_an_address_that_is_none_is_refused(tmp_path):
    with pytest.raises(UserError):
        list(crawl_blocking("not an address", output=tmp_path / "site"))


def test_every_option_has_a_type_and_a_line_in_the_docstring():
    """Editors and `help()` know what the command knows."""
    assert set(get_type_hints(CrawlOptions)) == set(OPTIONS)
    for function in (crawl, crawl_blocking):
        lines = inspect.getdoc(function).splitlines()
        described = {line.strip().split(":")[0] for line in lines}
        assert set(OPTIONS) <= described


def test_the_public_names_are_there():
    """A name of `datahound.__all__` that can't be imported is a broken promise."""
    assert [name for name in datahound.__all__ if not hasattr(datahound, name)] == []
    with pytest.raises(AttributeError):
        _ = datahound.no_such_name


def test_a_round_from_python_is_that_of_the_command(tmp_path):
    """Of two folders, with what is new in each, and the same files beside them."""
    site = Website(dict(SITE))
    folders = [tmp_path / name for name in ("one", "two")]
    with websites.served_in_thread(site) as address:
        for folder in folders:
            list(crawl_blocking(websites.SEED, **polite(address, folder)))
        site.paths["/list.html"] = page("/1.csv", "/2.csv", "/3.csv")
        site.paths["/3.csv"] = data(b"year,pupils\n2025,9\n")
        how = {"delay": 0, "ignore_robots": True, "connect_to": address}
        found = datahound.refresh_blocking(*folders, **how)
        limited = datahound.refresh_blocking(folders[0], share=0.5, versions=1, **how)
    for folder, told in zip(folders, found, strict=True):
        assert [file["url"] for file in told["new"]] == [websites.SEED + "3.csv"]
        assert told["folder"] == str(folder)
        assert (folder / "whatsnew.html").is_file()
        assert (folder / "catalog.db").is_file()
    assert (limited[0]["round"], limited[0]["new"]) == (2, [])
    assert limited[0]["left"]["requests"] > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"share": 2},
        {"budget": 0},
        {"share": 0.1, "budget": 2},
        {"since": 7},
        {"versions": "x"},
        {"seed": 7},
        {"rain": 1},
    ],
)
def test_bad_input_of_a_round_is_refused(tmp_path, wrong):
    """Before anything is asked for."""
    site = Website(SITE)
    with websites.served_in_thread(site) as address:
        list(crawl_blocking(websites.SEED, **polite(address, tmp_path / "site")))
        asked = len(site.asked)
        with pytest.raises(UserError):
            datahound.refresh_blocking(tmp_path / "site", **wrong)
    assert len(site.asked) == asked


def test_a_site_that_is_gone_is_raised(tmp_path):
    with websites.served_in_thread(Website(SITE)) as address:
        list(crawl_blocking(websites.SEED, **polite(address, tmp_path / "site")))
    how = {"delay": 0, "connect_to": address, "set": {"max_outage_seconds": 3}}
    with pytest.raises(Unreachable, match="no longer does"):
        datahound.refresh_blocking(tmp_path / "site", **how)
