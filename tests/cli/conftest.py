"""Running commands as a user does, in this process."""

import pytest

from datahound.cli import run


@pytest.fixture
def datahound(capfd):
    """Runs a command line: its exit status, what it printed, and what it complained of."""

    def call(*arguments):
        capfd.readouterr()
        status = run([str(argument) for argument in arguments])
        printed = capfd.readouterr()
        return status, printed.out, printed.err

    return call


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
