"""A crawl of a website into its folder: run it, record it, finish it, check it.

The names below are what commands and `datahound.api` use; options are in `runs/options.py`. Each is
loaded when it is first asked for: `datahound report` needs no HTTP, for example.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datahound.runs.check import Problem, check_folder, repair_folder
    from datahound.runs.finish import finish_crawl, finish_crawls, report_crawl, update_catalog
    from datahound.runs.outcome import (
        Ended,
        default_at_once,
        describe_error,
        exit_status,
        go_all,
        stopped_by_signals,
    )
    from datahound.runs.progress import Progress, metrics_written
    from datahound.runs.recording import Recording
    from datahound.runs.run import Run, make_runs

__all__ = [
    "Ended", "Problem", "Progress", "Recording", "Run", "check_folder", "default_at_once",
    "describe_error", "exit_status", "finish_crawl", "finish_crawls", "go_all", "make_runs",
    "metrics_written", "repair_folder", "report_crawl", "stopped_by_signals", "update_catalog",
]  # fmt: skip

_NAMES_OF = {
    "check": "Problem check_folder repair_folder",
    "finish": "finish_crawl finish_crawls report_crawl update_catalog",
    "outcome": "Ended default_at_once describe_error exit_status go_all stopped_by_signals",
    "progress": "Progress metrics_written",
    "recording": "Recording",
    "run": "Run make_runs",
}


def __getattr__(name: str) -> object:
    for module, names in _NAMES_OF.items():
        if name in names.split():
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
