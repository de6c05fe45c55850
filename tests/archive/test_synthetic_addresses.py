"""URLs of a synthetic website: each names one thing, and each thing has one URL."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.archive.synthetic import SyntheticSettings
from datahound.archive.synthetic.addresses import Broken, Month, Moved, Picture, split_session
from datahound.archive.synthetic.layout import make_layout
from datahound.archive.synthetic.sections import Article, Hub

SETTINGS = SyntheticSettings(pages=1500, targets=300, languages=("en", "fr"), host="www.a.example")
LAYOUT = make_layout(SETTINGS)
ADDRESSES = LAYOUT.addresses
TRAPPED = make_layout(replace(SETTINGS, traps=True)).addresses
WWW = "https://www.a.example"


def url_of(place):
    return ADDRESSES.hub(place) if isinstance(place, Hub) else ADDRESSES.article(*place)


def test_every_page_has_a_url_of_its_own_that_leads_back():
    places = list(LAYOUT.pages())
    urls = [url_of(place) for place in places]
    assert len(set(urls)) == len(urls) == 1500
    assert [ADDRESSES.find(url) for url in urls] == places


def test_every_file_has_a_url_of_its_own_that_leads_back():
    targets = [LAYOUT.targets[number] for number in range(300)]
    urls = [ADDRESSES.target(target) for target in targets]
    assert len(set(urls)) == 300
    assert [ADDRESSES.find(url) for url in urls] == targets
    for target in targets:
        found = ADDRESSES.find(ADDRESSES.link_to(target))
        assert found == (Moved(ADDRESSES.target(target), 302) if target.moved else target)


def test_a_hidden_file_does_not_show_its_format():
    hidden = [LAYOUT.targets[n] for n in range(300) if LAYOUT.targets[n].hidden]
    assert hidden
    assert not any(ADDRESSES.target(t).endswith(f".{t.format}") for t in hidden)


def test_a_wrong_slug_is_redirected_to_the_right_one():
    """The number counts; the words in a URL do not."""
    article = next(
        p for p in LAYOUT.pages() if isinstance(p, Article) and p.section.kind == "theme"
    )
    url = url_of(article)
    slug = url.rsplit("/", 1)[1].rsplit("-", 1)[0]
    assert ADDRESSES.find(url.replace(slug, "other-words")) == Moved(url)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://www.a.example/x", Moved(WWW + "/x")),
        ("https://a.example/x?y", Moved(WWW + "/x?y")),
        ("http://data.a.example/", Moved("https://data.a.example/")),
        (WWW + "/cgi-bin/anything", Broken()),
        (WWW + "/images/photo-7.png", Picture(7)),
        (WWW + "/images/photo-x.png", None),
        (WWW + "/calendar/2024/01", None),
        (WWW + "/no/such/page", None),
        (WWW + "/go/999999", None),
        (WWW + "/node/999999", None),
        (WWW + "/download/999999", None),
        ("https://data.a.example/cgi-bin/x", None),
    ],
)
def test_odd_urls_name_odd_things(url, place):
    assert ADDRESSES.find(url) == place


@pytest.mark.parametrize(
    ("tail", "month"), [("2024/12", Month(2024, 12)), ("2024/13", None), ("2024/00", None)]
)
def test_the_calendar_is_there_with_traps_only(tail, month):
    url = f"{WWW}/calendar/{tail}"
    assert TRAPPED.find(url) == month
    assert ADDRESSES.find(url) is None


def test_an_article_is_found_under_its_former_address():
    section = next(section for section in LAYOUT.sections if section.articles)
    old = ADDRESSES.old_link_to(section, 0)
    assert ADDRESSES.find(old) == Moved(ADDRESSES.article(section, 0))


@pytest.mark.parametrize(
    ("url", "known"),
    [
        (WWW + "/", True),
        ("http://a.example", True),
        ("https://data.a.example/x", True),
        ("https://b.example/", False),
        ("https://www.a.example.evil/", False),
        ("ftp://www.a.example/", False),
    ],
)
def test_hosts_of_the_website_are_known(url, known):
    assert ADDRESSES.knows_host(url) is known


@pytest.mark.parametrize(
    ("url", "bare", "session"),
    [
        ("https://a/?sid=00000000000000ff", "https://a/", "00000000000000ff"),
        ("https://a/?q=x&sid=00000000000000ff", "https://a/?q=x", "00000000000000ff"),
        ("https://a/?sid=ff", "https://a/?sid=ff", ""),
        ("https://a/?sid=00000000000000ff&x", "https://a/?sid=00000000000000ff&x", ""),
    ],
)
def test_a_session_is_split_off(url, bare, session):
    assert split_session(url) == (bare, session)


@given(st.text("abc0129/?&=-.page", max_size=40))
def test_any_path_names_something_or_nothing(path):
    """And what is redirected leads to a URL that names the thing itself."""
    place = ADDRESSES.find(f"{WWW}/{path}")
    if isinstance(place, Moved):
        assert not isinstance(ADDRESSES.find(place.location), Moved)
