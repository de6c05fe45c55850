"""Coverage-guided fuzzing of every parser of what websites send.

    pip install atheris
    python benchmarks/fuzz/fuzz.py [--seconds 600] [--only read_html ...] [--work build/fuzz]

Each parser has a process of its own, a corpus that grows in the work folder, and begins with
answers of tests/hostile.py and of portals. It is given the words that our readers look for, and
changes JSON by its values, too. What crashes, hangs or takes too much memory is left in the work
folder; keep it in tests/findings/PARSER/, where the tests read it. Exit status 1 if there is any.
"""

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
TESTS = HERE.parents[1] / "tests"
MAX_LENGTH = 20_000
INPUT_SECONDS = 5
MEGABYTES = 1500
SEEDS = 60
_LONGEST_WORD = 40
_ODD = (None, True, -1, 10**30, 1e308, "", "\ud800", "http://[", [], {}, [[]], [{}], {"": 5})


def fuzz(parser: str, seconds: int, work: Path) -> list[Path]:
    """Fuzz one parser; the inputs that are findings."""
    corpus, findings = work / parser / "corpus", work / parser / "findings"
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    if not any(corpus.iterdir()):
        fill(corpus, parser)
    words = work / parser / "words"
    words.write_text("".join(f'"{word}"\n' for word in sorted(find_words())))
    command = [sys.executable, __file__, "--child", parser, str(corpus)]
    command += [f"-max_total_time={seconds}", f"-max_len={MAX_LENGTH}", f"-timeout={INPUT_SECONDS}"]
    command += [
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={findings}/",
        f"-dict={words}",
        "-print_final_stats=1",
    ]
    said = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    (work / parser / "log").write_text(said.stderr + said.stdout)
    stats = [line for line in said.stderr.splitlines() if "number_of_executed_units" in line]
    covered = [
        word for line in said.stderr.splitlines() if " cov: " in line for word in line.split()
    ]
    features = covered[-covered[::-1].index("ft:")] if "ft:" in covered else "?"
    found = sorted(findings.iterdir())
    units = stats[0].split()[-1] if stats else "?"
    print(f"{parser}: {units} inputs, {features} features, {len(found)} findings", flush=True)
    return found


def fill(corpus: Path, parser: str) -> None:
    """Begin with hostile answers, and with what was found before."""
    sys.path.insert(0, str(TESTS))
    from hostile import Hostile  # noqa: PLC0415 lies beside the tests

    for seed in range(SEEDS):
        answer = Hostile(seed).answer()
        fields = b"\n".join(name + b": " + value for name, value in answer.fields)
        body = {"read_headers": fields, "read_job": fields + b"\n\n" + answer.payload}
        (corpus / str(seed)).write_bytes(body.get(parser, answer.payload)[:MAX_LENGTH])
    if parser in ("read_lists", "read_markup_lists"):
        fill_with_lists(corpus, first=b"" if parser == "read_markup_lists" else b"N")
    for path in TESTS.glob(f"findings/{parser}/*"):
        (corpus / path.name).write_bytes(path.read_bytes()[:MAX_LENGTH])


def fill_with_lists(corpus: Path, first: bytes) -> None:
    """Begin with answers of portals; `first` stands for the byte that chooses their path."""
    sys.path.insert(0, str(TESTS / "readers"))
    from parsers import LIST_PATHS  # noqa: PLC0415 the child must instrument it first
    from test_portal_variants import CASES, CKAN_CASES, XML_CASES  # noqa: PLC0415 beside the tests

    for number, (path, body, *_) in enumerate(
        [*CKAN_CASES.values(), *CASES.values(), *XML_CASES.values()]
    ):
        known = path.partition("?")[0]
        at = next((n for n, other in enumerate(LIST_PATHS) if other.startswith(known)), number)
        text = body if isinstance(body, str) else json.dumps(body)
        begin = bytes([at % 256]) if first else b""
        (corpus / f"list-{number}").write_bytes(begin + text.encode()[:MAX_LENGTH])


def find_words() -> set[str]:
    """The short texts in the source of our readers: what they look for."""
    source = HERE.parents[1] / "src" / "datahound"
    found = set()
    for path in (*source.glob("readers/**/*.py"), *source.glob("web/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
                text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
                if 1 < len(text) <= _LONGEST_WORD and text.isascii() and text.isprintable():
                    found.add(text.replace("\\", "\\\\").replace('"', '\\"'))
    return found


def mutate_json(mutate: Callable[[bytes, int], bytes]) -> Callable[[bytes, int, int], bytes]:
    """A mutator that replaces a value of JSON behind the first byte, half of the time."""

    def change(data: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        try:
            value = json.loads(data[1:]) if rng.random() < 0.5 else None
        except (ValueError, RecursionError):
            value = None
        places = list(find_places(value))
        if not places:
            return mutate(data, most)
        parent, key = rng.choice(places)
        others = [other[name] for other, name in places]
        parent[key] = rng.choice((*_ODD, *others[:100]))
        try:
            return data[:1] + json.dumps(value).encode()[: most - 1]
        except (ValueError, RecursionError):
            return mutate(data, most)

    return change


def find_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container and key in a tree of JSON."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        keys = (
            here if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
        )
        for key in keys:
            yield here, key
            waiting.append(here[key])


def run_child(parser: str, arguments: list[str]) -> None:
    """Be the process that fuzzes: ours is instrumented while it is imported."""
    import atheris  # noqa: PLC0415 not needed by the runner

    with atheris.instrument_imports(include=["datahound", "protego", "parsers"]):
        from parsers import PARSERS  # noqa: PLC0415 to be instrumented

    # Atheris replaces its Mutate in Setup: it is looked up when it is needed.
    mutate = mutate_json(lambda data, most: bytes(atheris.Mutate(data, most)))
    more = {"custom_mutator": mutate} if parser == "read_lists" else {}
    atheris.Setup([sys.argv[0], *arguments], PARSERS[parser], **more)
    atheris.Fuzz()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=int, default=600)
    options.add_argument("--only", nargs="*")
    options.add_argument("--work", type=Path, default=Path("build/fuzz"))
    given = options.parse_args()
    from parsers import PARSERS  # noqa: PLC0415 the child must instrument it first

    found = [fuzz(name, given.seconds, given.work.resolve()) for name in given.only or PARSERS]
    return 1 if any(found) else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run_child(sys.argv[2], sys.argv[3:])
    sys.exit(main())
