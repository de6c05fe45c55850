"""Crawls that several tests look at, made once."""

import http.client
import json
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from crawled import catalogue, crawl, demo_site, hostile_site, in_thread

from datahound.dashboard.serving import dashboard


@pytest.fixture(scope="session")
def crawls(tmp_path_factory):
    """A folder with a crawl of the built-in site and one of a hostile site, both catalogued."""
    root = tmp_path_factory.mktemp("crawls")
    crawl(demo_site(), root / "demo")
    crawl(hostile_site(), root / "hostile")
    for name in ("demo", "hostile"):
        catalogue(root / name)
    return root


class Client:
    """Asks a dashboard, with whatever headers."""

    def __init__(self, serving):
        self.serving = serving
        self.netloc = serving.address.removeprefix("http://")

    def ask(self, path, method="GET", headers=None, form=None):
        connection = http.client.HTTPConnection(self.netloc, timeout=20)
        headers = {"Host": self.netloc, **(headers or {})}
        body = None
        if form is not None:
            body = urlencode(form, doseq=True)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return SimpleNamespace(
            status=response.status,
            headers=response.headers,
            body=content,
            text=content.decode("utf-8", "replace"),
        )

    def json(self, path):
        answer = self.ask(path)
        assert answer.headers["Content-Type"].startswith("application/json"), answer.text
        return json.loads(answer.text, parse_constant=pytest.fail)

    def form_token(self, path="/crawl/demo/data"):
        return self.ask(path).text.partition('name="form_token" value="')[2].partition('"')[0]


@pytest.fixture(scope="session")
def client(crawls):
    with in_thread(lambda: dashboard([crawls])) as serving:
        yield Client(serving)
