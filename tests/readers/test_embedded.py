"""Names of data files between quotes, anywhere in a page."""

import time

import pytest

from datahound.readers.embedded import find_embedded


def test_names_in_comments_and_styles_are_left_out():
    page = b"""<!-- "/old.csv" --> <style>"/s.csv"</style> f("/new.csv") <!-- "/older.csv" -->"""
    assert list(find_embedded(page)) == ["/new.csv"]


@pytest.mark.parametrize("piece", ['<!--"/a%d.csv"-->', '<style"/a%d.csv"', '"/a.csv" '])
def test_pages_with_as_many_comments_as_names_cost_linear_time(piece):
    """A page of 2 MB takes about half a second of the processor."""
    page = "".join(piece.replace("%d", str(n)) for n in range(2_000_000 // len(piece))).encode()
    began = time.process_time()
    assert len(list(find_embedded(page))) <= 1
    assert time.process_time() - began < 5
