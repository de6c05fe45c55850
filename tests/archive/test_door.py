"""The package is the door: its names, loaded when they are asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

import datahound
import datahound.archive


@pytest.mark.parametrize("name", datahound.archive.__all__)
def test_every_name_is_there(name):
    thing = getattr(datahound.archive, name)
    assert thing.__name__ == name
    assert thing.__module__.startswith("datahound.archive.")


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = datahound.archive.nonsense


def test_the_package_alone_loads_nothing_heavy():
    """Each command imports the package; few open an archive."""
    home = Path(datahound.__file__).parent
    code = (
        "import sys, types\n"
        "sys.modules['datahound'] = parent = types.ModuleType('datahound')\n"
        f"parent.__path__ = [{str(home)!r}]\n"
        "import datahound.archive\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "datahound.archive" in loaded
    assert not loaded & {"sqlite3", "aiohttp", "selectolax", "datahound.archive.synthetic"}
