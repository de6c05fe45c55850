"""Made-up websites that publish in different ways: benchmarks/quality/refresh_worlds.py."""

import sys
from pathlib import Path

import pytest

from datahound.lab.refresh.policies import POLICIES
from datahound.lab.refresh.rounds import PolicyRun, replay_rounds
from datahound.lab.refresh.site import LapseSite
from datahound.settings import Settings

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "quality"))

from refresh_worlds import NEW, WORLDS, write_world

ROUNDS = 12


def share_on_time(path, policy):
    site = LapseSite(path)
    results = replay_rounds(site, PolicyRun(policy, POLICIES[policy], 0, 0.1), Settings())
    site.close()
    assert sum(one.new for one in results) == NEW * (ROUNDS - 1)
    return sum(one.on_time for one in results) / (NEW * (ROUNDS - 1))


@pytest.mark.parametrize("name", ["news", "recent"])
def test_where_new_files_appear_is_learned(tmp_path, name):
    """With a tenth of the pages, twice as many as by visits at random, at least."""
    path = write_world(tmp_path / f"{name}.lapse.warc", WORLDS[name], 0, ROUNDS)
    assert share_on_time(path, "hound") > 2 * share_on_time(path, "uniform")
