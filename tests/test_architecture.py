"""The rules of the house: who may import whom, and what does no I/O."""

import ast
from pathlib import Path

import pytest

import datahound

ROOT = Path(datahound.__file__).parent
BOTTOM = {"model", "events", "errors", "settings", "parameters", "text", "files"}
MAY_IMPORT = {
    **dict.fromkeys(BOTTOM, BOTTOM),
    "web": BOTTOM,
    "learn": BOTTOM,
    "crawl": BOTTOM | {"web"},
    "strategies": BOTTOM | {"web", "crawl", "learn"},
    "archive": BOTTOM | {"web"},
    "engines": BOTTOM | {"web", "crawl", "archive"},
    "runs": BOTTOM | {"web", "crawl", "strategies", "archive", "engines"},
    "lab": BOTTOM | {"web", "crawl", "strategies", "archive", "engines", "learn"},
    "dashboard": BOTTOM | {"runs", "catalog", "learn", "web"},
    "catalog": BOTTOM | {"web", "archive"},
    "scrapy": BOTTOM | {"web", "crawl", "strategies"},
}
PURE = {"model", "events", "web", "learn", "crawl", "strategies"}
IMPURE = {
    "asyncio", "socket", "sqlite3", "time", "datetime", "logging", "threading", "os", "pathlib",
    "aiohttp", "requests", "urllib3", "httpx",
}  # fmt: skip


def modules():
    return sorted(ROOT.rglob("*.py"))


def part(path):
    """The folder, or the module at the top, that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            yield node.module or ""
            if node.module == "datahound":
                yield from (f"datahound.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_layers(path):
    """A layer imports only the layers below it, as drawn."""
    allowed = MAY_IMPORT.get(part(path))
    if allowed is None:
        return  # the command line and the public names may import everything
    for name in imports(path):
        pieces = name.split(".")
        if pieces[0] == "datahound" and len(pieces) > 1 and pieces[1] != part(path):
            assert pieces[1] in allowed, f"{path.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_heart_does_no_io(path):
    """Model, events, web, learn, crawl and strategies touch no clock, file or network."""
    if part(path) in PURE:
        assert not {name.split(".")[0] for name in imports(path)} & IMPURE


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_file_says_what_it_is_for(path):
    """A module begins with a docstring and is short enough to be one idea."""
    text = path.read_text()
    assert ast.get_docstring(ast.parse(text)), path
    assert len(text.splitlines()) <= 400, path


def test_nobody_else_names_the_parts():
    """Every folder has its place in the drawing."""
    drawn = set(MAY_IMPORT) | {"cli", "__init__"}
    assert {part(path) for path in modules()} <= drawn
