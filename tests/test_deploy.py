"""The files under `deploy/` are what they claim to be, as far as one machine can say."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from websites import Website, data, page, served_in_thread

from datahound.cli import run
from datahound.cli.crawl import plan_command
from datahound.report.status import Figures, LiveFigures, metrics_text

DEPLOY = Path(__file__).parents[1] / "deploy"


def read_yaml(name):
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


def test_the_container_is_small_and_not_root():
    """Two stages, a user with a number, a health check, no package manager at the end."""
    text = (DEPLOY / "Containerfile").read_text()
    stages = re.split(r"^FROM ", text, flags=re.MULTILINE)[1:]
    assert len(stages) == 2
    last = stages[-1]
    assert re.search(r"^USER [1-9]\d+$", last, re.MULTILINE)
    assert last.index("\nUSER ") > last.index("COPY --from=build")
    for word in ("HEALTHCHECK", "ENTRYPOINT", "VOLUME /crawls"):
        assert word in last
    assert all(":" in stage.split()[0].rpartition("/")[2] for stage in stages)
    assert ":latest" not in text
    assert "apt-get" not in text
    for command in re.findall(r"pip install (.*)", text):
        assert "--no-cache-dir" in command
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for name in source.split():
            assert (DEPLOY.parent / name).exists(), name


def test_compose_knows_its_files_and_keeps_roots_read_only():
    (compose,) = read_yaml("compose.yaml")
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            found = (DEPLOY / source).exists() if source.startswith(".") else True
            assert found or source in compose["volumes"], source
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), f"{name} would be open to the network"
    assert {"crawl", "dashboard", "prometheus"} == set(compose["services"])


def test_alerts_ask_for_metrics_that_exist():
    """Every name in an expression is one that a crawl has."""
    known = Figures(last_request_at=1.0, live=LiveFigures(left=1, left_low=1, left_high=1))
    names = set(re.findall(r"^(datahound_\w+)\{", metrics_text({"x": known}), re.MULTILINE))
    (alerts,) = read_yaml("prometheus/alerts.yml")
    rules = alerts["groups"][0]["rules"]
    assert len(rules) >= 4
    for rule in rules:
        asked = set(re.findall(r"datahound_\w+", rule["expr"]))
        assert asked, rule
        assert asked <= names, rule["alert"]
        assert rule["annotations"]["summary"]
    (prometheus,) = read_yaml("prometheus/prometheus.yml")
    assert prometheus["rule_files"] == ["alerts.yml"]


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not there")
def test_alerts_come_when_they_should(tmp_path):
    """By Prometheus's own tool."""
    shutil.copy(DEPLOY / "prometheus" / "alerts.yml", tmp_path)
    shutil.copy(Path(__file__).with_name("alerts.test.yml"), tmp_path)
    command = ["promtool", "test", "rules", str(tmp_path / "alerts.test.yml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_nightly_job_is_a_file_of_options():
    planned, command = plan_command([], None, DEPLOY / "datahound.toml", {})
    assert planned[0].contact
    assert command["metrics-file"].endswith(".prom")
    config, *_ = read_yaml("kubernetes/cronjob.yaml")
    given = tomllib.loads(config["data"]["datahound.toml"])
    assert given["refresh"] == command["refresh"]


def test_the_nightly_job_runs_as_it_is(tmp_path, monkeypatch):
    """In an empty folder: the first night crawls, the second one looks for what is new."""
    monkeypatch.chdir(tmp_path)
    site = Website({"/": page("/a.csv"), "/a.csv": data(b"a,1\n")})
    with served_in_thread(site) as address:
        for name, value in {"CONNECT_TO": address, "DELAY": "0", "IGNORE_ROBOTS": "yes"}.items():
            monkeypatch.setenv(f"DATAHOUND_{name}", value)
        job = ["crawl", "--config", str(DEPLOY / "datahound.toml"), "--plain"]
        assert run(job) == 0
        assert run(job) == 0
    folder = tmp_path / "www.example.org"
    assert len(list((folder / "files").rglob("a.csv"))) == 1
    assert (folder / "whatsnew.html").exists()
    assert 'datahound_ended{crawl="www.example.org"} 1' in Path("datahound.prom").read_text()
    assert len(Path("datahound.jsonl").read_text().splitlines()) >= 3


def test_the_cron_job_of_kubernetes_is_safe():
    """The kinds that it needs, and what they need: like a check against the schema, by hand."""
    config, claim, job = read_yaml("kubernetes/cronjob.yaml")
    assert [part["kind"] for part in (config, claim, job)] == [
        "ConfigMap", "PersistentVolumeClaim", "CronJob",
    ]  # fmt: skip
    assert job["apiVersion"] == "batch/v1"
    assert job["spec"]["concurrencyPolicy"] == "Forbid"
    assert len(job["spec"]["schedule"].split()) == 5
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    assert pod["restartPolicy"] in ("Never", "OnFailure")
    assert pod["securityContext"]["runAsNonRoot"] is True
    (container,) = pod["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in pod["volumes"]}
    names = {part["metadata"]["name"] for part in (config, claim)}
    for volume in pod["volumes"]:
        used = volume.get("persistentVolumeClaim", {}).get("claimName")
        used = used or volume.get("configMap", {}).get("name")
        assert used in names | {None}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not there")
@pytest.mark.parametrize("name", ["datahound.service", "datahound.timer"])
def test_systemd_accepts_the_units(name, tmp_path):
    for unit in (DEPLOY / "systemd").iterdir():
        text = unit.read_text().replace("/usr/local/bin/datahound", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    complaints = [line for line in done.stderr.splitlines() if "datahound" in line]
    assert not complaints


def test_the_line_for_cron_has_a_time_a_user_and_a_command():
    lines = (DEPLOY / "datahound.cron").read_text().splitlines()
    (job,) = [line for line in lines if line and line[0] in "*0123456789"]
    minute, hour, day, month, weekday, user, *command = job.split()
    assert (int(minute) < 60, int(hour) < 24, day, month, weekday) == (True, True, "*", "*", "*")
    assert user == "datahound"
    assert "flock" in command
    # Cron reads a percent sign as the end of the line.
    assert "%" not in job
