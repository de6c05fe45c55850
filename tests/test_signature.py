"""Signatures are those of RFC 9421, and only who asks for them gets them."""

import asyncio
import base64
import json
import re

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from websites import Website, data, page

from datahound.cli import run
from datahound.errors import UserError
from datahound.http.client import Web
from datahound.model import Fetch, Response
from datahound.settings import WebSettings
from datahound.signature import (
    Signer,
    SigningKey,
    make_directory,
    make_key,
    read_key,
    sign_components,
)


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.fixture
def rfc_key():
    """The key `test-key-ed25519` of RFC 9421, B.1.4."""
    private = ed25519.Ed25519PrivateKey.from_private_bytes(
        decode("n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU")
    )
    return SigningKey(private, private.public_key().public_bytes_raw())


def test_the_vector_of_the_rfc(rfc_key):
    """RFC 9421, B.2.6: Ed25519 gives one signature, so it can be compared."""
    assert rfc_key.jwk["x"] == "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"
    components = [
        ("date", "Tue, 20 Apr 2021 02:07:55 GMT"),
        ("@method", "POST"),
        ("@path", "/foo"),
        ("@authority", "example.com"),
        ("content-type", "application/json"),
        ("content-length", "18"),
    ]
    parameters = {"created": 1618884473, "keyid": "test-key-ed25519"}
    headers = sign_components(rfc_key, components, parameters, "sig-b26")
    assert headers["Signature-Input"] == (
        'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length")'
        ';created=1618884473;keyid="test-key-ed25519"'
    )
    assert headers["Signature"] == (
        "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu"
        "4A0w6vuQv5lIp5WPpBKRCw==:"
    )


def test_the_name_of_a_key_is_its_thumbprint(rfc_key):
    """The one that the profile of Web Bot Auth gives for this key."""
    assert rfc_key.thumbprint == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"
    (found,) = json.loads(make_directory(rfc_key))["keys"]
    assert found["kid"] == rfc_key.thumbprint
    assert "d" not in found


def test_only_origins_that_ask_get_signatures(rfc_key):
    signer = Signer(rfc_key, "https://bot.example", lambda: 1_700_000_000.0)
    assert signer.headers_for("https://a.example/x") == {}
    assert signer.heed("https://a.example/x", {"accept-signature": "sig1=()"})
    assert not signer.heed("https://a.example/y", {"accept-signature": "sig1=()"})
    assert signer.headers_for("https://b.example/") == {}
    headers = signer.headers_for("https://a.example/y")
    described = headers["Signature-Input"].removeprefix("sig1=")
    for part in ('tag="web-bot-auth"', "created=1700000000", "expires=1700000300"):
        assert part in described
    base = (
        f'"@authority": a.example\n"signature-agent": "https://bot.example"\n'
        f'"@signature-params": {described}'
    )
    signature = base64.b64decode(re.fullmatch("sig1=:(.*):", headers["Signature"])[1])
    public = ed25519.Ed25519PublicKey.from_public_bytes(rfc_key.public)
    public.verify(signature, base.encode())


def test_a_server_that_asks_gets_a_signed_request(tmp_path):
    """Refused without a signature, the request is made once more with one."""
    key = tmp_path / "key.pem"
    key.write_bytes(make_key())

    async def guard(exchange):
        if "signature" in exchange.headers:
            head = "200 OK\r\nContent-Type: text/html\r\nContent-Length: 2"
        else:
            head = "403 Forbidden\r\nAccept-Signature: sig1=()\r\nContent-Length: 0"
        body = b"ok" if head.startswith("200") else b""
        await exchange.send(f"HTTP/1.1 {head}\r\nConnection: close\r\n\r\n", body)

    site = Website({"/": guard, "/open.csv": data(b"1"), "/p": page()})

    async def go(sign):
        async with site.served() as address:
            settings = WebSettings(
                delay_seconds=0, connect_to=address, ignore_robots=True, sign=sign
            )
            async with Web(site.seed, settings) as web:
                return await web.get(Fetch(site.seed))

    signed = asyncio.run(go(str(key)))
    assert isinstance(signed, Response)
    assert (signed.status, len(site.asked)) == (200, 2)
    assert asyncio.run(go("")).status == 403


def test_bot_page_writes_key_directory_and_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["bot-page", "--key", "key.pem", "--output", "www", "--contact", "me@bot.example"]
    assert run(command) == 0
    assert (tmp_path / "key.pem").stat().st_mode & 0o077 == 0
    key = read_key(tmp_path / "key.pem")
    directory = tmp_path / "www/.well-known/http-message-signatures-directory"
    assert json.loads(directory.read_text())["keys"][0]["kid"] == key.thumbprint
    page = (tmp_path / "www/index.html").read_text()
    assert '<a href="mailto:me@bot.example">' in page
    assert key.thumbprint in page
    assert run(command) == 0
    assert read_key(tmp_path / "key.pem").thumbprint == key.thumbprint


def test_only_addresses_become_links_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for contact, link in {
        "https://bot.example/about": '<a href="https://bot.example/about">',
        "javascript:alert(1)": "<p>javascript:alert(1)</p>",
        "<b>room 7</b>": "<p>&lt;b&gt;room 7&lt;/b&gt;</p>",
    }.items():
        assert run(["bot-page", "--contact", contact]) == 0
        assert link in (tmp_path / "bot-page" / "index.html").read_text()


@pytest.mark.parametrize("text", [None, "no key"])
def test_a_key_that_cant_be_used_is_one_line(text, tmp_path):
    if text:
        (tmp_path / "key").write_text(text)
    with pytest.raises(UserError, match="key: "):
        read_key(tmp_path / "key")
