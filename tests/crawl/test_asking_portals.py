"""What a crawl asks of portals: on which hosts, and what it says of those that it leaves out."""

import json

from conversation import crawl_all

from datahound.events import FileElsewhere, ListRead, PortalEnded, TargetFound
from datahound.model import Response
from datahound.settings import CrawlSettings, SiteSettings

HOME = "https://data.town.org/"
SEARCH = "api/3/action/package_search?rows=1000&start=0"


def html(body):
    return Response("", 200, {"content-type": "text/html"}, body.encode())


def ckan(*urls):
    sets = [
        {"name": f"s{n}", "title": f"S {n}", "resources": [{"url": url, "format": "CSV"}]}
        for n, url in enumerate(urls)
    ]
    found = {"success": True, "result": {"count": len(sets), "results": sets}}
    return Response("", 200, {"content-type": "application/json"}, json.dumps(found).encode())


def crawl(api, *files, **settings):
    """A crawl of a start page whose portal is on the host of an API."""
    first = html(f'<body data-site-root="{api}"><meta name="generator" content="ckan 2.10">')
    table = Response("", 200, {"content-type": "text/csv"}, b"a,b")
    pages = {"http://e.org/": Response("", 301, {"location": HOME}), HOME: first}
    pages |= {f"{api}{SEARCH}": ckan(*files)} | dict.fromkeys(files, table)
    _, events, asked = crawl_all(pages, "hound", settings=CrawlSettings(**settings))
    return events, [url for _, url in asked]


def of(kind, events):
    return [event for event in events if isinstance(event, kind)]


def test_an_api_on_a_sibling_host_is_asked():
    """It is the site's own; files that it names on the site are found, the others are said."""
    events, asked = crawl(
        "https://ckan.town.org/", f"{HOME}a.csv", "https://ckan.town.org/b.csv", "https://x.net/c"
    )
    assert f"https://ckan.town.org/{SEARCH}" in asked
    assert [event.link.url for event in of(TargetFound, events)] == [f"{HOME}a.csv"]
    assert {event.host for event in of(FileElsewhere, events)} == {"ckan.town.org", "x.net"}


def test_linked_files_are_those_that_lists_declare_too():
    """With that option, files of other hosts come even if their names have no extension."""
    events, _ = crawl("https://ckan.town.org/", "https://x.net/c", linked_files=True)
    assert [event.link.url for event in of(TargetFound, events)] == ["https://x.net/c"]


def test_an_api_of_strangers_is_not_asked_and_it_is_said():
    """Once for a host; neither is a sibling where the user wants one host."""
    events, asked = crawl("https://portal.example.net/", f"{HOME}a.csv")
    assert not any("/api/" in url for url in asked)
    (ended,) = (event for event in of(PortalEnded, events) if event.is_elsewhere)
    assert ended.link.url.startswith("https://portal.example.net/api/")
    assert not of(ListRead, events)
    alone = SiteSettings(subdomains=False)
    _, asked = crawl("https://ckan.town.org/", f"{HOME}a.csv", site=alone)
    assert not any("/api/" in url for url in asked)
    hidden = SiteSettings(exclude=("ckan",))
    _, asked = crawl("https://ckan.town.org/", f"{HOME}a.csv", site=hidden)
    assert not any("/api/" in url for url in asked)


def test_a_site_of_nothing_but_an_api():
    """A start page without links: there is no group to choose from, and the crawl ends well."""
    events, asked = crawl(HOME, f"{HOME}a.csv")
    assert len(of(TargetFound, events)) == 1
    assert len(asked) == len(set(asked)) == 7  # two of them are blind questions
