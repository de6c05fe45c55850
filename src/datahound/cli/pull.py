"""`datahound pull`: a crawl folder out of object storage."""

from pathlib import Path
from typing import Annotated

import typer

from datahound.cli.progress import progress
from datahound.errors import UserError
from datahound.remote.objects import is_remote, open_objects
from datahound.remote.pull import pull_folder
from datahound.store.folder import Folder
from datahound.units import show_count


def pull(
    place: Annotated[
        str, typer.Argument(metavar="PLACE", help="Where it is, such as s3://bucket/prefix.")
    ],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")],
) -> None:
    """Fetch a crawl folder from object storage; what is there already is not fetched again.

    datahound pull s3://bucket/crawls/www.example.org www.example.org
    """
    if not is_remote(place) and not Path(place).is_dir():
        raise UserError(f"{place}: is neither object storage nor a folder")
    done = 0
    with Folder(folder).claimed(), progress("pull") as report:

        def advance(count: int) -> None:
            nonlocal done
            done = count
            report("files", count, count)

        if not pull_folder(open_objects(place), folder, advance=advance):
            raise UserError(f"{place}: no crawl was shipped there")
    typer.echo(f"{folder}: {show_count(done, 'file')}")
