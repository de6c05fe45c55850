"""The bodies of pages, as much of them as is to be had."""

from dataclasses import replace

from datahound.http.wire import Reply
from datahound.model import Failure, Response
from datahound.settings import WebSettings
from datahound.web.content_encoding import unpack
from datahound.web.types import looks_like_html


async def read_page(
    response: Response, reply: Reply, settings: WebSettings
) -> tuple[Response | Failure, bool]:
    """A page with its body, and whether that broke off, so that another try may bring more.

    What came of a page is better than nothing; of a redirect or an error, nothing is enough.
    """
    came = await reply.read(settings.max_page_bytes, settings.page_seconds)
    reply.release()
    encodings = response.headers.get("content-encoding", "")
    body, whole, problem = unpack(came.payload, encodings, settings.max_page_bytes)
    if problem and not body and looks_like_html(came.payload):
        body, whole = came.payload, True
    found, size = 200 <= response.status < 300, len(came.payload)
    broke_off = found and bool(came.problem)
    reason = came.problem or problem
    if reason and not body and found:
        return Failure(response.url, reason, size), broke_off
    truncated = not (whole and came.whole)
    return replace(response, body=body, size=size, truncated=truncated), broke_off
