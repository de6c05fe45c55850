"""Docs that can't lie."""

import doctest
import importlib
import importlib.util
import pkgutil
import re
from dataclasses import fields
from pathlib import Path

import pytest

import datahound
from datahound.cli import COMMANDS, make_app
from datahound.settings import Settings
from datahound.strategies import STRATEGIES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def generator():
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["cli.md", "settings.md", "crawl_db.md", "events.schema.json"])
def test_made_pages_are_fresh(name):
    """What is made from the code is what the code would make now; else: make docs."""
    assert (DOCS / name).read_text() == generator().PAGES[name]()


def test_every_setting_is_described_and_can_be_set():
    """Each has a description, and an option or `--set` that reaches it."""
    docs = generator()
    for path, group in docs.list_groups(Settings(), ""):
        for field in fields(group):
            described = docs.descriptions()[group.__name__][field.name]
            assert described, f"{path}.{field.name}"
        inner = {name for name, _ in docs.list_groups(group(), f"{path}.")}
        reached = {cells[0].strip("`") for cells in docs.setting_rows(path, group)}
        groups = {name.rpartition(".")[2] for name in inner}
        assert reached | groups == {field.name for field in fields(group)}


def test_every_command_is_documented():
    """Each command of the program has its section in docs/cli.md."""
    app = make_app(*COMMANDS)
    commands = [info.name or info.callback.__name__ for info in app.registered_commands]
    for group in app.registered_groups:
        inner = group.typer_instance.registered_commands
        commands += [f"{group.name} {info.name or info.callback.__name__}" for info in inner]
    documented = re.findall(r"^## datahound (.+)$", (DOCS / "cli.md").read_text(), re.MULTILINE)
    assert sorted(documented) == sorted(commands)


def test_every_strategy_is_documented():
    """Each strategy has its row in docs/strategies.md."""
    text = (DOCS / "strategies.md").read_text()
    for name in STRATEGIES:
        assert f"`{name}`" in text


def test_public_names_are_there():
    """What `__all__` lists exists, and nothing is listed twice."""
    assert sorted(set(datahound.__all__)) == sorted(datahound.__all__)
    for name in datahound.__all__:
        assert getattr(datahound, name) is not None


@pytest.mark.parametrize("page", ["README.md", "docs/strategies.md", "docs/writing-an-engine.md"])
def test_examples_in_python_run(page, capsys):
    """The Python shown to users runs as written, up to what needs a network."""
    for code in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL):
        exec(compile(code.partition("\nfor target in datahound.crawl")[0], page, "exec"), {})
    assert re.search(r"\d", capsys.readouterr().out)


MODULES = [module.name for module in pkgutil.walk_packages(datahound.__path__, "datahound.")]


@pytest.mark.parametrize("name", [name for name in MODULES if "scrapy" not in name])
def test_examples_in_docstrings(name):
    """Every doctest says the truth."""
    if ".tres." in name:
        pytest.importorskip("torch", reason="the extra tres is not installed")
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert not failed


def test_links_between_pages_lead_somewhere():
    """Each relative link in the docs is a file."""
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_items_of_the_paper_name_what_is_there():
    """Every item has a number, and names modules and a test that exist."""
    text = (DOCS / "paper-items.md").read_text()
    rows = [line.split(" | ") for line in text.splitlines() if re.match(r"\| \d", line)]
    assert "## Related systems" in (DOCS / "paper.md").read_text()
    assert [int(row[0].strip("| ")) for row in rows] == list(range(1, 106))
    for number, _, where, how, test in rows:
        assert how[0] in "=≠+–", number
        for place in re.findall(r"`([a-z_]+/[\w/.]*)`", where):
            inside = ROOT / "src/datahound" / place
            assert inside.exists() or (ROOT / place).exists(), f"{number}: {place}"
        file, name = re.fullmatch(r"`(\S+): (\w+)` \|", test).groups()
        assert f"def test_{name}(" in (ROOT / "tests" / file).read_text(), f"{number}: {test}"
