"""The paper's crawlers, sb-classifier and sb-oracle: groups of links and a sleeping bandit."""

from datahound.strategies.sb.strategy import SleepingBanditStrategy

__all__ = ["SleepingBanditStrategy"]
