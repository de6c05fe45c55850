"""URLs found elsewhere against those of a crawl."""

import pytest
from typer.testing import CliRunner

from datahound.cli.lab import app
from datahound.errors import UserError
from datahound.lab.report.against import compare_with_list

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
        tmp_path, f"rank,link\n1,{SITE.upper()}/a.csv\n2,{SITE}/x.csv#top\n3,{SITE}/a.csv\n"
    )
    found = compare_with_list(listed, crawl)
    assert found.only_listed == (f"{SITE}/x.csv",)
    assert found.only_crawled == (f"{SITE}/b.csv", f"{SITE}/c.csv")
    assert (found.listed, found.crawled) == (2, 3)


def test_the_command_says_the_shares(tmp_path, crawl):
    """Counts, shares and examples of both sides."""
    listed = save(tmp_path, f"{SITE}/a.csv\n{SITE}/x.csv\n")
    said = CliRunner().invoke(app, ["against", str(listed), str(crawl)]).output
    assert "2 listed, 3 crawled, 1 in both: 50.0 % of the list, 33.3 % of the crawl" in said
    assert f"only in the list: 1\n  {SITE}/x.csv" in said


def test_mistakes(tmp_path, crawl):
    """A list without URLs, no list, and a folder that is none of a crawl."""
    with pytest.raises(UserError, match="no URL in it"):
        compare_with_list(save(tmp_path, "nothing,here\n"), crawl)
    with pytest.raises(UserError, match="can't be read"):
        compare_with_list(tmp_path / "absent.csv", crawl)
    with pytest.raises(UserError, match=r"it has no datasets\.csv"):
        compare_with_list(save(tmp_path, SITE), tmp_path)
