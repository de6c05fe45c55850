"""What users write is understood, or refused in a line that names it."""

import json
import shlex
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from option_cases import CASES, DEFAULTS

from datahound import api
from datahound.api import CrawlOptions
from datahound.cli import crawl as crawl_command
from datahound.cli import make_app
from datahound.cli.config_file import read_config
from datahound.cli.options import plan
from datahound.cli.sites_file import SiteLine, parse_words, read_sites
from datahound.errors import UserError
from datahound.parameters import read_setting
from datahound.runs.options import OPTIONS, Options, make_options
from datahound.settings import EarlyStopSettings, Settings, TrapSettings


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
    assert options.target == {"csv", "pdf"}
    assert options.settings().crawl.targets == options.settings().web.targets == {"csv", "pdf"}
    assert make_options("x.org", {}).settings().crawl.targets == {"all"}
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
    first, second = plan(read_sites(path), read_config(config).options)
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
        plan([SiteLine("a.org/x"), SiteLine("a.org/y")], {})


def test_a_configuration_file_has_every_option(tmp_path):
    """Names as on the command line, with hyphens or underscores; no-... as well."""
    path = tmp_path / "crawl.toml"
    path.write_text('target = ["csv"]\nmax_bytes = "1MB"\nno-subdomains = true\nbudget = 5\n')
    given = read_config(path).options
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
    monkeypatch.setattr(
        crawl_command, "run_all", lambda found, *_, **__: planned.extend(found) or 0
    )
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
    return plan([SiteLine(URL)], read_config(path).options)[0]


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
        said = str(caught.value)
        if way == "config":
            # What several options say together is in no one place.
            said = said.removeprefix(f"{tmp_path / 'crawl.toml'}: ")
        place = f"{tmp_path / 'sites.txt'}, line 1: " if way == "sites" else ""
        assert said == place + case.error
        return
    options = WAYS[way](*given)
    name = case.name.replace("-", "_")
    expected = DEFAULTS | {name: case.value}
    assert {key: getattr(options, key) for key in expected} == expected


@pytest.mark.parametrize("written", ["bot.example.org", "https://bot.example.org/"])
def test_the_server_of_the_key_directory_is_an_origin(written):
    """As signed requests name it: a scheme and a host."""
    options = make_options(URL, {"sign": "key.pem", "sign-agent": written})
    assert options.settings().web.sign_agent == "https://bot.example.org"


def test_every_option_has_cases():
    """A new option can't be left out of the table of values."""
    own = {field.name for field in fields(Options)} - {"url", "base", "remote"}
    assert own == set(OPTIONS) == set(DEFAULTS)
    assert own == {case.name.replace("-", "_") for case in CASES}


def test_every_option_is_described():
    """In the help of commands, in the docstrings of Python and in the docs: all show this text."""
    assert all(option.help for option in OPTIONS.values())


def test_keyword_arguments_are_those_of_the_table():
    """The types that editors and mypy see: every option, a flag as bool, a list as a list."""
    types = get_type_hints(CrawlOptions)
    assert list(types) == list(OPTIONS)
    for name, option in OPTIONS.items():
        assert (types[name] is bool) == (option.form == "flag"), name
        assert (list[str] in get_args(types[name])) == (option.form == "list"), name


@pytest.mark.parametrize("function", [api.crawl, api.crawl_blocking])
def test_python_functions_describe_every_option(function):
    """`help(datahound.crawl)` has a line per option."""
    lines = function.__doc__.splitlines()
    for option in OPTIONS.values():
        assert any(line.startswith(f"    {option.name}") for line in lines), option.name
        assert option.help in function.__doc__


def test_defaults_of_options_are_those_of_their_settings():
    """Where an option replaces a setting, both have one default."""
    for option in OPTIONS.values():
        for path in option.setting:
            if option.combine is None:
                assert read_setting(Settings(), path) == option.default, path


