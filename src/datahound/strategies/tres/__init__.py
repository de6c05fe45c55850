"""TRES: a focused crawler by deep reinforcement learning, as the paper adapts it."""

from datahound.strategies.tres.strategy import TresStrategy

__all__ = ["TresStrategy"]
