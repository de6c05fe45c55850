"""The local copy of a crawl folder that is in object storage, for commands that read it."""

import os
import re
from pathlib import Path

from datahound.errors import UserError
from datahound.remote.objects import is_remote, open_objects
from datahound.remote.pull import pull_folder
from datahound.text import hash_text, make_slug

_COLLAPSED = re.compile(r"^(\w+):/(?!/)")


def find_local(place: Path, *, files: bool = True) -> Path:
    """Return a folder to read: the one given, or a copy of the one in object storage.

    The copy is kept in the cache folder of the user; only what has changed is fetched again.
    """
    # A `Path` makes one slash of two.
    remote = _COLLAPSED.sub(r"\1://", str(place))
    if not is_remote(remote):
        return place
    folder = find_cache_folder(remote)
    if not pull_folder(open_objects(remote), folder, files=files):
        raise UserError(f"{remote}: no crawl was shipped there")
    return folder


def find_cache_folder(place: str) -> Path:
    """Return the folder for copies of a place, in the cache folder of the user."""
    base = os.environ.get("XDG_CACHE_HOME")
    cache = (Path(base) if base else Path.home() / ".cache") / "datahound"
    # Two places may have one slug.
    return cache / f"{make_slug(place)}-{hash_text(place)[:8]}"
