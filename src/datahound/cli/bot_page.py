"""`datahound bot-page`: who this crawler is, for the owners of sites."""

import os
import re
from pathlib import Path
from typing import Annotated

import typer

from datahound import signature
from datahound.files import storage_errors, write_whole
from datahound.report.format import load_templates

_MAIL = re.compile(r"[\w.+-]+@[\w.-]+")


def bot_page(
    *,
    key: Annotated[
        Path, typer.Option(metavar="FILE", help="The private key; made if it is not there.")
    ] = Path("datahound-key.pem"),
    output: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder to put on your web server.")
    ] = Path("bot-page"),
    contact: Annotated[str, typer.Option(help="How to reach you.")] = "",
) -> None:
    """Write the key directory and the contact page that site owners look for.

    datahound bot-page --contact you@example.org
    """
    if not key.exists():
        _write_private(key, signature.make_key())
    signing = signature.read_key(key)
    directory = output / signature.DIRECTORY.lstrip("/")
    for path, text in ((directory, signature.make_directory(signing)), (output / "index.html",
                       _make_page(signing, contact))):  # fmt: skip
        with write_whole(path) as draft:
            draft.write_text(text, "utf-8")
    typer.echo(
        f"{output}: put it on your web server, then: "
        f"datahound crawl --sign {key} --sign-agent https://<that server> ..."
    )


def _write_private(path: Path, pem: bytes) -> None:
    with storage_errors(path):
        # Private from its first byte on: a chmod afterwards leaves a moment in which others can
        # read it.
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(pem)


def _make_page(key: signature.SigningKey, contact: str) -> str:
    template = load_templates("datahound.cli").get_template("bot_page.html")
    return template.render(
        contact=contact or "The operator has left no address.",
        link=_link_to(contact),
        name=key.thumbprint,
        directory=signature.DIRECTORY,
    )


def _link_to(contact: str) -> str:
    """The link behind an address of mail or of the web; '' for any other text."""
    if contact.startswith(("https://", "http://")):
        return contact
    return f"mailto:{contact}" if _MAIL.fullmatch(contact) else ""
