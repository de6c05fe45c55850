"""The default strategy: Thompson sampling over groups of links, and five learners around it."""

from datahound.strategies.hound.strategy import HoundStrategy

__all__ = ["HoundStrategy"]
