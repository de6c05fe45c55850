"""What is new in words: lines, names, counts and the stop rule."""

import pytest

from datahound.news.words import (
    REDESIGNED,
    describe_left,
    describe_state,
    describe_whatsnew,
    list_lines,
    name_file,
    sum_up,
)


def file(url="http://e.org/a.csv", title="", **more):
    return {"url": url, "title": title, "page": "http://e.org/", "file": "a.csv", **more}


def found(**more):
    kinds = {"new": [], "changed": [], "gone": [], "schema": []}
    return {**kinds, "left": None, "round": 1, "over": True, **more}


def table(*lines, name="", schema=False):
    return {"table": name, "lines": list(lines), "changes_schema": schema}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Rates of 2024", "Rates of 2024"),
        ("CSV", "a.csv"),
        ("", "a.csv"),
        (None, "a.csv"),
        ("  two \n lines ", "two lines"),
        ("x" * 200, "x" * 79 + "…"),
    ],
)
def test_a_file_is_named_by_its_link_if_that_says_more_than_its_name(title, name):
    assert name_file(file(title=title)) == name


def test_a_url_without_a_name_is_the_name():
    assert name_file(file("http://e.org/", "CSV")) == "CSV"
    assert name_file(file("http://e.org/", "")) == "http://e.org/"


def test_a_name_shows_no_control_characters():
    """It is printed to a terminal, and written into pages and a feed."""
    assert "\x1b" not in name_file(file(title="red \x1b[31m figures"))


def test_each_kind_has_a_line_with_three_names():
    files = [file(f"http://e.org/{n}.csv") for n in range(5)]
    lines = describe_whatsnew(found(new=files, gone=files[:1]))
    assert lines == [
        "new files: 5 (0.csv, 1.csv, 2.csv, ...)",
        "changed files: 0",
        "files that are gone: 1 (0.csv)",
    ]


def test_differences_are_cut_short_and_the_rest_is_counted():
    changed = [file(difference={"tables": [table(*(f"row {n}" for n in range(20)))]})]
    lines = describe_whatsnew(found(changed=changed))
    assert lines[3] == "a.csv: row 0"
    assert lines[-1] == "and 8 more lines in whatsnew.html"
    assert len(lines) == 3 + 12 + 1


def test_tables_are_named_where_a_file_has_several():
    one = {"tables": [table("1 row added", name="Sheet 1")]}
    two = {"tables": [table("a", name="Sheet 1"), table("b", name="Sheet 2"), table("c")]}
    assert [line["text"] for line in list_lines(one)] == ["1 row added"]
    assert [line["text"] for line in list_lines(two)] == ["Sheet 1: a", "Sheet 2: b", "c"]


def test_lines_about_columns_are_marked():
    """Only in a table whose columns changed: a cell may hold any words."""
    lines = ["2 columns added (a, b)", "3 rows added", "the table in x is new"]
    marked = {"tables": [table(*lines, schema=True)]}
    assert [line["schema"] for line in list_lines(marked)] == [True, False, True]
    unmarked = {"tables": [table(*lines)]}
    assert not any(line["schema"] for line in list_lines(unmarked))


def test_what_could_not_be_compared_is_said():
    lines = list(list_lines({"error": "took too long"}))
    assert lines == [{"text": "took too long", "schema": False}]


def test_a_table_of_another_form_is_passed_over():
    """`whatsnew.json` may have been edited, or written by another version."""
    assert list(list_lines({"tables": ["x", None, 3]})) == []


@pytest.mark.parametrize(
    ("left", "sentence"),
    [
        (None, ""),
        ({"requests": 0, "expected": 4.0, "low": 0, "high": 9}, ""),
        (
            {"requests": 1200, "expected": 4.4, "low": 0, "high": 1012},
            "about 4 more new or changed files (0 to 1,012) would cost 1,200 requests",
        ),
        (
            {"requests": 1, "expected": 1.2, "low": 0, "high": 2},
            "about 1 more new or changed file (0 to 2) would cost 1 request",
        ),
    ],
)
def test_the_stop_rule(left, sentence):
    assert describe_left(left) == sentence


def test_other_columns_a_redesign_and_an_open_round_are_said():
    left = {"requests": 0, "redesigned": True}
    lines = describe_whatsnew(found(schema=[{}, {}], left=left, over=False))
    assert lines[3:] == [
        "files with other columns: 2",
        f"{REDESIGNED}; refresh without a limit to crawl all of it",
        "the round has not ended: the same command goes on with it",
    ]


def test_a_round_without_a_limit_needs_none():
    """All of a site that was redesigned has been crawled."""
    left = {"requests": 0, "redesigned": True, "limited": False}
    assert describe_state(left) == REDESIGNED
    assert "down" in describe_state({"silent": True, "redesigned": True})
    assert "maintenance" in describe_state({"silent": False, "same_page": True, "redesigned": True})


def test_several_folders_are_summed_up():
    one = found(new=[file()] * 1200, gone=[file()])
    assert sum_up([one, found(changed=[file()])]) == "2 folders: 1,200 new, 1 changed, 1 gone"
