"""A folder of results: plain files, saved run by run, that a notebook can start from.

results.csv           one row per run, with every setting and the version
sites.csv             requests, bytes and targets of an exhaustive crawl of each site
characteristics.csv   what each site is like
curves.jsonl          a thinned curve for each run without a variant
groups.jsonl          the groups of tag paths with the highest rewards
failures.csv          runs that failed, and why
lab.json              version and settings of the folder
"""

import json
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from datahound.errors import StorageError, UserError
from datahound.lab.append_csv import AppendCsv, append_json, read_json_lines
from datahound.lab.characteristics import Characteristics
from datahound.lab.metrics import Points
from datahound.lab.observers import RankedGroup
from datahound.parameters import parameters, with_parameters
from datahound.settings import CrawlSettings, Settings
from datahound.web.targets import parse_targets

_FORMAT = 1
_KEY = ("site", "strategy", "variant", "seed")
_CHARACTERISTICS = (
    "site", "pages", "targets", "available", "linking_pages", "target_size_mean",
    "target_size_std", "target_depth_mean", "target_depth_std", "errors", "redirects", "complete",
    "start", "languages",
)  # fmt: skip

RunKey = tuple[str, str, str, int]
"""Site, strategy, variant, seed."""


@dataclass(frozen=True, slots=True)
class RunFigures:
    """The figures of one run: a row of results.csv, its fields in the order of the columns."""

    site: str
    strategy: str
    variant: str
    seed: int
    version: str
    requests: int
    targets: int
    total_targets: int
    requests_to_50: int | None
    requests_to_90: int | None
    requests_to_99: int | None
    other_bytes_to_90: int | None
    """Non-target bytes before 90 % of all target bytes."""
    received_to_90: int | None
    """All bytes received up to the request that completed 90 % of the targets."""
    area: float
    """Area under targets against requests; 1 is the omniscient crawler's."""
    page_as_page: int
    page_as_target: int
    target_as_page: int
    target_as_target: int
    other_as_page: int
    other_as_target: int
    group_reward_mean: float
    group_reward_std: float
    page_reward_mean: float
    page_reward_std: float
    stop_requests: int | None
    """Requests by the time early stopping would have ended the crawl."""
    stop_targets: int | None
    seconds: float
    stopped: str
    slowest_step: float | None = None
    """Seconds of the longest step; None in results of earlier versions."""

    @property
    def key(self) -> RunKey:
        return self.site, self.strategy, self.variant, self.seed

    @property
    def misclassified(self) -> float | None:
        """The share of true pages and targets classified as the other; None without any."""
        wrong = self.page_as_target + self.target_as_page
        total = wrong + self.page_as_page + self.target_as_target
        return wrong / total if total else None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """All that is saved of a run."""

    figures: RunFigures
    settings: dict[str, str] = field(repr=False)
    points: Points = field(repr=False)
    groups: tuple[RankedGroup, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class SiteRow:
    """A site of the results, with the totals of an exhaustive crawl: a row of sites.csv."""

    name: str
    spec: str
    preset: str
    """The paper's site that a synthetic one imitates; empty for any other."""
    requests: int
    other_bytes: int
    targets: int
    target_bytes: int
    greedy_to_90: int | None = None
    """Requests of a greedy crawl that knows the whole site to 90 % of the targets."""

    @property
    def totals(self) -> tuple[int, int, int, int]:
        """What tells apart two sites of one name."""
        return self.requests, self.other_bytes, self.targets, self.target_bytes


@dataclass(frozen=True, slots=True)
class Origin:
    """Version and settings that a folder was made with; its results are never mixed with others."""

    version: str
    params: tuple[str, ...] = ()
    budget: int | None = None
    targets: tuple[str, ...] = ()
    """What counts as a target, as users write it; empty for the paper's MIME types."""

    @property
    def is_partial(self) -> bool:
        """Whether crawls end at a limit, so that only a part of each site is compared."""
        crawl = self.make_settings().crawl
        return crawl.max_requests is not None or crawl.max_bytes is not None

    def make_settings(self) -> Settings:
        pairs = [*self.params, *([f"max_requests={self.budget}"] if self.budget else [])]
        targets = parse_targets(self.targets) if self.targets else None
        return with_parameters(Settings(crawl=CrawlSettings(targets=targets)), pairs)


def installed_version() -> str:
    try:
        return version("datahound")
    except PackageNotFoundError:
        return "unknown"


class ResultFolder:
    """A folder of results, to add to or to read."""

    def __init__(self, path: Path, origin: Origin) -> None:
        self.path = path
        self.origin = origin
        settings = tuple(parameter.name for parameter in parameters())
        self._runs = AppendCsv(path / "results.csv", (*_types(RunFigures), *settings))
        self._sites = AppendCsv(path / "sites.csv", tuple(_types(SiteRow)))
        self._characteristics = AppendCsv(path / "characteristics.csv", _CHARACTERISTICS)
        self._failures = AppendCsv(path / "failures.csv", (*_KEY, "reason"))

    @classmethod
    def create(cls, path: Path, origin: Origin) -> "ResultFolder":
        """Create a folder, or open one that was made with the same version and settings."""
        if (path / "lab.json").exists():
            folder = cls.open(path)
            folder.require_origin(origin)
            folder.require_columns()
            return folder
        try:
            path.mkdir(parents=True, exist_ok=True)
            # Results must not be mixed with whatever a user keeps there.
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
        """Open a folder that exists."""
        try:
            found = json.loads((path / "lab.json").read_text("utf-8"))
            form = found.pop("format")
            origin = Origin(
                found["version"],
                tuple(found["params"]),
                found["budget"],
                tuple(found.get("targets", ())),
            )
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            raise UserError(
                f"{path}: not a folder of results (make one with: datahound lab run)"
            ) from None
        if form != _FORMAT:
            raise UserError(f"{path}: made by datahound {origin.version}, in a form unknown here")
        return cls(path, origin)

    def require_origin(self, origin: Origin) -> None:
        """Refuse to mix results that were made differently."""
        if self.origin.version != origin.version:
            raise UserError(
                f"{self.path}: made by datahound {self.origin.version}, this is {origin.version};"
                " give another --out"
            )
        if self.origin != origin:
            raise UserError(f"{self.path}: made with other settings; give another --out")

    def require_columns(self) -> None:
        """Refuse to append rows below the header of another version, which could not be read."""
        if not all(f.fits() for f in (self._runs, self._sites, self._characteristics)):
            raise UserError(
                f"{self.path}: made by a datahound with other figures or settings;"
                " give another --out"
            )

    def add_run(self, record: RunRecord) -> None:
        """Save a run."""
        key = list(record.figures.key)
        if record.points:
            columns = [list(column) for column in zip(*record.points, strict=True)]
            append_json(self.path / "curves.jsonl", {"run": key, "columns": columns})
        if record.groups:
            append_json(self.path / "groups.jsonl", {"run": key, "groups": record.groups})
        # The row comes last: after a crash, a run that has a row has its curve and groups too.
        self._runs.append({**asdict(record.figures), **record.settings})

    def add_site(self, site: SiteRow) -> None:
        self._sites.append(asdict(site))

    def add_characteristics(self, name: str, found: Characteristics) -> None:
        size, depth = found.target_size, found.target_depth
        row = {column: getattr(found, column, None) for column in _CHARACTERISTICS}
        spreads = {
            "target_size_mean": size.mean, "target_size_std": size.std,
            "target_depth_mean": depth.mean, "target_depth_std": depth.std,
        }  # fmt: skip
        languages = " ".join(f"{code}:{pages}" for code, pages in found.languages.items())
        self._characteristics.append({**row, **spreads, "site": name, "languages": languages})

    def add_failure(self, key: RunKey, reason: str) -> None:
        self._failures.append({**dict(zip(_KEY, key, strict=True)), "reason": reason})

    def read_runs(self) -> dict[RunKey, RunFigures]:
        """Every run; broken rows are left out, so that they are made again."""
        return {run.key: run for run in _parse_rows(RunFigures, self._runs)}

    def count_unread_runs(self) -> int:
        """Count the rows of runs that are broken, or below the header of another version."""
        return self._runs.count_rows() - len(_parse_rows(RunFigures, self._runs))

    def read_sites(self) -> dict[str, SiteRow]:
        return {site.name: site for site in _parse_rows(SiteRow, self._sites)}

    def read_characteristics(self) -> dict[str, dict[str, str]]:
        return {row["site"]: row for row in self._characteristics.read_rows()}

    def read_failures(self) -> dict[RunKey, str]:
        rows = [row for row in self._failures.read_rows() if row["seed"].isdigit()]
        return {(r["site"], r["strategy"], r["variant"], int(r["seed"])): r["reason"] for r in rows}

    def read_curves(self) -> dict[RunKey, Points]:
        lines = read_json_lines(self.path / "curves.jsonl")
        return {_parse_key(line): tuple(zip(*line["columns"], strict=True)) for line in lines}

    def read_groups(self) -> dict[RunKey, list[RankedGroup]]:
        lines = read_json_lines(self.path / "groups.jsonl")
        return {_parse_key(line): [RankedGroup(*g) for g in line["groups"]] for line in lines}


_Row = TypeVar("_Row", RunFigures, SiteRow)


def _parse_rows(of: type[_Row], file: AppendCsv) -> list[_Row]:
    """Parse the rows of a file into values; a row that can't be parsed is left out."""
    found, types = [], _types(of)
    for row in file.read_rows():
        try:
            values = {name: _parse(kind, row.get(name)) for name, kind in types.items()}
        except (KeyError, ValueError):
            continue
        found.append(of(**values))
    return found


def _types(of: type) -> dict[str, Any]:
    hints = get_type_hints(of)
    return {f.name: hints[f.name] for f in fields(of)}


def _parse(kind: Any, text: str | None) -> Any:
    """Parse a value of a CSV cell by the type of its field; an empty or absent cell is None."""
    if NoneType in get_args(kind):
        if not text:
            return None
        kind = next(k for k in get_args(kind) if k is not NoneType)
    if text is None:
        raise ValueError("the column is missing")
    return kind(text)


def _parse_key(line: dict[str, Any]) -> RunKey:
    site, strategy, variant, seed = line["run"]
    return site, strategy, variant, seed
