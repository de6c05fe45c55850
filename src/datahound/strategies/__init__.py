"""One way to crawl per file, and their names."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from datahound.crawl.strategy import Oracle, Strategy
from datahound.errors import UserError
from datahound.settings import StrategySettings
from datahound.strategies.focused import FocusedStrategy
from datahound.strategies.omniscient import OmniscientStrategy
from datahound.strategies.sb import SleepingBanditStrategy
from datahound.strategies.simple import SimpleStrategy
from datahound.strategies.tp_off import TagPathsOfflineStrategy

Maker = Callable[[StrategySettings, Random, Oracle | None], Strategy]


@dataclass(frozen=True, slots=True)
class Registered:
    """A strategy under its name: how to make one, and what it needs."""

    make: Maker
    needs_oracle: bool = False
    is_random: bool = False
    """Whether another seed gives another crawl."""


def _sb_oracle(settings: StrategySettings, rng: Random, oracle: Oracle | None) -> Strategy:
    return SleepingBanditStrategy(settings, rng, _given(oracle).kind_of)


def _tp_off(settings: StrategySettings, _: Random, oracle: Oracle | None) -> Strategy:
    return TagPathsOfflineStrategy(settings.actions, _given(oracle).kind_of)


STRATEGIES: dict[str, Registered] = {
    "sb-classifier": Registered(lambda s, rng, _: SleepingBanditStrategy(s, rng), is_random=True),
    "sb-oracle": Registered(_sb_oracle, needs_oracle=True, is_random=True),
    "focused": Registered(lambda s, _, __: FocusedStrategy(s.classifier)),
    "tp-off": Registered(_tp_off, needs_oracle=True),
    "bfs": Registered(lambda _, rng, __: SimpleStrategy("bfs", rng)),
    "dfs": Registered(lambda _, rng, __: SimpleStrategy("dfs", rng)),
    "random": Registered(lambda _, rng, __: SimpleStrategy("random", rng), is_random=True),
    "omniscient": Registered(
        lambda _, __, oracle: OmniscientStrategy(_given(oracle)), needs_oracle=True
    ),
}
"""Every strategy by its name; adding one is one line."""


def registered(name: str) -> Registered:
    """The strategy of this name."""
    try:
        return STRATEGIES[name]
    except KeyError:
        allowed = ", ".join(STRATEGIES)
        raise UserError(f"unknown strategy {name!r}: choose one of {allowed}") from None


def make_strategy(
    name: str,
    settings: StrategySettings | None = None,
    *,
    seed: int = 0,
    oracle: Oracle | None = None,
) -> Strategy:
    """A fresh strategy; the same seed and the same answers give the same crawl."""
    strategy = registered(name)
    if strategy.needs_oracle and oracle is None:
        raise UserError(f"{name} needs a recorded site: only a recording knows what it is told")
    return strategy.make(settings or StrategySettings(), Random(seed), oracle)


def _given(oracle: Oracle | None) -> Oracle:
    if oracle is None:
        raise UserError("this strategy needs a recorded site")
    return oracle
