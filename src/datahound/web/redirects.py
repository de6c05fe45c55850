"""Which answers send the client on to another URL."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Not 300, which offers a choice, nor 304 and 305, which lead nowhere.


def is_redirect(status: int) -> bool:
    """Whether an answer with this status is followed to its `Location`.

    >>> is_redirect(301), is_redirect(304), is_redirect(200)
    (True, False, False)
    """
    return status in _REDIRECTS
