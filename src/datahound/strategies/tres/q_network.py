"""Double deep Q-learning over features of links.

The target of an experience whose page led to links O, with features x_o:

    a* = argmax over o of Q(x_o; θ),   y = r + γ · Q(x_a*; θ⁻)

where θ⁻ are the weights as they were at the last copy.
"""

from array import array
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from datahound.learn.arrays import plain
from datahound.settings import TresSettings
from datahound.strategies.tres.tree_frontier import FEATURES, Features

# The published network.
_LAYERS = (FEATURES, 30, 15, 1)
_SLOPE = 0.1
_CLIP = 1.0
_DIGITS = 9
"""Decimals of a score: further ones depend on which links are scored together."""

_Rows = NDArray[np.float64]


class Remembered(NamedTuple):
    """A visit: the features of its link, its reward, and the features of the links of its page."""

    features: Features
    reward: int
    links: _Rows


class QNetwork:
    """Q(x): what a link of these features leads to, its own reward included."""

    def __init__(self, settings: TresSettings, seed: int) -> None:
        self._settings = settings
        # Threads make such a small network slower, and several crawls run side by side.
        torch.set_num_threads(1)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._online, self._target = _make_network(), _make_network()
        self._target.load_state_dict(self._online.state_dict())
        self._optimizer = torch.optim.Adam(self._online.parameters(), settings.q_rate)
        self._memory: list[Remembered] = []
        self._next = 0

    def score(self, features: Sequence[Features]) -> list[float]:
        """The values of links, all in one pass."""
        # Twice as fast as np.array, which looks at the type of each row.
        flat = np.fromiter(chain.from_iterable(features), np.float64, FEATURES * len(features))
        with torch.inference_mode():
            values = self._online(torch.from_numpy(flat.reshape(-1, FEATURES))).squeeze(1).numpy()
        scores: list[float] = np.round(values, _DIGITS).tolist()
        return scores

    def remember(self, visit: Remembered) -> None:
        """Keep a visit, in place of the oldest one if the memory is full."""
        if len(self._memory) < self._settings.replay_capacity:
            self._memory.append(visit)
        else:
            self._memory[self._next] = visit
        # A ring: the next place to write is that of the oldest visit.
        self._next = (self._next + 1) % self._settings.replay_capacity

    def train(self, rng: Random) -> None:
        """Take one step on visits drawn without replacement."""
        drawn = rng.sample(self._memory, min(self._settings.replay_batch, len(self._memory)))
        # A page without links has no best link to value.
        batch = [visit for visit in drawn if len(visit.links)]
        if not batch:
            return
        values = self._online(torch.tensor([v.features for v in batch], dtype=torch.float64))
        goals = torch.tensor(self.find_goals(batch), dtype=torch.float64)
        loss = nn.functional.mse_loss(values.squeeze(1), goals)
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self._online.parameters(), _CLIP)
        self._optimizer.step()

    def find_goals(self, batch: Sequence[Remembered]) -> list[float]:
        """Return y of each visit: the best link by θ, valued by θ⁻."""
        rows = torch.from_numpy(np.concatenate([visit.links for visit in batch]))
        with torch.no_grad():
            now = self._online(rows).squeeze(1).numpy()
            before = self._target(rows).squeeze(1).numpy()
        goals, at = [], 0
        for visit in batch:
            best = at + int(now[at : at + len(visit.links)].argmax())
            goals.append(visit.reward + self._settings.discount * float(before[best]))
            at += len(visit.links)
        return goals

    def copy_weights(self) -> None:
        """Copy the current weights θ to θ⁻, by which goals are valued."""
        self._target.load_state_dict(self._online.state_dict())

    def snapshot(self) -> dict[str, Any]:
        sizes = [len(visit.links) for visit in self._memory]
        links = [visit.links.ravel() for visit in self._memory]
        moments = self._optimizer.state_dict()["state"]
        return {
            "online": _plain_weights(self._online.state_dict().values()),
            "target": _plain_weights(self._target.state_dict().values()),
            "moments": [
                [float(m["step"]), *(_plain_weights([m[k]])[0] for k in ("exp_avg", "exp_avg_sq"))]
                for m in moments.values()
            ],
            "features": array("d", [v for visit in self._memory for v in visit.features]),
            "rewards": array("q", [visit.reward for visit in self._memory]),
            "sizes": array("q", sizes),
            "links": plain(np.concatenate(links)) if links else array("d"),
            "next": self._next,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        for network, name in ((self._online, "online"), (self._target, "target")):
            _load_weights(network, state[name])
        if state["moments"]:
            self._restore_moments(state["moments"])
        features = np.array(state["features"], dtype=np.float64).reshape(-1, FEATURES).tolist()
        links = np.array(state["links"], dtype=np.float64).reshape(-1, FEATURES)
        ends = np.cumsum(np.array(state["sizes"], dtype=np.int64)).tolist()
        begins = [0, *ends[:-1]]
        self._memory = [
            Remembered(tuple(x), reward, links[begin:end])
            for x, reward, begin, end in zip(features, state["rewards"], begins, ends, strict=False)
        ]
        self._next = state["next"]

    def _restore_moments(self, rows: Sequence[Any]) -> None:
        whole = self._optimizer.state_dict()
        shapes = [p.shape for p in self._online.parameters()]
        whole["state"] = {
            number: {
                "step": torch.tensor(float(step)),
                "exp_avg": torch.tensor(list(first), dtype=torch.float64).reshape(shape),
                "exp_avg_sq": torch.tensor(list(second), dtype=torch.float64).reshape(shape),
            }
            for number, ((step, first, second), shape) in enumerate(zip(rows, shapes, strict=True))
        }
        self._optimizer.load_state_dict(whole)


def _make_network() -> Any:
    layers: list[Any] = []
    for before, after in pairwise(_LAYERS):
        layers += [nn.Linear(before, after), nn.LeakyReLU(_SLOPE)]
    # Twice the usual digits, so that rounding hides which links were scored together.
    return nn.Sequential(*layers[:-1]).double()


def _plain_weights(tensors: Any) -> "list[array[float]]":
    return [plain(tensor.numpy().ravel()) for tensor in tensors]


def _load_weights(network: Any, rows: Sequence[Any]) -> None:
    with torch.no_grad():
        for parameter, row in zip(network.parameters(), rows, strict=True):
            parameter.copy_(torch.tensor(list(row), dtype=torch.float64).reshape(parameter.shape))
