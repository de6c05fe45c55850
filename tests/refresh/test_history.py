"""What links lead to, once a round has read all pages."""

from datahound.refresh.history import LinkGraph


def test_what_only_unreached_pages_link_to_is_unreached():
    """A ring of pages that nobody links to is unreached, and so are its files."""
    graph = LinkGraph()
    graph.note_page("/", ["/old", "/a.csv"])
    graph.note_redirect("/old", "/new")
    graph.note_page("/new", ["/b.csv"])
    graph.note_page("/x", ["/y", "/c.csv"])
    graph.note_page("/y", ["/x"])
    urls = ["/new", "/a.csv", "/b.csv", "/c.csv", "/x", "/never"]
    assert graph.find_unreached("/", urls) == ["/c.csv", "/x", "/never"]
