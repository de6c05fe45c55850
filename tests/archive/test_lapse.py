"""Recordings over time: one website as of several dates."""

import pytest
from lapses import SEED, page, write_lapse

from datahound.archive import Lapse, is_lapse
from datahound.errors import ArchiveError


@pytest.fixture
def lapse(tmp_path):
    rounds = [
        {"/": page("/a.csv"), "/a.csv": b"1,2"},
        {"/": page("/b.csv"), "/a.csv": b"1,2", "/b.csv": b"3,4"},
        {"/": page("/b.csv"), "/b.csv": b"3,5"},
    ]
    with Lapse(write_lapse(tmp_path / "made.lapse.warc", rounds)) as lapse:
        yield lapse


def test_a_url_has_its_newest_answer_up_to_a_round(lapse):
    """Later records do not count, earlier ones hold until then."""
    url = SEED + "b.csv"
    assert lapse.find(url, 0) is None
    assert lapse.find(url, 1).answer.body == b"3,4"
    assert lapse.find(url, 2).answer.body == b"3,5"
    assert lapse.find(SEED + "a.csv", 1).answer.body == b"1,2"


def test_what_is_gone_has_its_error(lapse):
    """A URL that was taken away answers 404 from then on."""
    assert lapse.find(SEED + "a.csv", 2).answer.status == 404


def test_name_seed_and_dates(lapse):
    """The name loses its suffixes; a round has the date of its records."""
    assert (lapse.name, lapse.seed, len(lapse)) == ("made", SEED, 3)
    assert lapse.dates[1] - lapse.dates[0] == 86400


def test_recordings_over_time_are_known_by_their_names(tmp_path):
    """Others are read as usual."""
    assert is_lapse(tmp_path / "x.lapse.warc.gz")
    assert not is_lapse(tmp_path / "x.warc.gz")


def test_a_file_without_records_is_refused(tmp_path):
    """One line says so."""
    path = tmp_path / "empty.lapse.warc"
    path.write_bytes(b"nothing")
    with pytest.raises(ArchiveError, match="no record"):
        Lapse(path)
