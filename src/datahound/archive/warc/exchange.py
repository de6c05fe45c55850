"""Exchanges as WARC records, and WARC records as exchanges.

What a plain record can't express (the purpose of the fetch, the round of the crawl, the number of
requests, a header that HTTP would not carry, a failure) is noted as JSON in an extension field.
Other tools ignore it; a resumed crawl gets exactly the answers that it got before.
"""

import json
from dataclasses import replace
from http.client import responses
from typing import Any, NamedTuple
from urllib.parse import quote

from datahound.archive.archive import Recorded, key
from datahound.archive.http_message import MAX_BODY, dechunk, parse_head
from datahound.archive.warc.records import (
    RecordHead,
    digest,
    new_record_id,
    write_record,
)
from datahound.model import (
    Answer,
    Failure,
    Fetch,
    Postponed,
    Purpose,
    ReadingFailure,
    Response,
    Skip,
    split_query,
)
from datahound.web.messages import header_size, unpack_tolerantly

EXTENSION = "Datahound-Exchange"
_FIELD = EXTENSION.lower()
_NOTED: dict[str, type] = {
    "purpose": str,
    "patient": bool,
    "round": int,
    "target": str,
    "answer": str,
    "url": str,
    "status": int,
    "headers": dict,
    "size": int,
    "requests": int,
    "truncated": bool,
    "reason": str,
    "refusal": str,
    "unreadable": str,
    "sitemaps": list,
}
_RESPONSE_FIELDS = ("status", "headers", "size", "requests", "truncated")
# The body is stored decoded: a reader that saw these headers would decode it a second time.
_RENAMED_HEADERS = ("content-encoding", "transfer-encoding")
# A hostile file may claim a number that SQLite could not store.
_MAX_ROUND = 1 << 31
_OLD_REFUSALS = {
    "forbidden by robots.txt": Skip.ROBOTS,
    "robots.txt unavailable": Skip.ROBOTS_UNAVAILABLE,
    "not a public address": Skip.NOT_PUBLIC,
    "URL too long": Skip.TOO_LONG,
}
_NOT_MODIFIED = 304
_PROFILE_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_UNREADABLE = {reason.value: reason for reason in ReadingFailure}
_PURPOSES = {purpose.value: purpose for purpose in Purpose}
URI_CHARACTERS = "".join(chr(code) for code in range(33, 127))


class Message(NamedTuple):
    """A response as a record has it: payload without chunks, its content encoding still on."""

    status: int
    headers: dict[str, str]
    payload: bytes
    size: int
    head_size: int


def read_extension(head: RecordHead) -> dict[str, Any] | None:
    """The notes in a record of our own; None in a record of another tool."""
    text = head.fields.get(_FIELD)
    if text is None:
        return None
    try:
        noted = json.loads(text)
    except ValueError:
        return None
    if not isinstance(noted, dict):
        return None
    # Another program may have written the field: a value of a wrong type must not end a crawl.
    return {name: value for name, value in noted.items() if isinstance(value, _NOTED.get(name, ()))}


def read_url(head: RecordHead) -> str:
    """The URL under which a record is looked up."""
    noted = read_extension(head)
    return key(str(noted["target"]) if noted and "target" in noted else head.uri)


def read_round(noted: dict[str, Any] | None) -> int:
    """The round of the crawl in which an exchange was recorded; 0 where none is noted."""
    return min(max(0, int(noted.get("round", 0))), _MAX_ROUND) if noted else 0


def read_message(head: RecordHead, block: bytes) -> Message:
    """The response in a record's block, without decoding its content."""
    http = parse_head(block) if head.type != "resource" else None
    if http is None and head.type == "revisit":
        return Message(304, {}, b"", 0, 0)
    if http is None:
        headers = {"content-type": head.fields.get("content-type", "")}
        return Message(200, headers, block, head.length, header_size(200, headers))
    payload = block[http.length :]
    size = head.length - http.length
    if "chunked" in http.headers.get("transfer-encoding", "").lower():
        payload = dechunk(payload)
        # Only a part of a block beyond the limit is in memory, so its chunks cannot be counted.
        size = len(payload) if head.end <= MAX_BODY else size
    declared = http.headers.get("content-length", "")
    if "warc-truncated" in head.fields and declared.isascii() and declared.isdigit():
        size = int(declared[:15])
    return Message(http.status, http.headers, payload, size, http.length)


