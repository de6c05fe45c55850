"""`datahound refresh` over nginx and Apache: two states of a site, their ETags, 304s and gzip.

Skipped where they are not installed: `apt-get install nginx-light apache2`.
"""

import csv
import gzip
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from hashlib import sha256
from pathlib import Path

import pytest
from changing_site import page

from datahound.cli import run

NGINX = """daemon off; pid {root}/nginx.pid; error_log {root}/error.log; worker_processes 1;
events {{ worker_connections 64; }}
http {{
  types {{ text/html html; text/csv csv; application/pdf pdf; }}
  default_type text/plain;
  access_log {root}/access.log combined;
  gzip on; gzip_types text/csv; gzip_min_length 20; gzip_http_version 1.0; gzip_proxied any;
  client_body_temp_path {root}/body; proxy_temp_path {root}/proxy; fastcgi_temp_path {root}/fcgi;
  uwsgi_temp_path {root}/uwsgi; scgi_temp_path {root}/scgi;
  server {{
    listen 127.0.0.1:{port} default_server; root {root}/www; index index.html;
    include {root}/manners*;
  }}
  server {{ listen 127.0.0.1:{port}; server_name localhost; root {root}/www; index index.html; }}
}}
"""
APACHE = """ServerRoot {root}
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile {root}/apache.pid
ErrorLog {root}/error.log
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule dir_module {modules}/mod_dir.so
LoadModule mime_module {modules}/mod_mime.so
LoadModule deflate_module {modules}/mod_deflate.so
LoadModule filter_module {modules}/mod_filter.so
LoadModule rewrite_module {modules}/mod_rewrite.so
TypesConfig /dev/null
AddType text/html .html
AddType text/csv .csv
AddType application/pdf .pdf
AddOutputFilterByType DEFLATE text/html text/csv
DocumentRoot {root}/www
DirectoryIndex index.html
LogFormat "%h %l %u %t \\"%r\\" %>s %b" combined
CustomLog {root}/access.log combined
User {user}
Group {group}
<Directory {root}/www>
  Require all granted
</Directory>
IncludeOptional {root}/manners*
"""
# A page in place of what is not there, with the status 200; and everything on another host.
SOFT_404 = {"nginx": "error_page 404 =200 /about.html;", "apache2": "FallbackResource /about.html"}
MOVED = {
    "nginx": "return 301 http://localhost:$server_port$request_uri;",
    "apache2": "RewriteEngine On\nRewriteCond %{HTTP_HOST} ^127\n"
    "RewriteRule ^(.*)$ http://localhost:%{SERVER_PORT}$1 [R=301,L]",
}
MODULES = "/usr/lib/apache2/modules"
LONG = b"region,rate\n" + b"".join(b"r%d,%d\n" % (n, n) for n in range(500))
FIRST = {
    "index.html": page("data/list.html", "about.html"),
    "about.html": page(),
    "data/list.html": page("a.csv", "b.csv", "c.pdf", "old.csv"),
    "data/a.csv": LONG,
    "data/b.csv": b"region,rate\nNord,12.1\n",
    "data/c.pdf": b"%PDF-1.4\n" + bytes(range(256)) * 8,
    "data/old.csv": b"x,1\n",
}
SECOND = {
    **FIRST,
    "about.html": page("data/new/more.html"),
    "data/list.html": page("a.csv", "b.csv", "c.pdf", "d.csv"),
    "data/new/more.html": page("e.csv"),
    "data/new/e.csv": b"e,1\n",
    "data/a.csv": LONG.replace(b"r7,7\n", b"r7,8\n"),
    "data/d.csv": b"d,1\n" * 50,
}
del SECOND["data/old.csv"]


