"""Public suites and recorded sites that lie beside the checkout, where they do."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


def shared(path: str) -> Path:
    """A file or folder of the shared material; the test is skipped where it is absent."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"{path} is not beside the checkout")
    return found
