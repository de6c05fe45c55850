"""Groups of links with similar tag paths."""

from collections.abc import Callable
from typing import Any

from datahound.learn.nearest import ExactNearest, HnswNearest, Nearest
from datahound.learn.tag_paths import TagPathEmbedding
from datahound.settings import ActionSettings

_SEARCHES: dict[str, Callable[[int], Nearest]] = {"exact": ExactNearest, "hnsw": HnswNearest}


class ActionSpace:
    """Assigns a tag path to the action with the nearest centroid.

    If the cosine similarity is below `min_similarity` (θ), the tag path founds a new action.
    """

    def __init__(self, settings: ActionSettings | None = None) -> None:
        self._settings = settings or ActionSettings()
        self._embedding = TagPathEmbedding(self._settings)
        self._nearest = _SEARCHES[self._settings.search](1 << self._settings.dimension_bits)
        self._founders: list[str] = []

    def __len__(self) -> int:
        return len(self._founders)

    def assign(self, tag_path: str) -> int:
        """The action of a link with this tag path."""
        vector = self._embedding.embed(tag_path)
        action, similarity = self._nearest.find(vector)
        if similarity >= self._settings.min_similarity:
            self._nearest.join(action, vector)
            return action
        self._founders.append(tag_path)
        return self._nearest.found(vector)

    def founder(self, action: int) -> str:
        """The tag path that founded an action."""
        return self._founders[action]

    def snapshot(self) -> dict[str, Any]:
        return {
            "vocabulary": self._embedding.snapshot(),
            "centroids": self._nearest.snapshot(),
            "founders": list(self._founders),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._embedding.restore(state["vocabulary"])
        self._nearest.restore(state["centroids"])
        self._founders = list(state["founders"])
