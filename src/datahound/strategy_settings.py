"""Settings of the strategies; every field has a description."""

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal


@dataclass(frozen=True, slots=True)
class Within:
    """Bounds of a number that is set by name; without them, at least 0."""

    least: float = 0
    most: float = math.inf


@dataclass(frozen=True, slots=True)
class ActionSettings:
    """How sb-classifier and sb-oracle group links by their tag paths."""

    ngram: Annotated[int, Within(1)] = 2
    """Elements of a tag path that are counted together (n in the paper)."""
    dimension_bits: Annotated[int, Within(1, 24)] = 12
    """Tag paths are vectors of 2 to this power numbers (m in the paper)."""
    hash_bits: Annotated[int, Within(1, 32)] = 15
    """Hashes of n-grams have this many bits, at least `dimension_bits` (w in the paper)."""
    normalize: bool = True
    """Whether counts are divided by the length of the path, as in the paper's code."""
    min_similarity: Annotated[float, Within(0, 1)] = 0.75
    """Least cosine similarity with which a tag path joins a group (θ in the paper)."""
    tolerance: Annotated[float, Within(0, 0.1)] = 1e-6
    """How far below that a similarity still counts as equal, so that the rounding of a cosine of
    exactly 3/4 does not make another group."""
    search: Literal["exact", "hnsw"] = "exact"
    """How the most similar group is searched: compare all, or by an approximate index."""


@dataclass(frozen=True, slots=True)
class BanditSettings:
    """How sb-classifier and sb-oracle choose among groups."""

    exploration: float = 2 * math.sqrt(2)
    """Weight of the bonus for groups that were chosen rarely (α in the paper)."""
    counted: Literal["choices", "pages"] = "choices"
    """What counts as a choice of a group (N in the paper): each choice, or as in the paper's code
    only those that led to a page."""
    policy: Literal["auer", "ucb1-tuned", "sliding-ucb", "thompson", "epsilon-greedy"] = "auer"
    """How sb-classifier and sb-oracle score groups: the paper's rule, or one to compare with it."""
    reward_window: Annotated[int, Within(1)] = 500
    """Latest rewards that `sliding-ucb` counts."""
    greed: Annotated[float, Within(0, 1)] = 0.9
    """Share of choices of `epsilon-greedy` that go to the group with the highest mean (1 - ε)."""


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """How sb-classifier predicts whether a URL is a page or a target."""

    model: Literal["lr", "svm", "nb", "pa"] = "lr"
    """Logistic regression, support vector machine, naive Bayes or passive-aggressive."""
    features: Literal["url", "context"] = "url"
    """The URL alone, or with its anchor, tag path and surrounding text."""
    batch_size: Annotated[int, Within(1)] = 10
    """Labelled URLs that are learned from at a time (b in the paper)."""
    epochs: Annotated[int, Within(1)] = 5
    """Passes over each batch."""
    learning_rate: float = 1.0
    """Step size of `lr` and `svm`."""
    max_balance: Annotated[float, Within(1)] = 5.0
    """Largest weight of an example of the rarer class, in `lr` and `svm`."""


@dataclass(frozen=True, slots=True)
class HoundSettings:
    """How `hound` chooses, and what it learns from."""

    prior_weight: Annotated[float, Within(0.01)] = 8.0
    """How many visits the surrounding group counts as, in the estimate for a group."""
    credit: float = 0.5
    """Share of what a page's new links promise that counts as the page's own."""
    candidates: Annotated[int, Within(1)] = 4
    """Groups with the highest samples, whose links are compared before one is chosen."""
    samples: Annotated[int, Within(1)] = 32
    """Links of each of them that are compared."""
    max_groups: int = 2048
    """Directories (or pages that link to directories) with groups of their own; those met later
    share one group per section."""
    worth_rate: float = 0.2
    """Step size of the link model; 0 gives all links the same chance."""
    extension_prior: float = 2.0
    """What an extension says before anything is learned, as the logarithm of odds."""
    other_files: float = 0.1
    """What a file of a type that is not wanted counts, as a share of a wanted one: pages with
    documents have data more often than others."""
    companions: bool = True
    """Whether files whose URLs follow from those of their pages are requested before the pages."""


@dataclass(frozen=True, slots=True)
class OfflineSettings:
    """How `tp-off` trains, and what it does afterwards."""

    training_requests: Annotated[int, Within(1)] = 3000
    """URLs crawled breadth first before the benefit of each group is fixed."""
    unknown: Literal["last", "ignore"] = "last"
    """What happens to links of groups that training has not visited: they come last, or are never
    visited, as in ACEBot."""


@dataclass(frozen=True, slots=True)
class TresSettings:
    """How `tres` learns: as its published adaptation, but with a smaller network for texts."""

    keywords: bool = True
    """Whether it is given the 74 keywords of the published adaptation."""
    positive_pages: Annotated[int, Within(0, 1000)] = 100
    """Pages of the site that link to targets, on which its network is trained beforehand, with five
    times as many that do not; 0 to judge texts by keywords, without the network."""
    html_oracle: bool = True
    """Whether an oracle says for free which URLs are pages; the others are collected at once."""
    mend_keywords: bool = False
    """Whether keywords with capitals and a misspelt one are corrected, so that they can match."""
    size: Literal["small", "original"] = "small"
    """The network that judges texts: 64 units and 100 words, or the original 300 of both."""
    relevance_epochs: Annotated[int, Within(1)] = 15
    """Passes over the pages that it is trained on."""
    cost: Literal["reduced", "published"] = "reduced"
    """Sorted prefix sums and scores in one pass, or the published way; both choose alike."""
    min_samples_split: Annotated[int, Within(2)] = 5
    """Visits that a leaf of the tree needs before it can be split."""
    min_side: Annotated[float, Within(0, 0.5)] = 0.0
    """Share of them that each side of a split has at least."""
    max_depth: int = 18
    """Levels of the tree."""
    replay_capacity: Annotated[int, Within(1)] = 20_000
    """Visits that are remembered for training."""
    replay_start: Annotated[int, Within(1)] = 300
    """Visits before the first training; until then links are drawn at random."""
    replay_every: Annotated[int, Within(1)] = 3
    """Visits from one training to the next."""
    replay_batch: Annotated[int, Within(1)] = 60
    """Remembered visits of one training."""
    target_every: Annotated[int, Within(1)] = 500
    """Visits between two copies of the weights that value the next links."""
    discount: Annotated[float, Within(0, 1)] = 0.99
    """Weight of the next reward (γ)."""
    q_rate: float = 0.001
    """Step size of the Q-network."""


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """The settings of all strategies."""

    actions: ActionSettings = field(default_factory=ActionSettings)
    """How sb-classifier and sb-oracle group links."""
    bandit: BanditSettings = field(default_factory=BanditSettings)
    """How sb-classifier and sb-oracle choose among groups."""
    classifier: ClassifierSettings = field(default_factory=ClassifierSettings)
    """How sb-classifier predicts the kind of a URL."""
    hound: HoundSettings = field(default_factory=HoundSettings)
    """How `hound` chooses."""
    tp_off: OfflineSettings = field(default_factory=OfflineSettings)
    """How `tp-off` trains, and what it does afterwards."""
    focused: Literal["rescored", "paper"] = "rescored"
    """How `focused` learns: every 100 answers with links scored again, or as in the paper's code:
    every 10 answers, one pass, classes of equal weight, each link scored once, from the hundredth
    answer on."""
    tres: TresSettings = field(default_factory=TresSettings)
    """How `tres` learns."""
