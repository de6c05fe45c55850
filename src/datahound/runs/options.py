"""What the user may ask of a crawl, in one shape for the command, files and Python."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from datahound.errors import UserError
from datahound.runs.reasons import SKIPS
from datahound.settings import (
    MAX_CONCURRENCY,
    EarlyStopSettings,
    Settings,
    SiteSettings,
    StrategySettings,
    TrapSettings,
)
from datahound.store.folder import folder_named_for
from datahound.strategies import DEFAULT_STRATEGY, registered
from datahound.units import parse_duration, parse_size
from datahound.web.site import Site
from datahound.web.targets import parse_targets
from datahound.web.urls import canonical, from_user, host_of

MOST_IN_FLIGHT = 256
"""Fetches under way at a time in one crawl, over all hosts."""


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that one crawl was asked for."""

    url: str
    output: Path
    target: frozenset[str] | None = None
    budget: int | None = None
    max_bytes: int | None = None
    max_time: float | None = None
    delay: float = 1.0
    concurrency: int = 1
    strategy: str = DEFAULT_STRATEGY
    seed: int = 0
    early_stop: bool = True
    max_file_size: int | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    subdomains: bool = True
    allow_host: tuple[str, ...] = ()
    scope: str = ""
    traps: bool = True
    linked_only: bool = False
    list_only: bool = False
    contact: str = ""
    user_agent: str = ""
    header: Mapping[str, str] = field(default_factory=dict, repr=False)
    proxy: str | None = field(default=None, repr=False)
    ignore_robots: bool = False
    connect_to: str | None = None
    base: Settings = field(default_factory=Settings)
    """What no option speaks of."""

    def settings(self) -> Settings:
        """All settings of the crawl."""
        return replace(
            self.base,
            crawl=replace(
                self.base.crawl,
                targets=self.target,
                max_requests=self.budget,
                max_bytes=self.max_bytes,
                early_stop=self._early_stop(),
                site=self._site(),
                traps=(self.base.crawl.traps or TrapSettings()) if self.traps else None,
            ),
            strategy=self._strategy(),
            web=replace(
                self.base.web,
                delay_seconds=self.delay,
                concurrency=self.concurrency,
                user_agent=self.user_agent,
                contact=self.contact,
                headers=self.header,
                proxy=self.proxy,
                ignore_robots=self.ignore_robots,
                connect_to=self.connect_to,
                targets=self.target,
            ),
            downloads=replace(
                self.base.downloads,
                max_file_size=self.max_file_size or self.base.downloads.max_file_size,
            ),
        )

    def identity(self) -> dict[str, Any]:
        """What makes this crawl the one it is, by the names that the user knows."""
        return {
            "URL": self.url,
            "--target": sorted(self.target) if self.target is not None else None,
            "--strategy": self.strategy,
            "--seed": self.seed,
            "--scope": self.scope,
            "--include": list(self.include),
            "--exclude": list(self.exclude),
            "--no-subdomains": not self.subdomains,
            "--allow-host": sorted(self.allow_host),
            "traps": self.traps,
            "--linked-only": self.linked_only,
        }

    def _early_stop(self) -> EarlyStopSettings | None:
        if not self.early_stop:
            return None
        return self.base.crawl.early_stop or EarlyStopSettings()

    def _strategy(self) -> StrategySettings:
        hound = self.base.strategy.hound
        companions = hound.companions and not self.linked_only
        return replace(self.base.strategy, hound=replace(hound, companions=companions))

    def _site(self) -> SiteSettings:
        return SiteSettings(
            self.subdomains, self.scope, self.allow_host, self.include, self.exclude
        )


