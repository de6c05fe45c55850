"""What was probably missed, in sentences with numbers and options."""

from dataclasses import replace

import pytest

from datahound.events import Fetched, FileElsewhere, Foreseen, Skipped, TargetFound
from datahound.model import PAGE_IN_PLACE, Fetch, FileRecord, Kind, Link, Purpose, Skip
from datahound.report.missed import explain_no_files, list_missed
from datahound.report.phrases import Unfollowed
from datahound.store.writer import Store

SITE = "https://a.example"


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "crawl.db")
    yield store
    store.close()


def sentences(store, *events, unfollowed=Unfollowed()):  # noqa: B008 frozen
    store.observe(list(events))
    store.flush()
    return list_missed(store.connection, unfollowed)


def elsewhere(host, *names):
    return [FileElsewhere(Link(f"https://{host}/{name}"), host, name[-4:]) for name in names]


def fetched(url, status=200, failure="", mime_type="text/csv"):
    return Fetched(1, Fetch(url), status, Kind.OTHER, Kind.PAGE, 9, failure, None, mime_type)


def test_a_crawl_that_missed_nothing_says_nothing(store):
    assert sentences(store) == []


def test_files_on_other_hosts_are_counted_by_host_and_type(store):
    """A file that many pages link to is one file; many hosts are summed up."""
    events = elsewhere("cdn.example", "1.csv", "1.csv", "2.csv", "3.pdf")
    for number in range(4):
        events += elsewhere(f"{number}.example", "x.csv")
    found = sentences(store, *events)
    assert found[0].startswith("3 files (2 CSV, 1 PDF) on cdn.example: --allow-host cdn.example")
    assert found[-1].startswith("2 files on 2 more hosts: --linked-files")


def test_what_services_on_other_hosts_show_is_named_by_host(store):
    """Dashboards, shares and archives; not other websites, nor files that have a sentence."""
    urls = [
        "https://app.powerbi.com/view?r=1",
        "https://app.powerbi.com/view?r=2",
        "https://public.tableau.com/views/a",
        "https://www.dropbox.com/s/1/a.xlsx?dl=0",
        "https://zenodo.org/records/1",
        "https://social.example/share?u=https://app.powerbi.com/",
        "https://notzenodo.org/records/1",
    ]
    events = [Skipped(Link(url), Skip.OTHER_SITE) for url in urls]
    file = FileElsewhere(Link(urls[3]), "www.dropbox.com", ".xlsx")
    assert sentences(store, *events, file)[1:] == [
        (
            "3 dashboards or charts that the pages show (2 on app.powerbi.com, "
            "1 on public.tableau.com): open them and export the data there."
        ),
        "1 page of a data archive that the pages show (1 on zenodo.org): the files are there.",
    ]


def test_files_on_other_hosts_that_were_fetched_later_are_not_missed(store):
    """A finished crawl was given `--allow-host`, and has got one of the two since."""
    found = TargetFound(1, Link("https://cdn.example/1.csv"), "text/csv", 9)
    text = "\n".join(sentences(store, *elsewhere("cdn.example", "1.csv", "2.csv"), found))
    assert "1 CSV file on cdn.example" in text


def test_skipped_and_refused(store):
    """robots.txt by section, names of other types by extension, hosts by status."""
    found = sentences(
        store,
        Skipped(Link(f"{SITE}/data/1"), Skip.ROBOTS),
        Skipped(Link(f"{SITE}/a.pdf"), Skip.UNWANTED_NAME),
        Skipped(Link("nonsense"), Skip.UNWANTED_NAME),
        Skipped(Link(f"{SITE}/tag/9/feed"), Skip.BARREN_KIND),
        fetched(f"{SITE}/x", 403),
        fetched(f"{SITE}/data/1", None, "forbidden by robots.txt"),
    )
    text = "\n".join(found)
    assert "robots.txt hid 1 URL, most in a.example/data" in text
    assert "2 URLs named as other types (.pdf" in text
    assert "1 URL in options, link elements and such left out" in text
    assert "a.example refused 1 request (status 403): --cookies" in text
    assert text.count("refused") == 1


def test_links_to_files_that_the_site_does_not_have(store):
    """A page that is gone is no file; what the crawl thought of by itself is nobody's link."""
    gone = [fetched(f"{SITE}/{n}.csv", 404) for n in (1, 2, 2)]
    gone += [fetched(f"{SITE}/4.csv", 410), fetched(f"{SITE}/page", 404)]
    guessed = fetched(f"{SITE}/5.csv", 404)
    gone.append(replace(guessed, fetch=Fetch(f"{SITE}/sitemap.xml", Purpose.LIST)))
    foreseen = Foreseen(Link(SITE), Link(f"{SITE}/5.csv"), found=False)
    text = "\n".join(sentences(store, *gone, guessed, foreseen))
    assert (
        "3 links to files that could not be fetched (2 with status 404, 1 with status 410)" in text
    )


def test_dropped_answers(store):
    """Pictures are nothing that anybody misses; pages in place of files are told apart."""
    found = sentences(
        store,
        fetched(f"{SITE}/x.csv", failure=PAGE_IN_PLACE),
        fetched(f"{SITE}/f", mime_type="application/atom+xml"),
        fetched(f"{SITE}/p", mime_type="image/png"),
    )
    assert found == [
        "1 file was a page (a login, an error?) and not kept: --cookies FILE.",
        "1 answer of types that were not asked for (1 atom+xml): --target takes more types.",
    ]


def test_files_that_were_not_kept(store):
    """Too large, or not to be had."""
    ledger = store.ledger()
    ledger.finished(FileRecord("u", "", 5_000_000, "", "text/csv", "", "too large"))
    (large,) = sentences(store)
    assert large == "1 file was too large to be kept (up to 5.0 MB): raise --max-file-size."


@pytest.mark.parametrize(
    ("events", "unfollowed", "why"),
    [
        ([], Unfollowed(script_pages=1), "scripts are not run"),
        ([Skipped(Link(SITE), Skip.ROBOTS)], Unfollowed(), "robots.txt forbids 1 URL"),
        ([fetched(SITE, 403)], Unfollowed(), "refused 1 request (status 403)"),
        (elsewhere("b.example", "1.csv"), Unfollowed(), "1 file on other hosts"),
        ([Skipped(Link(SITE), Skip.UNWANTED_NAME)], Unfollowed(), "--target all"),
        ([Skipped(Link(SITE), Skip.OTHER_SITE)], Unfollowed(), "other websites"),
        ([], Unfollowed(), "hardly a link"),
    ],
)
def test_why_a_site_gave_nothing(store, events, unfollowed, why):
    """The first reason that fits."""
    sentences(store, *events)
    assert why in explain_no_files(store.connection, unfollowed)
