"""What a running crawl is doing at this moment, as plain data for whoever watches."""

from collections.abc import Mapping
from typing import Any

from datahound.engines.politeness import Waiting
from datahound.runs.progress import Progress

_HOSTS = 200


def what_happens(
    progress: Progress, paces: Mapping[str, Waiting], *, paused: bool, files_under_way: int
) -> dict[str, Any]:
    """The fetch under way, what is waited for, and how each host is treated."""
    fetch = progress.fetching
    fetching = fetch and {
        "url": fetch.url,
        "purpose": fetch.purpose.value,
        "since": round(progress.fetching_since, 1),
    }
    hosts = {
        name: {"seconds": round(pace.seconds, 2), "why": pace.reason}
        for name, pace in list(paces.items())[:_HOSTS]
    }
    return {
        "fetching": fetching,
        "waiting_for": progress.pause,
        "phase": progress.phase,
        "paused": paused,
        "waiting_links": progress.waiting,
        "files_under_way": files_under_way,
        "hosts": hosts,
    }
