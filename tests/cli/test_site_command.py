"""`datahound site`."""

import json
import os
import signal
import subprocess
import sys
import urllib.request

import pytest

SITE = "synthetic:demo?scale=0.1"


def test_describe(datahound):
    """The measured characteristics, for people and for machines."""
    status, out, _ = datahound("site", "describe", SITE)
    assert status == 0
    assert "pages that link to a target" in out
    _, out, _ = datahound("site", "describe", SITE, "--json")
    assert json.loads(out)["targets"] == 42


def test_describe_beside_the_paper(datahound):
    """A preset is shown beside the site that it is in the likeness of."""
    _, out, _ = datahound("site", "describe", "synthetic:qa?scale=0.1", "--json")
    figures = json.loads(out)
    assert figures["density"] == pytest.approx(figures["paper"]["density"], rel=0.15)
    assert figures["linking"] == pytest.approx(figures["paper"]["linking"], rel=0.15)


def test_import(datahound, tmp_path):
    """Any site becomes a WARC file, which is never overwritten."""
    to = tmp_path / "site.warc.gz"
    status, out, _ = datahound("site", "import", SITE, to, "--json")
    assert (status, json.loads(out)["exchanges"] > 200) == (0, True)
    before = to.read_bytes()
    status, _, err = datahound("site", "import", SITE, to)
    assert (status, err.count("\n")) == (2, 1)
    assert to.read_bytes() == before
    _, out, _ = datahound("site", "describe", to, "--json")
    assert json.loads(out)["targets"] == 42


def test_serve_until_interrupted():
    """The site answers over HTTP, and Ctrl-C ends it cleanly."""
    command = [sys.executable, "-c", "from datahound.cli import main; main()"]
    command += ["site", "serve", SITE, "--port", "0", "--rewrite", "--json"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    try:
        served = json.loads(server.stdout.readline())
        with urllib.request.urlopen(served["start"], timeout=20) as answer:
            assert b"<html" in answer.read()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=20) == 0
    finally:
        server.kill()
        server.communicate()


@pytest.mark.parametrize("command", [["describe"], ["serve"], ["import", "nowhere", "x.warc.gz"]])
def test_bad_input(datahound, command):
    """One line and exit status 2."""
    status, _, err = datahound("site", *command, *([] if len(command) > 1 else ["nowhere"]))
    assert (status, err.count("\n")) == (2, 1)
    assert "nowhere" in err
