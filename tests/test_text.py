"""Text that is printable, harmless in a spreadsheet, and fit for a file name."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.text import (
    blank_unprintable,
    claim_name,
    escape_iri,
    fold_text,
    guard_formula,
    hash_text,
    make_portable,
    make_slug,
    replace_surrogates,
    show_text,
    strip_controls,
)

ANY_TEXT = st.text(st.characters())


@pytest.mark.parametrize(
    "text",
    ["=1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", " =1", "\n=1", "＝1+1", "＋1a", "－a",
     "＠a", "\x00=1", "\u202e=1", "\ufeff=1", "\u00a0=1", "\u3000＝1", "-5 degrees"],
)  # fmt: skip
def test_a_text_that_begins_a_formula_is_quoted(text):
    """Behind blanks, control characters and overrides, and with full-width signs."""
    assert str(guard_formula(text)) == "'" + strip_controls(text)


@pytest.mark.parametrize(
    "text", ["-5", "-5.3", "-5,3", "+1,5", "-", "--", "-1e-5", "-12 %", "", "a=b", "'=1", "- -"]
)
def test_numbers_dashes_and_plain_texts_are_not_quoted(text):
    """A negative number stays a number."""
    assert guard_formula(text) == text


@pytest.mark.parametrize("value", [-5, 1.5, None, True])
def test_values_that_are_not_text_stay(value):
    """A guard is for texts alone."""
    assert guard_formula(value) is value


@given(ANY_TEXT)
def test_no_guarded_text_begins_a_formula(text):
    """Whatever is before the sign, unless it is a number or has no letter or digit."""
    guarded = str(guard_formula(text))
    first = guarded.lstrip()[:1]
    if first and unicodedata.normalize("NFKC", first) in "=@":
        assert not any(map(str.isalnum, guarded))


@given(ANY_TEXT, st.integers(2, 50))
def test_a_shown_text_is_one_short_line(text, most):
    """No line break, no control character, never longer than asked for."""
    shown = show_text(text, most)
    assert len(shown) <= most
    assert len(shown.splitlines()) <= 1
    assert not set(shown) & set("\x00\x1b\x7f\u202e\u2066\ufeff")
    shown.encode()


def test_a_long_text_ends_in_an_ellipsis():
    """At exactly the limit nothing is cut."""
    assert show_text("abcde", 5) == "abcde"
    assert show_text("abcdef", 5) == "abcd…"
    assert show_text("abc  def", 5) == "abc…"
    assert show_text(17) == "17"


def test_controls_go_and_layout_stays():
    """Tabs and line breaks may be part of a cell; escape sequences may not."""
    assert strip_controls("a\tb\nc\x1b[31m\x85") == "a\tb\nc[31m"
    assert strip_controls("\ud800x\u202ey") == "\ufffdxy"


def test_unprintable_characters_become_blanks():
    """One each, so that words stay apart."""
    assert blank_unprintable("a\nb\x00\u202ec") == "a b  c"
    assert blank_unprintable("Zürich 東京") == "Zürich 東京"


@given(ANY_TEXT)
def test_texts_without_surrogates_can_be_encoded(text):
    """And others are as they were."""
    replaced = replace_surrogates(text)
    replaced.encode()
    assert len(replaced) == len(text)


@pytest.mark.parametrize(
    ("path", "portable"),
    [
        ("a/b.csv", "a/b.csv"),
        ("a/../b", "a/_/b"),
        ("/etc/passwd", "etc/passwd"),
        ("", "_"),
        ("...", "_"),
        (".hidden", "_hidden"),
        ("con", "_con"),
        ("LPT1.txt", "_LPT1.txt"),
        ("console", "console"),
        ("a b. ", "a b"),
        ("x:y|z?", "x_y_z_"),
        ("a\u202eb", "a_b"),
        ("e\u0301", "é"),
    ],
)
def test_portable_paths(path, portable):
    """No device name, no hidden file, no way out, no character that a file system refuses."""
    assert make_portable(path) == portable


@given(ANY_TEXT)
def test_a_portable_path_stays_inside(path):
    """Every segment is short, is not empty and is not a step upwards."""
    for segment in make_portable(path).split("/"):
        assert segment not in ("", ".", "..")
        assert len(segment.encode()) <= 255
        assert not set(segment) & set('\\:*?"<>|$\x00')


def test_long_segments_keep_their_extension_and_stay_different():
    """Two names that share their first 120 bytes differ by a hash."""
    one, two = make_portable("x" * 400 + "1.csv"), make_portable("x" * 400 + "2.csv")
    assert one != two
    assert one.endswith(f"-{hash_text('x' * 400 + '1.csv')}.csv")
    assert make_portable("x" * 400 + "." + "y" * 40).endswith(hash_text("x" * 400 + "." + "y" * 40))


def test_slugs():
    """ASCII, lower case, at most as long as asked for; long ones end in a hash."""
    assert make_slug("\u202e") == ""
    assert make_slug("Ärger--im..Büro!.CSV") == "arger-im.buro-.csv"
    assert len(make_slug("x" * 500)) == 80
    assert make_slug("x" * 500) != make_slug("x" * 501)
    assert len(make_slug("x" * 500, 20)) == 20


def test_claimed_names_are_unique_in_any_case():
    """A number that another name has already is skipped."""
    taken: set[str] = set()
    assert [claim_name(name, taken) for name in ("a", "A", "a-2", "a")] == [
        "a",
        "A-2",
        "a-2-2",
        "a-3",
    ]
    assert claim_name("a", {"a"}, "_") == "a_2"


def test_iris():
    """What an IRI may hold stays; the rest is percent-encoded once."""
    assert escape_iri("https://a.org/%20?q=<b> é") == "https://a.org/%20?q=%3Cb%3E%20%C3%A9"
    assert escape_iri("a\ud800") == "a?"


@pytest.mark.parametrize(
    ("text", "folded"),
    [("ÉCOLE", "ecole"), ("Łódź", "lodz"), ("Ærø", "aero"), ("İstanbul", "istanbul"), ("ﬁ", "fi"),
     ("ΑΘΗΝΑ", "αθηνα"), ("한국", "한국"), ("مُحَمَّد", "محمد"), ("が", "が")],
)  # fmt: skip
def test_folding(text, folded):
    """Case, accents and ligatures go; letters of other scripts stay what they are."""
    assert fold_text(text) == folded
    assert fold_text(folded) == folded


@pytest.mark.parametrize("text", ["+" + "1," * 500_000 + "x", "-" + "1 " * 500_000 + "x"])
def test_texts_that_are_almost_numbers_are_judged_in_a_moment(text):
    begun = time.perf_counter()
    assert guard_formula(text) == "'" + text
    assert time.perf_counter() - begun < 1
