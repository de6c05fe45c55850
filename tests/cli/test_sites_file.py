"""The file of sites: three formats, checked whole before anything starts."""

import pytest

from datahound.cli.options import plan
from datahound.cli.sites_file import read_sites
from datahound.errors import UserError
from datahound.runs.options import make_options

FILES = {
    "sites.txt": """# mine
        a.example --budget 5 --target csv --target pdf
        b.example --no-early-stop
    """,
    "sites.csv": "\ufeffurl,budget,target,early-stop\na.example,5,csv;pdf,\nb.example,,,no\n",
    "sites.toml": """
        [[site]]
        url = "a.example"
        budget = 5
        target = ["csv", "pdf"]
        [[site]]
        url = "b.example"
        early_stop = false
    """,
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_says_the_same(name, tmp_path):
    path = tmp_path / name
    path.write_text(FILES[name], "utf-8")
    first, second = plan(read_sites(path), {"delay": 2})
    assert (first.url, first.budget, first.delay) == ("https://a.example/", 5, 2)
    assert first.target == make_options("a.example", {"target": ["csv", "pdf"]}).target
    assert first.early_stop
    assert not second.early_stop
    assert second.budget is None


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_are_separated_as_a_spreadsheet_writes_them(delimiter, tmp_path):
    """Excel writes semicolons where decimals have a comma; a list is in quotes then."""
    path = tmp_path / "sites.csv"
    rows = [["url", "budget", "target"], ["a.example", "5", '"csv;pdf"']]
    path.write_text("\r\n".join(map(delimiter.join, rows)))
    (site,) = plan(read_sites(path), {})
    assert site.budget == 5
    assert site.target == make_options("a.example", {"target": ["csv", "pdf"]}).target


def test_options_above_the_tables_are_for_all_sites(tmp_path):
    path = tmp_path / "sites.toml"
    path.write_text(
        "budget = 7\n[[site]]\nurl = 'a.example'\n[[site]]\nurl = 'b.example'\nbudget = 8"
    )
    assert [site.budget for site in plan(read_sites(path), {})] == [7, 8]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("x.txt", "\n# nothing\n", "lists no site"),
        ("x.csv", "", "one of them is url"),
        ("x.csv", "url,budget\na.example\n", "line 2: has not as many cells"),
        ("x.csv", "url,budget\na.example,1\nb.example,many\n", "line 3: --budget"),
        ("x.csv", "url,early-stop\na.example,perhaps\n", "line 2: --early-stop"),
        ("x.toml", "[[site]]\nbudget = 3\n", "site 1: has no url"),
        ("x.toml", "site = 3\n", r"tables \[\[site\]\]"),
        ("x.toml", "[[site", "is not TOML"),
        ("x.csv", "url;budget\na.example;many\n", "line 2: --budget"),
        ("x.toml", "[[sites]]\nurl = 'a.example'\n", r"lists no site: give a table \[\[site\]\]"),
        ("x.txt", "a.example --nonsense 1\nb.example --budget x\n", "line 1: .*; .*line 2: --bud"),
        ("x.txt", "a.example --budget x\n" * 9, "line 5: .*; and 4 more mistakes$"),
        (
            "x.txt",
            "a.example\nb.example\na.example\n",
            r"line 3: .*a.ex.* \(line 1\) is listed twice",
        ),
        ("x.txt", "a.example\na.example/x\n", r"line 2: .*\(line 1\) and .*/x would share the"),
        ("x.txt", "a.example --budget\n", "line 1: --budget needs a value"),
    ],
)
def test_mistakes_are_one_line_with_their_place(name, text, complaint, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UserError, match=complaint) as raised:
        plan(read_sites(path), {})
    assert "\n" not in str(raised.value)
