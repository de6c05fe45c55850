"""Formats as catalogues name them."""

import pytest

from datahound.catalog.exports.media import choose_media_type, make_file_type_uri, make_iana_uri


@pytest.mark.parametrize(
    ("form", "declared", "media"),
    [
        ("csv", "application/octet-stream", "text/csv"),
        ("sdmx", "", "application/xml"),
        ("unknown", "Application/X-Odd; charset=utf-8", "application/x-odd"),
        ("unknown", "not a type", "application/octet-stream"),
        ("", "", "application/octet-stream"),
    ],
)
def test_media_types(form, declared, media):
    """The format counts more than what the server declared."""
    assert choose_media_type(form, declared) == media


def test_uris():
    """Of IANA and of the EU, which does not know every format."""
    assert make_iana_uri("text/csv").endswith("/media-types/text/csv")
    assert make_file_type_uri("ndjson") == make_file_type_uri("json")
    assert str(make_file_type_uri("gz")).endswith("/file-type/GZIP")
    assert make_file_type_uri("unknown") is None