def test_an_option_that_is_not_given_has_the_value_of_its_setting():
    """`--set` reaches settings that have an option too; the option itself wins."""
    options = make_options(URL, {"set": ["delay_seconds=3", "max_requests=7", "subdomains=no"]})
    assert (options.delay, options.budget, options.subdomains) == (3.0, 7, False)
    assert options.settings().web.delay_seconds == 3.0
    assert options.identity() == make_options(URL, {"subdomains": False}).identity()
    assert (
        make_options(URL, {"set": "delay_seconds=3", "delay": 2}).settings().web.delay_seconds == 2
    )


def test_an_option_of_two_settings_leaves_the_one_that_was_set_by_name():
    """Unless it was given itself."""
    options = make_options(URL, {"set": "max_total_bytes=3"})
    assert (options.settings().crawl.max_bytes, options.settings().downloads.max_total_bytes) == (
        None,
        3,
    )
    options = make_options(URL, {"set": "max_total_bytes=3", "max-bytes": 9})
    assert options.settings().downloads.max_total_bytes == 9


def test_settings_by_name_reach_the_settings_of_the_crawl():
    """Groups that are off by default in a replay keep their other values."""
    pairs = ["window=50", "max_repeats=9", "idle_seconds=4", "per_host=3", "ngram=3", "max_text=9"]
    settings = make_options(URL, {"set": pairs}).settings()
    assert settings.crawl.early_stop == EarlyStopSettings(window=50)
    assert settings.crawl.traps == TrapSettings(max_repeats=9)
    assert (settings.web.idle_seconds, settings.downloads.per_host) == (4.0, 3)
    assert (settings.strategy.actions.ngram, settings.pages.max_text) == (3, 9)
    without = make_options(URL, {"set": pairs, "early-stop": False, "traps": False}).settings()
    assert (without.crawl.early_stop, without.crawl.traps) == (None, None)


@pytest.mark.parametrize(
    "text",
    [
        'set = {web.idle_seconds = 4, "hound.credit" = 0.25, companions = false}',
        "[set]\nweb.idle_seconds = 4\nhound.credit = 0.25\nhound.companions = false",
        'set = ["idle_seconds=4", "credit=0.25", "companions=no"]',
    ],
)
def test_settings_by_name_in_a_configuration_file(tmp_path, text):
    """As a table, a table of tables, or a list."""
    path = tmp_path / "crawl.toml"
    path.write_text(text)
    in_python = {"web.idle_seconds": 4, "credit": 0.25, "companions": False}
    options = make_options(URL, read_config(path).options)
    assert options == make_options(URL, {"set": in_python})
    assert options.settings().strategy.hound.companions is False


def test_settings_by_name_add_up(tmp_path):
    """Those of a site come after those for all sites, and replace only those of the same name."""
    path = tmp_path / "sites.txt"
    path.write_text("a.org --set credit=0.1\nb.org\n")
    common = {"set": {"credit": 0.3, "idle_seconds": 4}}
    first, second = plan(read_sites(path), common)
    assert first.set == {"strategy.hound.credit": 0.1, "web.idle_seconds": 4.0}
    assert second.set == {"strategy.hound.credit": 0.3, "web.idle_seconds": 4.0}


def test_settings_that_change_the_crawl_belong_to_its_identity():
    """Those of the web and of downloads may change when a crawl continues, and so may limits."""
    plain = make_options(URL, {}).identity()
    free = ["idle_seconds=4", "per_host=1", "max_requests=5", "credit=0.5"]
    assert make_options(URL, {"set": free}).identity() == plain
    for pair in ("hound.credit=0.3", "companions=no", "max_text=50", "crawl.max_redirects=3"):
        changed = make_options(URL, {"set": pair}).identity()
        assert {name for name in plain if plain[name] != changed[name]} == {"--set"}
    kept = make_options(URL, {"set": ["credit=.30", "max_text=50"]}).identity()["--set"]
    assert kept == ["pages.max_text=50", "strategy.hound.credit=0.3"]


def test_in_flight_is_for_replays():
    """A live crawl decides itself how many fetches wait for answers."""
    with pytest.raises(UserError, match="unknown parameter 'in_flight=3'"):
        make_options(URL, {"set": "in_flight=3"})