def make_options(url: str, given: Mapping[str, Any], base: Settings | None = None) -> Options:
    """Options from what a user wrote: names as on the command line, values as text or plain data.

    >>> make_options("example.org", {"budget": "500", "max-bytes": "2GB"}).max_bytes
    2000000000
    """
    seed = _url(url)
    values: dict[str, Any] = {"url": seed, "output": folder_named_for(seed)}
    for name, value in given.items():
        key = name.replace("-", "_")
        if key not in _CONVERTERS:
            allowed = ", ".join(sorted(_CONVERTERS)).replace("_", "-")
            raise UserError(f"unknown option {name!r}: choose among {allowed}")
        if value is not None:
            values[key] = _converted(name, _CONVERTERS[key], value)
    options = Options(**values, base=base or Settings())
    _check(options)
    return options


def is_flag(name: str) -> bool:
    """Whether an option stands alone, without a value."""
    return _CONVERTERS.get(name.replace("-", "_")) is _flag


def _converted(name: str, convert: Callable[[Any], Any], value: object) -> object:
    try:
        return convert(value)
    except (ValueError, TypeError):
        raise UserError(f"--{name}: {value!r} can't be used here") from None
    except UserError as error:
        raise UserError(f"--{name}: {error}") from None


def _check(options: Options) -> None:
    if registered(options.strategy).needs_oracle:
        raise UserError(f"--strategy: {options.strategy} works on recorded sites only")
    rules = SiteSettings(scope=options.scope, include=options.include, exclude=options.exclude)
    objection = Site(options.url, replace(rules, include=())).objection(options.url)
    if objection:
        raise UserError(f"{options.url}: the start page itself is {SKIPS[objection].phrase}")
    Site(options.url, rules)


def _url(text: str) -> str:
    url = from_user(text)
    if url is None or not host_of(url):
        raise UserError(f"{text!r} is no web address")
    if "@" in url.split("/", 3)[2]:
        raise UserError(f"{host_of(url)}: a web address with a name in it; give it as a --header")
    return url


def _whole(value: object) -> int:
    number = int(str(value))
    if number < 0:
        raise UserError(f"{number} is below 0")
    return number


def _concurrency(value: object) -> int:
    number = int(str(value))
    if not 1 <= number <= MAX_CONCURRENCY:
        raise UserError(f"{number} is not between 1 and {MAX_CONCURRENCY}")
    return number


def _seconds(value: object) -> float:
    return parse_duration(str(value))


def _size(value: object) -> int:
    return parse_size(str(value))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise UserError("is true or false")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(str(v) for v in _sequence(value))


def _sequence(value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise UserError("is a text or a list of texts")
    return list(value)


def _hosts(value: object) -> tuple[str, ...]:
    return tuple(host_of(_url(text)) for text in _texts(value))


def _targets(value: object) -> frozenset[str] | None:
    texts = _texts(value)
    return parse_targets(texts) if texts else None


def _scope(value: object) -> str:
    text = str(value)
    if not text or text.startswith("/"):
        return text
    url = canonical(text if "://" in text else f"https://{text}")
    if url is None:
        raise UserError("is a path that begins with /, or a URL")
    return url


def _headers(value: object) -> dict[str, str]:
    pairs = [text.partition(":") for text in _texts(value)]
    if not all(colon and name.strip() for name, colon, _ in pairs):
        raise UserError("is written as 'Name: value'")
    return {name.strip(): text.strip() for name, _, text in pairs}


_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "output": lambda value: Path(str(value)).expanduser(),
    "target": _targets,
    "budget": _whole,
    "max_bytes": _size,
    "max_time": _seconds,
    "delay": _seconds,
    "concurrency": _concurrency,
    "strategy": str,
    "seed": _whole,
    "early_stop": _flag,
    "max_file_size": _size,
    "include": _texts,
    "exclude": _texts,
    "subdomains": _flag,
    "allow_host": _hosts,
    "scope": _scope,
    "traps": _flag,
    "linked_only": _flag,
    "list_only": _flag,
    "contact": str,
    "user_agent": str,
    "header": _headers,
    "proxy": str,
    "ignore_robots": _flag,
    "connect_to": str,
}
"""Every option, and how its value is read."""
