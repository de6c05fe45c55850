"""What is indexed and what is asked of the index."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.catalog.search import index_text, split_query


@pytest.fixture(scope="module")
def index():
    connection = sqlite3.connect(":memory:")
    connection.execute(
        'CREATE VIRTUAL TABLE search USING fts5 (title, tokenize = "unicode61 remove_diacritics 0'
        " categories 'L* N* Co Mn Mc'\", prefix = '2 3')"
    )
    return connection


def build_match(text):
    return " AND ".join(split_query(text).values())


def finds(index, text, query):
    index.execute("DELETE FROM search")
    index.execute("INSERT INTO search VALUES (?)", (index_text(text),))
    found = index.execute("SELECT count(*) FROM search WHERE search MATCH ?", (build_match(query),))
    return bool(found.fetchone()[0])


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Élèves par école", "eleves"),
        ("Pupils by school", "PUPIL schools"),
        ("Pupil by school", "pupils"),
        ("Classes", "class"),
        ("Übernachtung", "übernachtungen"),
        ("Straße", "strasse"),
        ("都道府県別人口", "府県"),
        ("한국의인구", "인구"),
        ("ประชากรไทย", "ไทย"),
        ("население города", "насел"),
        ("wages-by_region", "region"),
        ("2019", "2019"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_what_is_found(index, text, query):
    """Without case, accents and plural; by prefix; inside words of unspaced scripts."""
    assert finds(index, text, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [("Pupils", "upils"), ("Pupils", "pupils teachers"), ("人口", "口人"), ("class", "clas s")],
)
def test_what_is_not_found(index, text, query):
    """No middle of a word, no missing word, no other order of characters."""
    assert not finds(index, text, query)


def test_queries_without_words_are_empty():
    """Signs alone match nothing."""
    assert build_match(' "*-( ') == ""
    assert len(split_query(" ".join(f"a{n}" for n in range(99)))) == 16


@given(st.text())
def test_no_query_is_a_syntax_error(index, text):
    """Whatever is typed."""
    if expression := build_match(text):
        index.execute("SELECT 1 FROM search WHERE search MATCH ?", (expression,)).fetchall()
