"""robots.txt by RFC 9309."""

import asyncio
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from manners import OK, raw, then_hang
from protego import Protego
from websites import SEED, PretendTime, Website, data, error, page, redirect

from datahound.errors import UserError
from datahound.http.client import Web
from datahound.http.robots import MAX_ROBOTS_BYTES, Robots, RobotsFile, Verdict, parse_robots
from datahound.model import Failure, Fetch, Postponed, Response, Skip
from datahound.settings import WebSettings

SUITE = Path(__file__).parents[3] / "shared/suites/robots/robots-in-the-wild.zip"
DISALLOW = b"User-agent: *\nDisallow: /private\n"
URL = "https://a.example/private/x"


class Origin:
    """Hosts that answer for their robots.txt as they are told."""

    def __init__(self, **answers):
        self.answers = answers
        self.asked = []
        self.delays = {}
        self.time = PretendTime()
        self.robots = Robots(
            WebSettings(),
            "Datahound/1.0",
            self.fetch,
            lambda: self.time.now,
            self.delays.__setitem__,
        )

    async def fetch(self, url):
        self.asked.append(url)
        return self.answers[url.rpartition("/")[2].partition(".")[0]]

    def verdict(self, url=URL):
        return asyncio.run(self.robots.verdict(url))


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (RobotsFile(200, DISALLOW), Verdict.FORBIDDEN),
        (RobotsFile(200, b"\xef\xbb\xbf" + DISALLOW), Verdict.FORBIDDEN),
        (RobotsFile(200, b"User-agent: Datahound\nAllow: /\n\n" + DISALLOW), Verdict.ALLOWED),
        (RobotsFile(200, b""), Verdict.ALLOWED),
        (RobotsFile(200, b"<html><body>User-agent: *\nDisallow: nothing"), Verdict.ALLOWED),
        (RobotsFile(200, bytes(range(256)) * 100), Verdict.ALLOWED),
        (RobotsFile(401), Verdict.ALLOWED),
        (RobotsFile(403, DISALLOW), Verdict.ALLOWED),
        (RobotsFile(404), Verdict.ALLOWED),
        (RobotsFile(429), Verdict.UNKNOWN),
        (RobotsFile(500), Verdict.UNKNOWN),
        (RobotsFile(503, DISALLOW), Verdict.UNKNOWN),
        (RobotsFile(0), Verdict.UNKNOWN),
        (RobotsFile(301, location="/other.txt"), Verdict.FORBIDDEN),
        (RobotsFile(301, location="/robots.txt"), Verdict.ALLOWED),
        (RobotsFile(302, location="ftp://x/"), Verdict.ALLOWED),
    ],
)
def test_every_answer_has_its_meaning(answer, verdict):
    """4xx allows, 5xx and 429 forbid for now, redirects are followed but not for ever."""
    origin = Origin(robots=answer, other=RobotsFile(200, DISALLOW))
    assert origin.verdict() is verdict
    assert len(origin.asked) <= 6


def test_it_is_asked_for_once_a_day_and_origin():
    """Scheme, host and port make an origin."""
    origin = Origin(robots=RobotsFile(200, DISALLOW))
    for url in (URL, "https://a.example/", "http://a.example/", "https://a.example:8443/", URL):
        origin.verdict(url)
    assert len(origin.asked) == 3
    origin.time.now += 90_000
    origin.verdict()
    assert len(origin.asked) == 4


def test_what_was_known_holds_while_it_is_unavailable():
    """A server that errs a day later does not change its rules by it."""
    origin = Origin(robots=RobotsFile(200, DISALLOW))
    origin.verdict()
    origin.time.now += 90_000
    origin.answers["robots"] = RobotsFile(500)
    assert origin.verdict() is Verdict.FORBIDDEN
    assert origin.verdict("https://a.example/public") is Verdict.ALLOWED


def test_an_unavailable_one_is_asked_for_again_later():
    """Not with every URL, and with longer and longer pauses."""
    origin = Origin(robots=RobotsFile(500))
    assert origin.verdict() is origin.verdict() is Verdict.UNKNOWN
    assert len(origin.asked) == 1
    assert origin.robots.pause_of(URL) == 60
    origin.time.now += 60
    origin.answers["robots"] = RobotsFile(404)
    assert origin.verdict() is Verdict.ALLOWED


def test_crawl_delay_is_told():
    """For the group of rules that is ours."""
    text = (
        b"User-agent: *\nCrawl-delay: 5\n\nUser-agent: datahound\nCrawl-delay: 2.5\nDisallow: /x\n"
    )
    origin = Origin(robots=RobotsFile(200, text))
    origin.verdict()
    assert origin.delays == {"a.example": 2.5}


