"""The experiments of the paper, as the crawls that each of them needs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from datahound.errors import UserError
from datahound.lab.trials import Trial
from datahound.parameters import with_parameters
from datahound.settings import BanditSettings, Settings
from datahound.strategies import STRATEGIES, registered

CHARACTERISTICS = "characteristics"
CRAWLERS = "crawlers"
HYPERPARAMETERS = "hyperparameters"
CLASSIFIERS = "classifiers"
REWARDS = "rewards"
EARLY_STOPPING = "early-stopping"
ALL = "all"
EXPERIMENTS = (CHARACTERISTICS, CRAWLERS, HYPERPARAMETERS, CLASSIFIERS, REWARDS, EARLY_STOPPING)

STUDIED = "sb-classifier"
"""The crawler whose classifier, rewards and early stopping are studied."""
TUNED = "sb-oracle"
"""The crawler whose hyper-parameters are studied, as in the paper."""

GRID: dict[str, tuple[str, ...]] = {
    "exploration": ("0.1", repr(BanditSettings().exploration), "30"),
    "ngram": ("1", "2", "3"),
    "min_similarity": ("0.55", "0.75", "0.95"),
}
MODELS = ("lr", "svm", "nb", "pa")
FEATURES = ("url", "context")


@dataclass(frozen=True, slots=True)
class Job:
    """One crawl to be made: a strategy, the settings in which it differs, and a seed."""

    strategy: str
    seed: int
    variant: str = ""
    """`KEY=VALUE` pairs, separated by spaces; empty for the settings as they are."""

    def trial(self, base: Settings) -> Trial:
        return Trial(self.strategy, self.seed, with_parameters(base, self.variant.split()))


def chosen_experiments(names: Iterable[str]) -> tuple[str, ...]:
    """The experiments that a user named, in their order; all of them for `all` or for none."""
    wanted = set(names) or {ALL}
    for name in sorted(wanted - {ALL, *EXPERIMENTS}):
        allowed = ", ".join((*EXPERIMENTS, ALL))
        raise UserError(f"unknown experiment {name!r}: choose one of {allowed}")
    return EXPERIMENTS if ALL in wanted else tuple(e for e in EXPERIMENTS if e in wanted)


def variant_of(base: Settings, *pairs: str) -> str:
    """The variant in which a setting has a value: the base itself where it has it already."""
    return " ".join(pair for pair in pairs if with_parameters(base, [pair]) != base)


def plan(
    experiments: Sequence[str], runs: int, base: Settings, crawlers: Sequence[str] = ()
) -> list[Job]:
    """The crawls of some experiments, none of them twice, the first seeds of all first."""
    variants: dict[tuple[str, str], None] = {}
    for experiment in experiments:
        variants |= dict.fromkeys(_variants(experiment, base, crawlers or tuple(STRATEGIES)))
    return [
        Job(strategy, seed, variant)
        for seed in range(runs)
        for strategy, variant in variants
        if seed == 0 or registered(strategy).is_random
    ]


def _variants(experiment: str, base: Settings, crawlers: Sequence[str]) -> list[tuple[str, str]]:
    match experiment:
        case "crawlers":
            return [(name, "") for name in crawlers]
        case "hyperparameters":
            return [
                (TUNED, variant_of(base, f"{name}={value}"))
                for name, values in GRID.items()
                for value in values
            ]
        case "classifiers":
            return [
                (STUDIED, variant_of(base, f"model={model}", f"features={features}"))
                for features in FEATURES
                for model in MODELS
            ]
        case "rewards" | "early-stopping":
            return [(STUDIED, "")]
    return []
