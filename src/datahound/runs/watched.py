"""The web, with what is being fetched on show."""

from datahound.engines.live import WebGetter
from datahound.model import Answer, Fetch
from datahound.runs.progress import Progress


class Watched:
    """Answers as the web does; the progress says what is being asked for."""

    def __init__(self, web: WebGetter, progress: Progress) -> None:
        self._web = web
        self._progress = progress

    async def get(self, fetch: Fetch) -> Answer:
        self._progress.fetching = fetch
        self._progress.pause = ""
        try:
            return await self._web.get(fetch)
        finally:
            self._progress.fetching = None
            self._progress.pause = ""
