"""What the links of a round say of files that are missing."""

from datahound.refresh.history import LinkGraph


def test_only_a_page_that_was_read_can_drop_a_link():
    """A page that was not read in the round may still have all of its links."""
    graph = LinkGraph()
    graph.note_page("/", ["/a.csv"])
    graph.note_page("/other", ["/b.csv"])
    assert not graph.has_dropped("/", "/a.csv")
    assert graph.has_dropped("/", "/b.csv")
    assert graph.has_dropped("/", "/never.csv")
    assert not graph.has_dropped("/unread", "/a.csv")


def test_the_newest_reading_of_a_page_counts():
    graph = LinkGraph()
    graph.note_page("/", ["/a.csv"])
    graph.note_page("/", ["/b.csv"])
    assert graph.has_dropped("/", "/a.csv")
    assert not graph.has_dropped("/", "/b.csv")
