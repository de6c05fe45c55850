"""Coverage-guided fuzzing of every parser of what websites send.

    pip install atheris
    python benchmarks/fuzz/fuzz.py [--seconds 600] [--only read_html ...] [--work build/fuzz]

Each parser has a process of its own, a corpus that grows in the work folder, and begins with
answers of tests/hostile.py. What crashes, hangs or takes too much memory is left in that folder;
keep it in tests/findings/PARSER/, where the tests read it. Exit status 1 if there is any.
"""

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1] / "tests"
MAX_LENGTH = 20_000
INPUT_SECONDS = 5
MEGABYTES = 1500
SEEDS = 60


def fuzz(parser: str, seconds: int, work: Path) -> list[Path]:
    """Fuzz one parser; the inputs that are findings."""
    corpus, findings = work / parser / "corpus", work / parser / "findings"
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    if not any(corpus.iterdir()):
        fill(corpus, parser)
    command = [sys.executable, __file__, "--child", parser, str(corpus)]
    command += [f"-max_total_time={seconds}", f"-max_len={MAX_LENGTH}", f"-timeout={INPUT_SECONDS}"]
    command += [
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={findings}/",
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
    for path in TESTS.glob(f"findings/{parser}/*"):
        (corpus / path.name).write_bytes(path.read_bytes()[:MAX_LENGTH])


def run_child(parser: str, arguments: list[str]) -> None:
    """Be the process that fuzzes: ours is instrumented while it is imported."""
    import atheris  # noqa: PLC0415 not needed by the runner

    with atheris.instrument_imports(include=["datahound", "protego", "parsers"]):
        from parsers import PARSERS  # noqa: PLC0415 to be instrumented

    atheris.Setup([sys.argv[0], *arguments], PARSERS[parser])
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
