"""One way to crawl per file, and their names."""

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from random import Random
from typing import Any

from datahound.crawl.strategy import Oracle, SmallStrategy
from datahound.errors import UserError
from datahound.settings import StrategySettings
from datahound.strategies.focused import FocusedStrategy
from datahound.strategies.hound import HoundStrategy
from datahound.strategies.sb import SleepingBanditStrategy
from datahound.strategies.simple import OmniscientStrategy, SimpleStrategy
from datahound.strategies.tp_off import TagPathsOfflineStrategy
from datahound.strategies.tres import TresStrategy, require_torch
from datahound.web.targets import Wanted, find_wanted

ENTRY_POINTS = "datahound.strategies"
"""The group of entry points under which other packages name strategies."""


@dataclass(frozen=True, slots=True)
class StrategyContext:
    """What a strategy is made from: settings, randomness, what a target is, perhaps an oracle."""

    settings: StrategySettings
    rng: Random
    wanted: Wanted
    oracle: Oracle | None = None

    @property
    def targets(self) -> frozenset[str]:
        """The MIME types of targets."""
        return self.wanted.mime_types

    def require_oracle(self) -> Oracle:
        """The oracle, for a strategy that cannot work without one."""
        if self.oracle is None:
            raise UserError("this strategy needs a recorded site")
        return self.oracle


@dataclass(frozen=True, slots=True)
class Registered:
    """A strategy under its name: how to make one, and what it needs."""

    make: Callable[[StrategyContext], SmallStrategy]
    needs_oracle: bool = False
    is_random: bool = False
    """Whether another seed gives another crawl."""
    extra: str = ""
    """The extra of the package that it needs. It is left out where no strategy is named."""
    check: Callable[[], None] = lambda: None
    """Raises an error if something that it needs is not installed."""


STRATEGIES: dict[str, Registered] = {
    "hound": Registered(lambda c: HoundStrategy(c.settings, c.rng, c.wanted), is_random=True),
    "sb-classifier": Registered(
        lambda c: SleepingBanditStrategy(c.settings, c.rng), is_random=True
    ),
    "sb-oracle": Registered(
        lambda c: SleepingBanditStrategy(c.settings, c.rng, c.require_oracle().kind_of),
        needs_oracle=True,
        is_random=True,
    ),
    "focused": Registered(lambda c: FocusedStrategy(c.settings.classifier, c.settings.focused)),
    "tp-off": Registered(
        lambda c: TagPathsOfflineStrategy(
            c.settings.actions, c.require_oracle().kind_of, c.settings.tp_off
        ),
        needs_oracle=True,
    ),
    "bfs": Registered(lambda c: SimpleStrategy("bfs", c.rng)),
    "dfs": Registered(lambda c: SimpleStrategy("dfs", c.rng)),
    "random": Registered(lambda c: SimpleStrategy("random", c.rng), is_random=True),
    "tres": Registered(
        lambda c: TresStrategy(c.settings.tres, c.rng, c.require_oracle()),
        needs_oracle=True,
        is_random=True,
        extra="tres",
        check=require_torch,
    ),
    "omniscient": Registered(lambda c: OmniscientStrategy(c.require_oracle()), needs_oracle=True),
}
"""Every strategy by its name; adding one is one line."""

DEFAULT_STRATEGY = "hound"

BUILT_IN = tuple(name for name, strategy in STRATEGIES.items() if not strategy.extra)
"""The strategies that need no extra: those that are compared where none is named."""


def registered(name: str, *, live: bool = False) -> Registered:
    """The strategy of this name: one of ours, an entry point, or `module:Class`.

    `live` names those that work on live websites where the name is unknown.
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    if ":" in name:
        return _imported(name, name)
    # Last, since this searches the entry points of all installed packages.
    for point in entry_points(group=ENTRY_POINTS, name=name):
        return _imported(name, point.value)
    allowed = ", ".join(n for n, one in STRATEGIES.items() if not (live and one.needs_oracle))
    raise UserError(f"unknown strategy {name!r}: choose one of {allowed}, or give module:Class")


def make_strategy(
    name: str,
    settings: StrategySettings | None = None,
    *,
    seed: int = 0,
    oracle: Oracle | None = None,
    targets: frozenset[str] | None = None,
) -> SmallStrategy:
    """A fresh strategy; the same seed and the same answers give the same crawl."""
    strategy = registered(name)
    if strategy.needs_oracle and oracle is None:
        raise UserError(f"{name} works on recorded sites only: it must know what each URL is")
    context = StrategyContext(
        settings or StrategySettings(), Random(seed), find_wanted(targets), oracle
    )
    return strategy.make(context)


def _imported(name: str, reference: str) -> Registered:
    """A strategy from another package.

    Its class may have the parameters `settings`, `rng`, `wanted`, `targets` and `oracle`, which get
    the values of `StrategyContext`.
    """
    module, _, attribute = reference.partition(":")
    try:
        maker = getattr(importlib.import_module(module), attribute)
        parameters = inspect.signature(maker).parameters
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise UserError(f"strategy {name!r} can't be imported: {error}") from None
    if not all(hasattr(maker, method) for method in ("add", "choose")):
        raise UserError(f"strategy {name!r}: {attribute} has no methods `add` and `choose`")

    def make(context: StrategyContext) -> SmallStrategy:
        given: dict[str, Any] = {
            field: getattr(context, field)
            for field in ("settings", "rng", "wanted", "targets", "oracle")
            if field in parameters
        }
        try:
            strategy: SmallStrategy = maker(**given)
        # The class has a parameter that is not among these.
        except TypeError as error:
            raise UserError(f"strategy {name!r} can't be made: {error}") from None
        return strategy

    return Registered(make, needs_oracle="oracle" in parameters, is_random="rng" in parameters)
