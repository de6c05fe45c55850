"""A crawl of a website into its folder: run it, record it, finish it, check it.

The names below are what commands and `datahound.api` use; options are in `runs/options.py`. Each is
loaded when it is first asked for: `datahound report` needs no HTTP, for example.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datahound.runs.check import Problem, check_folder, repair_folder
    from datahound.runs.finish import (
        Catalogue,
        finish_crawl,
        finish_crawls,
        report_crawl,
        update_catalog,
    )
    from datahound.runs.many import (
        default_at_once,
        go_all,
        make_runs,
        stopped_by_signals,
        terminated_as_interrupted,
    )
    from datahound.runs.online import ReadingPool, share_online
    from datahound.runs.outcome import (
        BAD_INPUT,
        INTERRUPTED,
        TROUBLE,
        Ended,
        describe_error,
        exit_status,
    )
    from datahound.runs.progress import ActionProgress, Progress
    from datahound.runs.recording import Recording
    from datahound.runs.refresh import RoundRequest, options_of_each
    from datahound.runs.run import Run
    from datahound.runs.shipping import begin_shipping, go_shipped, go_shipping, ship_ended

__all__ = [
    "BAD_INPUT", "INTERRUPTED", "TROUBLE", "ActionProgress", "Catalogue", "Ended", "Problem",
    "Progress", "ReadingPool", "Recording", "RoundRequest", "Run", "begin_shipping", "check_folder",
    "default_at_once", "describe_error", "exit_status", "finish_crawl", "finish_crawls", "go_all",
    "go_shipped", "go_shipping", "make_runs", "options_of_each", "repair_folder", "report_crawl",
    "share_online", "ship_ended", "stopped_by_signals", "terminated_as_interrupted",
    "update_catalog",
]  # fmt: skip

_NAMES_OF = {
    "check": "Problem check_folder repair_folder",
    "finish": "Catalogue finish_crawl finish_crawls report_crawl update_catalog",
    "many": "default_at_once go_all make_runs stopped_by_signals terminated_as_interrupted",
    "online": "ReadingPool share_online",
    "outcome": "BAD_INPUT INTERRUPTED TROUBLE Ended describe_error exit_status",
    "progress": "ActionProgress Progress",
    "recording": "Recording",
    "refresh": "RoundRequest options_of_each",
    "run": "Run",
    "shipping": "begin_shipping go_shipped go_shipping ship_ended",
}


def __getattr__(name: str) -> object:
    for module, names in _NAMES_OF.items():
        if name in names.split():
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
