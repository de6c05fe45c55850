"""Which URLs belong to a website."""

from datahound.web.site import Site


def test_the_boundary_of_the_paper():
    """A site is its host without `www.`, and every subdomain of it; nothing else."""
    site = Site("https://www.example.org/start")
    for url in (
        "https://www.example.org/",
        "http://example.org/a",
        "https://data.example.org:8443/x.csv",
        "https://a.b.example.org/",
    ):
        assert site.admits(url), url
    for url in (
        "https://example.com/",
        "https://notexample.org/",
        "https://example.org.evil.net/",
        "https://org/",
    ):
        assert not site.admits(url), url


def test_a_site_that_is_a_subdomain():
    """A seed on a subdomain does not admit its parent."""
    site = Site("https://data.example.org/")
    assert site.admits("https://old.data.example.org/")
    assert not site.admits("https://www.example.org/")


def test_a_public_suffix_is_no_site():
    """`www.gov.uk` is one host; every other name below `gov.uk` is a site of its own."""
    for seed in ("https://www.gov.uk/", "https://gov.uk/"):
        site = Site(seed)
        assert site.admits(seed)
        assert not site.admits("https://www.kent.gov.uk/")
    assert Site("https://www.kent.gov.uk/").admits("https://data.kent.gov.uk/")
    assert Site("http://www.intranet/").admits("http://intranet/")
