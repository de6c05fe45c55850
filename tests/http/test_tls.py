"""TLS is verified: a certificate that does not hold is a failure with a clear reason."""

import asyncio
import shutil
import ssl
import subprocess

import pytest
from websites import Website, page

from datahound.http.client import Web
from datahound.model import Fetch, Response
from datahound.settings import WebSettings

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """A folder with an authority that the tests trust."""
    folder = tmp_path_factory.mktemp("tls")
    openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
            "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem")  # fmt: skip
    return folder


def certified(folder, name, days="2"):
    """A server's context with a certificate for a name, valid for so many days."""
    openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}",
            "-keyout", f"{name}.key", "-out", f"{name}.csr")  # fmt: skip
    (folder / "names").write_text(f"subjectAltName=DNS:{name}")
    signed_by = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", days)
    request, result = f"{name}.csr", f"{name}.pem"
    openssl(folder, "x509", "-req", "-in", request, *signed_by, "-extfile", "names", "-out", result)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    return context


def visit(server, trusted):
    """What a visit of https://localhost brings, where the server has that context."""
    site = Website({"/": page()})

    async def run():
        async with site.served(server) as address:
            url = f"https://localhost:{address.rpartition(':')[2]}/"
            settings = WebSettings(delay_seconds=0, max_retries=1, retry_seconds=0.01)
            async with Web(url, settings, tls=trusted) as web:
                return await web.get(Fetch(url, patient=True))

    return asyncio.run(run())


def trusting(folder):
    return ssl.create_default_context(cafile=folder / "ca.pem")


def test_a_good_certificate_is_accepted(authority):
    assert isinstance(visit(certified(authority, "localhost"), trusting(authority)), Response)


@pytest.mark.parametrize(
    ("name", "days", "reason"),
    [
        ("localhost", "-1", "certificate: certificate has expired"),
        ("elsewhere.example", "2", "certificate: Hostname mismatch"),
    ],
)
def test_a_bad_certificate_is_a_failure(authority, name, days, reason):
    """Expired, or of another name: it says which, and is asked for once only."""
    answer = visit(certified(authority, name, days), trusting(authority))
    assert answer.reason.startswith(reason)
    assert answer.requests == 1


def test_an_unknown_authority_is_a_failure(authority):
    answer = visit(certified(authority, "localhost"), None)
    assert "certificate: " in answer.reason
    assert answer.requests == 1


def test_a_server_that_speaks_no_tls_is_a_failure(authority):
    async def answer_in_the_clear(reader, writer):
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def run():
        server = await asyncio.start_server(answer_in_the_clear, "127.0.0.1", 0)
        async with server:
            url = f"https://localhost:{server.sockets[0].getsockname()[1]}/"
            async with Web(url, WebSettings(delay_seconds=0), tls=trusting(authority)) as web:
                return await web.get(Fetch(url, patient=True))

    reason = asyncio.run(run()).reason
    assert reason == "TLS: the server answers without TLS; is the address http://?"
