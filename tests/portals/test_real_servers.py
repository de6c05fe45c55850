"""Crawls of real servers of platforms, where they are installed."""

import asyncio
import contextlib
import csv
import io
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from datahound.report.status import read_status
from datahound.runs import Run
from datahound.runs.options import make_options

TABLES = 12
RECORDS = 40


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running(command, address):
    """A server in a process of its own, from its first answer on."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            for _ in range(600):
                with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
                    urllib.request.urlopen(address, timeout=20).close()
                    break
                if process.poll() is not None:
                    pytest.skip(f"does not run here: {process.stderr.read().decode()[-200:]}")
                time.sleep(0.1)
            yield
        finally:
            process.kill()


def crawl(address, folder, **options):
    given = {"delay": 0.0, "early-stop": False, "output": folder, **options}
    asyncio.run(Run(make_options(address, given)).go())
    with contextlib.closing(sqlite3.connect(folder / "crawl.db")) as database:
        files = database.execute("SELECT url, path FROM file WHERE path != ''").fetchall()
        asked = [url for (url,) in database.execute("SELECT url FROM request ORDER BY id")]
    return {url: (folder / "files" / path).read_bytes() for url, path in files}, asked


def test_datasette(tmp_path):
    """All tables of two databases come as CSV with all their rows, for a request per database."""
    pytest.importorskip("datasette", reason="Datasette is not installed")
    wanted = {}
    for name in ("budget", "rivers"):
        with contextlib.closing(sqlite3.connect(tmp_path / f"{name}.db")) as database:
            for number in range(TABLES):
                table = f"{name}.é {number}"
                database.execute(f'CREATE TABLE "{table}" (id INTEGER PRIMARY KEY, text TEXT)')
                rows = [(i, f"{table}, é {i}") for i in range(1, 1500 if number == 0 else 5)]
                database.executemany(f'INSERT INTO "{table}" VALUES (?, ?)', rows)
                wanted[table] = [[str(i), text] for i, text in rows]
            database.commit()
    port = free_port()
    databases = [str(tmp_path / f"{name}.db") for name in ("budget", "rivers")]
    command = [sys.executable, "-W", "ignore", "-m", "datasette", "serve", "-p", str(port)]
    address = f"http://127.0.0.1:{port}/"
    with running([*command, *databases], address):
        files, asked = crawl(address, tmp_path / "x", budget=60)
    found = {}
    for url, body in files.items():
        if url.endswith(".csv?_stream=on&_size=max"):
            _, *rows = csv.reader(io.StringIO(body.decode()))
            found[rows[0][1].partition(",")[0]] = rows
    assert found == wanted
    # The start page, the databases, the tables of each; nothing else before the files.
    assert sum("_stream=on" in url for url in asked[: 2 * TABLES + 4]) == 2 * TABLES
    assert any(line.startswith("Datasette: ") for line in read_status(tmp_path / "x").portals)


_CONFIG = """[server]
home={folder}
url=http://127.0.0.1:{port}/csw
mimetype=application/xml; charset=UTF-8
encoding=UTF-8
language=en-US
maxrecords=10
loglevel=ERROR
logfile=
[manager]
transactions=false
allowed_ips=127.0.0.1
[metadata:main]
identification_title=Brovik
identification_abstract=x
identification_keywords=x
provider_name=x
provider_url=http://127.0.0.1
contact_name=x
[repository]
database=sqlite:///{folder}/records.db
table=records
"""
_SERVER = """
import os
os.environ["PYCSW_CONFIG"] = {config!r}
from wsgiref.simple_server import make_server
from pycsw.core import admin, config
from pycsw.wsgi import application
folder = {folder!r}
admin.setup_db(f"sqlite:///{{folder}}/records.db", "records", folder)
records = folder + "/xml"
admin.load_records(config.StaticContext(), f"sqlite:///{{folder}}/records.db", "records", records)
FRONT = b'<html><body><a href="{link}">catalogue</a></body></html>'
def serve(environment, start):
    path = environment["PATH_INFO"]
    if path == "/":
        start("200 OK", [("Content-Type", "text/html")])
        return [FRONT]
    if path.startswith("/files/"):
        start("200 OK", [("Content-Type", "text/csv")])
        return [b"a,b\\n1," + path.encode()]
    if path == "/csw":
        return application(environment, start)
    start("404 Not Found", [("Content-Type", "text/plain")])
    return [b"no"]
