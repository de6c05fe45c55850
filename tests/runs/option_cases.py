"""Good and bad values of every option, with what becomes of them: a value, or one error line."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datahound.web.targets import parse_targets


@dataclass(frozen=True)
class Case:
    """An option with one value; `written` holds for all four ways of giving it."""

    name: str
    written: Any
    value: Any = None
    error: str = ""
    ways: tuple[str, ...] = ("command", "sites", "config", "python")

    def __str__(self):
        return f"{self.name}={self.written}"


_COOKIES = str(Path(__file__).with_name("cookies.txt"))
_DURATION = "give seconds, or text such as 90m, 12h or 2d"
_ORIGIN = "give an address such as https://bot.example.org"
_SIZE = "give bytes, or a number with kB, MB, GB or TB"
_BOTH = "web.max_retries or downloads.max_retries"
_IN_FILES = ("sites", "config", "python")
_AS_DATA = ("config", "python")


def _good(name, *pairs, ways=("command", "sites", "config", "python")):
    return [Case(name, written, value, ways=ways) for written, value in pairs]


def _bad(name, *pairs, ways=("command", "sites", "config", "python")):
    return [Case(name, written, error=error, ways=ways) for written, error in pairs]


CASES = [
    *_good("output", ("here/it", Path("here/it"))),
    *_good(
        "target",
        ("csv", parse_targets(["csv"])),
        (["csv,pdf", "excel"], parse_targets(["csv", "pdf", "excel"])),
        ("text/x-own", frozenset({"text/x-own"})),
        ([".px", "/export[?]/"], frozenset({".px", "/export[?]/"})),
    ),
    *_good("budget", ("500", 500), ("0", 0)),
    *_good("budget", (500, 500), ways=_AS_DATA),
    *_bad(
        "budget",
        ("many", "--budget: 'many' is not a whole number"),
        ("1.5", "--budget: '1.5' is not a whole number"),
        ("-1", "--budget: -1 is below 0"),
    ),
    *_good("max-bytes", ("2GB", 2_000_000_000), ("1 MiB", 1 << 20), ("700", 700)),
    *_bad("max-bytes", ("2 lots", f"--max-bytes: '2 lots' is not a size: {_SIZE}")),
    *_good("max-time", ("12h", 43_200.0), ("1d 30m", 88_200.0), ("45", 45.0)),
    *_bad("max-time", ("soon", f"--max-time: 'soon' is not a duration: {_DURATION}")),
    *_good("delay", ("0.5", 0.5), ("0", 0.0), ("1m", 60.0)),
    *_good("delay", (2, 2.0), (0.25, 0.25), ways=_AS_DATA),
    *_bad("delay", ("-1", f"--delay: '-1' is not a duration: {_DURATION}")),
    *_good("concurrency", ("1", 1), ("64", 64)),
    *_bad(
        "concurrency",
        ("0", "--concurrency: 0 is not between 1 and 64"),
        ("65", "--concurrency: 65 is not between 1 and 64"),
        ("two", "--concurrency: 'two' is not a whole number"),
    ),
    *_good("strategy", ("bfs", "bfs"), ("sb-classifier", "sb-classifier")),
    *_bad("strategy", ("sb-oracle", "--strategy: sb-oracle works on recorded sites only")),
    *_good("seed", ("7", 7)),
    *_bad("seed", ("-7", "--seed: -7 is below 0"), ("x", "--seed: 'x' is not a whole number")),
    *_good("early-stop", (True, True), (False, False)),
    *_good("max-file-size", ("10kB", 10_000)),
    *_bad("max-file-size", ("big", f"--max-file-size: 'big' is not a size: {_SIZE}")),
    *_good("include", ("/data/", ("/data/",)), (["/a", "/b"], ("/a", "/b"))),
    *_good("exclude", ("/old/", ("/old/",)), (["/b", "/a"], ("/b", "/a"))),
    *_good("subdomains", (False, False)),
    *_good("subdomains", (True, True), ways=_IN_FILES),
    *_good(
        "allow-host",
        ("cdn.example.net", ("cdn.example.net",)),
        (["a.example", "https://b.example/x"], ("a.example", "b.example")),
    ),
    *_bad(
        "allow-host", ("ftp://a.example", "--allow-host: 'ftp://a.example' is not a web address")
    ),
    *_good("api", (True, True), (False, False), ways=_IN_FILES),
    *_good("sitemap", (True, True), (False, False), ways=_IN_FILES),
    *_good("forms", (True, True), (False, False), ways=_IN_FILES),
    *_good("max-table", ("5000", 5000), ("0", 0)),
    *_bad("max-table", ("-1", "--max-table: -1 is below 0")),
    *_good("scope", ("/", "/"), ("example.org", "https://example.org/")),
    *_good("linked-files", (True, True)),
    *_good("linked-files", (False, False), ways=_IN_FILES),
    *_good("traps", (True, True), (False, False), ways=_IN_FILES),
    *_good("linked-only", (True, True)),
    *_good("linked-only", (False, False), ways=_IN_FILES),
    *_good("list-only", (True, True)),
    *_good("list-only", (False, False), ways=_IN_FILES),
    *_good("contact", ("me@example.org", "me@example.org")),
    *_good("user-agent", ("Mine/1.0", "Mine/1.0")),
    *_good("header", ("X-Key: a:b", {"X-Key": "a:b"}), (["A: 1", "B: 2"], {"A": "1", "B": "2"})),
    *_bad("header", ("Key", "--header: is written as 'Name: value'")),
    *_good("cookies", (_COOKIES, ("a.example\tFALSE\t/\tFALSE\t0\tsession\tabc",))),
    *_bad(
        "cookies",
        (
            "no-such-file.txt",
            "--cookies: no-such-file.txt: can't be read (No such file or directory)",
        ),
    ),
    *_good("proxy", ("http://p:1", "http://p:1")),
    *_good("sign", ("key.pem", "key.pem")),
    *_bad(
        "sign-agent",
        ("https://bot.example.org", "--sign-agent: only signed requests name it: give --sign too"),
        ("ftp://a.example", "--sign-agent: 'ftp://a.example' is not a web address"),
        ("a.example/keys", f"--sign-agent: 'a.example/keys' has a path: {_ORIGIN}"),
    ),
    *_good("ignore-robots", (True, True)),
    *_good("ignore-robots", (False, False), ways=_IN_FILES),
    *_good("connect-to", ("127.0.0.1:80", "127.0.0.1:80")),
    *_good(
        "set",
        ("web.idle_seconds=10", {"web.idle_seconds": 10.0}),
        (
            ["idle-seconds = 10", "hound.credit=0.3", "idle_seconds=5"],
            {"web.idle_seconds": 5.0, "strategy.hound.credit": 0.3},
        ),
        ("allow_private=yes", {"web.allow_private": True}),
        ("downloads.max_retries=0", {"downloads.max_retries": 0}),
        ("early_stop.window=50", {"crawl.early_stop.window": 50}),
    ),
    *_bad(
        "set",
        ("samples=0", "--set: parameter samples can't be '0': it is a whole number of at least 1"),
        (
            "max_retries=1",
            f"--set: parameter max_retries is in several groups: give {_BOTH}",
        ),
        (
            "hound.companions=maybe",
            "--set: parameter companions can't be 'maybe': it is yes or no",
        ),
        (
            "allow_private=maybe",
            "--set: parameter allow_private can't be 'maybe': it is yes, no or auto",
        ),
        ("hash_bits=11", "parameter hash_bits can't be 11: it is at least dimension_bits, 12"),
    ),
    *[
        case
        for name in ("early-stop", "subdomains", "traps", "linked-only", "list-only")
        for case in _bad(name, ("yes", f"--{name}: is true or false"), ways=_AS_DATA)
    ],
    *_bad("ignore-robots", (1, "--ignore-robots: is true or false"), ways=_AS_DATA),
    *_bad("include", (3, "--include: is a text or a list of texts"), ways=_AS_DATA),
]

DEFAULTS = {
    "output": Path("example.org"),
    "target": None,
    "budget": None,
    "max_bytes": None,
    "max_time": None,
    "delay": 1.0,
    "concurrency": 1,
    "strategy": "hound",
    "seed": 0,
    "early_stop": True,
    "max_file_size": None,
    "include": (),
    "exclude": (),
    "subdomains": True,
    "allow_host": (),
    "scope": "",
    "linked_files": False,
    "traps": True,
    "linked_only": False,
    "api": True,
    "sitemap": True,
    "forms": True,
    "max_table": 1_000_000,
    "list_only": False,
    "contact": "",
    "user_agent": "",
    "header": {},
    "cookies": (),
    "proxy": None,
    "sign": "",
    "sign_agent": "",
    "ignore_robots": False,
    "connect_to": None,
    "set": {},
}
