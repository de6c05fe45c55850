"""Comparing two folders of results, and a list of URLs with those of a crawl."""

import pytest
from made_results import ORIGIN, make_run, make_site, rows_of, save_results
from typer.testing import CliRunner

from datahound.cli.lab import app
from datahound.errors import UserError
from datahound.lab.report import compare_results
from datahound.lab.report.compare import compare_with_list
from datahound.lab.results import Origin

SITES = (make_site(), make_site("two"))


def test_the_same_results_are_the_same(tmp_path):
    """No difference, no winner, no p-value, no note."""
    runs = [make_run(seed=seed) for seed in range(3)]
    path = save_results(tmp_path / "a", *runs)
    found = compare_results(path, path)
    assert rows_of(found.overall) == {
        "sb-classifier": ["0.500 ± 0.000", "0.500 ± 0.000", "+0.000", "0/0", "the same"]
    }
    assert found.notes == ()


def test_a_change_shows(tmp_path):
    """Means over sites, the difference, pairs won, and a p-value adjusted for all crawlers."""

    def runs(change):
        for site in ("one", "two"):
            for seed in range(4):
                area = 0.5 + seed / 100 + (site == "two") / 10
                yield make_run(site=site, seed=seed, area=area + change)
            yield make_run("bfs", site=site, area=0.3)

    a = save_results(tmp_path / "a", *runs(0.0), sites=SITES)
    b = save_results(tmp_path / "b", *runs(0.1), sites=SITES)
    found = compare_results(a, b)
    assert found.overall.title == f"A: {a}, B: {b}"
    assert rows_of(found.overall) == {
        "sb-classifier": ["0.565 ± 0.071", "0.665 ± 0.071", "+0.100", "8/8", "0.016"],
        "bfs": ["0.300 ± 0.000", "0.300 ± 0.000", "+0.000", "0/0", "the same"],
    }
    by_site = [[row.head, *(c.parts[0].text for c in row.cells)] for row in found.by_site.rows]
    assert by_site[:2] == [
        ["sb-classifier", "one", "50.0 ± 0.0", "50.0 ± 0.0", "0.515 ± 0.013", "0.615 ± 0.013",
         "+0.100"],
        ["sb-classifier", "two", "50.0 ± 0.0", "50.0 ± 0.0", "0.615 ± 0.013", "0.715 ± 0.013",
         "+0.100"],
    ]  # fmt: skip


def test_only_what_both_have_is_compared(tmp_path):
    """A crawler, variant or site that one lacks is left out of both; variants come last."""
    both = [make_run("bfs", area=0.4), make_run(variant="ngram=3")]
    a = save_results(
        tmp_path / "a", *both, make_run("dfs"), make_run("bfs", site="two", area=0.9), sites=SITES
    )
    b = save_results(tmp_path / "b", *both, make_run("hound"))
    found = compare_results(a, b)
    assert list(rows_of(found.overall)) == ["bfs", "sb-classifier ngram=3"]
    assert rows_of(found.overall)["bfs"][:2] == ["0.400", "0.400"]
    assert found.notes == ("Only in A: two.",)


def test_what_differs_is_noted(tmp_path):
    """Versions, settings, sites of only one, sites that changed."""
    a = save_results(tmp_path / "a", make_run(), sites=(make_site(), make_site("mine")))
    origin = Origin("1.3", ("ngram=3",))
    other = (make_site(requests=999), make_site("theirs"))
    b = save_results(tmp_path / "b", make_run(), sites=other, origin=origin)
    assert compare_results(a, b).notes == (
        "A was made by datahound 1.2.3, B by 1.3.",
        "A and B were made with different settings.",
        "Only in A: mine.",
        "Only in B: theirs.",
        "Not the same site in A and B, going by its size: one.",
    )


@pytest.mark.parametrize("other", [make_run("bfs"), make_run(variant="ngram=3")])
def test_nothing_in_common_is_an_error(tmp_path, other):
    """Folders that share no crawler on one site can't be compared."""
    a = save_results(tmp_path / "a", make_run(), origin=ORIGIN)
    b = save_results(tmp_path / "b", other)
    with pytest.raises(UserError, match="no run of one crawler on one site in common"):
        compare_results(a, b)


SITE = "https://www.a.example"


@pytest.fixture
def crawl(tmp_path):
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / "datasets.csv").write_text(
        f"url,file\n{SITE}/a.csv,a\n{SITE}/b.csv,b\n{SITE}/c.csv,c\n"
    )
    return folder


def save(tmp_path, text):
    path = tmp_path / "list.csv"
    path.write_text(text)
    return path


def test_what_each_has_that_the_other_lacks(tmp_path, crawl):
    """URLs are compared in canonical form, in whatever column they are."""
    listed = save(
        tmp_path, f"rank,link\n1,{SITE.upper()}/a.csv\n2,{SITE}/x.csv#top\n3,{SITE}/x.csv\n\n4,\n"
    )
    found = compare_with_list(listed, crawl)
    assert found.only_listed == (f"{SITE}/x.csv",)
    assert found.only_crawled == (f"{SITE}/b.csv", f"{SITE}/c.csv")
    assert (found.listed, found.crawled, found.unread) == (2, 3, 1)


@pytest.mark.parametrize(
    "row",
    [
        "http://www.a.example/a.csv",
        "https://a.example/a.csv/",
        f"1;{SITE}/a.csv;A title, with a comma",
        f"1\t{SITE}/a.csv\tA title",
        f"{SITE}/dataset/1,{SITE}/a.csv",
        f'\ufeff"{SITE}/a.csv"',
    ],
)
def test_ways_to_write_the_same_url(tmp_path, crawl, row):
    """Other schemes, names of a host, delimiters; a page beside its file; a byte order mark."""
    found = compare_with_list(save(tmp_path, f"{row}\n"), crawl)
    assert len(found.both) == 1
    assert (found.only_listed, found.unread) == ((), 0)


def test_rows_without_a_host_are_counted(tmp_path, crawl):
    """Only the head is not: URLs relative to an unknown page can't be compared."""
    found = compare_with_list(save(tmp_path, f"link\n/a.csv\nb.csv\n{SITE}/c.csv\n"), crawl)
    assert (found.both, found.unread) == ((f"{SITE}/c.csv",), 2)


def test_the_command_says_the_shares(tmp_path, crawl):
    """Counts, shares and examples of both sides."""
    listed = save(tmp_path, f"{SITE}/a.csv\nftp://a.example/x.csv\n{SITE}/x.csv\n")
    said = CliRunner().invoke(app, ["against", str(listed), str(crawl)]).output
    assert "2 listed, 3 crawled, 1 in both: 50.0 % of the list, 33.3 % of the crawl" in said
    assert f"only in the list: 1\n  {SITE}/x.csv" in said
    assert "not compared: 1 row of the list without a URL" in said


def test_mistakes(tmp_path, crawl):
    """A list without URLs, no list, and a folder that is none of a crawl."""
    with pytest.raises(UserError, match="no URL in it"):
        compare_with_list(save(tmp_path, "nothing,here\n"), crawl)
    with pytest.raises(UserError, match="can't be read"):
        compare_with_list(tmp_path / "absent.csv", crawl)
    with pytest.raises(UserError, match=r"it has no datasets\.csv"):
        compare_with_list(save(tmp_path, SITE), tmp_path)