class RealServer:
    """A web server over a folder, which is a website in one of its states."""

    def __init__(self, root: Path, port: int) -> None:
        self.root, self.url = root, f"http://127.0.0.1:{port}/"
        self.restart = lambda: None

    def publish(self, state: dict[str, bytes], at: float) -> None:
        """Make the folder this state; what has other bytes was written at a time."""
        www = self.root / "www"
        for path in [p for p in www.rglob("*") if p.is_file()]:
            if path.relative_to(www).as_posix() not in state:
                path.unlink()
        for name, body in state.items():
            path = www / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_bytes() != body:
                path.write_bytes(body)
                os.utime(path, (at, at))

    def date_all(self, at: float) -> None:
        """Give all files one date, and so other validators."""
        for path in [p for p in (self.root / "www").rglob("*") if p.is_file()]:
            os.utime(path, (at, at))

    def behave(self, manner: str) -> None:
        """Serve by more directives from now on."""
        (self.root / "manners").write_text(manner + "\n")
        self.restart()

    def statuses(self, name: str) -> list[str]:
        """The statuses that requests for a path were answered with."""
        lines = (self.root / "access.log").read_text().splitlines()
        return [line.split('"')[2].split()[0] for line in lines if f" /{name} " in line]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(params=["nginx", "apache2"])
