"""What users write is understood, or refused in a line that names it."""

import json
import shlex
from dataclasses import fields
from pathlib import Path

import pytest
from option_values import CASES, DEFAULTS

from datahound.cli import crawl as crawl_command
from datahound.cli import make_app
from datahound.errors import UserError
from datahound.runs import api
from datahound.runs.options import Options, make_options
from datahound.runs.sites import parse_words, plan, read_config, read_sites


def test_names_sizes_and_durations_are_read_as_people_write_them():
    """Each option accepts what its help promises."""
    options = make_options(
        "www.example.org/data",
        {
            "target": ["csv,pdf"],
            "max-bytes": "2GB",
            "max-time": "1d 12h",
            "delay": "0.5",
            "header": ["X-Key: a:b"],
            "allow-host": "cdn.example.net",
        },
    )
    assert options.url == "https://www.example.org/data"
    assert options.output == Path("www.example.org")
    assert options.target is not None
    assert {"text/csv", "application/pdf"} <= options.target
    assert (options.max_bytes, options.max_time, options.delay) == (2 * 10**9, 129_600, 0.5)
    assert options.header == {"X-Key": "a:b"}
    assert options.settings().crawl.site.allowed_hosts == ("cdn.example.net",)
    assert options.settings().crawl.early_stop is not None


@pytest.mark.parametrize(
    ("url", "given", "named"),
    [
        ("ftp://example.org", {}, "ftp://example.org"),
        ("example.org", {"target": ["cvs"]}, "--target"),
        ("example.org", {"budget": "many"}, "--budget"),
        ("example.org", {"budget": "-1"}, "--budget"),
        ("example.org", {"concurrency": "0"}, "--concurrency: 0 is not between 1 and 64"),
        ("example.org", {"concurrency": 65}, "--concurrency: 65 is not between 1 and 64"),
        ("example.org", {"concurrency": "1.5"}, "--concurrency"),
        ("example.org", {"max-bytes": "2 lots"}, "--max-bytes"),
        ("example.org", {"max-time": "soon"}, "--max-time"),
        ("example.org", {"strategy": "sb-oracle"}, "--strategy"),
        ("example.org", {"strategy": "best"}, "best"),
        ("example.org", {"include": "("}, "("),
        ("example.org", {"header": "Key"}, "--header"),
        ("example.org", {"scope": "/data/"}, "outside the scope"),
        ("example.org", {"bugdet": 1}, "bugdet"),
    ],
)
def test_a_mistake_is_named(url, given, named):
    """The user learns which option was wrong."""
    with pytest.raises(UserError, match=named.replace("(", r"\(")):
        make_options(url, given)


def test_the_concurrency_may_change_when_a_crawl_goes_on(tmp_path):
    """From the command line, a file of sites or a config file; it makes no other crawl."""
    path = tmp_path / "sites.txt"
    path.write_text("a.org --concurrency 8\nb.org\n")
    config = tmp_path / "config.toml"
    config.write_text("concurrency = 4\n")
    first, second = plan(read_sites(path), read_config(config))
    assert [o.settings().web.concurrency for o in (first, second)] == [8, 4]
    assert make_options("a.org", {}).settings().web.concurrency == 1
    assert first.identity() == make_options("a.org", {}).identity()


def test_secrets_are_not_shown():
    """Headers and proxies stay out of whatever prints options."""
    options = make_options(
        "example.org", {"header": "Authorization: x1", "proxy": "http://u:x1@p:1"}
    )
    assert "x1" not in repr(options)
    assert "x1" not in str(options.identity())


def test_a_file_of_sites_gives_each_its_options(tmp_path):
    """One URL a line, options after it, comments and empty lines left out."""
    path = tmp_path / "sites.txt"
    path.write_text("# mine\na.org --budget 50 --no-early-stop\n\nb.org --include '/x y/' # why\n")
    first, second = plan(read_sites(path), {"budget": "9", "output": "out"})
    assert (first.budget, first.early_stop, first.output) == (50, False, Path("out/a.org"))
    assert (second.budget, second.include, second.output) == (9, ("/x y/",), Path("out/b.org"))


