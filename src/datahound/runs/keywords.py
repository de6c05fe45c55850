"""The options of a crawl as keyword arguments in Python: their types, and their docstring."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ParamSpec, TypedDict, TypeVar

from datahound.runs.options import OPTIONS

_P = ParamSpec("_P")
_R = TypeVar("_R")


class CrawlOptions(TypedDict, total=False):
    """The options as keyword arguments in Python; a test compares them with the table."""

    output: str | Path
    target: str | list[str] | None
    budget: int | str | None
    max_bytes: int | str | None
    max_time: float | str | None
    delay: float | str
    concurrency: int | str
    strategy: str
    seed: int | str
    early_stop: bool
    max_file_size: int | str | None
    include: str | list[str]
    exclude: str | list[str]
    subdomains: bool
    allow_host: str | list[str]
    scope: str
    traps: bool
    linked_only: bool
    list_only: bool
    contact: str
    user_agent: str
    header: str | list[str]
    proxy: str | None
    ignore_robots: bool
    connect_to: str | None
    set: Mapping[str, object] | str | list[str]


def document_options(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add the table of options to the docstring of a function that takes them as keywords."""
    lines = [f"    {o.name}: {o.help}".rstrip(": ") for o in OPTIONS.values()]
    function.__doc__ = "\n".join([function.__doc__ or "", "Options:", *lines, ""])
    return function
