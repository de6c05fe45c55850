"""The paper's four linear models, which learn one example at a time, and its text features.

They are scikit-learn's `SGDClassifier` and `MultinomialNB`, and tested to give the same weights;
written out because a `partial_fit` there takes ten times longer on ten short examples, nearly all
of it for checking its input.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from datahound.learn.arrays import add_products, plain
from datahound.settings import ClassifierSettings

# scikit-learn's step for the bias of sparse data; its bias oscillates otherwise.
_INTERCEPT_DECAY = 0.01
# C of Crammer et al. (2006), and of scikit-learn's default.
_AGGRESSIVENESS = 1.0
_FIRST_CODE, _LAST_CODE = 32, 126
_ALPHABET = _LAST_CODE - _FIRST_CODE + 1
BIGRAMS = _ALPHABET * _ALPHABET
"""The number of pairs of printable ASCII characters."""


class Example(NamedTuple):
    """One example: its features, their counts, and its class, which is 1 or -1."""

    features: NDArray[np.intp]
    counts: NDArray[np.float64]
    sign: int


def pack_examples(examples: list[Example]) -> list[list[Any]]:
    """Examples as plain data, for a snapshot."""
    return [[e.features.tolist(), e.counts.tolist(), e.sign] for e in examples]


def unpack_examples(rows: list[list[Any]]) -> list[Example]:
    """The examples that plain data was made of."""
    return [Example(np.array(xs, dtype=np.intp), np.array(ns), sign) for xs, ns, sign in rows]


class LinearModel(Protocol):
    """A classifier of two classes with score(x) = Σ w_i · x_i + bias, trained in batches."""

    weights: NDArray[np.float64]
    bias: float

    def learn(self, batch: list[Example]) -> None: ...

    def snapshot(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


def bigrams(text: str) -> NDArray[np.intp]:
    """The 2-grams of the printable ASCII characters in a text, numbered from 0 to `BIGRAMS`."""
    codes = np.frombuffer(text.encode("ascii", "ignore"), dtype=np.uint8).astype(np.intp)
    if codes.size and (codes.min() < _FIRST_CODE or codes.max() > _LAST_CODE):
        # Control characters would be numbered below 0.
        codes = codes[(codes >= _FIRST_CODE) & (codes <= _LAST_CODE)]
    codes -= _FIRST_CODE
    return codes[:-1] * _ALPHABET + codes[1:]


def make_model(settings: ClassifierSettings, features: int) -> LinearModel:
    """Logistic regression, support vectors, naive Bayes or passive-aggressive."""
    return _MODELS[settings.model](features, settings)


class GradientDescent:
    """Stochastic gradient descent at a constant rate; the rarer class has the larger weight.

    w += rate · balance(y) · slope(margin) · y · x, where margin = y · score(x).
    """

    def __init__(
        self, features: int, settings: ClassifierSettings, slope: Callable[[float], float]
    ) -> None:
        self.weights = np.zeros(features)
        self.bias = 0.0
        self._settings = settings
        self._slope = slope
        # Starts at 1, so that the balance never divides by 0.
        self._seen = {1: 1, -1: 1}

    def learn(self, batch: list[Example]) -> None:
        for example in batch:
            self._seen[example.sign] += 1
        for _ in range(self._settings.epochs):
            for features, counts, sign in batch:
                margin = sign * (float(add_products(self.weights[features] * counts)) + self.bias)
                step = self._rate(sign) * self._slope(margin) * sign
                self.weights[features] += step * counts
                self.bias += step * _INTERCEPT_DECAY

    def snapshot(self) -> dict[str, Any]:
        seen = [self._seen[1], self._seen[-1]]
        return {"weights": plain(self.weights), "bias": self.bias, "seen": seen}

    def restore(self, state: dict[str, Any]) -> None:
        self.weights, self.bias = np.array(state["weights"]), state["bias"]
        self._seen = {1: state["seen"][0], -1: state["seen"][1]}

    def _rate(self, sign: int) -> float:
        # n / (2 n_y), as scikit-learn's class_weight="balanced", but over all examples so far.
        balance = (self._seen[1] + self._seen[-1]) / (2 * self._seen[sign])
        return self._settings.learning_rate * min(balance, self._settings.max_balance)


class PassiveAggressive:
    """Passive-aggressive steps: w += y · min(C, max(0, 1 - margin) / ‖x‖²) · x, with C = 1."""

    def __init__(self, features: int, settings: ClassifierSettings) -> None:
        self.weights = np.zeros(features)
        self.bias = 0.0
        self._epochs = settings.epochs

    def learn(self, batch: list[Example]) -> None:
        for features, counts, sign in batch * self._epochs:
            margin = sign * (float(add_products(self.weights[features] * counts)) + self.bias)
            length = float(add_products(counts * counts))
            if length:
                step = sign * min(_AGGRESSIVENESS, max(0.0, 1 - margin) / length)
                self.weights[features] += step * counts
                self.bias += step * _INTERCEPT_DECAY

    def snapshot(self) -> dict[str, Any]:
        return {"weights": plain(self.weights), "bias": self.bias}

    def restore(self, state: dict[str, Any]) -> None:
        self.weights, self.bias = np.array(state["weights"]), state["bias"]


class NaiveBayes:
    """Multinomial naive Bayes, as a linear model of the logarithm of the odds."""

    def __init__(self, features: int, _settings: ClassifierSettings) -> None:
        self.weights = np.zeros(features)
        self.bias = 0.0
        self._counts = np.zeros((2, features))
        self._examples = np.zeros(2)

    def learn(self, batch: list[Example]) -> None:
        for features, counts, sign in batch:
            self._counts[int(sign > 0), features] += counts
            self._examples[int(sign > 0)] += 1
        self._take_odds()

    def snapshot(self) -> dict[str, Any]:
        return {"counts": plain(self._counts), "examples": plain(self._examples)}

    def restore(self, state: dict[str, Any]) -> None:
        self._counts = np.array(state["counts"]).reshape(2, -1)
        self._examples = np.array(state["examples"])
        if self._examples.any():
            self._take_odds()

    def _take_odds(self) -> None:
        # Laplace smoothing: a feature never met in a class is unlikely there, not impossible.
        smoothed = self._counts + 1
        likelihoods = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
        self.weights = likelihoods[1] - likelihoods[0]
        pages, targets = self._examples
        # A class without examples is infinitely unlikely.
        self.bias = math.log(targets / pages) if pages and targets else math.inf * (targets - pages)


def _log_slope(margin: float) -> float:
    # Beyond 18, 1 + e^margin rounds to e^margin; beyond 700, `exp` overflows.
    return math.exp(-margin) if margin > 18 else 1 / (math.exp(max(margin, -700)) + 1)


def _hinge_slope(margin: float) -> float:
    return 1.0 if margin <= 1 else 0.0


_MODELS: dict[str, Callable[[int, ClassifierSettings], LinearModel]] = {
    "lr": lambda features, settings: GradientDescent(features, settings, _log_slope),
    "svm": lambda features, settings: GradientDescent(features, settings, _hinge_slope),
    "nb": NaiveBayes,
    "pa": PassiveAggressive,
}
