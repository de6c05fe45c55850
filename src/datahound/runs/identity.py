"""A folder belongs to one crawl: what would make it another is refused."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from datahound.errors import UserError
from datahound.runs.options import OPTIONS, Options, make_options, merge_given
from datahound.store import reading
from datahound.store.writer import Store

_IDENTITY = "identity"


def claim_identity(store: Store, options: Options) -> None:
    """Note whose folder this is, or make sure that it is the same crawl's."""
    ours = options.identity()
    theirs = store.fact(_IDENTITY)
    if theirs is None:
        store.note(_IDENTITY, ours)
        return
    for name in ours:
        # A folder of a version that did not have `--set` was crawled without it.
        was = theirs.get(name, [] if name == OPTIONS["set"].identity else ours[name])
        if ours[name] != was:
            raise UserError(_difference(name, was, ours[name], options))


def _difference(name: str, was: object, now: object, options: Options) -> str:
    return (
        f"{options.output}: holds a crawl with another {name} ({_shown(was)}, not {_shown(now)}); "
        "give the same one, or another --output"
    )


def _shown(value: object) -> str:
    if value is None or value == "" or value == []:
        return "none"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def options_of(folder: Path, given: Mapping[str, Any]) -> Options:
    """The options that a folder's crawl was begun with, and more that may change."""
    with reading.open_folder(folder) as connection:
        identity = reading.read_fact(connection, _IDENTITY)
    if identity is None:
        raise UserError(f"{folder}: no crawl has begun in this folder")
    begun = {
        option.written: option.recall(identity[option.identity])
        for option in OPTIONS.values()
        if option.identity in identity
    }
    return make_options(identity["URL"], merge_given({**begun, "output": str(folder)}, given))
