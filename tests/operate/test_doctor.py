"""`datahound doctor` looks at everything, and says what to do."""

import json
import tomllib
from pathlib import Path

import pytest

from datahound.operate import doctor
from datahound.operate.doctor import EXTRAS, State, examine


def test_one_screen_with_every_thing(tmp_path):
    """An unknown host is bad, whatever the network of the machine."""
    found = {finding.name: finding for finding in examine(tmp_path, "nowhere.invalid")}
    assert {"Python", "memory", "disk", "open files", "DNS", "TLS", "browser", *EXTRAS} == set(
        found
    )
    assert len(found) < 20
    assert found["Python"].state is State.GOOD
    assert found["DNS"].state is found["TLS"].state is State.BAD
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cant_be_written_is_bad(tmp_path):
    found = {finding.name: finding for finding in examine(tmp_path / "no", "nowhere.invalid")}
    assert found["disk"].state is State.BAD


def test_an_extra_that_is_not_there_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "EXTRAS", {"lab": ("no-such-library", "figures")})
    finding = list(examine(tmp_path, "nowhere.invalid"))[-1]
    assert finding.state is State.MISSING
    assert "pip install 'datahound[lab]'" in finding.text


def test_every_extra_is_looked_at_and_in_the_readme():
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == set(EXTRAS)
    rows = [line for line in (root / "README.md").read_text().splitlines() if line.startswith("|")]
    assert {name for name in EXTRAS if any(row.startswith(f"| `{name}` |") for row in rows)} == set(
        EXTRAS
    )


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_command(options, capfd, tmp_path):
    from datahound.cli import run

    assert run(["doctor", str(tmp_path), "--host", "nowhere.invalid", *options]) == 1
    lines = capfd.readouterr().out.splitlines()
    assert any("nowhere.invalid" in line for line in lines)
    assert len(lines) <= 24
    # A path is never broken: people copy it.
    assert options or all(len(line) <= 80 for line in lines if str(tmp_path) not in line)
    if options:
        assert {json.loads(line)["name"] for line in lines} >= {"Python", "TLS"}
