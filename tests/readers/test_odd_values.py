"""Answers of portals are read where one value is of another kind than the platform's own."""

import json
from itertools import islice

import pytest
from test_answers_of_platforms import CASES as ANSWERS
from test_answers_of_platforms import body_of
from test_portal_variants import CASES, CKAN_CASES, SITE, XML_CASES

from datahound.model import Response
from datahound.readers import read_listing
from datahound.readers.job import ReadBody, ReadingJob, ResultReader, pack_result
from datahound.settings import PageSettings

ODD = [
    *(None, True, -1, 0, 1e308, float("nan"), 10**400),
    *("", "\ud800", "\0", "{x}", "http://[", "é" * 9000),
    *([], {}, [[]], [{}], [None], {"": None}, [5], ["a", 5, None], [[[[]]]]),
    *({"@value": {"en": [5]}}, {"rel": 5, "href": [], "type": {}, "id": [], "name": {}, "url": 5}),
]
"""Values that no platform gives, most of which some server of the web has given in their place."""


def replaced(value, odd):
    """The same tree again and again, each time with one of its values replaced."""
    yield odd
    children = enumerate(value) if isinstance(value, list) else ()
    children = value.items() if isinstance(value, dict) else children
    for key, child in list(children):
        for other in replaced(child, odd):
            copy = value.copy()
            copy[key] = other
            yield copy
    if isinstance(value, dict):
        for key in value:
            yield {name: child for name, child in value.items() if name != key}


def read(path, text):
    """What an answer lists, once it was carried over from a worker."""
    body = text.encode("utf-8", "surrogatepass")
    url = path if "://" in path else SITE + path
    page = read_listing(Response(url, 200, {}, body))
    job = ReadingJob(url, {}, body, len(body), PageSettings(), is_list=True)
    taken = ResultReader(job)
    for record in pack_result(job, ReadBody(body, page=page)):
        taken.take(json.loads(json.dumps(record, allow_nan=False)))
    return taken.result.page


JSON_CASES = {
    name: (case[0], case[1] if isinstance(case[1], dict | list) else json.loads(case[1]))
    for name, case in {**CKAN_CASES, **CASES}.items()
    if isinstance(case[1], dict | list) or case[1].lstrip()[:1] in ("{", "[")
}


@pytest.mark.parametrize("name", JSON_CASES)
def test_one_odd_value_breaks_no_reader(name):
    """Whatever is in the place of a value, the answer is read or is none of the platform."""
    path, body = JSON_CASES[name]
    for odd in ODD:
        for changed in replaced(body, odd):
            read(path, json.dumps(changed))


@pytest.mark.parametrize("name", XML_CASES)
def test_markup_that_is_cut_or_changed_breaks_no_reader(name):
    path, text, *_ = XML_CASES[name]
    text = text if isinstance(text, str) else text.decode()
    for place in [at for at, letter in enumerate(text) if letter in "<>\"'=/:"]:
        for other in ("", "<", "&#0;", "&#xD800;", "\0"):
            read(path, text[:place] + other + text[place + 1 :])
        read(path, text[:place])


@pytest.mark.parametrize("case", ANSWERS, ids=[case["name"] for case in ANSWERS])
def test_odd_values_in_answers_of_other_versions(case):
    """Odd values in turn, each in the place of some of the values; texts cut and changed."""
    if isinstance(case.get("body"), dict | list):
        for number, odd in enumerate(ODD):
            for changed in islice(replaced(case["body"], odd), number, None, len(ODD)):
                read(case["url"], json.dumps(changed))
        return
    body = body_of(case)
    for place in range(0, len(body), max(1, len(body) // 60)):
        read(case["url"], body[:place].decode("utf-8", "replace"))
        read(case["url"], (body[:place] + b"<" + body[place + 1 :]).decode("utf-8", "replace"))
