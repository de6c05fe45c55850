"""What users write is understood, or refused in a line that names it."""

from pathlib import Path

import pytest

from datahound.errors import UserError
from datahound.runs.options import make_options
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