@pytest.mark.parametrize("line", ["a.org --budget", "a.org budget", "a.org --include 'x"])
def test_a_bad_line_is_named(tmp_path, line):
    """The line's number stands in the message."""
    path = tmp_path / "sites.txt"
    path.write_text(f"b.org\n{line}\n")
    with pytest.raises(UserError, match="line 2"):
        read_sites(path)


def test_two_sites_never_share_a_folder():
    """Crawls of one host need folders of their own."""
    with pytest.raises(UserError, match="--output"):
        plan([("a.org/x", {}), ("a.org/y", {})], {})


def test_a_configuration_file_has_every_option(tmp_path):
    """Names as on the command line, with hyphens or underscores; no-... as well."""
    path = tmp_path / "crawl.toml"
    path.write_text('target = ["csv"]\nmax_bytes = "1MB"\nno-subdomains = true\nbudget = 5\n')
    given = read_config(path)
    options = make_options("a.org", given)
    assert (options.max_bytes, options.subdomains, options.budget) == (10**6, False, 5)
    path.write_text("budget = \n")
    with pytest.raises(UserError, match="TOML"):
        read_config(path)


def test_words_repeat_and_negate():
    """Options on a line of a file are those of the command."""
    words = ["--exclude", "a", "--exclude=b", "--no-subdomains", "--list-only"]
    assert parse_words(words) == {"exclude": ["a", "b"], "subdomains": False, "list-only": True}


URL = "https://example.org/"


def as_words(name, written):
    """An option as on a command line."""
    if isinstance(written, bool):
        return [f"--{name}" if written else f"--no-{name}"]
    texts = written if isinstance(written, list) else [written]
    return [word for text in texts for word in (f"--{name}", text)]


def give_on_command(name, written, monkeypatch, _folder):
    """Options of `datahound crawl`; errors as they are, not as they are printed."""
    planned = []
    monkeypatch.setattr(crawl_command, "run_all", lambda found, **_: planned.extend(found) or 0)
    app = make_app("crawl")
    app(["crawl", URL, *as_words(name, written)], standalone_mode=False)
    return planned[0]


def give_in_sites(name, written, _monkeypatch, folder):
    path = folder / "sites.txt"
    path.write_text(shlex.join([URL, *as_words(name, written)]))
    return plan(read_sites(path), {})[0]


def give_in_config(name, written, _monkeypatch, folder):
    path = folder / "crawl.toml"
    path.write_text(f"{name} = {json.dumps(written)}\n")
    return plan([(URL, {})], read_config(path))[0]


def give_in_python(name, written, monkeypatch, _folder):
    taken = []

    class Taken(Exception):
        pass

    def take(options, **_):
        taken.append(options)
        raise Taken

    monkeypatch.setattr(api, "Run", take)
    with pytest.raises(Taken):
        next(api.crawl_blocking(URL, **{name.replace("-", "_"): written}))
    return taken[0]


WAYS = {
    "command": give_on_command,
    "sites": give_in_sites,
    "config": give_in_config,
    "python": give_in_python,
}


@pytest.mark.parametrize(
    ("case", "way"), [(case, way) for case in CASES for way in case.ways], ids=str
)
def test_a_value_means_the_same_in_every_way_of_giving_it(case, way, monkeypatch, tmp_path):
    """On the command line, in a file of sites, in a TOML file and in Python."""
    given = (case.name, case.written, monkeypatch, tmp_path)
    if case.error:
        with pytest.raises(UserError) as caught:
            WAYS[way](*given)
        assert str(caught.value) == case.error
        return
    options = WAYS[way](*given)
    name = case.name.replace("-", "_")
    expected = DEFAULTS | {name: case.value}
    assert {key: getattr(options, key) for key in expected} == expected


def test_every_option_has_cases():
    """A new option can't be left out of the table of values."""
    own = {field.name for field in fields(Options)} - {"url", "base"}
    assert own == set(DEFAULTS) == {case.name.replace("-", "_") for case in CASES}
