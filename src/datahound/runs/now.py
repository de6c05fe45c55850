"""What a running crawl is doing at this moment, as plain data for a display."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from datahound.http.politeness import Waiting
from datahound.runs.progress import Progress
from datahound.web.urls import host_of

_HOSTS = 200
_FETCHES = 20


def what_happens(
    progress: Progress, paces: Mapping[str, Waiting], *, paused: bool, files_under_way: int
) -> dict[str, Any]:
    """The first fetches under way, what each waits for, and how each host is treated."""
    fetching = [
        {
            "url": under_way.fetch.url,
            "purpose": under_way.fetch.purpose.value,
            "since": round(under_way.since, 1),
            "waiting_for": progress.waiting_for(host_of(url)),
        }
        for url, under_way in islice(progress.fetching.items(), _FETCHES)
    ]
    hosts = {
        name: {"seconds": round(pace.seconds, 2), "why": pace.reason}
        for name, pace in list(paces.items())[:_HOSTS]
    }
    return {
        "fetching": fetching,
        "fetches": len(progress.fetching),
        "phase": progress.phase,
        "paused": paused,
        "waiting_links": progress.waiting,
        "files_under_way": files_under_way,
        "hosts": hosts,
    }
