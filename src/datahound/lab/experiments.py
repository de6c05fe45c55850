"""The experiments of the paper, as the runs that each of them needs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from datahound.errors import UserError
from datahound.lab.trials import Trial
from datahound.parameters import with_parameters
from datahound.settings import BanditSettings, Settings
from datahound.strategies import BUILT_IN, registered

CHARACTERISTICS = "characteristics"
ALL = "all"
EXPERIMENTS = (
    CHARACTERISTICS, "crawlers", "hyperparameters", "classifiers", "rewards", "early-stopping",
    "policies", "dimension", "departures",
)  # fmt: skip

REFRESH = "refresh"
"""The experiment on recordings over time, which is run alone and has a table of its own."""

STUDIED = "sb-classifier"
"""The crawler whose classifier, rewards and early stopping are studied."""
TUNED = "sb-oracle"
"""The crawler whose hyper-parameters are studied, as in the paper."""

# The values of the paper's study; 2√2 is the default of α.
GRID: dict[str, tuple[str, ...]] = {
    "exploration": ("0.1", repr(BanditSettings().exploration), "30"),
    "ngram": ("1", "2", "3"),
    "min_similarity": ("0.55", "0.75", "0.95"),
}
STUDIES: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "policies": (
        ("AUER", TUNED, ()),
        ("UCB1-tuned", TUNED, ("policy=ucb1-tuned",)),
        ("sliding UCB", TUNED, ("policy=sliding-ucb",)),
        ("Thompson", TUNED, ("policy=thompson",)),
        ("ε-greedy", TUNED, ("policy=epsilon-greedy",)),
    ),
    "dimension": (
        ("m = 8", TUNED, ("dimension_bits=8",)),
        ("m = 10", TUNED, ("dimension_bits=10",)),
        ("m = 12", TUNED, ()),
        ("m = 14", TUNED, ("dimension_bits=14",)),
    ),
    "departures": (
        (STUDIED, STUDIED, ()),
        (f"{STUDIED}, one pass, equal classes", STUDIED, ("epochs=1", "max_balance=1")),
        (TUNED, TUNED, ()),
        (f"{TUNED}, plain counts", TUNED, ("normalize=no",)),
        (f"{TUNED}, HNSW", TUNED, ("search=hnsw",)),
        ("focused", "focused", ()),
        ("focused, as in the paper's code", "focused", ("focused=paper",)),
        ("tp-off", "tp-off", ()),
        ("tp-off, unknown groups ignored", "tp-off", ("unknown=ignore",)),
    ),
}
"""Experiments that compare settings: the name of each, its crawler, and where it differs."""
CLASSIFIERS = tuple(
    (model, features) for features in ("url", "context") for model in ("lr", "svm", "nb", "pa")
)
"""Models and features of the URL classifiers that are compared."""


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One crawl to make: a strategy, the settings in which it differs, and a seed."""

    strategy: str
    seed: int
    variant: str = ""
    """`KEY=VALUE` pairs, separated by spaces; empty for the settings of the experiment."""

    def make_trial(self, base: Settings) -> Trial:
        return Trial(self.strategy, self.seed, with_parameters(base, self.variant.split()))


def choose_experiments(names: Iterable[str]) -> tuple[str, ...]:
    """Return the named experiments in the order above; all of them for `all` or for no name."""
    wanted = set(names) or {ALL}
    for name in sorted(wanted - {ALL, *EXPERIMENTS}):
        allowed = ", ".join((*EXPERIMENTS, ALL))
        raise UserError(f"unknown experiment {name!r}: choose one of {allowed}, or {REFRESH} alone")
    return EXPERIMENTS if ALL in wanted else tuple(e for e in EXPERIMENTS if e in wanted)


def name_variant(base: Settings, *pairs: str) -> str:
    """Name the variant with these settings: only those that differ from the base count."""
    return " ".join(pair for pair in pairs if with_parameters(base, [pair]) != base)


def name_classifier_variant(base: Settings, model: str, features: str) -> str:
    """Name the variant of the studied crawler with this URL classifier."""
    return name_variant(base, f"model={model}", f"features={features}")


def plan_runs(
    experiments: Sequence[str], runs: int, base: Settings, crawlers: Sequence[str] = ()
) -> list[PlannedRun]:
    """Plan the runs of some experiments, none of them twice; the first seeds of all come first."""
    variants: dict[tuple[str, str], None] = {}
    for experiment in experiments:
        variants |= dict.fromkeys(_list_variants(experiment, base, crawlers or BUILT_IN))
    return [
        PlannedRun(strategy, seed, variant)
        for seed in range(runs)
        for strategy, variant in variants
        # Without randomness, a second run would be the same.
        if seed == 0 or registered(strategy).is_random
    ]


def _list_variants(
    experiment: str, base: Settings, crawlers: Sequence[str]
) -> list[tuple[str, str]]:
    match experiment:
        case "crawlers":
            return [(name, "") for name in crawlers]
        case "hyperparameters":
            return [
                (TUNED, name_variant(base, f"{name}={value}"))
                for name, values in GRID.items()
                for value in values
            ]
        case "classifiers":
            return [(STUDIED, name_classifier_variant(base, *c)) for c in CLASSIFIERS]
        case "rewards" | "early-stopping":
            return [(STUDIED, "")]
    return [
        (strategy, name_variant(base, *pairs)) for _, strategy, pairs in STUDIES.get(experiment, ())
    ]  # characteristics need no run
