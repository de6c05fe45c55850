"""The event of a fetch: what it was for, what came, and what that says."""

from datahound.crawl.errands import Errand
from datahound.events import Fetched
from datahound.model import NOT_READY, PAGE_IN_PLACE, Failure, Kind, Response
from datahound.web.targets import ACCEPTED, Wanted, mime_type_of


def make_fetched(
    requests: int,
    errand: Errand,
    answer: Response | Failure,
    kind: Kind,
    wanted: Wanted,
    size: int,
) -> Fetched:
    """The event of an answer, of the kind that it was judged to be."""
    if isinstance(answer, Failure):
        status, failure, mime_type = None, answer.reason, ""
    else:
        status, mime_type = answer.status, mime_type_of(answer)
        failure = _explain(errand, answer, kind, wanted)
    return Fetched(
        requests,
        errand.fetch,
        status,
        kind,
        errand.expected,
        size,
        failure,
        errand.redirected_from,
        mime_type,
    )


def _explain(errand: Errand, answer: Response, kind: Kind, wanted: Wanted) -> str:
    """Why an answer is not what its link promised, or ''."""
    if wanted.by_name and answer.status == ACCEPTED:
        return NOT_READY
    if _is_page_in_place(errand, answer, kind, wanted):
        return PAGE_IN_PLACE
    return answer.unreadable.value if answer.unreadable else ""


def _is_page_in_place(errand: Errand, answer: Response, kind: Kind, wanted: Wanted) -> bool:
    """Whether a page came with the type or under the name of a file."""
    link = errand.link
    if kind is Kind.PAGE:
        is_file = not link.is_endpoint and wanted.names_file(link.url, link.hint)
        return wanted.by_name and is_file and answer.status == 200
    return kind is Kind.OTHER and wanted.is_page_in_place(answer)
