"""The options of a crawl: one table for the command line, files, Python, identity and settings."""

import operator
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from datahound.errors import UserError
from datahound.parameters import apply_values, live_parameters, read_setting
from datahound.remote.objects import check_place
from datahound.report.phrases import SKIPS
from datahound.runs.option_values import (
    Option,
    declare_option,
    declare_switch,
    merge_given,
    parse_bytes,
    parse_concurrency,
    parse_cookies_file,
    parse_flag,
    parse_headers,
    parse_hosts,
    parse_origin,
    parse_path,
    parse_scope,
    parse_seconds,
    parse_set,
    parse_texts,
    parse_types,
    parse_url,
    parse_whole,
)
from datahound.settings import EarlyStopSettings, Settings, SiteSettings, TrapSettings
from datahound.store import queries
from datahound.store.folder import folder_named_for
from datahound.strategies import DEFAULT_STRATEGY, registered
from datahound.web.site import Site
from datahound.web.targets import ALL

_LIMITS, _SITE, _WEB = "Limits", "The site", "The web"


def _keep_set(values: Mapping[str, Any]) -> list[str]:
    """List the settings that change what is crawled; those with an option are under its name."""
    with_option = {path for o in OPTIONS.values() if not o.combine for path in o.setting}
    return sorted(
        f"{p.path}={values[p.path]}"
        for p in live_parameters()
        if p.path in values and p.path not in with_option
        if p.group[0] in ("crawl", "pages", "strategy") and values[p.path] != p.default
    )


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that one crawl was asked for. A new option is a new field here."""

    url: str
    output: Path = declare_option(  # noqa: RUF009 makes a dataclass field
        parse_path,
        "The folder to crawl into; named for the host by default. Or object storage, such as "
        "s3://bucket/prefix, that a folder of that name is shipped to.",
        default=MISSING,
        metavar="FOLDER",
    )
    target: frozenset[str] | None = declare_option(
        parse_types,
        "What to look for: names that `datahound targets` lists (tables, pdf, geo, ...), "
        "extensions, MIME types, /regular expressions/. Data, documents, archives by default.",
        form="list",
        identity="--target",
        keep=lambda words: None if words in (None, {ALL}) else sorted(words),
        setting=("crawl.targets", "web.targets"),
        combine=lambda words, wanted: wanted or words or frozenset({ALL}),
    )
    budget: int | None = declare_option(
        parse_whole,
        "Requests at most.",
        panel=_LIMITS,
        metavar="N",
        setting=("crawl.max_requests",),
    )
    max_bytes: int | None = declare_option(
        parse_bytes,
        "Bytes at most, such as 2GB.",
        panel=_LIMITS,
        metavar="SIZE",
        setting=("crawl.max_bytes", "downloads.max_total_bytes"),
    )
    max_time: float | None = declare_option(
        parse_seconds, "Time at most, such as 12h.", panel=_LIMITS, metavar="DURATION"
    )
    delay: float = declare_option(
        parse_seconds,
        "Seconds between two requests to a host: 1 by default.",
        default=1.0,
        metavar="SECONDS",
        setting=("web.delay_seconds",),
    )
    concurrency: int = declare_option(
        parse_concurrency,
        "Requests to a host that wait for answers at the same time: 1 by default.",
        default=1,
        metavar="N",
        setting=("web.concurrency",),
    )
    strategy: str = declare_option(
        str,
        f"How links are chosen: {DEFAULT_STRATEGY} by default.",
        default=DEFAULT_STRATEGY,
        identity="--strategy",
    )
    seed: int = declare_option(
        parse_whole, "The seed of all random numbers.", default=0, metavar="S", identity="--seed"
    )
    early_stop: bool = declare_option(
        parse_flag,
        "Whether to end when targets become rare: yes by default.",
        default=True,
        panel=_LIMITS,
        form="flag",
        command="--early-stop/--no-early-stop",
        setting=("crawl.early_stop",),
        combine=lambda rule, wanted: (rule or EarlyStopSettings()) if wanted else None,
    )
    max_file_size: int | None = declare_option(
        parse_bytes,
        "Larger files are not kept.",
        panel=_LIMITS,
        metavar="SIZE",
        setting=("downloads.max_file_size",),
        combine=lambda most, wanted: wanted or most,
    )
    include: tuple[str, ...] = declare_option(
        parse_texts,
        "Follow only URLs that match.",
        default=(),
        panel=_SITE,
        metavar="RE",
        form="list",
        identity="--include",
        setting=("crawl.site.include",),
    )
    exclude: tuple[str, ...] = declare_option(
        parse_texts,
        "Follow no URLs that match.",
        default=(),
        panel=_SITE,
        metavar="RE",
        form="list",
        identity="--exclude",
        setting=("crawl.site.exclude",),
    )
    subdomains: bool = declare_option(
        parse_flag,
        "Stay on one host.",
        default=True,
        panel=_SITE,
        form="flag",
        command="--no-subdomains",
        identity="--no-subdomains",
        keep=operator.not_,
        recall=operator.not_,
        setting=("crawl.site.subdomains",),
    )
    allow_host: tuple[str, ...] = declare_option(
        parse_hosts,
        "Another host that belongs to the site; on a finished folder, only files.",
        default=(),
        panel=_SITE,
        metavar="HOST",
        form="list",
        identity="--allow-host",
        setting=("crawl.site.allowed_hosts",),
    )
    scope: str = declare_option(
        parse_scope,
        "Follow only URLs below this path.",
        default="",
        panel=_SITE,
        metavar="PREFIX",
        identity="--scope",
        setting=("crawl.site.scope",),
    )
    linked_files: bool = declare_option(
        parse_flag,
        "Get files, never pages, from any host that the site's pages link to.",
        default=False,
        panel=_SITE,
        form="flag",
        identity="--linked-files",
        setting=("crawl.linked_files",),
    )
    traps: bool = declare_option(
        parse_flag,
        "Whether to leave out URLs that look endless: calendars, session ids, repeating paths.",
        default=True,
        form="flag",
        command=None,
        identity="traps",
        setting=("crawl.traps",),
        combine=lambda rules, wanted: (rules or TrapSettings()) if wanted else None,
    )
    linked_only: bool = declare_option(
        parse_flag,
        "Request no file before a page that links to it was read.",
        default=False,
        panel=_SITE,
        form="flag",
        identity="--linked-only",
        setting=("strategy.hound.companions",),
        combine=lambda foresee, linked_only: foresee and not linked_only,
    )
    api: bool = declare_switch("Use no API of a data portal.", "--no-api", "crawl.api", _SITE)
    sitemap: bool = declare_switch("Read no sitemap.", "--no-sitemap", "crawl.sitemaps", _SITE)
    forms: bool = declare_switch("Fill in no form.", "--no-forms", "crawl.forms", _SITE)
    max_table: int = declare_option(
        parse_whole,
        "Cells of a table that is asked for by queries, at most: 1,000,000 by default.",
        default=1_000_000,
        panel=_LIMITS,
        metavar="CELLS",
        identity="--max-table",
        setting=("crawl.max_table",),
    )
    list_only: bool = declare_option(
        parse_flag, "List the files; `datahound fetch` gets them.", default=False, form="flag"
    )
    contact: str = declare_option(
        str,
        "How the site's people can reach you.",
        default="",
        panel=_WEB,
        setting=("web.contact",),
    )
    user_agent: str = declare_option(
        str,
        "The name of the crawler in requests and for robots.txt.",
        default="",
        panel=_WEB,
        setting=("web.user_agent",),
    )
    header: Mapping[str, str] = declare_option(
        parse_headers,
        "A header, as NAME: VALUE; sent to the site only.",
        default={},
        secret=True,
        panel=_WEB,
        metavar="TEXT",
        form="list",
        setting=("web.headers",),
    )
    cookies: tuple[str, ...] = declare_option(
        parse_cookies_file,
        "A file of cookies (Netscape's format), sent to the hosts that it names.",
        default=(),
        secret=True,
        panel=_WEB,
        metavar="FILE",
        setting=("web.cookies",),
    )
    proxy: str | None = declare_option(
        str,
        "An HTTP proxy for all requests.",
        secret=True,
        panel=_WEB,
        metavar="URL",
        setting=("web.proxy",),
    )
    sign: str = declare_option(
        str,
        "Sign requests with this key (PEM) where a server asks for it; see `bot-page`.",
        default="",
        panel=_WEB,
        metavar="KEY",
        setting=("web.sign",),
    )
    sign_agent: str = declare_option(
        parse_origin,
        "The web server with your key directory, as signed requests name it.",
        default="",
        panel=_WEB,
        metavar="URL",
        setting=("web.sign_agent",),
    )
    ignore_robots: bool = declare_option(
        parse_flag,
        "Fetch what robots.txt forbids, too.",
        default=False,
        panel=_WEB,
        form="flag",
        setting=("web.ignore_robots",),
    )
    connect_to: str | None = declare_option(
        str,
        "Send all requests here, for tests.",
        panel=_WEB,
        metavar="ADDRESS",
        setting=("web.connect_to",),
    )
    set: Mapping[str, Any] = declare_option(
        parse_set,
        "Any other setting, such as idle_seconds=10.",
        default={},
        metavar="NAME=VALUE",
        form="list",
        identity="--set",
        keep=_keep_set,
    )
    remote: str = ""
    """The object storage that the folder is shipped to; '' for none."""
    base: Settings = field(default_factory=Settings)
    """The settings that neither an option nor `set` changes."""

    def settings(self) -> Settings:
        """Return all settings of the crawl."""
        settings = begun = apply_values(self.base, self.set)
        for option in OPTIONS.values():
            value = getattr(self, option.name)  # if not given, that of the first of its settings
            given = option.setting and value != read_setting(begun, option.setting[0])
            for path in option.setting:
                if given or path not in self.set:
                    settings = option.use(value, settings, path)
        return settings

    def identity(self) -> dict[str, Any]:
        """Return the options that a folder's crawl can't change, by the names that users know."""
        kept = {o.identity: o.keep(getattr(self, o.name)) for o in OPTIONS.values() if o.identity}
        return {"URL": self.url, **kept}


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        field.name: replace(field.metadata["option"], name=field.name)
        for field in fields(Options)
        if field.metadata
    }
)
"""The table: every option by its name in Python."""


def make_options(url: str, given: Mapping[str, Any], base: Settings | None = None) -> Options:
    """Make options from what a user wrote: names as on the command line, text or plain data.

    >>> make_options("example.org", {"budget": "500", "max-bytes": "2GB"}).max_bytes
    2000000000
    """
    seed = parse_url(url)
    base = base or Settings()
    values: dict[str, Any] = {"url": seed, "output": folder_named_for(seed), "base": base}
    for name, value in given.items():
        option = OPTIONS.get(name.replace("-", "_"))
        if option is None:
            allowed = ", ".join(option.written for _, option in sorted(OPTIONS.items()))
            raise UserError(f"unknown option {name!r}: choose among {allowed}")
        if name == "output" and "://" in str(value):
            values["remote"] = check_place(str(value))
        elif value is not None:
            values[option.name] = option.read(name, value)
    options = Options(**{**_read_defaults(base, values.get("set", {})), **values})
    _check(options)
    return options


def _read_defaults(base: Settings, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options that were not given: as `set` and `base` have them."""
    settings = apply_values(base, changes)
    return {
        option.name: read_setting(settings, option.setting[0])
        for option in OPTIONS.values()
        if option.setting and not option.combine
    }


def _check(options: Options) -> None:
    if registered(options.strategy, live=True).needs_oracle:
        raise UserError(f"--strategy: {options.strategy} works on recorded sites only")
    if options.sign_agent and not options.sign:
        raise UserError("--sign-agent: only signed requests name it: give --sign too")
    rules = SiteSettings(scope=options.scope, include=options.include, exclude=options.exclude)
    objection = Site(options.url, replace(rules, include=())).objection(options.url)
    if objection:
        raise UserError(f"{options.url}: the start page itself is {SKIPS[objection].phrase}")
    Site(options.url, rules)


def options_of(folder: Path, given: Mapping[str, Any]) -> Options:
    """The options that a folder's crawl was begun with, changed by those that are given."""
    with queries.open_folder(folder) as connection:
        identity = queries.read_fact(connection, "identity")
    if identity is None:
        raise UserError(f"{folder}: no crawl has begun in this folder")
    begun = {
        option.written: option.recall(identity[option.identity])
        for option in OPTIONS.values()
        if option.identity in identity
    }
    return make_options(identity["URL"], merge_given({**begun, "output": str(folder)}, given))
