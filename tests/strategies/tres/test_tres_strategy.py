"""TRES on a recorded site."""

import pytest

from datahound.archive import open_archive
from datahound.errors import UserError
from datahound.lab.runner import Experiment, run_experiment
from datahound.lab.trials import Trial, TrialGround
from datahound.parameters import with_parameters
from datahound.settings import Settings
from datahound.strategies import make_strategy

SITE = "synthetic:demo?scale=0.12"


@pytest.fixture(scope="module")
def ground():
    return TrialGround(open_archive(SITE), Settings(), lambda *_: None)


def hide_torch(monkeypatch):
    """Make PyTorch look as if it were not installed."""
    monkeypatch.setattr("datahound.strategies.tres.strategy.find_spec", lambda _: None)


def run(ground, seed=0, *pairs):
    return ground.run(Trial("tres", seed, with_parameters(Settings(), pairs))).curve


def test_without_the_extra_it_names_it(monkeypatch, ground):
    """One line says what to install."""
    hide_torch(monkeypatch)
    with pytest.raises(UserError, match=r"tres needs PyTorch: pip install 'datahound\[tres\]'"):
        run(ground)


def test_without_the_extra_no_experiment_begins(monkeypatch, tmp_path):
    """The line comes before the first crawl, and nothing is written."""
    hide_torch(monkeypatch)
    todo = Experiment((SITE,), crawlers=("tres",))
    with pytest.raises(UserError, match="tres needs PyTorch"):
        run_experiment(todo, tmp_path / "lab", lambda *_: None, pytest.fail)
    assert not (tmp_path / "lab").exists()


def test_without_a_recording_it_says_so():
    """It is told what only a recording knows."""
    with pytest.raises(UserError, match="works on recorded sites only"):
        make_strategy("tres")


def test_the_cheaper_way_chooses_as_the_published_one(ground):
    """Prefix sums and batches change the time, not one choice."""
    pytest.importorskip("torch", reason="needs datahound[tres]")
    early = "replay_start=40", "relevance_epochs=2"
    published = run(ground, 0, *early, "cost=published")
    assert published.found_at == run(ground, 0, *early).found_at
    assert published.requests == 326


def test_the_gifts_can_be_refused(ground):
    """Without keywords, training pages and the oracle of pages it still visits everything."""
    pytest.importorskip("torch", reason="needs datahound[tres]")
    bare = run(ground, 0, "keywords=no", "positive_pages=0", "html_oracle=no", "replay_start=40")
    given = run(ground, 0, "replay_start=40", "positive_pages=0")
    assert bare.targets == given.targets == 50
    assert bare.found_at != given.found_at


def test_with_the_oracle_files_are_collected_at_once(ground):
    """A file is asked for right after the page that links to it, so none waits."""
    pytest.importorskip("torch", reason="needs datahound[tres]")
    told = run(ground, 0, "positive_pages=0", "replay_start=40")
    alone = run(ground, 0, "positive_pages=0", "replay_start=40", "html_oracle=no")
    assert sum(told.found_at) < sum(alone.found_at)
