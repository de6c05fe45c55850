"""Rows by URL: none is missed, equal hashes are all named, rows to come are to be searched."""

from hypothesis import given
from hypothesis import strategies as st

from datahound.dashboard.url_index import UrlIndex
from datahound.store.queries_counts import URL_KEYS

TABLE = next(iter(URL_KEYS))
URLS = st.lists(st.sampled_from([f"https://x.example/{n}" for n in range(20)]), max_size=60)


def test_an_empty_index_leaves_all_rows_to_be_searched():
    keys, upto = UrlIndex().find(TABLE, "https://x.example/")
    assert (list(keys), upto) == ([], -1)


@given(URLS, st.integers(1, 7))
def test_every_row_of_a_url_is_found(urls, size):
    index = UrlIndex()
    rows = list(enumerate(urls, 1))
    for start in range(0, len(rows), size):
        piece = rows[start : start + size]
        index.add(TABLE, piece, piece[-1][0])
    for url in {*urls, "https://x.example/never"}:
        keys, upto = index.find(TABLE, url)
        assert set(keys) >= {key for key, other in rows if other == url}
        assert upto == (len(rows) or -1)


def test_ranges_without_rows_count_as_read():
    index = UrlIndex()
    index.add(TABLE, [], 10_000)
    assert index.find(TABLE, "https://x.example/").last == 10_000


def test_tables_are_kept_apart():
    one, other = list(URL_KEYS)[:2]
    index = UrlIndex()
    index.add(one, [(1, "https://x.example/")], 1)
    assert list(index.find(one, "https://x.example/").keys) == [1]
    assert list(index.find(other, "https://x.example/").keys) == []


def test_the_rows_of_one_url_are_bounded():
    index = UrlIndex()
    index.add(TABLE, [(key, "https://x.example/") for key in range(1, 5000)], 5000)
    assert 100 <= len(index.find(TABLE, "https://x.example/").keys) <= 1000