def read_response(head: RecordHead, block: bytes, url: str, *, probed: bool) -> Response:
    """The answer in a record: the body decoded, headers and size as the server sent them."""
    status, headers, payload, size, head_size = read_message(head, block)
    body, whole, _ = unpack_tolerantly(payload, headers.get("content-encoding", ""), MAX_BODY)
    truncated = not whole or "warc-truncated" in head.fields or head.length > len(block)
    size = head_size if probed else size
    return Response(url, status, headers, body, size, truncated=truncated)


def read_exchange(head: RecordHead, block: bytes, url: str, *, probed: bool) -> Recorded:
    """The exchange in a record: from our notes, or else as the record implies it."""
    noted = read_extension(head)
    if noted is None:
        fetch = Fetch(url, Purpose.PROBE if probed else Purpose.VISIT)
        return Recorded(fetch, read_response(head, block, url, probed=probed))
    fetch = _read_fetch(head, noted)
    return Recorded(fetch, _read_answer(head, block, fetch, noted))


def write_exchange(fetch: Fetch, answer: Answer, date: str, round_number: int = 0) -> list[bytes]:
    """The records that keep an exchange."""
    target = quote(split_query(fetch.url)[0], safe=URI_CHARACTERS, errors="replace")
    noted: dict[str, Any] = {"purpose": fetch.purpose.value}
    if fetch.patient:
        noted["patient"] = True
    if round_number:
        noted["round"] = round_number
    # The WARC standard asks for a URI; the crawl asked for a text that may not be one.
    if target != fetch.url:
        noted["target"] = fetch.url
    fields = {"WARC-Date": date, "WARC-Target-URI": target}
    if isinstance(answer, Response):
        return _write_response(fetch, answer, fields, noted)
    return [_write_metadata(fetch, answer, fields, noted)]


def _read_fetch(head: RecordHead, noted: dict[str, Any]) -> Fetch:
    purpose = _PURPOSES.get(noted.get("purpose", ""), Purpose.VISIT)
    return Fetch(noted.get("target", head.uri), purpose, noted.get("patient", False))


def _read_answer(head: RecordHead, block: bytes, fetch: Fetch, noted: dict[str, Any]) -> Answer:
    url = noted.get("url", fetch.url)
    if noted.get("answer") == "postponed":
        return Postponed(url)
    if noted.get("answer") == "failure":
        reason, size = noted.get("reason", ""), noted.get("size", 0)
        requests = noted.get("requests", 1)
        return Failure(url, reason, size, requests, _noted_refusal(noted, requests))
    response = read_response(head, block, url, probed=fetch.purpose is Purpose.PROBE)
    changes = {name: noted[name] for name in _RESPONSE_FIELDS if name in noted}
    if "unreadable" in noted:
        changes["unreadable"] = _UNREADABLE.get(noted["unreadable"], ReadingFailure.BREAKS_READER)
    if "sitemaps" in noted:
        changes["sitemaps"] = tuple(url for url in noted["sitemaps"] if isinstance(url, str))
    return replace(response, **changes) if changes else response


def _noted_refusal(noted: dict[str, Any], requests: int) -> Skip | None:
    """The rule that forbade a fetch; older journals have it in words only."""
    if "refusal" in noted:
        return next((skip for skip in Skip if skip.value == noted["refusal"]), None)
    return None if requests else _OLD_REFUSALS.get(noted.get("reason", ""))


