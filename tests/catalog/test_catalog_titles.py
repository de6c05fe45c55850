"""The title and the section of a dataset."""

import pytest

from datahound.catalog.titles import (
    choose_title,
    find_section,
    is_meaningful,
    split_file_name,
    tidy_text,
)


@pytest.mark.parametrize(
    ("link", "own", "page", "title"),
    [
        ("Pupils by school (CSV, 1.2 MB)", "x", "Page", "Pupils by school"),
        ("Download", "Table of schools", "Page", "Table of schools"),
        ("PDF", "Microsoft Word - ", "Statistics of schools", "Statistics of schools"),
        ("here", "", "", "pupils 2019"),
    ],
)
def test_titles(link, own, page, title):
    """The link's words, unless they say nothing; then the file's, the page's, the name's."""
    expected = "here" if (link, page) == ("here", "") else title
    assert choose_title(link, own, [], page, "https://e.org/pupils_2019.csv") == expected


def test_the_title_of_the_first_table_is_before_that_of_the_page():
    """And a later table has no say."""
    assert (
        choose_title("PDF", "", ["Births by month", "Deaths"], "Page of births", "u")
        == "Births by month"
    )
    assert choose_title("PDF", "", ["Table", "Deaths by month"], "", "https://e.org/x9") == "PDF"


def test_a_sheet_of_figures_may_have_its_title_on_the_list_of_sheets():
    """An empty title is passed over, a generic one is not."""
    titles = ["", "Labour force by sex"]
    assert choose_title("XLS", "", titles, "Page of files", "u") == "Labour force by sex"


def test_without_any_title_the_file_name_is_used():
    """And without that, the URL."""
    assert choose_title("", "", [], "", "https://e.org/a/pupils_2019.csv") == "pupils 2019"
    assert choose_title("", "", [], "", "https://e.org/") == "https://e.org/"


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("Pupils (CSV, 1.2 MB)", "Pupils"),
        ("Pupils [PDF]", "Pupils"),
        ("Pupils 35 kB -", "Pupils"),
        ("Pupils (north)", "Pupils (north)"),
        ("a\nb\x00\u202ec", "a b c"),
        ("2 Mo de données", "de données"),
        ("x" * 400, "x" * 300),
    ],
)
def test_sizes_and_controls_are_removed(text, tidy):
    """The rest of the text stays."""
    assert tidy_text(text) == tidy


@pytest.mark.parametrize(
    "text",
    ["", "Download", "Download (PDF)", "click here", "data.csv", "2019", "ダウンロード", "a1"],
)
def test_generic_words_are_not_meaningful(text):
    """Nor are file names and numbers."""
    assert not is_meaningful(text)


@pytest.mark.parametrize("text", ["Pupils by school", "学校", "Download the wages", "Rent"])
def test_one_word_of_content_is_enough(text):
    """In any script."""
    assert is_meaningful(text)


def test_words_of_file_names():
    """Escapes are decoded, separators become blanks, the extension goes."""
    assert (
        split_file_name("https://e.org/a/Sch%C3%BCler_2019-20.final.csv?x=1")
        == "Schüler 2019 20 final"
    )
    assert split_file_name("https://e.org/") == ""


def test_sections():
    """The folder of the page counts before that of the file; a lone file name is not a folder."""
    assert find_section("https://e.org/schools/x", "https://e.org/files/y.csv") == "schools"
    assert find_section("https://e.org/index.html", "https://e.org/files/y.csv") == "files"
    assert find_section("https://e.org/schools", "") == "schools"
    assert find_section("http://[", "https://e.org/y.csv") == ""
