"""A folder of results: plain files, saved run by run, that a notebook can start from.

results.csv           one row a run, with every setting and the version
sites.csv             what visiting everything costs and brings, for each site
characteristics.csv   what each site is like
curves.jsonl          a thinned curve for each run with the settings as they are
groups.jsonl          the groups of tag paths that brought most
failures.csv          runs that failed, and why
lab.json              what the folder was made with
"""

import json
from dataclasses import asdict, dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from datahound.errors import StorageError, UserError
from datahound.lab.append_csv import RowFile, append_json, read_json_lines
from datahound.lab.characteristics import Characteristics
from datahound.lab.observers import Group
from datahound.lab.run import Exhaustive, Finding, Points, Run
from datahound.parameters import parameters, with_parameters
from datahound.settings import Settings

_FORMAT = 1
_CHARACTERISTICS = (
    "site", "pages", "targets", "available", "linking_pages", "target_size_mean",
    "target_size_std", "target_depth_mean", "target_depth_std", "errors", "redirects", "complete",
)  # fmt: skip

RunKey = tuple[str, str, str, int]
"""Site, strategy, variant, seed."""


@dataclass(frozen=True, slots=True)
class SiteRow:
    """A site of the results, and what visiting all of it costs and brings."""

    name: str
    spec: str
    preset: str
    """The paper's site in whose likeness it is made; empty if it is not."""
    requests: int
    other_bytes: int
    targets: int
    target_bytes: int

    @property
    def whole(self) -> Exhaustive:
        return Exhaustive(self.requests, self.other_bytes, self.targets, self.target_bytes)


@dataclass(frozen=True, slots=True)
class Origin:
    """What a folder was made with."""

    version: str
    params: tuple[str, ...] = ()
    budget: int | None = None

    def settings(self) -> Settings:
        pairs = [*self.params, *([f"max_requests={self.budget}"] if self.budget else [])]
        return with_parameters(Settings(), pairs)


def installed_version() -> str:
    try:
        return version("datahound")
    except PackageNotFoundError:
        return "unknown"


def run_key(run: Run) -> RunKey:
    return run.site, run.strategy, run.variant, run.seed


class ResultFolder:
    """The results of some experiments, being made or being read."""

    def __init__(self, path: Path, origin: Origin) -> None:
        self.path = path
        self.origin = origin
        settings = tuple(parameter.name for parameter in parameters())
        self._runs = RowFile(path / "results.csv", (*_names(Run), *settings))
        self._sites = RowFile(path / "sites.csv", _names(SiteRow))
        self._characteristics = RowFile(path / "characteristics.csv", _CHARACTERISTICS)
        self._failures = RowFile(
            path / "failures.csv", ("site", "strategy", "variant", "seed", "reason")
        )

    @classmethod
    def create(cls, path: Path, origin: Origin) -> "ResultFolder":
        """A folder to put results in: a new one, or one that was made with the same."""
        if (path / "lab.json").exists():
            folder = cls.open(path)
            folder.require(origin)
            return folder
        try:
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()):
                raise UserError(
                    f"{path}: not empty, and not a folder of results; give another --out"
                )
            text = json.dumps({"format": _FORMAT, **asdict(origin)}, indent=2)
            (path / "lab.json").write_text(text + "\n", "utf-8")
        except OSError as error:
            raise StorageError(f"{path}: can't be written ({error.strerror})") from None
        return cls(path, origin)

    @classmethod
    def open(cls, path: Path) -> "ResultFolder":
        """A folder of results, to read."""
        try:
            found = json.loads((path / "lab.json").read_text("utf-8"))
            form = found.pop("format")
            origin = Origin(found["version"], tuple(found["params"]), found["budget"])
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            raise UserError(
                f"{path}: not a folder of results (make one with: datahound lab run)"
            ) from None
        if form != _FORMAT:
            raise UserError(f"{path}: made by datahound {origin.version}, in a form unknown here")
        return cls(path, origin)

    def require(self, origin: Origin) -> None:
        """Refuse to mix results that were made differently."""
        if self.origin.version != origin.version:
            raise UserError(
                f"{self.path}: made by datahound {self.origin.version}, this is {origin.version};"
                " give another --out"
            )
        if self.origin != origin:
            raise UserError(f"{self.path}: made with other settings; give another --out")

    def add(self, finding: Finding) -> None:
        """Save a run; its row comes last, so that a run with a row has all the rest."""
        key = list(run_key(finding.run))
        if finding.points:
            columns = [list(column) for column in zip(*finding.points, strict=True)]
            append_json(self.path / "curves.jsonl", {"run": key, "columns": columns})
        if finding.groups:
            append_json(self.path / "groups.jsonl", {"run": key, "groups": finding.groups})
        self._runs.append({**asdict(finding.run), **finding.settings})

    def add_site(self, site: SiteRow) -> None:
        self._sites.append(asdict(site))

    def add_characteristics(self, name: str, found: Characteristics) -> None:
        size, depth = found.target_size, found.target_depth
        row = {column: getattr(found, column, None) for column in _CHARACTERISTICS}
        spreads = {
            "target_size_mean": size.mean, "target_size_std": size.std,
            "target_depth_mean": depth.mean, "target_depth_std": depth.std,
        }  # fmt: skip
        self._characteristics.append({**row, **spreads, "site": name})

    def add_failure(self, key: RunKey, reason: str) -> None:
        names = ("site", "strategy", "variant", "seed")
        self._failures.append({**dict(zip(names, key, strict=True)), "reason": reason})

    def runs(self) -> dict[RunKey, Run]:
        """Every whole run; what is broken is passed over."""
        found = filter(None, (_made(Run, row) for row in self._runs.rows()))
        return {run_key(run): run for run in found if isinstance(run, Run)}

    def sites(self) -> dict[str, SiteRow]:
        found = filter(None, (_made(SiteRow, row) for row in self._sites.rows()))
        return {site.name: site for site in found if isinstance(site, SiteRow)}

    def characteristics(self) -> dict[str, dict[str, str]]:
        return {row["site"]: row for row in self._characteristics.rows()}

    def failures(self) -> dict[RunKey, str]:
        rows = [row for row in self._failures.rows() if row["seed"].isdigit()]
        return {(r["site"], r["strategy"], r["variant"], int(r["seed"])): r["reason"] for r in rows}

    def curves(self) -> dict[RunKey, Points]:
        lines = read_json_lines(self.path / "curves.jsonl")
        return {_key(line): tuple(zip(*line["columns"], strict=True)) for line in lines}

    def groups(self) -> dict[RunKey, list[Group]]:
        lines = read_json_lines(self.path / "groups.jsonl")
        return {_key(line): [Group(*group) for group in line["groups"]] for line in lines}


def _names(of: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(of))


def _key(line: dict[str, Any]) -> RunKey:
    site, strategy, variant, seed = line["run"]
    return site, strategy, variant, seed


def _made(of: type[Run] | type[SiteRow], row: dict[str, str]) -> Run | SiteRow | None:
    try:
        if of is Run:
            return Run.from_row(row)
        numbers = {n: int(row[n]) for n in ("requests", "other_bytes", "targets", "target_bytes")}
        return SiteRow(row["name"], row["spec"], row["preset"], **numbers)
    except (KeyError, ValueError):
        return None
