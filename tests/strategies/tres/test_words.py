"""Words of pages and links, and keywords."""

from datahound.strategies.tres.words import (
    Keywords,
    Text,
    find_typical_words,
    read_keywords,
    read_link_text,
)


def test_the_published_keywords():
    """43 words and 31 phrases; those with capitals match only where they are mended."""
    published, mended = read_keywords(mended=False), read_keywords(mended=True)
    assert (len(published.words), len(published.phrases)) == (43, 31)
    assert not published.is_phrase_in("download csv")
    assert mended.is_phrase_in("download csv")
    assert mended.is_phrase_in("download publication of the year")


def test_a_text_is_read_in_lower_case_without_stop_words():
    """Digits, punctuation, stop words and single letters go; every keyword counts."""
    keywords = Keywords(["data", "csv"], ["available for download"])
    text = keywords.read("The DATA of 2020: a CSV, data; Available for Download!", "http://a/", 5)
    assert text == Text(("data", "csv", "data", "available", "download"), 3, True, False)
    assert len(keywords.read("one two three " * 100, "http://a/", 7).words) == 7


def test_learned_words_are_looked_for_in_texts_only():
    """In a URL only the words of the list count, anywhere in it."""
    keywords = Keywords(["data"]).expand(["login"])
    assert keywords.read("login", "http://a/login", 9).keywords == 1
    assert not keywords.is_in_url("http://a/login")
    assert keywords.is_in_url("http://a/OPENDATA/1")


def test_a_link_is_read_by_its_anchor_and_url():
    """Without the scheme, which is no word of anybody's."""
    assert read_link_text("All files", "https://a.example/x") == "All files a.example/x"


def test_hints_of_a_link_are_in_its_anchor_or_the_words_of_its_url():
    """A keyword is a whole word, learned ones too; a phrase may be spelled with punctuation."""
    keywords = Keywords(["data"], ["data file"]).expand(["annex"])
    hints = {
        ("Data", "https://a.example/x"): (True, False),
        ("More", "https://a.example/annex/1"): (True, False),
        ("More", "https://a.example/data-file.html"): (True, True),
        ("More", "https://a.example/opendata/"): (False, False),
    }
    for (anchor, url), expected in hints.items():
        assert keywords.find_hints(read_link_text(anchor, url)) == expected, url


def test_words_as_typical_as_the_keywords_are_learned():
    """By the odds that a positive document has them, against a negative one."""
    positive = [Text(("data", "annex", "menu"))] * 9 + [Text(("data", "menu", "rare"))]
    negative = [Text(("menu",))] * 20 + [Text(("data", "menu"))]
    assert find_typical_words(positive, negative, frozenset({"data"})) == {"annex"}
    assert find_typical_words(positive, negative, frozenset({"unseen"})) == set()
