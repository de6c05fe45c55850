"""How the values of options are parsed: from the command line's text and from a file's data."""

from pathlib import Path

import pytest

from datahound.errors import UserError
from datahound.runs import option_values as values
from datahound.runs.option_values import Option, list_pairs, merge_given


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("www.example.org", "https://www.example.org/"),
        ("http://www.example.org", "http://www.example.org/"),
        ("HTTPS://WWW.Example.ORG/Data", "https://www.example.org/Data"),
        ("www.example.org:8080/a", "https://www.example.org:8080/a"),
        ("https://www.example.org/a#part", "https://www.example.org/a"),
        ("http://192.0.2.1/", "http://192.0.2.1/"),
    ],
)
def test_a_web_address_is_completed(text, url):
    assert values.parse_url(text) == url


@pytest.mark.parametrize("text", ["", " ", "ftp://a.example", "https://", "javascript:x"])
def test_what_is_no_web_address_is_said(text):
    with pytest.raises(UserError, match="is not a web address"):
        values.parse_url(text)


def test_a_name_in_a_web_address_is_refused_without_showing_it():
    """It would be stored in the folder and shown in reports."""
    with pytest.raises(UserError) as caught:
        values.parse_url("https://me:secret@www.example.org/")
    assert "secret" not in str(caught.value)
    assert "--header" in str(caught.value)


def test_an_origin_has_no_path():
    assert values.parse_origin("") == ""
    assert values.parse_origin("bot.example.org") == "https://bot.example.org"
    assert values.parse_origin("https://bot.example.org/") == "https://bot.example.org"
    with pytest.raises(UserError, match="has a path"):
        values.parse_origin("https://bot.example.org/keys")


@pytest.mark.parametrize(
    ("given", "number"), [("0", 0), ("12", 12), (12, 12), (" 7 ", 7), ("1_000", 1000)]
)
def test_whole_numbers(given, number):
    assert values.parse_whole(given) == number


@pytest.mark.parametrize("given", ["-1", -1])
def test_numbers_below_zero_are_refused(given):
    with pytest.raises(UserError, match="is below 0"):
        values.parse_whole(given)


@pytest.mark.parametrize("given", ["0", 0, "1000", "-3"])
def test_concurrency_has_bounds(given):
    with pytest.raises(UserError, match="is not between 1 and"):
        values.parse_concurrency(given)
    assert values.parse_concurrency("1") == 1


@pytest.mark.parametrize("given", ["yes", 1, 0, None, "true"])
def test_a_switch_is_true_or_false(given):
    """1 in TOML is a number: who wrote it may have meant something else."""
    with pytest.raises(UserError, match="is true or false"):
        values.parse_flag(given)
    assert values.parse_flag(True) is True


def test_texts_are_one_or_a_list():
    assert values.parse_texts("a, b") == ("a, b",)
    assert values.parse_texts(["a", "b"]) == ("a", "b")
    assert values.parse_texts([1, 2]) == ("1", "2")
    for wrong in (1, {"a": 1}, None):
        with pytest.raises(UserError, match="a text or a list of texts"):
            values.parse_texts(wrong)


def test_hosts_are_sorted_names():
    """In any order, they make the same identity of a folder."""
    given = ["https://Files.example.net/a", "assets.example.net:8080", "a.example"]
    assert values.parse_hosts(given) == ("a.example", "assets.example.net", "files.example.net")


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("", ""),
        ("/data/", "/data/"),
        ("www.example.org/data/", "https://www.example.org/data/"),
        ("http://www.example.org", "http://www.example.org/"),
    ],
)
def test_a_scope_is_a_path_or_a_url(text, scope):
    assert values.parse_scope(text) == scope


def test_headers_are_names_and_values():
    given = ["X-Key: a:b", "Accept-Language:de", "Empty:"]
    assert values.parse_headers(given) == {"X-Key": "a:b", "Accept-Language": "de", "Empty": ""}
    for wrong in (["no colon"], [": value"], "nothing"):
        with pytest.raises(UserError, match="'Name: value'"):
            values.parse_headers(wrong)


def test_settings_by_name_from_text_and_tables():
    """TOML reads `web.idle_seconds = 10` as a table in a table."""
    from_text = values.parse_set(["idle_seconds=10", "web.concurrency=2"])
    from_table = values.parse_set({"web": {"idle_seconds": 10, "concurrency": 2}})
    assert from_text == from_table == {"web.idle_seconds": 10.0, "web.concurrency": 2}
    assert list_pairs({"a": {"b": {"c": 1}}, "d": 2}) == ["a.b.c=1", "d=2"]


def test_merging_keeps_both_sets_in_order():
    """The second wins where both name a setting, since pairs are applied in order."""
    first = {"budget": 5, "set": {"web": {"idle_seconds": 10}}}
    second = {"budget": 7, "set": ["web.idle_seconds=20"]}
    merged = merge_given(first, second)
    assert merged == {"budget": 7, "set": ["web.idle_seconds=10", "web.idle_seconds=20"]}
    assert values.parse_set(merged["set"]) == {"web.idle_seconds": 20.0}
    assert merge_given({"set": ["a=1"]}, {}) == {"set": ["a=1"]}


def test_an_error_names_the_option_as_it_was_written():
    option = Option(values.parse_whole, "", name="max_files")
    assert option.written == "max-files"
    with pytest.raises(UserError, match=r"--max-files: 'many' is not a whole number"):
        option.read("max-files", "many")
    with pytest.raises(UserError, match=r"--max-files: -1 is below 0"):
        option.read("max-files", "-1")
    with pytest.raises(UserError, match=r"--max_files: None is not a whole number"):
        option.read("max_files", None)


def test_paths_know_the_home_folder(monkeypatch):
    monkeypatch.setenv("HOME", "/home/somebody")
    assert values.parse_path("~/crawls") == Path("/home/somebody/crawls")


@pytest.mark.parametrize(
    ("value", "plain"),
    [(frozenset({"b", "a"}), ["a", "b"]), (("x", "y"), ["x", "y"]), (5, 5), (None, None)],
)
def test_the_identity_is_plain_data(value, plain):
    assert values.keep_plain(value) == plain
