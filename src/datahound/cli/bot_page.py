"""`datahound bot-page`: who this crawler is, for the owners of sites."""

import os
from pathlib import Path
from typing import Annotated

import typer
from jinja2 import Environment

from datahound import signature
from datahound.files import storage_errors, write_whole

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>About this crawler</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto }
code { overflow-wrap: anywhere }</style>
<h1>About this crawler</h1>
<p>It runs <b>Datahound</b>, which looks for data files (tables, reports) that websites publish.
It keeps to robots.txt, waits between two requests, and asks for no page twice.</p>
<h2>To reach its operator</h2>
<p>{{ contact }}</p>
<h2>To keep it out</h2>
<pre>User-agent: Datahound
Disallow: /</pre>
<h2>To know it</h2>
<p>It signs requests (RFC 9421, Ed25519) to servers that send <code>Accept-Signature</code>.
Its key has the name <code>{{ name }}</code> and is in the <a
href=".{{ directory }}">key directory</a>.</p>
</html>
"""


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
    template = Environment(autoescape=True).from_string(_PAGE)
    return template.render(
        contact=contact or "The operator has left no address.",
        name=key.thumbprint,
        directory=signature.DIRECTORY,
    )
