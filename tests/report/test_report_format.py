"""Values as text for people, and the templates that show them."""

import pytest
from jinja2 import UndefinedError

from datahound.report.format import (
    describe_error,
    format_number,
    keep_web_url,
    load_templates,
    reveal_hidden,
    shorten_type,
    to_json,
)


def test_numbers_and_texts_for_people():
    assert format_number(1234567.0) == "1,234,567"
    assert reveal_hidden("a\u202eb\x00\ud800") == "a‹U+202E›b␀‹U+D800›"
    assert to_json({"a": float("inf"), 1: float("nan")}) == '{"a": null, "1": null}'


def test_errors_in_words():
    assert describe_error(599, "") == "status 599"
    assert describe_error(503, "") == "503 service unavailable"
    assert describe_error(None, "status 404 in words") == "status 404 in words"


def test_only_web_urls_become_links():
    assert keep_web_url("https://a.example/") == "https://a.example/"
    assert keep_web_url("javascript:alert(1)") == ""
    assert keep_web_url(None) == ""


def test_types_are_shortened():
    assert shorten_type("application/vnd.ms-excel") == "xls"
    assert shorten_type("application/x-strange") == "strange"


@pytest.mark.parametrize("package", ["datahound.dashboard", "datahound.report"])
def test_templates_escape_reveal_and_refuse_unknown_names(package):
    """Both sets of templates have the same rules."""
    templates = load_templates(package)
    shown = templates.from_string("{{ text }} {{ 1234 | number }}").render(text="<b>\u202e")
    assert shown == "&lt;b&gt;‹U+202E› 1,234"
    with pytest.raises(UndefinedError):
        templates.from_string("{{ missing }}").render()
