"""Types, sections and folders in words."""

from datahound.report.phrases import find_section, name_type, shorten_place


def test_words():
    """Unknown types are shown as they are, and odd URLs belong to the front page."""
    assert name_type("application/pdf") == "PDF documents"
    assert name_type("x/<y>") == "x/<y>"
    assert find_section("javascript:alert(1)", "a.example") == "/"
    assert find_section("https://a.example", "a.example") == "/"


def test_the_folder_of_a_group_is_short_on_the_own_host():
    assert shorten_place("https://a.org/news/", "https://a.org/") == "/news/"
    assert shorten_place("https://data.a.org/x/", "https://a.org/") == "data.a.org/x/"
    assert shorten_place("", "https://a.org/") == ""
