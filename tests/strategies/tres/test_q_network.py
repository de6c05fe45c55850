"""Double deep Q-learning over features of links."""

import json
from random import Random

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs datahound[tres]")

from datahound.settings import TresSettings
from datahound.strategies.tres.q_network import QNetwork, Remembered

ROWS = np.random.default_rng(1).random((3, 7))


def remembered(reward=1, links=ROWS):
    return Remembered(tuple(float(v) for v in ROWS[0]), reward, links)


def trained(steps=40, seed=0):
    network = QNetwork(TresSettings(replay_batch=4, q_rate=0.01), seed)
    for number in range(10):
        network.remember(remembered(number % 2, ROWS + number / 10))
    for step in range(steps):
        network.train(Random(step))
    return network


def test_goals_are_chosen_by_one_network_and_valued_by_the_other():
    """y = r + γ Q(x_a*; θ⁻), a* the best link by θ."""
    network = trained()  # never copied: θ⁻ are the first weights
    first = QNetwork(TresSettings(), 0).score([tuple(row) for row in ROWS])
    now = network.score([tuple(row) for row in ROWS])
    best = now.index(max(now))
    assert network.find_goals([remembered(1)]) == pytest.approx([1 + 0.99 * first[best]])
    network.copy_weights()
    assert network.find_goals([remembered(0)]) == pytest.approx([0.99 * now[best]])


def test_it_learns_a_value():
    """Pages that lead nowhere new and give 1 are worth about 1 where nothing follows."""
    network = QNetwork(TresSettings(discount=0.0, q_rate=0.02, replay_batch=2), 3)
    network.remember(remembered(1))
    network.remember(Remembered((0.0,) * 7, 0, ROWS))
    for step in range(400):
        network.train(Random(step))
    good, bad = network.score([remembered().features, (0.0,) * 7])
    assert good == pytest.approx(1, abs=0.1)
    assert bad == pytest.approx(0, abs=0.1)


def test_visits_without_links_teach_nothing():
    """Nothing follows them that could be valued."""
    network = QNetwork(TresSettings(), 0)
    before = network.score([remembered().features])
    network.remember(remembered(1, np.zeros((0, 7))))
    network.train(Random(0))
    assert network.score([remembered().features]) == before


def test_links_scored_together_score_as_alone():
    """One pass or many, the scores are the same."""
    network, rows = trained(), [tuple(row) for row in np.random.default_rng(2).random((50, 7))]
    assert network.score(rows) == [network.score([row])[0] for row in rows]


def test_the_oldest_visit_makes_room():
    """The memory is a ring."""
    network = QNetwork(TresSettings(replay_capacity=3), 0)
    for reward in (0, 1, 0, 1, 1):
        network.remember(remembered(reward))
    assert network.snapshot()["rewards"].tolist() == [1, 1, 0]


def test_a_snapshot_goes_on_alike():
    """Weights, moments of the optimizer and memory: trained on, both score alike."""
    one, two = trained(), QNetwork(TresSettings(replay_batch=4, q_rate=0.01), 9)
    two.restore(json.loads(json.dumps(one.snapshot(), default=list)))
    for network in (one, two):
        network.copy_weights()
        for step in range(5):
            network.train(Random(step))
    assert one.score([remembered().features]) == two.score([remembered().features])
