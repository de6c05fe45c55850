"""The figures of crawls: classes of errors, and the text that Prometheus reads."""

import re

import pytest

from datahound.report.status import (
    ERROR_CLASSES,
    Figures,
    LiveFigures,
    classify_error,
    has_failed,
    metrics_text,
)


@pytest.mark.parametrize(
    ("status", "failure", "found"),
    [
        (200, "", ""),
        (304, "", ""),
        (399, "", ""),
        (400, "", "client"),
        (404, "anything", "client"),
        (499, "", "client"),
        (500, "", "server"),
        (599, "", "server"),
        (None, "host not found", "dns"),
        (None, "TLS: handshake failed", "tls"),
        (None, "certificate has expired", "tls"),
        (None, "timed out", "timeout"),
        (None, "can't connect", "connection"),
        (None, "the server sent nonsense", "other"),
        (None, "", "other"),
    ],
)
def test_classes_of_errors(status, failure, found):
    assert classify_error(status, failure) == found
    assert found in ("", *ERROR_CLASSES)


@pytest.mark.parametrize(
    ("status", "failed"), [(0, False), (130, False), (1, True), (2, True), (3, True)]
)
def test_to_be_interrupted_is_no_failure(status, failed):
    assert has_failed(status) is failed


def samples(text):
    """The samples of a text: (metric, labels) and value."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, value = re.fullmatch(r"(\w+)\{(.*)\} (\S+)", line).groups()
            found[name, labels] = float(value)
    return found


def test_every_figure_is_a_sample():
    live = LiveFigures(waiting=7, bytes=100, new_files=3, left=5, left_low=1, left_high=9)
    text = metrics_text({"a.example": Figures(requests=12, running=True, live=live)})
    found = samples(text)
    label = 'crawl="a.example"'
    assert found["datahound_requests_total", label] == 12
    assert found["datahound_running", label] == 1
    assert found["datahound_links_waiting", label] == 7
    assert found["datahound_files_left_estimate", label] == 5
    assert ("datahound_last_request_timestamp_seconds", label) not in found


def test_what_is_not_known_has_no_sample():
    """Zero files left would be a statement."""
    found = samples(metrics_text({"a": Figures()}))
    assert not [name for name, _ in found if "left" in name]


def test_errors_have_all_their_classes():
    """A counter that appears with its first error has no rate for it."""
    live = LiveFigures(errors={"server": 4})
    found = samples(metrics_text({"a": Figures(live=live)}))
    counts = {
        labels: value for (name, labels), value in found.items() if name == "datahound_errors_total"
    }
    assert counts == {
        f'crawl="a",class="{name}"': 4 if name == "server" else 0 for name in ERROR_CLASSES
    }


def test_each_metric_is_described_once():
    text = metrics_text({"a": Figures(), "b": Figures()})
    described = re.findall(r"# TYPE (\w+)", text)
    assert len(described) == len(set(described))
    assert {name for name, _ in samples(text)} == set(described)
    for name in described:
        block = text.split(f"# TYPE {name} ", 1)[1].split("# HELP", 1)[0]
        assert block.count("\n") > 2, "the samples of both crawls follow their description"


def test_names_of_crawls_are_escaped():
    text = metrics_text({'a"b\\c\nd': Figures(requests=1)})
    assert 'crawl="a\\"b\\\\c\\nd"' in text
    assert all(line.startswith(("#", "datahound_")) for line in text.splitlines())


def test_large_counts_keep_their_digits():
    """Bytes of a large crawl are beyond what six digits tell."""
    found = samples(metrics_text({"a": Figures(file_bytes=123_456_789_012_345)}))
    assert found["datahound_file_bytes", 'crawl="a"'] == 123_456_789_012_345


def test_no_crawl_no_text():
    assert metrics_text({}) == ""
