"""Commands start quickly: each imports what it needs, and no more."""

import os
import re
import subprocess
import sys

import pytest
import typer

import datahound
from datahound.cli import COMMANDS, make_app, run

HEAVY = {"matplotlib", "polars", "numpy", "aiohttp", "jinja2", "datahound.lab", "datahound.catalog"}


def loaded_by(program):
    """The modules that a fresh interpreter has after a program."""
    code = f"import sys\n{program}\nprint('LOADED', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("LOADED")[2].split())


def running(*arguments):
    return f"from datahound.cli import run\nrun({list(map(str, arguments))!r})"


def test_importing_the_package_imports_little():
    """`import datahound` alone loads no library and no folder of the project but an empty one."""
    assert not loaded_by("import datahound") & (HEAVY | {"typer", "rich", "datahound.runs"})


@pytest.mark.parametrize("arguments", [("--help",), (), ("nonsense",)])
def test_help_imports_no_command(arguments):
    """The list of commands is known without importing one."""
    loaded = loaded_by(running(*arguments))
    assert not loaded & HEAVY
    assert not {f"datahound.cli.{name}" for name in COMMANDS} & loaded


def test_status_imports_what_it_reads(tmp_path):
    """`status` reads a database: it needs no crawler, no catalogue, no figures."""
    loaded = loaded_by(running("status", tmp_path))
    assert "datahound.cli.status" in loaded
    assert not loaded & (HEAVY | {"datahound.runs", "datahound.http", "datahound.engines"})


def test_a_crawl_imports_no_tables_and_no_figures():
    """They would take 30 MB, and a quarter of the time to the first request."""
    loaded = loaded_by(running("crawl", "--help"))
    assert "datahound.runs" in loaded
    assert not loaded & {"matplotlib", "polars", "datahound.lab"}


@pytest.mark.parametrize("arguments", [("lab", "--help"), ("replay", "--help")])
def test_experiments_import_no_figures(arguments):
    """Only what draws imports matplotlib, which takes half a second."""
    loaded = loaded_by(running(*arguments))
    assert "datahound.lab" in loaded
    assert "matplotlib" not in loaded


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_their_own_words(name):
    """What `--help` says of a command is what its module says, which is not imported for it."""
    name_in_python = name.replace("-", "_")
    module = __import__(f"datahound.cli.{name_in_python}", fromlist=[name_in_python])
    own = (
        module.app.info.help
        if name in ("config", "site", "lab", "fleet")
        else getattr(module, name_in_python).__doc__
    )
    assert own.partition("\n\n")[0] == COMMANDS[name]


def test_help_is_the_same_with_all_commands_loaded(capsys):
    """The stand-ins for commands show as the commands themselves do."""
    for names in ((), tuple(COMMANDS)):
        make_app(*names)(["--help"], prog_name="datahound", standalone_mode=False)
    shown = capsys.readouterr().out
    half = len(shown) // 2
    assert shown[:half] == shown[half:]
    assert "crawl" in shown


def test_a_misspelt_command_is_recognised(datahound):
    """All names are known, so a near one is suggested."""
    status, _, error = datahound("replya", "x")
    assert status == 2
    assert "replay" in error


def test_public_names_come_when_they_are_used():
    """The function `crawl` is not the folder of that name, whichever is imported first."""
    program = "import datahound.crawl.frontier\nimport datahound\nassert callable(datahound.crawl)"
    assert "datahound.api" in loaded_by(program)
    assert set(datahound.__all__) <= set(dir(datahound))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        datahound.nonsense  # noqa: B018
    assert isinstance(make_app(), typer.Typer)


INTERRUPT = "os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.parametrize(
    "code",
    [
        INTERRUPT,
        # Where Python can't pass an exception on, it prints it with its traceback.
        f"class A: pass\na = A()\nr = weakref.ref(a, lambda _: {INTERRUPT})\ndel a",
    ],
)
def test_an_early_interrupt_prints_one_line(code, tmp_path):
    """Ctrl-C while libraries are being imported."""
    (tmp_path / "typer.py").write_text(f"import os, signal, weakref\n{code}\n")
    done = subprocess.run(
        [sys.executable, "-m", "datahound", "--help"],
        env={
            **os.environ,
            "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "datahound: interrupted\n")


@pytest.mark.parametrize("command", [[], ["crawl"], ["lab", "run"], ["site", "serve"]])
def test_help_names_values_as_people_do(command, capsys):
    """A flag takes none, and no value is called by a type of Python."""
    assert run([*command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert not re.search(r"<\w+|list\[", shown)
    assert "--help" in shown


def test_commands_are_interrupted_in_their_own_way_once_they_begin():
    """Only imports end without cleaning up."""
    program = (
        "import signal, sys\nfrom datahound import __main__, cli\n"
        "sys.argv = ['datahound', 'targets']\n"
        "try:\n    __main__.main()\nexcept SystemExit:\n"
        "    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
    )
    loaded_by(program)
