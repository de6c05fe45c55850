"""Encodings and delimiters, and why both are detected here.

Texts that are neither marked nor UTF-8 are left to charset-normalizer. Delimiters are not left to
`csv.Sniffer`: `test_the_sniffer_of_python_is_worse` measures both.
"""

import csv
import sys
from pathlib import Path

import pytest
from catalog_files import looked

from datahound.catalog.readers.encoding import (
    detect_delimiter,
    detect_encoding,
    is_binary,
    read_head,
    read_lines,
)

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "quality"))


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8-sig", "Köln;5\nMünchen;7\n"),
        ("cp1252", "Köln;5\nMünchen;7\nDüsseldorf;9\nZürich;1\nGenève;3\n"),
        ("utf-16", "Köln;5\nMünchen;7\n"),
        ("shift_jis", "北海道;5\n東京都;7\n大阪府と京都府;9\n沖縄県の人口;3\n"),
        ("windows-1251", "Москва;5\nСанкт-Петербург;7\nНовосибирск;9\nЕкатеринбург;3\n"),
    ],
)
def test_encodings(tmp_path, encoding, text):
    """Texts are read in the encoding that they are written in."""
    found = looked(tmp_path, "t.csv", ("name;value\n" + text).encode(encoding))
    assert found.delimiter == ";"
    names = [row[0] for row in found.tables[0].sample]
    assert names == [line.split(";")[0] for line in text.splitlines()]


def test_prose_is_no_table(tmp_path):
    """A letter with commas in it has no tables."""
    letter = (
        "Dear Sir,\n\nthank you for your letter, which came on Monday.\nWe hope, as ever,\n" * 20
    )
    found = looked(tmp_path, "letter.txt", letter)
    assert (found.format, found.tables, found.error) == ("text", [], "")


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"plain", "utf-8"),
        ("Köln".encode(), "utf-8"),
        (b"\xef\xbb\xbfa", "utf-8-sig"),
        ("Köln".encode("utf-16"), "utf-16"),
        ("Köln".encode("utf-32"), "utf-32"),
        ("Köln, Bonn".encode("utf-16-le"), "utf-16-le"),
        ("Köln, Bonn".encode("utf-16-be"), "utf-16-be"),
        ("Köln".encode()[:2], "utf-8"),
    ],
)
def test_marks_and_unicode(body, encoding):
    """A character that is cut at the end of the sample is not an error."""
    assert detect_encoding(body) == encoding


def test_binary_files():
    """Zeros and control characters, unless the text is UTF-16."""
    assert is_binary(b"a\0b")
    assert is_binary(bytes(range(1, 9)) * 20)
    assert not is_binary("text".encode("utf-16-le"))
    assert not is_binary(b"\x1b[31m" + b"x" * 100)


def test_lines_of_broken_files(tmp_path):
    """What can't be decoded is replaced, zeros are dropped, line ends stay."""
    path = tmp_path / "x"
    path.write_bytes(b"a\xff\0b\r\nc")
    assert list(read_lines(path, "utf-8")) == ["a\ufffdb\r\n", "c"]
    assert read_head(path, 2) == b"a\xff"


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("name;share;rate\na;2,5;1,5\nb;4,5;1,7\nc;6,5;1,9\n", ";"),
        ('"a;b",c\n"d;e",f\n', ","),
        ("Title of it all\n\na;b;c\n1;2;3\n4;5;6\n\nSource: x, y\n", ";"),
        ("a\n1\n2\n", None),
        ("", None),
        ("a,b\n", None),
        ("Dear Sir, hello\nDear Madam, bye\n", None),
        ("a, b\n1, 2\n3, 4\n", ","),
        (("word " * 40 + "," + "word " * 40 + "\n") * 5, None),
        ("a,b,c\n1,2\n3\n4,5,6,7\n8,9,1,2,3\n", None),
    ],
)
def test_delimiters(text, delimiter):
    """The same number of short fields in most lines, and no sentences."""
    assert detect_delimiter(text) == delimiter


def test_the_sniffer_of_python_is_worse(tmp_path):
    """On the labelled files it misses or mistakes at least a tenth; ours is right on all."""
    from labelled_files import write_all

    write_all(tmp_path)
    wrong, ours = 0, 0
    files = [path for path in sorted(tmp_path.iterdir()) if path.suffix in (".csv", ".tsv")]
    for path in files:
        text = path.read_bytes().decode(detect_encoding(path.read_bytes()), "ignore")
        expected = "\t" if path.suffix == ".tsv" else max(",;", key=text.count)
        ours += detect_delimiter(text, path.name) != expected
        try:
            wrong += csv.Sniffer().sniff(text[:100_000], ",;\t|").delimiter != expected
        except csv.Error:
            wrong += 1
    assert len(files) > 50
    assert ours == 0
    assert wrong >= 0.1 * len(files), (wrong, len(files))


def test_western_texts_are_cp1252():
    """Short texts are valid in many encodings; Polish and Japanese ones are still told apart."""
    assert detect_encoding("Bevölkerung nach Ländern; Größe".encode("cp1252")) == "cp1252"
    polish = "Województwo; ludność; mężczyźni; ogółem; powiaty; gminy; źródło; dolnośląskie"
    assert detect_encoding(polish.encode("cp1250")) == "cp1250"
    assert detect_encoding(("都道府県別延べ宿泊者数、" * 9).encode("cp932")) == "cp932"


def test_delimiters_below_titles_with_commas():
    """Lines of one cell, padded or not, are no rows; keys before a tab may be joined by commas."""
    titles = "Population: Germany, date\nUpdated, yearly;;\n;Total\n"
    rows = "".join(f"31.12.{year};8{year}\n" for year in range(2010, 2016))
    assert detect_delimiter(titles + rows + "Source, note\n", "a.csv") == ";"
    keys = "freq,unit,geo\\TIME\t2015 \t2016 \n" + "A,NR,AT\t1 \t2 \n" * 4
    assert detect_delimiter(keys, "a.tsv") == "\t"


def test_hungarian_is_told_from_western_languages():
    """Only two letters differ, and Portuguese and Estonian have their codes, too."""
    hungarian = "Időszak; Nők; Férfiak; vármegye és régió szerint [ezer fő]; összesen"
    assert detect_encoding(hungarian.encode("cp1250")) == "cp1250"
    for text in ("População; milhões; regiões e municípios", "Põhja-Eesti; Jõgeva; Lääne-Viru"):
        assert detect_encoding(text.encode("cp1252")) == "cp1252"


def test_short_japanese_texts():
    """They are few bytes for a guess; two bytes of another script are no Japanese ones."""
    title = (
        "２－１　人口の推移（大正９年～令和２年）\n年次,,総人口,男,女\n昭和50年,1975,39361,21201\n"
    )
    assert detect_encoding(title.encode("cp932")) == "cp932"
    others = [("Численность постоянного населения;человек\n", "cp1251"),
              ("행정구역별 총인구수;세대수;남자;여자\n" * 3, "cp949")]  # fmt: skip
    for text, encoding in others:
        assert text.encode(encoding).decode(detect_encoding(text.encode(encoding))) == text
