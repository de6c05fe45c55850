"""Answers of platforms in versions and shapes that the recorded cases do not have.

Each line of `answers_of_platforms.json` is an answer, written after the documentation of its
platform or format, with what a user would want of it. What a line does not name is not looked at.
"""

import base64
import json
from pathlib import Path

import pytest

from datahound.model import Response, Role
from datahound.readers import read_listing
from datahound.web.urls import canonical, join

CASES = json.loads(
    Path(__file__).with_suffix(".json").with_stem("answers_of_platforms").read_text()
)


def full(base, addresses):
    return {canonical(join(base, address) or address) for address in addresses}


def body_of(case):
    if "base64" in case:
        return base64.b64decode(case["base64"])
    body = case["body"]
    return (body if isinstance(body, str) else json.dumps(body)).encode()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_a_user_would_want_of_it(case):
    """Files with what is said of them, the next page, the total, other answers, pages."""
    base = case["url"]
    page = read_listing(Response(base, 200, case.get("headers", {}), body_of(case)))
    entries = {entry.url: entry for entry in page.listing.entries}
    of = {role: {url for url, e in entries.items() if e.role is role} for role in Role}
    links = {link.url for link in page.links}
    assert of[Role.FILE] == full(base, case["files"])
    for address, facts in case["files"].items():
        entry = entries[canonical(join(base, address))]
        assert {name: getattr(entry, name) for name in facts} == facts
    following = [case["next"]] if case["next"] else []
    assert {link.url for link in page.next_pages} == full(base, following)
    assert page.listing.total == case.get("total", page.listing.total)
    if "endpoints" in case:
        assert {link.url for link in page.endpoints} == full(base, case["endpoints"])
    if "links" in case:
        assert links == full(base, case["links"])
    assert full(base, case.get("pages", ())) <= links | of[Role.PAGE]
    assert full(base, case.get("services", ())) <= of[Role.SERVICE]
    for name, value in case.get("dataset", {}).items():
        assert getattr(page.listing.datasets[0], name) == value
