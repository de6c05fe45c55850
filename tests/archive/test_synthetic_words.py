"""The words of every language: complete, and fit for URLs."""

import re

import pytest

from datahound.archive.synthetic.settings import LANGUAGES
from datahound.archive.synthetic.words import FIRST_YEAR, YEARS, load_words

ENGLISH = load_words("en")


@pytest.fixture(params=LANGUAGES)
def words(request):
    return load_words(request.param)


def test_every_language_says_what_english_says(words):
    assert words.labels.keys() == ENGLISH.labels.keys()
    assert words.label_slugs.keys() == ENGLISH.label_slugs.keys()
    assert [len(topics) for topics in words.topics] == [len(topics) for topics in ENGLISH.topics]
    assert len(words.themes) == len(ENGLISH.themes) == 12
    assert len(words.root_pages) == len(ENGLISH.root_pages)
    assert all(words.labels.values())
    assert words.sentences
    assert words.places


def test_slugs_are_fit_for_urls(words):
    slugs = [slug for _, slug in words.themes]
    slugs += [slug for topics in words.topics for _, slug in topics]
    slugs += [subject.slug for subjects in words.subjects for subject in subjects]
    slugs += list(words.label_slugs.values())
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug) for slug in slugs)


def test_themes_are_told_apart_by_their_slugs(words):
    assert len({slug for _, slug in words.themes}) == len(words.themes)


def test_a_title_has_its_year(words):
    for chance in (0, 12345, 2**40 + 7, 2**64 - 1):
        title = words.title(3, chance)
        assert FIRST_YEAR <= title.year < FIRST_YEAR + YEARS
        assert str(title.year) in title.text
        assert title.slug.endswith(f"-{title.year}")
        assert title == words.title(3, chance)


def test_where_a_script_has_no_ascii_slugs_are_english():
    for language in ("ja", "ar"):
        assert [slug for _, slug in load_words(language).themes] == [s for _, s in ENGLISH.themes]
    assert load_words("fr").themes != ENGLISH.themes


def test_words_are_loaded_once():
    assert load_words("es") is load_words("es")
