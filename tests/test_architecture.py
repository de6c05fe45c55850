"""The rules of the house: who may import whom, what does no I/O, how folders are entered."""

import ast
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

import datahound

ROOT = Path(datahound.__file__).parent
BOTTOM = {
    "model", "events", "errors", "settings", "strategy_settings",
    "parameters", "text", "files", "sqlite_files", "units", "machine"
}  # fmt: skip
MAY_IMPORT = {
    **dict.fromkeys(BOTTOM, BOTTOM),
    "web": BOTTOM,
    "readers": BOTTOM | {"web"},
    "learn": BOTTOM,
    "crawl": BOTTOM | {"web", "readers"},
    "strategies": BOTTOM | {"web", "crawl", "learn"},
    "refresh": BOTTOM | {"web", "crawl", "learn"},
    "archive": BOTTOM | {"web", "readers"},
    "sandbox": BOTTOM,
    "engines": BOTTOM | {"web", "readers", "crawl", "archive", "sandbox"},
    "signature": BOTTOM | {"web"},
    "http": BOTTOM | {"web", "readers", "signature"},
    "downloads": BOTTOM | {"web"},
    "store": BOTTOM | {"web"},
    "remote": BOTTOM | {"store"},
    "runs": BOTTOM
    | {"web", "readers", "crawl", "strategies", "archive", "engines", "http", "downloads", "store"}
    | {"catalog", "report", "refresh", "remote"},
    "fleet": BOTTOM | {"web", "engines", "store", "remote", "catalog", "report", "runs", "news"},
    "lab": BOTTOM
    | {"web", "readers", "crawl", "strategies", "archive", "engines", "learn"}
    | {"refresh", "catalog"},
    "report": BOTTOM | {"store", "catalog", "readers", "web"},
    "news": BOTTOM | {"store", "catalog", "report", "web"},
    "operate": BOTTOM | {"runs", "store", "catalog", "report", "web"},
    "display": BOTTOM | {"operate", "runs", "crawl", "report", "web"},
    "dashboard": BOTTOM | {"store", "catalog", "report", "news", "web"},
    "catalog": BOTTOM | {"web", "readers", "archive", "sandbox"},
    "scrapy": BOTTOM | {"web", "readers", "crawl", "strategies"},
}
PURE = {"model", "events", "web", "readers", "learn", "crawl", "strategies", "refresh"}
IMPURE = {
    "asyncio", "socket", "sqlite3", "time", "datetime", "logging", "threading", "os", "pathlib",
    "aiohttp", "requests", "urllib3", "httpx",
}  # fmt: skip

# Limits, and the places that are still beyond them: an entry here is work to do, never a new one.
MAX_LINES = 400
MAX_FAN_OUT = 15
WIDER_FAN_OUT: dict[str, int] = {}
MAX_DOORS = 5
MORE_DOORS: dict[str, int] = {}
HAVE_SQL = {"catalog", "archive", "store"}
"""Folders with SQL: the catalogue's, an archive's index, and `crawl.db`, which one should own."""
SHARED_CLASS_NAMES = {
    "Entry", "Failure", "Ground", "Job", "Layout", "Outcome", "Page", "Reading", "Target",
}  # fmt: skip

SQL = re.compile(
    r"\s*(SELECT\s.+\sFROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE \w+)\s",
    re.DOTALL,
)


def modules():
    return sorted(ROOT.rglob("*.py"))


def part(path):
    """The folder, or the module at the top, that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def name_of(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def short(name):
    return name.removeprefix("datahound.")


@cache
def tree(path):
    return ast.parse(path.read_text())


def imports(path):
    """Every name that is imported, inside functions too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            yield node.module or ""


@cache
def graph():
    """The modules of ours that each module imports, inside functions too.

    `from datahound.a import b` is an import of `datahound.a.b` where that is a module.
    """
    names = {name_of(path): path for path in modules()}
    return {name: set(_own_imports(path, names)) - {name} for name, path in names.items()}


def _own_imports(path, names):
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module in names:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in names else node.module


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_layers(path):
    """A layer imports only the layers below it, as drawn."""
    allowed = MAY_IMPORT.get(part(path))
    if allowed is None:
        return  # the command line and the public names may import everything
    for name in graph()[name_of(path)]:
        pieces = name.split(".")
        if len(pieces) > 1 and pieces[1] != part(path):
            assert pieces[1] in allowed, f"{path.relative_to(ROOT)} imports {name}"


def test_the_table_for_newcomers_has_the_same_rules():
    """What docs/journey.md says a folder may import is what is checked here."""
    journey = ROOT.parents[1] / "docs" / "journey.md"
    if not journey.exists():
        pytest.skip("the package is installed without its docs")
    rows = re.findall(r"^\| (`.+?) \|.*\| (.+?) \|$", journey.read_text(), re.MULTILINE)
    listed = {
        name: set(allowed.split(", ")) & MAY_IMPORT.keys()
        for names, allowed in rows
        for name in re.findall(r"`(\w+)`", names)
    }
    # Runs import everything above them in the table, which names no folder for it.
    assert {name: listed.get(name) for name in MAY_IMPORT if name != "runs"} == {
        name: allowed - BOTTOM for name, allowed in MAY_IMPORT.items() if name != "runs"
    } | {name: set() for name in BOTTOM}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_core_does_no_io(path):
    """Model, events, web, learn, crawl and strategies touch no clock, file or network."""
    if part(path) in PURE:
        assert not {name.split(".")[0] for name in imports(path)} & IMPURE


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_file_says_what_it_is_for(path):
    """A module begins with a docstring and is short enough to be one idea."""
    assert ast.get_docstring(tree(path)), path
    assert len(path.read_text().splitlines()) <= MAX_LINES, path


def test_every_folder_is_in_the_drawing():
    """Every folder has its place among the layers."""
    drawn = set(MAY_IMPORT) | {"api", "cli", "__init__", "__main__"}
    assert {part(path) for path in modules()} <= drawn


def test_no_module_imports_too_many():
    """A module that knows more than fifteen others does too much."""
    for name, imported in graph().items():
        most = WIDER_FAN_OUT.get(short(name), MAX_FAN_OUT)
        assert len(imported) <= most, f"{name} imports {len(imported)} modules"


def test_folders_are_entered_through_few_modules():
    """Five modules of a folder at most are imported from outside it."""
    doors = defaultdict(set)
    for name, imported in graph().items():
        for other in imported:
            folder = short(other).split(".")[0]
            if (ROOT / folder).is_dir() and short(name).split(".")[0] != folder:
                doors[folder].add(short(other))
    for folder, entered in doors.items():
        assert len(entered) <= MORE_DOORS.get(folder, MAX_DOORS), f"{folder}: {sorted(entered)}"


def test_modules_import_each_other_in_one_direction():
    """No module is imported by what it imports, however far down."""
    left = {name: set(imported) for name, imported in graph().items()}
    while free := [name for name, imported in left.items() if not imported & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"a cycle among {sorted(left)}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_sql_has_an_owner(path):
    """Only the folders that own a database have statements on it."""
    texts = [node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant)]
    statements = [text for text in texts if isinstance(text, str) and SQL.match(text)]
    assert part(path) in HAVE_SQL or not statements, statements


def test_a_class_has_its_name_for_itself():
    """No two public classes share a name: a search for one finds one."""
    places = defaultdict(list)
    for path in modules():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name_of(path))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert not shared.keys() - SHARED_CLASS_NAMES, shared


def test_every_test_module_has_a_name_of_its_own():
    """pytest imports test modules by file name: of two with one name, it collects neither."""
    counts = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in counts.items() if count > 1] == []
