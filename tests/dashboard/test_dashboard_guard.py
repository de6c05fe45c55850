"""Nobody but this machine's user: other names, other sites and strangers get nothing."""

import re
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import yaml
from crawled import Client, in_thread

from datahound.dashboard.app import serve_dashboard
from datahound.dashboard.guard import AccessRules, is_loopback
from datahound.errors import UserError

TOKEN = "a-token-of-enough-length"
DEPLOY = Path(__file__).parents[2] / "deploy"


def test_every_answer_forbids_what_is_not_ours(client):
    """Pages, JSON, files and errors carry the policy."""
    for path in ("/", "/index.json", "/static/app.js", "/nowhere", "/metrics"):
        headers = client.ask(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_foreign_name_that_points_here_is_refused(client, host):
    """DNS rebinding: the browser sends the foreign name, and gets nothing."""
    answer = client.ask("/index.json", headers={"Host": host})
    assert answer.status in (400, 421)
    assert "crawls" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "localhost:1234", "[::1]:80", "127.0.0.1"])
def test_names_of_this_machine_are_served(client, host):
    assert client.ask("/", headers={"Host": host}).status == 200


def test_a_token_is_needed_and_kept_in_a_cookie(crawls):
    """Nothing without it; with it a cookie that no other site can use."""
    with in_thread(lambda: serve_dashboard([crawls], token=TOKEN)) as serving:
        client = Client(serving)
        assert serving.link.endswith(f"?token={TOKEN}")
        for path in ("/", "/index.json", "/metrics", "/static/app.js", "/crawl/demo/file?url=x"):
            assert client.ask(path).status == 401
        assert client.ask("/?token=wrong-token-of-any-length").status == 401
        welcome = client.ask(f"/crawl/demo?token={TOKEN}")
        assert welcome.status == 200
        cookie = welcome.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert 'content="0; url=/crawl/demo"' in welcome.text
        assert TOKEN not in welcome.text
        kept = {"Cookie": cookie.partition(";")[0]}
        assert client.ask("/crawl/demo", headers=kept).status == 200
        assert client.ask("/", headers={"Cookie": "datahound=wrong"}).status == 401
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        assert client.ask("/metrics", headers=bearer).status == 200


def test_other_addresses_always_have_a_token():
    """It is made up where the user gives none; a short one is refused."""
    assert len(AccessRules.create("0.0.0.0", None).token) >= 24
    assert len(AccessRules.create("192.168.1.5", None).token) >= 24
    assert AccessRules.create("127.0.0.1", None).token == ""
    with pytest.raises(UserError, match="at least 16"):
        AccessRules.create("0.0.0.0", "short")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("localhost.evil.example")


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
    ],
)
def test_forms_of_other_sites_are_refused(client, headers):
    """Even with the right token in them."""
    form = {"form_token": client.form_token(), "tell": "stop", "id": "1"}
    for path in ("/crawl/demo/control", "/crawl/demo/zip"):
        assert client.ask(path, "POST", headers, form).status == 403


def test_a_form_needs_its_token(client):
    assert client.ask("/crawl/demo/zip", "POST", form={"id": "1"}).status == 403
    assert client.ask("/crawl/demo/zip", "POST", form={"id": "1", "form_token": "x"}).status == 403
    assert client.ask("/crawl/demo", "PUT").status == 405
    assert client.ask("/crawl/demo", "DELETE").status == 405


def test_a_folder_that_is_not_there_is_the_users_mistake(tmp_path):
    with (
        pytest.raises(UserError, match="no such folder"),
        in_thread(lambda: serve_dashboard([tmp_path / "x"])),
    ):
        pass


def test_a_crawl_that_does_not_run_cant_be_told(client):
    form = {"form_token": client.form_token(), "tell": "stop"}
    answer = client.ask("/crawl/demo/control", "POST", form=form)
    assert answer.status == 404
    assert "no crawl is running" in answer.text


def test_the_dashboard_answers_prometheus_and_the_health_check(tmp_path):
    """Beyond loopback it has a token: Prometheus has it as a secret, the check needs none."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    prometheus = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    assert compose["secrets"] == {"datahound_token": {"environment": "DATAHOUND_TOKEN"}}
    assert compose["services"]["prometheus"]["secrets"] == ["datahound_token"]
    (job,) = prometheus["scrape_configs"]
    assert job["authorization"] == {"credentials_file": "/run/secrets/datahound_token"}
    asked = re.search(r"127\.0\.0\.1:8484(/\w+)", (DEPLOY / "Containerfile").read_text())[1]
    with in_thread(lambda: serve_dashboard([tmp_path], token=TOKEN)) as serving:
        with urllib.request.urlopen(serving.address + asked, timeout=10) as answer:
            assert answer.read() == b"ok\n"
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(serving.address + job["metrics_path"], timeout=10)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        wanted = urllib.request.Request(serving.address + job["metrics_path"], headers=headers)
        with urllib.request.urlopen(wanted, timeout=10) as answer:
            assert answer.status == 200
