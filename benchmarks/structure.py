"""How the code is built: size, imports, names, comments, tests, repetition.

    python benchmarks/structure.py [ROOT] [--list]

Prints one measure per line for the checkout at ROOT, this one by default; `--list` adds the places
behind the counts. The outputs before and after a change of structure are committed as
benchmarks/results/structure_before.txt and structure_after.txt.
"""

import argparse
import ast
import io
import statistics
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

PACKAGE = "datahound"
WINDOW = 6
LONG_FUNCTION = 30
REAL_MODULE = 5
"""Modules of fewer lines, such as an `__init__` with a docstring, have no importers to count."""
DIRECTIVES = ("# noqa", "# fmt:", "# type:")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def folder(self) -> str:
        return self.name.split(".")[1] if self.name.count(".") else ""

    def functions(self) -> list[Function]:
        return [node for node in ast.walk(self.tree) if isinstance(node, Function)]

    def comments(self) -> int:
        """Lines with a comment for people; directives for tools do not count."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        found = [token.string for token in tokens if token.type == tokenize.COMMENT]
        return sum(not comment.startswith(DIRECTIVES) for comment in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path, nargs="?", default=Path(__file__).parents[1])
    parser.add_argument("--list", action="store_true", help="show the places behind the counts")
    arguments = parser.parse_args()
    source = arguments.root / "src" / PACKAGE
    modules = {module.name: module for module in read_modules(source)}
    tests = sum(len(p.read_text().splitlines()) for p in (arguments.root / "tests").rglob("*.py"))
    for name, value, places in measures(modules, tests):
        print(f"{name:<34} {value}")
        if arguments.list:
            print("".join(f"    {place}\n" for place in places), end="")


def read_modules(source: Path) -> Iterator[Module]:
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield Module(name, path.relative_to(source.parent), path.read_text())


def measures(modules: dict[str, Module], tests: int) -> Iterator[tuple[str, str, list[str]]]:
    """Each measure: its name, its value, and the places that it counts."""
    lines = sum(module.lines for module in modules.values())
    yield "modules", f"{len(modules)}", []
    yield "lines", f"{lines:,}", []
    yield from import_measures(modules)
    names = [words_of(f.name) for m in modules.values() for f in m.functions()]
    yield "words of function names, median", f"{statistics.median(filter(None, names)):g}", []
    comments = sum(module.comments() for module in modules.values())
    yield "comments per line", f"{comments / lines:.1%}", []
    yield "lines of tests per line of source", f"{tests / lines:.2f}", []
    long = [f"{m.path}:{f.lineno} {f.name}" for m in modules.values() for f in long_functions(m)]
    yield f"functions over {LONG_FUNCTION} lines", f"{len(long)}", long
    pairs = list(equal_windows(modules))
    yield f"pairs of {WINDOW} equal lines", f"{len(pairs)}", pairs


def import_measures(modules: dict[str, Module]) -> Iterator[tuple[str, str, list[str]]]:
    graph = {name: imported_by(module, modules) for name, module in modules.items()}
    importers: dict[str, set[str]] = defaultdict(set)
    for name, imported in graph.items():
        for other in imported:
            importers[other].add(name)
    real = [name for name, module in modules.items() if module.lines > REAL_MODULE]
    single = [name for name in real if len(importers[name]) == 1]
    yield "modules with one importer", f"{len(single) / len(real):.1%}", single
    widest = sorted(graph, key=lambda name: -len(graph[name]))
    value = f"{len(graph[widest[0]])} ({widest[0].removeprefix(PACKAGE + '.')})"
    yield "largest fan-out", value, [f"{len(graph[n])} {n}" for n in widest[:10]]
    doors: dict[str, list[str]] = defaultdict(list)
    for name, known in sorted(importers.items()):
        folder = modules[name].folder
        if any(modules[other].folder != folder for other in known):
            doors[folder].append(name)
    folders = {m.folder for m in modules.values() if len(m.path.parts) > 2}
    for folder in sorted(folders, key=lambda f: -len(doors[f])):
        inside = sum(module.folder == folder for module in modules.values())
        yield f"doors of {folder}", f"{len(doors[folder])} of {inside}", doors[folder]


def imported_by(module: Module, modules: dict[str, Module]) -> set[str]:
    """The modules of ours that a module imports, inside functions too."""
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            submodules = names & modules.keys()
            found |= submodules
            if len(submodules) < len(names):
                found.add(node.module)
    return (found & modules.keys()) - {module.name}


def words_of(name: str) -> int:
    """Words in the name of a function; 0 for a special method, whose name is not ours."""
    if name.startswith("__"):
        return 0
    return len([word for word in name.split("_") if word])


def long_functions(module: Module) -> list[Function]:
    return [f for f in module.functions() if (f.end_lineno or 0) - f.lineno >= LONG_FUNCTION]


def equal_windows(modules: dict[str, Module]) -> Iterator[str]:
    """Pairs of places where six lines are equal but for blanks, comments and imports.

    A longer repetition counts once per line at which six equal lines begin.
    """
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for module in modules.values():
        lines = list(significant_lines(module))
        for start in range(len(lines) - WINDOW + 1):
            window = tuple(text for _, text in lines[start : start + WINDOW])
            places[window].append(f"{module.path}:{lines[start][0]}")
    for found in places.values():
        yield from (" = ".join(pair) for pair in combinations(found, 2))


def significant_lines(module: Module) -> Iterator[tuple[int, str]]:
    imports: set[int] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for number, line in enumerate(module.text.splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#") and number not in imports:
            yield number, text


if __name__ == "__main__":
    main()
