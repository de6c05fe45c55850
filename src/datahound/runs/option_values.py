"""What an option is, and how its value is parsed, from text or from plain data."""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field
from pathlib import Path
from typing import Any, Literal

from datahound.errors import UserError
from datahound.http.cookies import read_cookie_lines
from datahound.parameters import live_parameters, parse_pairs, read_setting, replace_setting
from datahound.settings import MAX_CONCURRENCY, Settings
from datahound.units import parse_duration, parse_size
from datahound.web.targets import parse_targets
from datahound.web.urls import canonical, from_user, host_of


def parse_url(text: str) -> str:
    url = from_user(text)
    if url is None or not host_of(url):
        raise UserError(f"{text!r} is not a web address")
    # Folder, journal and report keep the URL for all to read, so it must have no password.
    if "@" in url.split("/", 3)[2]:
        raise UserError(f"{host_of(url)}: a web address with a name in it; give it as a --header")
    return url


def parse_origin(text: str) -> str:
    """Read a web address without a path; empty for none."""
    if not text:
        return ""
    origin = parse_url(text).removesuffix("/")
    if origin.count("/") != 2:
        raise UserError(f"{text!r} has a path: give an address such as https://bot.example.org")
    return origin


def parse_whole(value: object) -> int:
    number = _read_number(value)
    if number < 0:
        raise UserError(f"{number} is below 0")
    return number


def _read_number(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise UserError(f"{value!r} is not a whole number") from None


def parse_concurrency(value: object) -> int:
    number = _read_number(value)
    if not 1 <= number <= MAX_CONCURRENCY:
        raise UserError(f"{number} is not between 1 and {MAX_CONCURRENCY}")
    return number


def parse_path(value: object) -> Path:
    return Path(str(value)).expanduser()


def parse_seconds(value: object) -> float:
    return parse_duration(str(value))


def parse_bytes(value: object) -> int:
    return parse_size(str(value))


def parse_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise UserError("is true or false")
    return value


def parse_texts(value: object) -> tuple[str, ...]:
    # A lone text is a list of one, as on the command line.
    return (value,) if isinstance(value, str) else tuple(str(v) for v in _sequence(value))


def _sequence(value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise UserError("is a text or a list of texts")
    return list(value)


def parse_hosts(value: object) -> tuple[str, ...]:
    return tuple(sorted(host_of(parse_url(text)) for text in parse_texts(value)))


def parse_types(value: object) -> frozenset[str] | None:
    texts = parse_texts(value)
    return parse_targets(texts) if texts else None


def parse_scope(value: object) -> str:
    text = str(value)
    if not text or text.startswith("/"):
        return text
    url = canonical(text if "://" in text else f"https://{text}")
    if url is None:
        raise UserError("is a path that begins with /, or a URL")
    return url


def parse_headers(value: object) -> dict[str, str]:
    pairs = [text.partition(":") for text in parse_texts(value)]
    if not all(colon and name.strip() for name, colon, _ in pairs):
        raise UserError("is written as 'Name: value'")
    return {name.strip(): text.strip() for name, _, text in pairs}


def parse_cookies_file(value: object) -> tuple[str, ...]:
    """Read the cookies in a file."""
    return read_cookie_lines(parse_path(value))


def parse_set(value: object) -> dict[str, Any]:
    return parse_pairs(list_pairs(value), live_parameters())


def list_pairs(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{name}={text}" for name, text in _flatten(value)]
    return list(parse_texts(value))


def _flatten(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """List the values of a table; TOML reads `web.idle_seconds = 10` as a table in a table."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def keep_plain(value: Any) -> Any:
    """Return a value as JSON can hold it, equal for equal values."""
    # Sorted, since the order of a set differs between processes.
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Option:
    """One option: how it is written, parsed, kept and used."""

    parse: Callable[[Any], Any]
    """From text or plain data to the value; raises `UserError` for what can't be used."""
    help: str
    default: Any = None
    name: str = ""
    """The name in Python; with hyphens on the command line and in files."""
    panel: str | None = None
    """The heading in `--help`."""
    metavar: str | None = None
    form: Literal["text", "list", "flag"] = "text"
    """With one value, with values (repeatable), or without a value."""
    command: str | None = ""
    """How the command line writes it: empty for `--name`, None for in files and Python only."""
    identity: str = ""
    """Its name in the identity of a folder; empty if a crawl may continue with another value."""
    keep: Callable[[Any], Any] = keep_plain
    """From the value to the plain data in the identity."""
    recall: Callable[[Any], Any] = keep_plain
    """From the plain data in the identity to what `parse` reads."""
    setting: tuple[str, ...] = ()
    """Full names of the settings that the value goes to."""
    combine: Callable[[Any, Any], Any] | None = None
    """The setting from its value without the option and the option; None to replace it."""

    @property
    def written(self) -> str:
        """The name on the command line and in files, such as `max-bytes`."""
        return self.name.replace("_", "-")

    def read(self, name: str, value: object) -> Any:
        """Parse a value; an error names the option as the user wrote it."""
        try:
            return self.parse(value)
        # What `int` or `float` say is not for users.
        except (ValueError, TypeError):
            raise UserError(f"--{name}: {value!r} can't be used here") from None
        except UserError as error:
            raise UserError(f"--{name}: {error}") from None

    def use(self, value: Any, settings: Settings, path: str) -> Settings:
        """Return settings where the one of a path is as the value of the option says."""
        if self.combine:
            value = self.combine(read_setting(settings, path), value)
        return replace_setting(settings, path, value)


def declare_option(
    parse: Callable[[Any], Any],
    text: str = "",
    *,
    default: Any = None,
    secret: bool = False,
    **more: Any,
) -> Any:
    """Declare a field of `Options` together with its row in the table."""
    row = Option(parse, text, default, **more)
    begin: dict[str, Any] = {"default": default}
    if default is MISSING or isinstance(default, dict):
        # A dataclass forbids a mutable default.
        begin = {} if default is MISSING else {"default_factory": dict}
    return field(metadata={"option": row}, repr=not secret, **begin)


def merge_given(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Merge options as users wrote them: the second win, but `set` of both is applied in order."""
    merged = {**first, **second}
    if "set" in first and "set" in second:
        merged["set"] = [*list_pairs(first["set"]), *list_pairs(second["set"])]
    return merged


def declare_switch(text: str, command: str, setting: str, panel: str) -> Any:
    """Declare a field of `Options` that turns off what otherwise suits the strategy."""
    return declare_option(
        parse_flag,
        text,
        default=True,
        panel=panel,
        form="flag",
        command=command,
        identity=command,
        keep=operator.not_,
        recall=operator.not_,
        setting=(setting,),
        combine=lambda switch, wanted: switch if wanted else "no",
    )
