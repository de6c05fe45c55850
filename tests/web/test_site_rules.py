"""A site's rules: hosts, scope, and what to include or leave out."""

import pytest

from datahound.errors import UserError
from datahound.model import Skip
from datahound.settings import SiteSettings
from datahound.web.site import Site

SEED = "https://www.a.org/min/"
CASES = [
    (SiteSettings(), "https://b.a.org/", None),
    (SiteSettings(), "https://ba.org/", Skip.OTHER_SITE),
    (SiteSettings(subdomains=False), "https://b.a.org/", Skip.OTHER_SITE),
    (SiteSettings(subdomains=False), "http://a.org/x", None),
    (SiteSettings(allowed_hosts=("cdn.net",)), "https://cdn.net/x.csv", None),
    (SiteSettings(allowed_hosts=("cdn.net",)), "https://x.cdn.net/x.csv", Skip.OTHER_SITE),
    (SiteSettings(scope="/min/"), "https://a.org/min/x", None),
    (SiteSettings(scope="/min/"), "https://a.org/other", Skip.OUT_OF_SCOPE),
    (SiteSettings(scope="https://www.a.org/min/"), "http://www.a.org/min/x", None),
    (SiteSettings(scope="https://www.a.org/min/"), "https://b.a.org/min/x", Skip.OUT_OF_SCOPE),
    (SiteSettings(scope="/min/", allowed_hosts=("cdn.net",)), "https://cdn.net/x", None),
    (SiteSettings(include=(r"/\d+/",)), "https://a.org/12/x", None),
    (SiteSettings(include=(r"/\d+/",)), "https://a.org/x", Skip.NOT_INCLUDED),
    (SiteSettings(exclude=(r"\?print",)), "https://a.org/x?print=1", Skip.EXCLUDED),
]


@pytest.mark.parametrize(("rules", "url", "objection"), CASES)
def test_each_rule_gives_its_reason(rules, url, objection):
    """What is left out is left out for a reason that can be shown."""
    site = Site(SEED, rules)
    assert site.objection(url) == objection
    assert site.admits(url) == (objection is None)


def test_a_bad_pattern_is_named():
    """The user learns which expression is wrong."""
    with pytest.raises(UserError, match="regular expression"):
        Site(SEED, SiteSettings(exclude=("(",)))


def test_a_moved_site_keeps_its_rules():
    """Moving changes the host and nothing else."""
    site = Site(SEED, SiteSettings(exclude=("x",))).moved("https://b.org/")
    assert site.objection("https://b.org/x") == Skip.EXCLUDED
    assert site.objection("https://a.org/") == Skip.OTHER_SITE
