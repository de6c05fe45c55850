"""Pages, targets and neither."""

import pytest
from shared import shared

from datahound.errors import UserError
from datahound.model import Kind, Response
from datahound.web.targets import (
    BLOCKED_EXTENSIONS,
    DEFAULT_TARGETS,
    has_blocked_extension,
    is_blocked_type,
    kind_of,
    parse_targets,
)


def answer(content_type, status=200):
    return Response("http://e.org/", status, {"content-type": content_type})


def test_the_lists_are_the_papers():
    """The package's lists are those that the paper publishes."""
    assert set(shared("data/target-mime-types.txt").read_text().split()) == DEFAULT_TARGETS
    assert set(shared("data/blocked-extensions.txt").read_text().split()) == BLOCKED_EXTENSIONS


@pytest.mark.parametrize(
    ("content_type", "status", "kind"),
    [
        ("text/html; charset=utf-8", 200, Kind.PAGE),
        ("application/xhtml+xml", 200, Kind.PAGE),
        ("TEXT/CSV", 200, Kind.TARGET),
        ("text/csv", 404, Kind.OTHER),
        ("text/html", 301, Kind.OTHER),
        ("image/png", 200, Kind.OTHER),
        ("", 200, Kind.OTHER),
        ("nonsense", 200, Kind.OTHER),
    ],
)
def test_kinds_by_status_and_type(content_type, status, kind):
    """Only a 2xx can be a page or a target, and only by its MIME type."""
    assert kind_of(answer(content_type, status)) is kind


def test_what_is_never_downloaded():
    """Pictures, sound and film are known by their type and by their extension."""
    assert is_blocked_type("video/mp4")
    assert not is_blocked_type("application/pdf")
    assert has_blocked_extension("https://e.org/a/Logo.PNG?v=2")
    assert not has_blocked_extension("https://e.org/png")


def test_target_names():
    """People's names, MIME types and lists of both are understood, nonsense is refused."""
    assert "text/csv" in parse_targets(["tables"])
    assert parse_targets(["all"]) >= DEFAULT_TARGETS | {"application/gzip"}
    assert "text/tab-separated-values" in parse_targets(["all"])
    assert parse_targets(["pdf, text/csv"]) == {"application/pdf", "application/x-pdf", "text/csv"}
    with pytest.raises(UserError, match=r"unknown target type 'spreadsheets'.*csv, excel"):
        parse_targets(["spreadsheets"])
