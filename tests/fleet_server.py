"""Many small websites on loopback addresses, in a process of their own that logs every request."""

import hashlib
import json
import random
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def make_file(site: str, path: str) -> bytes:
    """The bytes of a data file, which follow from its site and path."""
    draw = random.Random(f"{site} {path}")
    rows = (f"{1990 + n},{draw.randint(0, 10**6)}" for n in range(20))
    return ("year,value\n" + "\n".join(rows) + "\n").encode()


def list_files(site: str, pages: int, files: int) -> dict[str, str]:
    """The URL of every data file of a site, with its SHA-256."""
    paths = [f"/data/{p}-{f}.csv" for p in range(pages) for f in range(files)]
    return {f"{site}{path}": hashlib.sha256(make_file(site, path)).hexdigest() for path in paths}


def find_owner(port: int) -> int:
    """The process that has the client's end of a loopback connection; 0 if it has gone."""
    end = f":{port:04X}"
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(end) and fields[3] == "01":
            inode = f"socket:[{fields[9]}]"
            return next((pid for pid in _list_processes() if _has(pid, inode)), 0)
    return 0


def _list_processes():
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _has(pid: int, inode: str) -> bool:
    try:
        return any(str(fd.readlink()) == inode for fd in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def make_handler(log, pages: int, files: int):
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        owner = 0

        def setup(self):
            super().setup()
            self.owner = find_owner(self.client_address[1])

        def do_GET(self):
            address, port = self.connection.getsockname()
            site = f"http://{address}:{port}"
            row = [time.time(), address, site, self.path, self.owner]
            with lock:
                log.write(json.dumps(row) + "\n")
                log.flush()
            status, kind, body = answer(site, self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    def answer(site, path):
        if path == "/":
            links = "".join(f'<li><a href="/p/{n}.html">{n}</a></li>' for n in range(pages))
            return 200, "text/html", f"<ul class=pages>{links}</ul>".encode()
        if path.startswith("/p/"):
            page = path[3:].removesuffix(".html")
            links = "".join(
                f'<li><a href="/data/{page}-{n}.csv">{n}</a></li>' for n in range(files)
            )
            return 200, "text/html", f"<ul class=files>{links}</ul>".encode()
        if path.startswith("/data/"):
            return 200, "text/csv", make_file(site, path)
        return 404, "text/plain", b"none"

    return Handler


def main(spec: str, log_path: str) -> None:
    """Serve: `spec` is JSON with the addresses of the sites, pages and files of each."""
    wanted = json.loads(spec)
    with Path(log_path).open("a") as log:
        handler = make_handler(log, wanted["pages"], wanted["files"])
        ThreadingHTTPServer.request_queue_size = 64
        sites = []
        for address in wanted["addresses"]:
            server = ThreadingHTTPServer((address, 0), handler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            sites.append(f"http://{address}:{server.server_port}")
        print(json.dumps(sites), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
