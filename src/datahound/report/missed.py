"""What a crawl probably missed: a sentence for each reason, with the option that helps.

The same sentences are shown at the end of the crawl, by `datahound status`, in the report and in
the dashboard.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable

from datahound.model import PAGE_IN_PLACE, Skip
from datahound.report.phrases import Unfollowed
from datahound.store import queries, queries_counts
from datahound.units import show_count, show_size
from datahound.web.targets import ALL, find_wanted
from datahound.web.types import shorten_type

_HOSTS = 3
_REFUSALS = 5
_TYPES = 4
# With so few, the start page explains it; with more, the site does.
_FEW_PAGES = 3
_TRAPS = (Skip.TRAP_REPEATING, Skip.TRAP_CALENDAR, Skip.TRAP_SESSION)
_DENIED = (401, 402, 403, 407, 451)
_RULES = frozenset(reason.value for reason in Skip)
"""Failures of requests that were never made: a sentence of their own says so."""
_FORM_PAGES = 2
_MEDIA = ("image/", "audio/", "video/", "font/")


def list_missed(connection: sqlite3.Connection, unfollowed: Unfollowed) -> list[str]:
    """The sentences on a crawl, whose pages offered `unfollowed` beside links."""
    skips = queries_counts.read_skips(connection)
    return [
        *unfollowed.sentences(queries.name_form_pages(connection, _FORM_PAGES)),
        *_list_elsewhere(queries_counts.count_elsewhere(connection)),
        *_list_shown_elsewhere(connection),
        *_list_unkept(connection),
        *_list_dropped(queries_counts.count_dropped(connection)),
        *_list_unready(queries.count_unready(connection)),
        *_list_skipped(connection, skips),
        *_list_refusals(queries_counts.count_refusals(connection)),
        *_list_dead(queries.read_dead_links(connection)),
    ]


def explain_no_files(connection: sqlite3.Connection, unfollowed: Unfollowed) -> str:
    """Why a crawl that was not interrupted has found no file at all."""
    counts = queries_counts.read_counts(connection)
    skips = queries_counts.read_skips(connection)
    pages = show_count(counts.pages, "page")
    if unfollowed.script_pages and counts.pages <= _FEW_PAGES:
        return f"{pages} read, and scripts make the links; scripts are not run"
    # In the order in which one hides the next: scripts before robots.txt, refusals before types.
    if skips.get(Skip.ROBOTS):
        return f"robots.txt forbids {show_count(skips[Skip.ROBOTS], 'URL')} of the site"
    if refused := queries_counts.count_refusals(connection):
        host, status, failure, count = refused[0]
        return f"{host} refused {show_count(count, 'request')} ({_name_refusal(status, failure)})"
    if elsewhere := queries_counts.count_elsewhere(connection):
        files = show_count(sum(count for *_, count in elsewhere), "file")
        return f"the pages link to {files} on other hosts: --linked-files gets them"
    if skips.get(Skip.UNWANTED_NAME):
        names = show_count(skips[Skip.UNWANTED_NAME], "link")
        return f"{names} to files of types that were not asked for: --target all takes more"
    if counts.pages <= _FEW_PAGES and skips.get(Skip.OTHER_SITE):
        return f"{pages} read, and the links lead to other websites"
    if counts.pages <= _FEW_PAGES:
        return f"{pages} read, and hardly a link on them that can be followed"
    return f"{pages} read, and none of them links to a file of the types asked for"


def _list_elsewhere(found: list[tuple[str, str, int]]) -> Iterable[str]:
    hosts: dict[str, Counter[str]] = {}
    for host, extension, count in found:
        hosts.setdefault(host, Counter())[extension] += count
    ranked = sorted(hosts.items(), key=lambda item: (-item[1].total(), item[0]))
    for host, kinds in ranked[:_HOSTS]:
        yield f"{_name_files(kinds)} on {host}: --allow-host {host} gets them."
    if rest := ranked[_HOSTS:]:
        files = show_count(sum(kinds.total() for _, kinds in rest), "file")
        more = f"{show_count(len(rest), 'more host')}"
        yield f"{files} on {more}: --linked-files gets the files of all other hosts."


def _name_files(kinds: Counter[str]) -> str:
    """The number of files with their types.

    >>> _name_files(Counter({".csv": 30, ".pdf": 2})), _name_files(Counter({".csv": 1}))
    ('32 files (30 CSV, 2 PDF)', '1 CSV file')
    """
    named = [(kind[1:].upper() or "other", count) for kind, count in kinds.most_common()]
    if len(named) == 1:
        return show_count(named[0][1], f"{named[0][0]} file")
    shown = [f"{count:,} {name}" for name, count in named[:_TYPES]]
    more = ", ..." if len(named) > _TYPES else ""
    return f"{show_count(kinds.total(), 'file')} ({', '.join(shown)}{more})"


_SHOWN_NAMES = {
    "view": ("dashboard or chart", "dashboards or charts", "open them and export the data there"),
    "share": ("shared file or folder", "shared files or folders", "fetch them by hand"),
    "archive": ("page of a data archive", "pages of data archives", "the files are there"),
}


def _list_shown_elsewhere(connection: sqlite3.Connection) -> Iterable[str]:
    """Data of the site that services on other hosts show; what is a file by name is in a list."""
    is_file = find_wanted(frozenset({ALL})).names_file
    for kind, parts in _SHOWN.items():
        urls = queries_counts.read_skipped_urls(connection, Skip.OTHER_SITE, parts)
        shown = [u for u in urls if any(_is_shown_at(u, part) for part in parts) and not is_file(u)]
        if shown:
            one, more, helps = _SHOWN_NAMES[kind]
            hosts = Counter(url.split("/", 3)[2] for url in shown).most_common(_HOSTS)
            named = ", ".join(f"{count:,} on {host}" for host, count in hosts)
            name = one if len(shown) == 1 else more
            yield f"{len(shown):,} {name} that the pages show ({named}): {helps}."


def _list_unkept(connection: sqlite3.Connection) -> Iterable[str]:
    pages = large = largest = failed = 0
    for state, note, count, size in queries_counts.count_unkept(connection):
        large += count if state == "too large" else 0
        largest = max(largest, size if state == "too large" else 0)
        failed += count if state == "failed" else 0
        pages += count if state == "suspicious" and "page" in (note or "") else 0
    if large:
        were = "was" if large == 1 else "were"
        most = show_size(largest)
        files = show_count(large, "file")
        yield f"{files} {were} too large to be kept (up to {most}): raise --max-file-size."
    if failed:
        files = show_count(failed, "file")
        yield f"{files} could not be downloaded: `datahound fetch` tries again."
    if pages:
        files = show_count(pages, "file")
        yield f"{files} may be a page in place of the data: look at datasets.csv."


def _list_dropped(found: list[tuple[str, str, int]]) -> Iterable[str]:
    in_place = sum(count for _, failure, count in found if failure == PAGE_IN_PLACE)
    kinds: Counter[str] = Counter()
    for mime_type, failure, count in found:
        is_shown = mime_type.startswith(_MEDIA) or "javascript" in mime_type
        if failure != PAGE_IN_PLACE and not is_shown:
            kinds[shorten_type(mime_type) or "no type"] += count
    if in_place:
        was = "was a page" if in_place == 1 else "were pages"
        files = show_count(in_place, "file")
        yield f"{files} {was} (a login, an error?) and not kept: --cookies FILE."
    if kinds:
        shown = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common(_TYPES))
        answers = show_count(kinds.total(), "answer")
        yield f"{answers} of types that were not asked for ({shown}): --target takes more types."


def _list_unready(count: int) -> Iterable[str]:
    if count:
        files = "file was" if count == 1 else "files were"
        yield f"{count:,} {files} still being prepared by the site (status 202): ask again later."


def _list_skipped(connection: sqlite3.Connection, skips: dict[Skip, int]) -> Iterable[str]:
    if count := skips.get(Skip.UNWANTED_NAME):
        urls = queries_counts.read_skipped_urls(connection, Skip.UNWANTED_NAME)
        kinds = Counter(map(_name_extension, urls)).most_common(_TYPES)
        shown = ", ".join(kind or "by its link" for kind, _ in kinds)
        names = show_count(count, "URL")
        yield (
            f"{names} named as other types ({shown}) waited, and few of them were "
            "tried: --target takes more types."
        )
    if count := skips.get(Skip.BARREN_KIND):
        left_out = show_count(count, "URL")
        yield (
            f"{left_out} in options, link elements and such left out, since others like them "
            "brought nothing new: --set crawl.barren_links=1000."
        )
    if count := skips.get(Skip.LARGE_TABLE):
        were = "was" if count == 1 else "were"
        tables = show_count(count, "table")
        yield f"{tables} of a portal {were} larger than wanted: raise --max-table."
    yield from _list_forbidden(connection, skips)
    if count := sum(skips.get(reason, 0) for reason in _TRAPS):
        yield f"{show_count(count, 'URL')} looked like endless series (traps = false follows them)."
    if skips.get(Skip.NOT_WEB):
        yield from _list_not_web(queries_counts.read_skipped_urls(connection, Skip.NOT_WEB))
    if count := skips.get(Skip.TOO_LONG):
        yield f"{show_count(count, 'URL')} left out: too long for a server."
    if count := skips.get(Skip.NOT_PUBLIC):
        yield f"{show_count(count, 'URL')} left out: on private networks."


def _list_forbidden(connection: sqlite3.Connection, skips: dict[Skip, int]) -> Iterable[str]:
    if count := skips.get(Skip.ROBOTS):
        urls = queries_counts.read_skipped_urls(connection, Skip.ROBOTS)
        places = Counter(_name_place(url) for url in urls).most_common(2)
        shown = " and ".join(place for place, _ in places)
        left_out = show_count(count, "URL")
        yield f"robots.txt hid {left_out}, most in {shown}: ask the site for access."
    if count := skips.get(Skip.ROBOTS_UNAVAILABLE):
        left_out = show_count(count, "URL")
        yield f"{left_out} waited for a robots.txt that could not be read: run again."


def _list_not_web(urls: list[str]) -> Iterable[str]:
    schemes = Counter(url.partition(":")[0] for url in urls)
    inside = sum(schemes.pop(name, 0) for name in ("data", "blob"))
    if schemes:
        shown = ", ".join(f"{count:,} {scheme}:" for scheme, count in schemes.most_common(_TYPES))
        links = show_count(schemes.total(), "link")
        yield f"{links} to servers that are not of the web ({shown}): another program is needed."
    if inside:
        files = show_count(inside, "file")
        yield f"{files} inside pages (data: and blob: URLs): save these by hand."


def _name_place(url: str) -> str:
    """The host of a URL and the first step of its path."""
    return "/".join(url.split("/", 4)[2:4])


def _name_extension(url: str) -> str:
    stem, dot, extension = url.partition("?")[0].rpartition("/")[2].rpartition(".")
    return dot + extension.lower() if stem else ""


def _list_refusals(found: list[tuple[str, int | None, str, int]]) -> Iterable[str]:
    # A link that a rule of ours left out has a sentence already.
    refused = [row for row in found if row[2] not in _RULES and "robots.txt" not in row[2]]
    for host, status, failure, count in refused[:_REFUSALS]:
        why = _name_refusal(status, failure)
        helps = ": --cookies or --header may help" if status in _DENIED else ""
        is_fault = status is not None and status >= 500 and status != 503
        did = "failed to answer" if is_fault else "refused"
        yield f"{host} {did} {show_count(count, 'request')} ({why}){helps}."


def _name_refusal(status: int | None, failure: str) -> str:
    return f"status {status}" if status else failure or "no answer"


def _list_dead(found: list[tuple[str, int]]) -> Iterable[str]:
    """Dead links to files, going by their names; dead links to pages are not reported."""
    names_file = find_wanted(frozenset({ALL})).names_file
    statuses = Counter(status for url, status in found if names_file(url))
    if statuses:
        links = show_count(statuses.total(), "link")
        ranked = statuses.most_common(_TYPES)
        shown = ", ".join(f"{count:,} with status {status}" for status, count in ranked)
        yield f"{links} to files that could not be fetched ({shown}): dead, or made for a script."


_VIEWS = (
    "public.tableau.com/", "app.powerbi.com/", "datawrapper.dwcdn.net/", "flo.uri.sh/",
    "public.flourish.studio/", "infogram.com/", "lookerstudio.google.com/",
    "datastudio.google.com/", "storymaps.arcgis.com/", "experience.arcgis.com/",
    "arcgis.com/apps/", "airtable.com/", "qlikcloud.com/", "observablehq.com/embed/",
)  # fmt: skip
_SHARES = (
    "docs.google.com/spreadsheets/", "drive.google.com/", "onedrive.live.com/", "1drv.ms/",
    "sharepoint.com/:", "dropbox.com/s", "we.tl/", "/index.php/s/", "app.box.com/s/", "mega.nz/",
    "disk.yandex.", "pan.baidu.com/s/",
)  # fmt: skip
_ARCHIVES = (
    "zenodo.org/rec", "doi.org/10.5281/zenodo.", "figshare.com/", "doi.org/10.6084/",
    "datadryad.org/", "doi.org/10.5061/", "osf.io/", "data.mendeley.com/datasets/",
    "dataverse.harvard.edu/", "doi.org/10.7910/", "kaggle.com/datasets/",
    "huggingface.co/datasets/",
)  # fmt: skip
_SHOWN = {"view": _VIEWS, "share": _SHARES, "archive": _ARCHIVES}
"""What the addresses of such services have in them, by kind."""
_HOST = re.compile(r"\A[a-z]+://[^/]*")


def _is_shown_at(url: str, part: str) -> bool:
    """Whether an address is of a service: a part that begins with a host must be at the host.

    >>> _is_shown_at("https://eu.app.powerbi.com/view?r=1", "app.powerbi.com/")
    True
    >>> _is_shown_at("https://a.example/?u=https://app.powerbi.com/", "app.powerbi.com/")
    False
    """
    host = _HOST.match(url)
    place = url.find(part)
    if place < 0 or host is None:
        return False
    if part.startswith("/"):
        return True
    return place < host.end() and url[place - 1] in "./"
