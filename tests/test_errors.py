"""Errors by who can mend them."""

import pytest

from datahound import errors


def test_whoever_catches_the_base_catches_all():
    """A program needs one `except` for everything that Datahound raises on purpose."""
    ours = [
        one
        for one in vars(errors).values()
        if isinstance(one, type) and one.__module__ == errors.__name__
    ]
    assert len(ours) > 4
    assert all(issubclass(one, errors.DatahoundError) for one in ours)


def test_what_the_user_can_mend_is_a_user_error():
    """These end in one line and exit status 2; a site that is gone and our own faults do not."""
    assert issubclass(errors.ArchiveError, errors.UserError)
    assert issubclass(errors.StorageError, errors.UserError)
    assert not issubclass(errors.Unreachable, errors.UserError)
    assert not issubclass(errors.InternalError, errors.UserError)


def test_a_missing_library_is_named_with_its_extra():
    with (
        pytest.raises(errors.UserError, match=r"no_such_library.*datahound\[storage\]"),
        errors.needs_extra("storage"),
    ):
        import no_such_library  # noqa: F401


def test_other_errors_pass_through():
    """A fault inside a library that is there must not pass for a missing one."""
    with pytest.raises(ZeroDivisionError), errors.needs_extra("storage"):
        _ = 1 / 0