def _write_metadata(
    fetch: Fetch, answer: Failure | Postponed, fields: dict[str, str], noted: dict[str, Any]
) -> bytes:
    form = "failure" if isinstance(answer, Failure) else "postponed"
    noted["answer"] = form
    if isinstance(answer, Failure):
        noted |= {"reason": answer.reason, "size": answer.size, "requests": answer.requests}
        if answer.refusal:
            noted["refusal"] = answer.refusal.value
    if answer.url != fetch.url:
        noted["url"] = answer.url
    fields = {"WARC-Type": "metadata", **fields, EXTENSION: json.dumps(noted)}
    block = f"{form}: {json.dumps(noted.get('reason', ''))}\r\n".encode()
    return write_record({**fields, "Content-Type": "application/warc-fields"}, block)


def _write_response(
    fetch: Fetch, answer: Response, fields: dict[str, str], noted: dict[str, Any]
) -> list[bytes]:
    http = _format_http_head(answer)
    form = {"WARC-Type": "response", "WARC-Payload-Digest": digest(answer.body)}
    if answer.status == _NOT_MODIFIED and fetch.purpose is Purpose.CHECK:
        form = {"WARC-Type": "revisit", "WARC-Profile": _PROFILE_NOT_MODIFIED}
    fields = {**form, **fields}
    if answer.unreadable:
        noted["unreadable"] = answer.unreadable.value
    if answer.sitemaps:
        noted["sitemaps"] = list(answer.sitemaps)
    if answer.truncated:
        fields["WARC-Truncated"] = "length"
    fields["Content-Type"] = "application/http; msgtype=response"
    noted |= _note_differences(fetch, answer, fields, http)
    if fetch.method == "GET":
        return [write_record({**fields, EXTENSION: json.dumps(noted)}, http + answer.body)]
    request_id = new_record_id()
    fields |= {"WARC-Concurrent-To": request_id, EXTENSION: json.dumps(noted)}
    request = _write_request(fetch, fields, request_id)
    return [request, write_record(fields, http + answer.body)]


def _note_differences(
    fetch: Fetch, answer: Response, fields: dict[str, str], http: bytes
) -> dict[str, Any]:
    """The parts of an answer that a plain record would lose."""
    block = http + answer.body
    named = {name.lower(): value for name, value in fields.items()}
    # Read the record as any reader would, and note only differences: so files stay small.
    head = RecordHead("response", fetch.url, named, 0, len(block))
    plain = read_response(head, block, fetch.url, probed=fetch.purpose is Purpose.PROBE)
    lost: dict[str, Any] = {}
    if answer.url != fetch.url:
        lost["url"] = answer.url
    if dict(answer.headers) != plain.headers:
        lost["headers"] = dict(answer.headers)
    for name in ("status", "size", "requests", "truncated"):
        if getattr(answer, name) != getattr(plain, name):
            lost[name] = getattr(answer, name)
    return lost


def _format_http_head(answer: Response) -> bytes:
    """The response's head; headers of encodings that were undone are kept under other names."""
    lines = [f"HTTP/1.1 {answer.status} {responses.get(answer.status, '')}".rstrip()]
    for name, value in answer.headers.items():
        shown = f"x-archive-orig-{name}" if name.lower() in _RENAMED_HEADERS else name
        lines.append(f"{_join_lines(shown)}: {_join_lines(value)}")
    head = "\r\n".join([*lines, "", ""])
    try:
        # Header bytes that were not UTF-8 arrive as surrogates and leave as the same bytes.
        return head.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return head.encode("utf-8", "replace")


def _join_lines(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def _write_request(fetch: Fetch, fields: dict[str, str], request_id: str) -> bytes:
    """The request of a HEAD or a POST; a response without one answers a GET."""
    host, slash, path = fields["WARC-Target-URI"].partition("://")[2].partition("/")
    query = split_query(fetch.url)[1].encode()
    lines = [f"{fetch.method} {slash}{path} HTTP/1.1", f"Host: {host}"]
    if query:
        lines += ["Content-Type: application/json", f"Content-Length: {len(query)}"]
    block = "\r\n".join([*lines, "", ""]).encode() + query
    named = {
        "WARC-Type": "request",
        "WARC-Record-ID": request_id,
        "WARC-Date": fields["WARC-Date"],
        "WARC-Target-URI": fields["WARC-Target-URI"],
        "Content-Type": "application/http; msgtype=request",
    }
    return write_record(named, block)
