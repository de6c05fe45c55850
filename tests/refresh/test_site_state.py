"""Whether a site was redesigned, or is not there at all."""

from datahound.events import CheckOutcome
from datahound.refresh.site_state import SiteState


def count(state, *, there=0, gone=0, failed=0, other=0):
    for number, kinds in ((there, (1, 1, 0)), (gone, (0, 1, 0)), (failed, (0, 0, 0))):
        for _ in range(number):
            is_there, has_answer, has_new_links = map(bool, kinds)
            state.count_page(is_there=is_there, has_answer=has_answer, has_new_links=has_new_links)
    for _ in range(other):
        state.count_page(is_there=True, has_answer=True, has_new_links=True)
    return state


def test_errors_are_no_redesign():
    """A server that fails says nothing of its pages; one without them does."""
    assert not count(SiteState(), there=1, failed=30).is_redesigned
    assert count(SiteState(), there=1, gone=30).is_redesigned
    assert count(SiteState(), there=1, other=30).is_redesigned
    assert not count(SiteState(), there=20, gone=10).is_redesigned


def test_one_page_or_file_is_enough_to_be_there():
    state = count(SiteState(), gone=10, failed=10)
    assert state.is_silent
    assert state.is_hopeless
    state.count_file(CheckOutcome.UNCHANGED)
    assert not state.is_silent
    assert not state.is_hopeless


def test_the_start_page_is_asked_for_after_three_misses():
    assert not count(SiteState(), gone=2).needs_start_page
    assert count(SiteState(), gone=3).needs_start_page
    assert not count(SiteState(), there=1, gone=3).needs_start_page


def test_counts_of_older_versions_can_be_read():
    """They had two of the four."""
    state = SiteState()
    state.restore([20, 15])
    assert state.is_redesigned
    assert not state.is_silent
    back = SiteState()
    back.restore(count(SiteState(), gone=30).snapshot())
    assert back.is_silent
