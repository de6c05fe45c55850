"""One way to crawl per file, and their names."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from datahound.crawl.strategy import Oracle, Strategy
from datahound.errors import UserError
from datahound.settings import StrategySettings
from datahound.strategies.focused import FocusedStrategy
from datahound.strategies.hound import HoundStrategy
from datahound.strategies.omniscient import OmniscientStrategy
from datahound.strategies.sb import SleepingBanditStrategy
from datahound.strategies.simple import SimpleStrategy
from datahound.strategies.tp_off import TagPathsOfflineStrategy
from datahound.web import kinds


@dataclass(frozen=True, slots=True)
class Given:
    """What a strategy is made of: settings, chance, what counts as a target; perhaps an oracle."""

    settings: StrategySettings
    rng: Random
    targets: frozenset[str]
    oracle: Oracle | None = None

    def told(self) -> Oracle:
        """The oracle, for a strategy that can't be without."""
        if self.oracle is None:
            raise UserError("this strategy needs a recorded site")
        return self.oracle


Maker = Callable[[Given], Strategy]


@dataclass(frozen=True, slots=True)
class Registered:
    """A strategy under its name: how to make one, and what it needs."""

    make: Maker
    needs_oracle: bool = False
    is_random: bool = False
    """Whether another seed gives another crawl."""


STRATEGIES: dict[str, Registered] = {
    "hound": Registered(lambda g: HoundStrategy(g.settings, g.rng, g.targets), is_random=True),
    "sb-classifier": Registered(
        lambda g: SleepingBanditStrategy(g.settings, g.rng), is_random=True
    ),
    "sb-oracle": Registered(
        lambda g: SleepingBanditStrategy(g.settings, g.rng, g.told().kind_of),
        needs_oracle=True,
        is_random=True,
    ),
    "focused": Registered(lambda g: FocusedStrategy(g.settings.classifier)),
    "tp-off": Registered(
        lambda g: TagPathsOfflineStrategy(g.settings.actions, g.told().kind_of), needs_oracle=True
    ),
    "bfs": Registered(lambda g: SimpleStrategy("bfs", g.rng)),
    "dfs": Registered(lambda g: SimpleStrategy("dfs", g.rng)),
    "random": Registered(lambda g: SimpleStrategy("random", g.rng), is_random=True),
    "omniscient": Registered(lambda g: OmniscientStrategy(g.told()), needs_oracle=True),
}
"""Every strategy by its name; adding one is one line."""

DEFAULT_STRATEGY = "hound"


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
    targets: frozenset[str] | None = None,
) -> Strategy:
    """A fresh strategy; the same seed and the same answers give the same crawl."""
    strategy = registered(name)
    if strategy.needs_oracle and oracle is None:
        raise UserError(f"{name} needs a recorded site: only a recording knows what it is told")
    given = Given(
        settings or StrategySettings(), Random(seed), targets or kinds.DEFAULT_TARGETS, oracle
    )
    return strategy.make(given)