def server(request):
    """A real server that serves the first state."""
    name = request.param
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if path is None:
        pytest.skip(f"{name} is not installed")
    port = free_port()
    # Not below pytest's own folder, which other users, such as that of Apache, can't read.
    root = Path(tempfile.mkdtemp())
    root.chmod(0o755)
    server = RealServer(root, port)
    server.publish(FIRST, time.time() - 90_000)
    if name == "nginx":
        (server.root / "conf").write_text(NGINX.format(root=server.root, port=port))
        command = [path, "-p", str(server.root), "-c", str(server.root / "conf")]
        command += ["-g", "user root;"] if os.getuid() == 0 else []
    else:
        names = ("www-data", "www-data") if os.getuid() == 0 else (os.getuid(), os.getgid())
        facts = {"modules": MODULES, "user": names[0], "group": names[1]}
        conf = APACHE.format(root=server.root, port=port, **facts)
        (server.root / "conf").write_text(conf)
        command = [path, "-f", str(server.root / "conf"), "-DFOREGROUND"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            wait_for(server, process)
            server.restart = lambda: restart(server, process)
            server.name = name
            yield server
        finally:
            process.terminate()
            process.wait(10)
            shutil.rmtree(root)


def restart(server, process):
    process.send_signal(signal.SIGHUP)
    # Both go on to answer by the old configuration for a moment.
    time.sleep(1.0)
    wait_for(server, process)


def wait_for(server, process):
    for _ in range(100):
        try:
            with urllib.request.urlopen(server.url, timeout=2):
                return
        except OSError:
            if process.poll() is not None:
                pytest.fail(process.stderr.read().decode())
            time.sleep(0.05)
    pytest.fail("the server does not answer")


def crawl(server, folder):
    arguments = ["--delay", "0", "--no-catalog", "--plain"]
    assert run(["crawl", server.url, "--output", str(folder), *arguments]) == 0


def present(folder):
    """The files that are not gone, with their hashes."""
    with (folder / "datasets.csv").open(encoding="utf-8-sig") as file:
        return {row["url"]: row["sha256"] for row in csv.DictReader(file) if not row["gone"]}


def test_a_refresh_ends_with_the_files_of_a_fresh_crawl(server, tmp_path):
    """New and changed files are there, the others cost a 304 each, and a dropped one is gone."""
    folder = tmp_path / "site"
    crawl(server, folder)
    assert run(["refresh", str(folder), "--delay", "0", "--no-catalog"]) == 3
    asked_again = [server.statuses(name)[-1] for name in FIRST if name.endswith((".csv", ".pdf"))]
    # One check in twenty asks for the bytes; by a hash of the URL, and so of the port.
    assert asked_again.count("304") >= len(asked_again) - 2
    server.publish(SECOND, time.time() - 5)
    assert run(["refresh", str(folder), "--delay", "0", "--no-catalog"]) == 0
    crawl(server, tmp_path / "fresh")
    assert present(folder) == present(tmp_path / "fresh")
    found = json.loads((folder / "whatsnew.json").read_text())
    counts = [len(found[kind]) for kind in ("new", "changed", "gone")]
    assert counts == [2, 1, 1]


def test_a_body_that_came_packed_is_kept_unpacked(server, tmp_path):
    """Both servers pack CSV; the ETag of the packed body is the validator of the next check."""
    request = urllib.request.Request(f"{server.url}data/a.csv", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.read()) == LONG
    folder = tmp_path / "site"
    crawl(server, folder)
    server.publish({**FIRST, "data/a.csv": SECOND["data/a.csv"]}, time.time() - 5)
    assert run(["refresh", str(folder), "--delay", "0", "--no-catalog"]) == 0
    bodies = {path.read_bytes() for path in (folder / "files").rglob("*") if path.is_file()}
    assert {LONG, SECOND["data/a.csv"]} <= bodies


def refresh(folder, *arguments):
    return run(["refresh", str(folder), "--delay", "0", "--no-catalog", *arguments])


def whatsnew(folder):
    return json.loads((folder / "whatsnew.json").read_text())


def test_files_that_were_only_touched_have_not_changed(server, tmp_path):
    """A new date, and so a new ETag of both servers, for the bytes of before."""
    folder = tmp_path / "site"
    crawl(server, folder)
    server.date_all(time.time())
    assert refresh(folder) == 3
    files = [name for name in FIRST if not name.endswith(".html")]
    assert [server.statuses(name)[-1] for name in files] == ["200"] * len(files)
    assert whatsnew(folder)["changed"] == []


def test_other_bytes_under_the_old_validators_are_found(server, tmp_path):
    """Same size and same date: both servers answer 304, until a test of the bytes shows the lie."""
    many = {f"data/m{n}.csv": b"m,%02d\n" % n for n in range(60)}
    at = time.time() - 90_000
    first = {**FIRST, "data/list.html": page("a.csv", *(n.partition("/")[2] for n in many)), **many}
    server.publish(first, at)
    folder = tmp_path / "site"
    crawl(server, folder)
    changed = {name: body.replace(b"m", b"n") for name, body in many.items()}
    server.publish({**first, **changed}, at)
    rounds = 0
    while refresh(folder) == 3:  # which answers are tested is chance: a round may not show the lie
        rounds += 1
        assert rounds < 10
    refresh(folder)
    found = present(folder)
    digests = {sha256(body).hexdigest() for body in changed.values()}
    assert digests <= set(found.values())


def test_new_bytes_with_an_older_date_are_found(server, tmp_path):
    """The server's clock was set back by a year: what it serves now is older by its date."""
    folder = tmp_path / "site"
    crawl(server, folder)
    server.publish(SECOND, time.time() - 366 * 86_400)
    assert refresh(folder) == 0
    assert [len(whatsnew(folder)[kind]) for kind in ("new", "changed", "gone")] == [2, 1, 1]
    server.publish(FIRST, time.time() + 366 * 86_400)
    assert refresh(folder) == 0
    assert len(whatsnew(folder)["changed"]) == 1


def test_a_page_in_place_of_a_file_changes_nothing(server, tmp_path):
    """The file is kept as it was: neither a version, nor new, nor gone."""
    folder = tmp_path / "site"
    crawl(server, folder)
    server.behave(SOFT_404[server.name])
    server.publish({name: body for name, body in FIRST.items() if "b.csv" not in name}, 0)
    assert refresh(folder) == 3
    assert server.statuses("data/b.csv")[-1] == "200"
    assert sha256(FIRST["data/b.csv"]).hexdigest() in present(folder).values()


def test_a_site_that_moved_to_another_host_is_followed(server, tmp_path):
    """Everything redirects to the new host, which has the same files and a new one."""
    folder = tmp_path / "site"
    crawl(server, folder)
    server.behave(MOVED[server.name])
    server.publish(SECOND, time.time() - 5)
    assert refresh(folder) == 0
    fresh = tmp_path / "fresh"
    crawl(server, fresh)
    new = {url for url in present(folder) if "localhost" in url}
    assert new == set(present(fresh))
