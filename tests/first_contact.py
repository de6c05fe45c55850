"""The commands of the README's first contact, run with an installed wheel and a served site.

    build/wheel/env/bin/python tests/first_contact.py build/wheel/env/bin/datahound

The first command is the installation itself, which is done by then.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    "/": b'<title>Start</title><a href="/a.html">a</a> <a href="/x.csv">x</a>',
    "/a.html": b'<title>A</title><a href="/1.csv">one</a> <a href="/2.csv">two</a>',
}


class Site(BaseHTTPRequestHandler):
    """A site of two pages and three files."""

    def do_GET(self):
        body = PAGES.get(self.path, f"year,value\n2001,{len(self.path)}\n".encode())
        kind = "text/html" if self.path in PAGES else "text/csv"
        known = self.path in PAGES or self.path.endswith(".csv")
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


def read_commands():
    block = re.search(
        r"## First contact.*?```\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL
    )
    return [shlex.split(line) for line in block[1].strip().splitlines()]


def run(command, folder, environment, statuses=(0,)):
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip
    assert done.returncode in statuses, (command, done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def look_at_dashboard(command, folder, environment):
    """Start it, read the page that it names, and end it as a user does."""
    with subprocess.Popen(
        [*command, "--port", "0"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            link = re.search(r"http://\S+", process.stdout.readline())[0]
            page = urllib.request.urlopen(link, timeout=20).read().decode()
            assert "www.example.org" in page
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)


def main(program):
    install, doctor, crawl, report, serve = read_commands()
    assert install[-1] == "datahound"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    variables = {
        "DATAHOUND_CONNECT_TO": f"127.0.0.1:{server.server_port}",
        "DATAHOUND_DELAY": "0",
    }
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **variables}
    with tempfile.TemporaryDirectory() as folder:
        # A machine without a network fails DNS and TLS, which is what the command is for.
        assert "Python" in run([program, *doctor[1:]], folder, environment, (0, 1))
        said = run([program, *crawl[1:]], folder, environment)
        assert "3 files" in said
        assert "datahound serve www.example.org" in said
        path = Path(folder) / run([program, *report[1:]], folder, environment).strip()
        assert "<html" in path.read_text()
        look_at_dashboard([program, *serve[1:]], folder, environment)
    print("first contact: every command of the README works")


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).absolute()))