make_server("127.0.0.1", {port}, serve).serve_forever()
"""
_RECORD = """<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/">
<dc:identifier>{url}</dc:identifier><dc:title>Record {number}</dc:title><dc:type>dataset</dc:type>
<dct:references scheme="WWW:DOWNLOAD-1.0-http--download">{url}</dct:references></csw:Record>"""


@pytest.mark.parametrize(
    "link", ["/csw?service=CSW&request=GetCapabilities", "/csw?mode=oaipmh&verb=Identify"]
)
def test_pycsw(link, tmp_path):
    """All records come page by page, by each of two protocols that the server speaks."""
    for name in ("pycsw", "sqlalchemy", "pkg_resources"):
        pytest.importorskip(name, reason=f"pycsw is not installed, or lacks {name}")
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    wanted = {f"{address}files/{number}.csv" for number in range(RECORDS)}
    (tmp_path / "xml").mkdir()
    for number in range(RECORDS):
        record = _RECORD.format(number=number, url=f"{address}files/{number}.csv")
        (tmp_path / "xml" / f"{number}.xml").write_text(record)
    config = tmp_path / "pycsw.cfg"
    config.write_text(_CONFIG.format(folder=tmp_path, port=port))
    script = _SERVER.format(config=str(config), folder=str(tmp_path), port=port, link=link)
    with running([sys.executable, "-W", "ignore", "-c", script], address):
        files, asked = crawl(address, tmp_path / "x", budget=80)
    assert files.keys() >= wanted
    assert sum("/csw" in url for url in asked) <= 2 * RECORDS / 10 + 3


_GEOAPI = """import json, os
from tinydb import TinyDB
database = TinyDB({folder!r} + "/records.json")
for number in range({count}):
    database.insert({{
        "id": f"r{{number}}", "type": "Feature", "geometry": None,
        "properties": {{
            "externalId": f"r{{number}}", "type": "dataset", "title": f"Record {{number}}",
            "created": "2020-01-01", "license": "CC0", "_metadata-anytext": "x",
        }},
        "links": [{{"rel": "enclosure", "type": "text/csv", "href": f"{{number}}.csv"}}],
    }})
box = {{"bbox": [-180, -90, 180, 90], "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84"}}
provider = {{
    "type": "record", "name": "TinyDBCatalogue", "data": {folder!r} + "/records.json",
    "id_field": "externalId", "time_field": "created", "title_field": "title",
}}
about = {{"title": "Brovik", "description": "x", "keywords": ["x"], "links": []}}
identification = {{
    **about, "keywords_type": "theme", "terms_of_service": "x", "url": "http://127.0.0.1",
}}
config = {{
    "server": {{
        "bind": {{"host": "127.0.0.1", "port": {port}}}, "url": "http://127.0.0.1:{port}",
        "mimetype": "application/json; charset=UTF-8", "encoding": "utf-8",
        "languages": ["en-US"], "limits": {{"default_items": 10, "max_items": 20}},
        "map": {{"url": "http://127.0.0.1/none", "attribution": "x"}},
    }},
    "logging": {{"level": "ERROR"}},
    "metadata": {{
        "identification": identification, "license": {{"name": "CC0", "url": "http://127.0.0.1"}},
        "provider": {{"name": "x", "url": "http://127.0.0.1"}}, "contact": {{"name": "x"}},
    }},
    "resources": {{
        "records": {{
            **about, "type": "collection", "extents": {{"spatial": box}}, "providers": [provider],
        }}
    }},
}}
for name in ("PYGEOAPI_CONFIG", "PYGEOAPI_OPENAPI"):
    os.environ[name] = {folder!r} + "/" + name + ".yml"
with open(os.environ["PYGEOAPI_CONFIG"], "w") as file:
    json.dump(config, file)
from pathlib import Path
from pygeoapi.openapi import generate_openapi_document
document = generate_openapi_document(Path(os.environ["PYGEOAPI_CONFIG"]), "yaml")
Path(os.environ["PYGEOAPI_OPENAPI"]).write_text(document)
from flask import Response
from pygeoapi.flask_app import APP
@APP.get("/collections/records/<int:number>.csv")
def send(number):
    return Response(f"a,b\\n1,{{number}}", mimetype="text/csv")
APP.run(host="127.0.0.1", port={port})
"""


def test_pygeoapi(tmp_path):
    """All records of a collection come page by page, as large as the server has them."""
    for name in ("pygeoapi", "flask", "tinydb"):
        pytest.importorskip(name, reason=f"pygeoapi is not installed, or lacks {name}")
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    script = _GEOAPI.format(folder=str(tmp_path), port=port, count=RECORDS)
    with running([sys.executable, "-W", "ignore", "-c", script], address):
        files, asked = crawl(address, tmp_path / "x", budget=120)
    assert files.keys() >= {f"{address}collections/records/{n}.csv" for n in range(RECORDS)}
    lists = [url for url in asked if "/items?" in url and "f=html" not in url]
    assert len([url for url in lists if "limit=" in url]) <= RECORDS / 20 + 2, lists
    told = read_status(tmp_path / "x").portals
    assert any(f"OGC API: {RECORDS} of {RECORDS} datasets" in line for line in told), told
