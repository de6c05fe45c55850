"""What portals list and how much of it a crawl has, in a line each."""

import sqlite3

from datahound.readers import platform_titles
from datahound.store import queries, queries_counts
from datahound.store.queries_counts import LISTING_ELSEWHERE, LISTING_READ, PortalCounts

_SIGNS = {"link": "a link", "guess": "asking for it", "robots.txt": "robots.txt"}
_MOST_ELSEWHERE = 3
_REFUSED = (401, 403)
_GUESSED = frozenset({"sitemap", "dcat-us"})
"""Lists that are requested on every site: their absence is not worth a line."""


def describe_portals(connection: sqlite3.Connection) -> list[str]:
    """A line for each portal that was asked."""
    portals, signs = queries_counts.read_portals(connection), queries.read_signs(connection)
    here = [counts for counts in portals if counts.status != LISTING_ELSEWHERE]
    elsewhere = [counts for counts in portals if counts.status == LISTING_ELSEWHERE]
    found = [_describe(counts, signs.get((counts.platform, counts.host), "")) for counts in here]
    found += map(_describe_elsewhere, elsewhere[:_MOST_ELSEWHERE])
    if (more := len(elsewhere) - _MOST_ELSEWHERE) > 0:
        found.append(f"APIs on other hosts that are not asked: {more:,} more.")
    return [line for line in found if line]


def _title_of(platform: str) -> str:
    # Sitemaps and feeds are not platforms.
    return platform_titles().get(platform) or platform.capitalize()


def _describe_elsewhere(counts: PortalCounts) -> str:
    if counts.platform in _GUESSED:
        return ""
    title, host = _title_of(counts.platform), counts.host
    return f"{title}: its API is on {host}, which is not asked: --allow-host {host} does."


def _describe(counts: PortalCounts, sign: str) -> str:
    title = _title_of(counts.platform)
    if counts.status in _REFUSED:
        return f"{title}: {counts.host} refuses its API (status {counts.status}); it is not used."
    if counts.status != LISTING_READ:
        if counts.platform in _GUESSED:
            return ""
        why = counts.remark or (f"status {counts.status}" if counts.status else "no answer")
        return f"{title}: {counts.host} gave nothing that can be read ({why}); it is not used."
    if not counts.listed:
        return f"{title}: {counts.total:,} entries" if counts.total else ""
    # Some portals count fewer datasets than they list.
    total = max(counts.total or 0, counts.listed)
    parts = [f"{counts.fetched:,} of {total:,} datasets"]
    if counts.without_file:
        parts.append(f"{counts.without_file:,} have no file")
    if counts.elsewhere:
        parts.append(f"{counts.elsewhere:,} files on other hosts")
    if sign:
        parts.append(f"recognized by {_describe_sign(sign)}")
    return f"{title}: {'; '.join(parts)}"


def _describe_sign(sign: str) -> str:
    return _SIGNS.get(sign) or (f"the {sign}" if sign.startswith("header ") else f"'{sign}'")
