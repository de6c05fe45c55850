"""The linear models, against scikit-learn's."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import MultinomialNB

from datahound.learn.models import BIGRAMS, Example, bigrams, make_model
from datahound.settings import ClassifierSettings

FEATURES = 40
SGD = {"lr": {"loss": "log_loss"}, "svm": {"loss": "hinge"}}


def batches(count=25, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield rng.integers(0, 3, (10, FEATURES)).astype(float), rng.integers(0, 4, 10) // 3


def examples(x, y):
    for row, kind in zip(x, y, strict=True):
        features = np.flatnonzero(row)
        yield Example(features, row[features], 1 if kind else -1)


def test_bigrams_are_pairs_of_printable_characters():
    """Each pair of the 95 has a number; letters keep their case, other characters are left out."""
    printable = [chr(code) for code in range(32, 127)]
    found = [bigrams(a + b).tolist() for a in printable for b in printable]
    assert found == [[number] for number in range(BIGRAMS)]
    assert bigrams("data.CSV").tolist() == [
        *bigrams("data.").tolist(), *bigrams(".C").tolist(), *bigrams("CSV").tolist()
    ]  # fmt: skip
    assert bigrams("CSV").tolist() != bigrams("csv").tolist()
    assert bigrams("a\x00\n\x7fé b").tolist() == bigrams("a b").tolist()
    assert [len(bigrams(text)) for text in ("", "a", "ab")] == [0, 0, 1]


@pytest.mark.parametrize("name", ["lr", "svm"])
def test_gradient_descent_is_scikit_learns(name):
    """The same weights as SGDClassifier at a constant rate, with the same example weights."""
    settings = ClassifierSettings(model=name)
    ours = make_model(settings, FEATURES)
    theirs = SGDClassifier(
        learning_rate="constant",
        eta0=settings.learning_rate,
        penalty=None,
        shuffle=False,
        **SGD[name],
    )
    seen = np.array([1.0, 1.0])
    for x, y in batches():
        ours.learn(list(examples(x, y)))
        seen += np.bincount(y, minlength=2)
        balance = np.minimum(seen.sum() / (2 * seen), settings.max_balance)
        for _ in range(settings.epochs):
            theirs.partial_fit(csr_matrix(x), y, classes=[0, 1], sample_weight=balance[y])
    assert ours.weights == pytest.approx(theirs.coef_[0], rel=1e-3, abs=1e-3)
    assert ours.bias == pytest.approx(theirs.intercept_[0], rel=1e-3, abs=1e-3)


def test_passive_aggressive_is_scikit_learns():
    """The same weights as SGDClassifier with the PA-I rate."""
    settings = ClassifierSettings(model="pa")
    ours = make_model(settings, FEATURES)
    theirs = SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, shuffle=False)
    for x, y in batches():
        ours.learn(list(examples(x, y)))
        for _ in range(settings.epochs):
            theirs.partial_fit(csr_matrix(x), y, classes=[0, 1])
    assert ours.weights == pytest.approx(theirs.coef_[0])
    assert ours.bias == pytest.approx(theirs.intercept_[0])


def test_naive_bayes_is_scikit_learns():
    """The same log-odds as MultinomialNB."""
    ours = make_model(ClassifierSettings(model="nb"), FEATURES)
    theirs = MultinomialNB()
    for x, y in batches():
        ours.learn(list(examples(x, y)))
        theirs.partial_fit(x, y, classes=[0, 1])
    likelihoods, priors = theirs.feature_log_prob_, theirs.class_log_prior_
    assert ours.weights == pytest.approx(likelihoods[1] - likelihoods[0])
    assert ours.bias == pytest.approx(priors[1] - priors[0])


@pytest.mark.parametrize("name", ["lr", "svm", "nb", "pa"])
def test_one_class_only(name):
    """A model that has met one class says that class, without complaint."""
    model = make_model(ClassifierSettings(model=name), FEATURES)
    model.learn([Example(np.array([1, 2]), np.ones(2), -1)] * 10)
    assert model.weights[[1, 2]].sum() + model.bias < 0
