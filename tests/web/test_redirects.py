"""Which statuses are followed."""

import pytest

from datahound.web.messages import is_redirect


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_followed(status):
    """The five statuses whose `Location` names the next request."""
    assert is_redirect(status)


@pytest.mark.parametrize("status", [200, 201, 300, 304, 305, 306, 309, 404, 0])
def test_not_followed(status):
    """A 201 has a `Location` too, and a 304 has no body: neither is followed."""
    assert not is_redirect(status)
