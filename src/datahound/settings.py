"""Every knob, one frozen dataclass per component, with the paper's values as defaults."""

import dataclasses
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_type_hints

from datahound.errors import UserError


@dataclass(frozen=True, slots=True)
class PageSettings:
    """How pages are read."""

    link_order: Literal["document", "element"] = "document"
    """As they stand on the page, or all `a`, then `area`, `frame` and `iframe` (the paper's kit)."""
    surrounding: bool = False
    """Whether the text around each link is read too."""
    max_text: int = 200
    """Characters kept of an anchor and of the text around it."""
    max_tag_path: int = 100
    """Elements kept of a tag path, counted from the root."""


@dataclass(frozen=True, slots=True)
class EarlyStopSettings:
    """When a crawl has become too barren to go on (ν, ε, γ, κ in the paper)."""

    window: int = 1000
    min_slope: float = 0.2
    decay: float = 0.05
    patience: int = 15


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """What a crawl looks for, what it leaves out and when it ends."""

    targets: frozenset[str] | None = None
    """MIME types of targets; None for the paper's 38."""
    block_extensions: bool = True
    """Drop links whose extension says picture, sound or film."""
    max_requests: int | None = None
    max_bytes: int | None = None
    max_redirects: int = 10
    early_stop: EarlyStopSettings | None = None


@dataclass(frozen=True, slots=True)
class ActionSettings:
    """How links are grouped by their tag paths (n, m, w, Π, θ in the paper)."""

    ngram: int = 2
    dimension_bits: int = 12
    hash_bits: int = 15
    hash_prime: int = 766_245_317
    normalize: bool = True
    """Divide counts by the path's length, as the paper's kit does."""
    min_similarity: float = 0.75
    search: Literal["exact", "hnsw"] = "exact"


@dataclass(frozen=True, slots=True)
class BanditSettings:
    """How actions are chosen (α, ε in the paper)."""

    exploration: float = 2 * math.sqrt(2)
    epsilon: float = 1e-6


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """How a URL's kind is guessed (b in the paper)."""

    model: Literal["lr", "svm", "nb", "pa"] = "lr"
    features: Literal["url", "context"] = "url"
    """The URL alone, or with its anchor, tag path and surrounding text."""
    batch_size: int = 10


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """Everything that the strategies can be told."""

    actions: ActionSettings = field(default_factory=ActionSettings)
    bandit: BanditSettings = field(default_factory=BanditSettings)
    classifier: ClassifierSettings = field(default_factory=ClassifierSettings)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a crawl."""

    crawl: CrawlSettings = field(default_factory=CrawlSettings)
    pages: PageSettings = field(default_factory=PageSettings)
    strategy: StrategySettings = field(default_factory=StrategySettings)
