"""The file of options, the environment, and which of them wins."""

import tomllib

import pytest
from websites import SEED, Website, data, page, served_in_thread

from datahound.cli import run
from datahound.cli.config_file import COMMAND_KEYS, read_config, read_environment
from datahound.cli.crawl import plan_command
from datahound.errors import UserError
from datahound.runs.options import OPTIONS


def test_the_example_has_every_option_and_is_good(tmp_path, capsys, monkeypatch):
    """All lines uncommented, it is a file of options that can be used."""
    monkeypatch.chdir(tmp_path)
    assert run(["config", "init"]) == 0
    text = (tmp_path / "datahound.toml").read_text()
    assert tomllib.loads(text) == {}
    lines = [line.removeprefix("#") if line.startswith("#") and not line.startswith("# ") else line
             for line in text.splitlines()]  # fmt: skip
    everything = tmp_path / "all.toml"
    everything.write_text("\n".join(lines))
    (tmp_path / "sites.csv").write_text("url\na.example\n")
    for name in [*COMMAND_KEYS, *(option.written for option in OPTIONS.values())]:
        assert f"\n#{name} = " in text or f"\n# {name} = " in text, name
    assert len(tomllib.loads(everything.read_text())) > 20
    capsys.readouterr()
    # A site of the example is its own start page, so it is not within the scope of the example.
    everything.write_text("\n".join(line for line in lines if not line.startswith("scope")))
    assert run(["config", "check", str(everything)]) == 0
    assert "all.toml: good" in capsys.readouterr().out
    assert run(["config", "init"]) == 2
    assert run(["config", "init", "--force"]) == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("budget = 5", "no site to crawl"),
        ("budgit = 5", "x.toml: unknown option 'budgit'; did you mean 'budget'?"),
        ("url = 'a.example'\nxyz = 5", "x.toml: unknown option 'xyz'\n"),
        ("url = 'a.example'\nbudget = 'many'", "x.toml: --budget: 'many' is not a whole number"),
        ("url = 'a.example'\nat-once = 'all'", "at-once"),
        ("sites = 'nowhere.csv'", "can't be read"),
        ("url = ", "is not TOML"),
    ],
)
def test_mistakes_are_found_before_anything_starts(text, complaint, tmp_path, capsys):
    file = tmp_path / "x.toml"
    file.write_text(text)
    assert run(["config", "check", str(file)]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert len(said.splitlines()) == 1


def test_unknown_variables_are_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("DATAHOUND_BUDGIT", "5")
    file = tmp_path / "x.toml"
    file.write_text("url = 'a.example'")
    assert run(["config", "check", str(file)]) == 0
    assert "DATAHOUND_BUDGIT is not an option" in capsys.readouterr().out


def test_who_wins(tmp_path, monkeypatch):
    """A site of the file of sites, the command line, the environment, the file of options."""
    sites = tmp_path / "sites.toml"
    sites.write_text("[[site]]\nurl = 'a.example'\nbudget = 4\n[[site]]\nurl = 'b.example'\n")
    config = tmp_path / "x.toml"
    config.write_text(f"sites = '{sites}'\nbudget = 1\ndelay = 1\nconcurrency = 2\nat-once = 3\n")
    monkeypatch.setenv("DATAHOUND_BUDGET", "2")
    monkeypatch.setenv("DATAHOUND_DELAY", "2")
    (own, other), command = plan_command([], None, config, {"budget": "3"})
    assert (own.budget, other.budget) == (4, 3)
    assert (own.delay, own.concurrency) == (2, 2)
    assert command["at-once"] == 3
    # A URL on the command line takes the place of all sites of the file.
    (given,), _ = plan_command(["c.example"], None, config, {})
    assert (given.url, given.budget) == ("https://c.example/", 2)


def test_a_mistake_in_a_variable_names_it(capsys, monkeypatch):
    monkeypatch.setenv("DATAHOUND_MAX_BYTES", "much")
    assert run(["crawl", "a.example"]) == 2
    assert "datahound: DATAHOUND_MAX_BYTES: 'much' is not a size" in capsys.readouterr().err


def test_variables_of_every_form():
    found = read_environment({
        "DATAHOUND_TARGET": "csv;pdf", "DATAHOUND_SUBDOMAINS": "no", "DATAHOUND_BUDGET": "",
    })  # fmt: skip
    assert found == {"target": ["csv", "pdf"], "subdomains": False}


def test_negated_options_of_the_file(tmp_path):
    file = tmp_path / "x.toml"
    file.write_text("no-subdomains = true\nno-catalog = true\n")
    found = read_config(file)
    assert found.options == {"subdomains": False}
    assert found.command == {"catalog": False}
    with pytest.raises(UserError, match="can't be read"):
        read_config(tmp_path / "nowhere")


def test_a_nightly_job_looks_for_what_is_new(tmp_path, monkeypatch, capsys):
    """The first night crawls; the second one begins a round, by the file of options alone."""
    monkeypatch.chdir(tmp_path)
    files = {"/": page("/a.csv"), "/a.csv": data(b"a,1\n")}
    site = Website(files)
    with served_in_thread(site) as address:
        (tmp_path / "night.toml").write_text(
            f"url = '{SEED}'\noutput = 'out'\nrefresh = true\ndelay = 0\nplain = true\n"
            f"connect-to = '{address}'\nignore-robots = true\n"
        )
        assert run(["crawl", "--config", "night.toml"]) == 0
        assert "round" not in capsys.readouterr().out
        files["/"] = page("/a.csv", "/new.csv")
        files["/new.csv"] = data(b"n,2\n")
        assert run(["crawl", "--config", "night.toml"]) == 0
    assert len(list((tmp_path / "out" / "files").rglob("new.csv"))) == 1
    assert "new.csv" in (tmp_path / "out" / "whatsnew.html").read_text()
    said = capsys.readouterr().out
    assert "out: round 1\n  new files: 1 (/new.csv)\n" in said
    assert "see out/whatsnew.html" in said


def test_of_many_sites_those_with_news_are_told(tmp_path, monkeypatch, capsys):
    """And the totals, however many there are."""
    monkeypatch.chdir(tmp_path)
    files = {"/": page("/a.csv"), "/a.csv": data(b"a,1\n")}
    other = Website({"/": page("/b.csv"), "/b.csv": data(b"b,1\n")})
    with served_in_thread(Website(files)) as one, served_in_thread(other) as two:
        (tmp_path / "sites.csv").write_text(
            f"url,output,connect-to\n{SEED},north,{one}\n{SEED},south,{two}\n"
        )
        (tmp_path / "night.toml").write_text(
            "sites = 'sites.csv'\nrefresh = true\ndelay = 0\nignore-robots = true\n"
        )
        assert run(["crawl", "--config", "night.toml"]) == 0
        files |= {"/": page("/a.csv", "/new.csv"), "/new.csv": data(b"n,2\n")}
        capsys.readouterr()
        assert run(["crawl", "--config", "night.toml"]) == 0
    said = capsys.readouterr().out
    assert "north: round 1" in said
    assert "south: round" not in said
    assert said.rstrip().splitlines()[-1].startswith("2 folders: 1 new")
