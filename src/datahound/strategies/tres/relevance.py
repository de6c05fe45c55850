"""A recurrent network that says whether a text is on topic (KwBiLSTM), trained before the crawl.

The words of a text go through a bidirectional LSTM; the mean over its steps goes through dense
layers, and is joined with what is known of keywords. Trained on one half of the documents, it keeps
the state with the best Matthews correlation on the other half.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import torch
from torch import nn

from datahound.strategies.tres.words import Keywords, Text

_RATE = 1e-3
_BATCH = 32
# A word in only one document says nothing about others.
_MIN_DOCUMENTS = 2
_DIGITS = 9
"""Decimals of a probability: further ones depend on which texts are scored together."""


@dataclass(frozen=True, slots=True)
class Size:
    """The dimensions of the network."""

    tokens: int
    embedding: int
    hidden: int
    dense: tuple[int, ...]
    joined: tuple[int, ...]
    vocabulary: int


SIZES = {
    "small": Size(100, 64, 64, (64, 32), (16,), 10_000),
    "original": Size(300, 300, 300, (300, 150, 85, 45), (50, 10), 20_000),
}


class Document(NamedTuple):
    """A text to train on, and whether it is on topic."""

    text: Text
    relevant: bool


class KeywordShare:
    """The estimate P = c / (c + 1), used where there are no documents to train the network on.

    c is the number of keywords in the text.
    """

    def predict(self, texts: Sequence[Text]) -> list[float]:
        return [text.keywords / (text.keywords + 1) for text in texts]


class RelevanceNetwork:
    """P(relevant) of a text."""

    def __init__(self, size: Size, vocabulary: Sequence[str], thermometer: int) -> None:
        self._size = size
        self._numbers = {word: number for number, word in enumerate(vocabulary, 1)}
        self._thermometer = thermometer
        # Word 0 is the padding, whose vector stays 0.
        self._embedding = nn.Embedding(len(vocabulary) + 1, size.embedding, padding_idx=0)
        self._lstm = nn.LSTM(size.embedding, size.hidden, batch_first=True, bidirectional=True)
        self._drop = nn.Dropout(0.1)
        self._dense = _stack([2 * size.hidden, *size.dense], begin=nn.Dropout(0.5))
        self._joined = _stack([size.dense[-1] + thermometer + 3, *size.joined])
        self._joined.append(nn.Linear(size.joined[-1], 2))
        parts = (self._embedding, self._lstm, self._drop, self._dense, self._joined)
        self._parts = nn.ModuleList(parts)
        self._parts.eval()

    def predict(self, texts: Sequence[Text]) -> list[float]:
        """The probability of each text; 0 for a text without a known word."""
        found = [0.0] * len(texts)
        known = [i for i, text in enumerate(texts) if any(w in self._numbers for w in text.words)]
        if known:
            with torch.inference_mode():
                shares = self._forward([texts[i] for i in known]).softmax(1)[:, 0]
            for i, share in zip(known, shares.tolist(), strict=True):
                found[i] = round(share, _DIGITS)
        return found

    def fit(self, documents: Sequence[Document], epochs: int, rng: Random) -> None:
        """Train on one half of the documents, stratified; keep the best state on the other half."""
        usable = [d for d in documents if any(word in self._numbers for word in d.text.words)]
        training, held = _halve(usable, rng)
        optimizer = torch.optim.Adam(self._parts.parameters(), _RATE)
        best: tuple[float, dict[str, Any]] | None = None
        for _ in range(epochs):
            self._parts.train()
            for batch in _make_batches(training, rng):
                # Class 0 is the relevant one, as in the published code.
                labels = torch.tensor([0 if d.relevant else 1 for d in batch])
                loss = nn.functional.cross_entropy(self._forward([d.text for d in batch]), labels)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            self._parts.eval()
            score = self._correlate(held)
            if best is None or score > best[0]:
                state = {name: value.clone() for name, value in self._parts.state_dict().items()}
                best = score, state
        if best is not None:
            self._parts.load_state_dict(best[1])
        # Twice the digits, so that rounding hides which texts were scored together.
        self._parts.double()

    def _correlate(self, documents: Sequence[Document]) -> float:
        """The Matthews correlation between predictions and truth."""
        predicted = [p >= 0.5 for p in self.predict([d.text for d in documents])]
        cells = Counter((d.relevant, p) for d, p in zip(documents, predicted, strict=True))
        tp, fp = cells[True, True], cells[False, True]
        fn, tn = cells[True, False], cells[False, False]
        product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        return (tp * tn - fp * fn) / math.sqrt(product) if product else 0.0

    def _forward(self, texts: Sequence[Text]) -> Any:
        rows = [[n for w in text.words if (n := self._numbers.get(w))] for text in texts]
        lengths = torch.tensor([len(row) for row in rows])
        longest = int(lengths.max())
        padded = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])
        packed = nn.utils.rnn.pack_padded_sequence(
            self._drop(self._embedding(padded)), lengths, batch_first=True, enforce_sorted=False
        )
        steps, _ = nn.utils.rnn.pad_packed_sequence(self._lstm(packed)[0], batch_first=True)
        means = steps.sum(1) / lengths.unsqueeze(1)
        hints = torch.tensor([self._read_hints(text) for text in texts], dtype=means.dtype)
        return self._joined(torch.cat([self._dense(means), hints], 1))

    def _read_hints(self, text: Text) -> list[float]:
        """Features of keywords: a thermometer of their number, their share, phrases and the URL."""
        share = text.keywords / max(len(text.words), 1)
        rest = (share, float(text.has_phrase), float(text.keyword_in_url))
        return [*fill_thermometer(text.keywords, self._thermometer), *rest]


def train_relevance(
    documents: Sequence[Document], keywords: Keywords, size: Size, epochs: int
) -> "RelevanceNetwork | KeywordShare":
    """A network trained on documents of both classes; if one class is missing, `KeywordShare`."""
    if len({document.relevant for document in documents}) < 2:
        return KeywordShare()
    counts = Counter(word for d in documents for word in set(d.text.words))
    common = [w for w, n in counts.most_common(size.vocabulary) if n >= _MIN_DOCUMENTS]
    vocabulary = sorted({*common, *(keywords.words & counts.keys())})
    relevant = [d.text.keywords for d in documents if d.relevant]
    thermometer = max(math.ceil(sum(relevant) / len(relevant)), 1)
    # Restores the random state of the process afterwards: other parts may depend on it.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network = RelevanceNetwork(size, vocabulary, thermometer)
        # The same training for every seed of a crawl: only the crawl itself varies.
        network.fit(documents, epochs, Random(0))
    return network


def fill_thermometer(count: int, width: int) -> list[float]:
    """A count in unary: element 0 means none, element i means at least i.

    >>> fill_thermometer(2, 4)
    [0.0, 1.0, 1.0, 0.0]
    """
    return [float(count == 0), *(float(i <= count) for i in range(1, width))]


def _stack(widths: Sequence[int], begin: Any = None) -> Any:
    """Dense layers with ReLU and dropout."""
    layers: list[Any] = [begin] if begin is not None else []
    for before, after in pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU(), nn.Dropout(0.5)]
    return nn.Sequential(*layers)


def _halve(documents: Sequence[Document], rng: Random) -> tuple[list[Document], list[Document]]:
    halves: tuple[list[Document], list[Document]] = ([], [])
    for relevant in (True, False):
        of_class = [d for d in documents if d.relevant is relevant]
        rng.shuffle(of_class)
        middle = (len(of_class) + 1) // 2
        halves[0].extend(of_class[:middle])
        halves[1].extend(of_class[middle:])
    return halves


def _make_batches(documents: Sequence[Document], rng: Random) -> list[list[Document]]:
    """Batches with the share of relevant documents that the whole has."""
    count = max(round(len(documents) / _BATCH), 1)
    batches: list[list[Document]] = [[] for _ in range(count)]
    place = 0
    for relevant in (True, False):
        of_class = [d for d in documents if d.relevant is relevant]
        rng.shuffle(of_class)
        for document in of_class:
            batches[place % count].append(document)
            place += 1
    return [batch for batch in batches if batch]
