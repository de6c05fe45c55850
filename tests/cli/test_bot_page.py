"""`datahound bot-page`: a private key, a key directory and a page for the owners of sites."""

import json
import stat

import pytest

from datahound import signature
from datahound.cli import run


@pytest.fixture
def made(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["bot-page", "--contact", "ask <me> & mine@example.org"]) == 0
    return tmp_path, capsys.readouterr().out


def test_the_key_is_the_owner_s_alone(made):
    folder, _ = made
    mode = stat.S_IMODE((folder / "datahound-key.pem").stat().st_mode)
    assert mode == 0o600


def test_the_directory_has_the_public_half_only(made):
    folder, _ = made
    text = (folder / "bot-page" / signature.DIRECTORY.lstrip("/")).read_text()
    (key,) = json.loads(text)["keys"]
    assert key["kty"] == "OKP"
    assert key["crv"] == "Ed25519"
    assert "d" not in key  # the private half of a JWK, RFC 8037
    assert signature.read_key(folder / "datahound-key.pem").thumbprint == key["kid"]


def test_the_page_names_the_operator_and_the_key(made):
    folder, _ = made
    page = (folder / "bot-page" / "index.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "ask &lt;me&gt; &amp; mine@example.org" in page
    assert "<me>" not in page
    assert signature.read_key(folder / "datahound-key.pem").thumbprint in page
    assert f'href=".{signature.DIRECTORY}"' in page.replace("\n", "")
    assert "User-agent: Datahound\nDisallow: /\n" in page
    assert "User-agent: Datahound\nCrawl-delay: 10</pre>" in page


def test_a_key_that_is_there_is_kept(made):
    folder, _ = made
    before = (folder / "datahound-key.pem").read_bytes()
    assert run(["bot-page"]) == 0
    assert (folder / "datahound-key.pem").read_bytes() == before
    page = (folder / "bot-page" / "index.html").read_text()
    assert "The operator has left no address." in page


def test_what_is_no_key_is_refused_in_one_line(tmp_path, capsys):
    key = tmp_path / "key.pem"
    key.write_text("not a key")
    assert run(["bot-page", "--key", str(key), "--output", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "key.pem" in said
    assert not (tmp_path / "out").exists()
