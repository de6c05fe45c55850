"""Content-Type headers."""

import json

from shared import shared

from datahound.web.messages import parse_content_type, parse_mime_type


def test_every_case_of_the_mime_standard():
    """74 and 881 MIME types are parsed and written as browsers do."""
    for name, count in (("mime-types", 74), ("generated-mime-types", 881)):
        cases = json.loads(shared(f"suites/mime/{name}.json").read_text())
        cases = [case for case in cases if isinstance(case, dict)]
        assert len(cases) == count
        for case in cases:
            parsed = parse_mime_type(case["input"])
            assert (str(parsed) if parsed else None) == case["output"], case


def test_every_case_of_repeated_headers():
    """20 ways to send Content-Type several times mean what browsers take them for."""
    cases = json.loads(shared("suites/mime/content-types.json").read_text())
    assert len(cases) == 20
    for case in cases:
        found = parse_content_type(", ".join(case["contentType"]))
        assert (str(found) if found else None) == case["mimeType"], case


def test_a_hostile_header_is_read_in_no_time():
    """Parsing takes time in proportion to the header, whatever is in it."""
    for hostile in ('"' * 50_000, 'a/b;x="' + "\\" * 50_000, "a/b" + ";" * 50_000, ",;=" * 20_000):
        parse_content_type("text/html;" + hostile)