def test_half_a_megabyte_is_read_and_no_more():
    """A rule beyond is not seen; ten megabytes take no longer than half of one."""
    rules = parse_robots(
        b"User-agent: *\n" + b"# filler\n" * (MAX_ROBOTS_BYTES // 9) + b"Disallow: /\n",
        "Datahound",
    )
    assert rules.can_fetch("https://a.example/", "Datahound")


@pytest.mark.skipif(not SUITE.exists(), reason=f"{SUITE} is not here")
def test_robots_files_of_the_wild_never_raise():
    """1,058 real files: each is read, and answers fast."""
    with zipfile.ZipFile(SUITE) as suite:
        names = [name for name in suite.namelist() if not name.endswith("/")]
        bodies = [suite.read(name) for name in names]
    assert len(bodies) >= 1058
    slowest = 0.0
    for body in bodies:
        begun = time.perf_counter()
        rules = parse_robots(body, "Datahound")
        plain = Protego.parse(body[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace"))
        for url in (URL, "https://a.example/", "https://a.example/a?b=c&d=%ff"):
            assert rules.can_fetch(url, "Datahound") is plain.can_fetch(url, "Datahound")
        assert rules.crawl_delay("Datahound") == plain.crawl_delay("Datahound")
        slowest = max(slowest, time.perf_counter() - begun)
    assert slowest < 2


AGENTS = b"".join(b"User-agent: a%d\n" % number for number in range(10_000))
HOSTILE = {
    "agents": AGENTS + b"Disallow: /\n" * 20_000,
    "odd blanks": AGENTS.replace(b" ", "\u3000".encode()) + b"Disallow: /\n" * 20_000,
    "prefixes of our name": AGENTS.replace(b"a1", b"data").replace(b"a2", b"d")
    + b"Allow: /\n" * 9999
    + b"User-agent: Datahound\nDisallow: /private",
    "wildcards": b"User-agent: *\n" + b"Disallow: /*a*b*c\n" * 25_000,
    "one line": b"User-agent: *\nDisallow: /" + b"*a" * 240_000,
    "dollars": b"User-agent: *\nDisallow: /" + b"$" * 490_000,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_robots_files_are_parsed_in_linear_time(shape):
    """Rules are not kept for each of thousands of agents; the rules for all hold."""
    begun = time.thread_time()
    rules = parse_robots(HOSTILE[shape] + b"\nUser-agent: *\nDisallow: /private\n", "Datahound")
    for url in ("https://a.example/private", "https://a.example/" + "ab" * 2000):
        rules.can_fetch(url, "Datahound")
    assert time.thread_time() - begun < 3
    assert not rules.can_fetch("https://a.example/private", "Datahound")


def test_rules_for_our_name_are_kept_among_many():
    rules = parse_robots(
        AGENTS + b"Disallow: /a\nUser-agent: DATAhound*\nDisallow: /b", "Datahound"
    )
    assert rules.can_fetch("https://a.example/a", "Datahound")
    assert not rules.can_fetch("https://a.example/b", "Datahound")


def crawl_one(paths, *fetches, **settings):
    """Answers to fetches of a site over HTTP, with the web that gave them."""
    site, pretend = Website(paths), PretendTime()

    async def run():
        async with site.served() as address:
            choices = {"delay_seconds": 0.0, "headers_seconds": 0.3, "connect_seconds": 0.1}
            web_settings = WebSettings(connect_to=address, **{**choices, **settings})
            async with Web(SEED, web_settings, clock=pretend.clock) as web:
                return [await web.get(fetch) for fetch in fetches], web

    answers, web = asyncio.run(run())
    return answers, web, site, pretend


def test_a_forbidden_url_is_not_asked_for():
    """It costs nothing, says why, and the robots.txt itself is counted apart."""
    url = SEED + "private/x"
    paths = {"/robots.txt": data(DISALLOW, "text/plain"), "/private/x": page(), "/": page()}
    answers, web, site, _ = crawl_one(paths, Fetch(url), Fetch(SEED))
    assert answers[0] == Failure(url, "forbidden by robots.txt", 0, 0, Skip.ROBOTS)
    assert isinstance(answers[1], Response)
    assert (web.stats.robots_requests, web.stats.requests) == (1, 2)
    assert [exchange.path for exchange in site.asked] == ["/robots.txt", "/"]


def test_the_user_may_ignore_it():
    paths = {"/robots.txt": data(DISALLOW, "text/plain"), "/private/x": page()}
    answers, web, _, _ = crawl_one(paths, Fetch(SEED + "private/x"), ignore_robots=True)
    assert (answers[0].status, web.stats.robots_requests) == (200, 0)


def test_an_unavailable_one_postpones_the_impatient_and_holds_up_the_patient():
    """Who has other things to do does them; who has not waits, and then gives up with a reason."""
    paths = {"/robots.txt": error(500), "/": page()}
    answers, web, site, pretend = crawl_one(paths, Fetch(SEED), Fetch(SEED, patient=True))
    assert answers == [
        Postponed(SEED),
        Failure(SEED, "robots.txt unavailable", 0, 0, Skip.ROBOTS_UNAVAILABLE),
    ]
    assert web.stats.robots_requests == 3
    assert sum(pretend.slept) >= 180
    assert {exchange.path for exchange in site.asked} == {"/robots.txt"}


def test_one_that_hangs_is_unavailable():
    answers, *_ = crawl_one({"/robots.txt": then_hang(), "/": page()}, Fetch(SEED))
    assert answers == [Postponed(SEED)]


def test_a_redirected_one_is_read_where_it_is():
    """Also on another host, by the rules of the one that was asked."""
    paths = {
        "www.site.example/robots.txt": redirect("http://other.site.example/r.txt", 301),
        "other.site.example/r.txt": data(b"User-agent: *\nDisallow: /\n", "text/plain"),
    }
    answers, web, _, _ = crawl_one(paths, Fetch(SEED))
    assert answers[0].reason == "forbidden by robots.txt"
    assert web.stats.robots_requests == 2


def test_crawl_delay_is_kept_and_reported():
    """Requests are as far apart as the site asks for, up to the cap, and both are told."""
    paths = {"/robots.txt": data(b"User-agent: *\nCrawl-delay: 300\n", "text/plain"), "/": page()}
    _, web, _, pretend = crawl_one(paths, Fetch(SEED), Fetch(SEED), crawl_delay_cap=7)
    assert web.stats.crawl_delays == {"www.site.example": (300, 7)}
    assert pretend.slept == [7, 7]


def test_an_agent_that_is_no_text_is_refused():
    with pytest.raises(UserError):
        Web(SEED, WebSettings(contact="me\r\nX-Evil: 1"))


@pytest.mark.parametrize(
    "answer",
    [raw(OK, f"X: {'x' * 70_000}\r\n\r\nUser-agent: *"), raw("hello, this is not HTTP\r\n\r\n")],
)
def test_one_that_is_not_http_counts_as_unreachable(answer):
    """RFC 9309 forbids everything then: nothing but robots.txt is requested."""
    paths = {"/robots.txt": answer, "/": page()}
    answers, _, site, _ = crawl_one(paths, Fetch(SEED, patient=True))
    assert answers == [Failure(SEED, "robots.txt unavailable", 0, 0, Skip.ROBOTS_UNAVAILABLE)]
    assert {exchange.path for exchange in site.asked} == {"/robots.txt"}


def test_memory_is_bounded_for_any_number_of_hosts():
    """Wildcard subdomains, each with 500 KB of rules: what is kept does not grow with them."""
    lines = (f"Disallow: /{number:06}-{'x' * 40}" for number in range(8000))
    text = "\n".join(["User-agent: *", *lines]).encode()
    count = 60
    origin = Origin(robots=RobotsFile(200, text))
    robots = origin.robots

    async def run():
        tracemalloc.start()
        for number in range(count):
            host = f"https://h{number}.example"
            assert await robots.verdict(f"{host}/000001-{'x' * 40}") is Verdict.FORBIDDEN
        return tracemalloc.get_traced_memory()[0]

    try:
        assert asyncio.run(run()) < 120 << 20
    finally:
        tracemalloc.stop()
    assert asyncio.run(robots.verdict("https://h0.example/free")) is Verdict.ALLOWED
    assert len(origin.asked) == count


def test_what_is_forgotten_is_requested_again(monkeypatch):
    """The texts are bounded, too."""
    monkeypatch.setattr("datahound.http.robots._MAX_ORIGINS", 2)
    origin = Origin(robots=RobotsFile(200, DISALLOW))
    robots = origin.robots
    for host in ("a", "b", "c", "c", "a"):
        verdict = asyncio.run(robots.verdict(f"https://{host}.example/private/x"))
        assert verdict is Verdict.FORBIDDEN
    assert len(origin.asked) == 4
