"""TRES: a focused crawler by deep reinforcement learning, as the paper adapts it."""

from datahound.strategies.tres.strategy import TresStrategy, require_torch

__all__ = ["TresStrategy", "require_torch"]
