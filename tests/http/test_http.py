"""The web as a crawl sees it: what is sent, what comes back, what it costs."""

import asyncio
import gzip
import random
import socket

import pytest
from manners import OK, at_first, raw, sized, then_hang
from websites import SEED, PretendTime, Website, data, error, page, redirect

from datahound.errors import Unreachable, UserError
from datahound.http.client import Web
from datahound.http.request_headers import Identity
from datahound.model import Failure, Fetch, Postponed, Purpose, Response
from datahound.settings import WebSettings
from datahound.web.messages import header_size

BASE = {"delay_seconds": 0.0, "ignore_robots": True, "headers_seconds": 2.0}


def ask(paths, *fetches, seed=SEED, site=None, **settings):
    """The answers to fetches, with the site, the web and the clock."""
    site, time, waits = site or Website(paths), PretendTime(), []

    async def run():
        async with site.served() as address:
            chosen = WebSettings(**{**BASE, "connect_to": address, **settings})
            rng = random.Random(0)
            async with Web(seed, chosen, None, waits.append, clock=time.clock, rng=rng) as web:
                answers = [await web.get(fetch) for fetch in fetches]
        return answers, web

    answers, web = asyncio.run(run())
    return answers, site, web, time, waits


def test_a_page_is_read_whole():
    """Status, headers in lower case, body, and its size as it was sent."""
    answer = page("/a")
    (got,), _, _, _, _ = ask({"/": answer}, Fetch(SEED))
    assert got == Response(SEED, 200, answer.headers, answer.body, len(answer.body))


def test_a_packed_page_is_unpacked_and_its_size_is_that_of_the_way():
    body = gzip.compress(page().body)
    (got,), *_ = ask({"/": data(body, "text/html", content_encoding="gzip")}, Fetch(SEED))
    assert (got.body, got.size, got.truncated) == (page().body, len(body), False)


def test_a_target_is_answered_at_its_headers():
    """Nothing of the body is waited for; the size is what the server says."""
    manner = then_hang(OK, "Content-Type: text/csv\r\nContent-Length: 12345\r\n\r\n")
    (got,), *_ = ask({"/x": manner}, Fetch(SEED + "x", Purpose.COLLECT))
    assert (got.status, got.body, got.size, got.truncated) == (200, b"", 12345, True)


@pytest.mark.parametrize(
    ("body", "kept"),
    [(b"name;url\na;http://www.site.example/c.csv\n", True), (b"a,1\n", False)],
)
def test_only_files_that_name_others_keep_their_bodies(body, kept):
    """The journal has these bodies; of other files it would be a second copy."""
    (got,), *_ = ask({"/x.csv": data(body, "text/csv")}, Fetch(SEED + "x.csv"))
    assert (got.body, got.size, got.truncated) == (body if kept else b"", len(body), not kept)


def test_the_users_targets_count():
    (got,), *_ = ask({"/x": data(b"?", "text/x-odd")}, Fetch(SEED + "x"))
    assert (got.size, got.truncated) == (1, True)
    choice = frozenset({"text/html"})
    (got,), *_ = ask({"/x": page()}, Fetch(SEED + "x"), targets=choice)
    assert b"A page" in got.body  # a reader finds links in it, though it is a target
    assert not got.truncated


def test_a_probe_is_a_head_and_its_size_is_that_of_the_headers():
    answer = data(b"1,2\n")
    (got,), site, *_ = ask({"/x.csv": answer}, Fetch(SEED + "x.csv", Purpose.PROBE))
    assert site.asked[0].method == "HEAD"
    assert got.size == header_size(200, got.headers)
    assert not got.truncated


def test_redirects_are_told_and_not_followed():
    (got,), site, *_ = ask({"/": redirect("/b")}, Fetch(SEED))
    assert (got.status, got.headers["location"], len(site.asked)) == (302, "/b", 1)


def test_we_say_who_we_are():
    """An honest name, and whom to write to."""
    _, site, *_ = ask({}, Fetch(SEED), contact="me@example.org")
    agent = site.asked[0].headers["user-agent"]
    assert agent.startswith("Datahound/")
    assert "me@example.org" in agent
    _, site, *_ = ask({}, Fetch(SEED), user_agent="Mine/1")
    assert site.asked[0].headers["user-agent"] == "Mine/1"


def test_the_users_headers_go_to_the_site_only():
    """To its subdomains too, never to another host, and never less protected than the seed."""
    urls = ["https://www.a.example/", "https://data.a.example/", "https://b.example/"]
    urls += ["http://www.a.example/", "https://nota.example/"]
    fetches = [Fetch(url) for url in urls]
    headers = {"authorization": "Bearer secret", "user-agent": "Mine/2"}
    _, site, *_ = ask({}, *fetches, seed=urls[0], headers=headers)
    sent = [exchange.headers.get("authorization") for exchange in site.asked]
    assert sent == ["Bearer secret", "Bearer secret", None, None, None]
    assert site.asked[0].headers["user-agent"] == "Mine/2"


@pytest.mark.parametrize(
    ("seed", "url", "sent"),
    [
        ("http://a.example/", "http://data.a.example/x", True),
        ("http://a.example/", "https://www.a.example/x", True),
        ("https://a.example/", "http://a.example/x", False),
        ("http://a.example/", "http://b.example/x", False),
        ("http://a.example/", "http://a.example:8080/x", False),
        ("http://a.example:8080/", "http://a.example:8080/x", True),
        ("http://a.example:8080/", "http://a.example/x", False),
        ("https://www.gov.uk/", "https://www.gov.uk/x", True),
        ("https://www.gov.uk/", "https://council.gov.uk/x", False),
        ("https://gov.uk/", "https://council.gov.uk/x", False),
        ("https://me.github.io/", "https://you.github.io/x", False),
    ],
)
def test_the_users_headers_go_to_the_hosts_and_the_port_of_the_seed(seed, url, sent):
    """Never across a public suffix, to another port, or to less protection."""
    identity = Identity(seed, WebSettings(headers={"X-Key": "1"}))
    assert ("X-Key" in identity.headers_for(url)) is sent


def test_cookies_do_not_cross_a_public_suffix():
    """One for `gov.uk` would reach every council."""
    cookies = raw(
        OK,
        "Set-Cookie: a=1; Domain=gov.uk\r\n",
        "Set-Cookie: b=2; domain = .x.gov.uk\r\n",
        "Set-Cookie: c=3\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
    )
    urls = [
        "http://www.x.gov.uk/",
        "http://y.gov.uk/",
        "http://z.x.gov.uk/",
        "http://www.x.gov.uk/2",
    ]
    paths = {"www.x.gov.uk/": cookies, "/": page(), "/2": page()}
    _, site, *_ = ask(paths, *map(Fetch, urls), seed=urls[0])
    sent = [exchange.headers.get("cookie") for exchange in site.asked]
    assert sent == [None, None, "b=2", "b=2; c=3"]


def test_the_users_headers_are_shown_nowhere():
    """Not even in the settings' own text."""
    settings = WebSettings(headers={"X-Key": "secret"}, proxy="http://me:secret@proxy:3128")
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"headers": {"X-A": "1\r\nX-B: 2"}},
        {"headers": {"a b": "1"}},
        {"headers": {"Host": "elsewhere.example"}},
        {"connect_to": "93.184.216.34:80"},
        {"connect_to": "127.0.0.1"},
        {"connect_to": "evil.example:80"},
        {"proxy": "socks5://127.0.0.1:1080"},
        {"user_agent": "a\nb"},
        {"concurrency": 0},
        {"concurrency": 65},
    ],
)
def test_what_can_not_be_sent_is_told_at_once(settings):
    with pytest.raises(UserError):
        Web(SEED, WebSettings(**settings))


def test_cookies_live_as_long_as_the_crawl():
    """They are sent back to the host that set them, by path and name, and not to others."""
    paths = {
        "www.site.example/": data(b"<p>", "text/html", set_cookie="id=7; Path=/"),
        "other.example/": page(),
    }
    fetches = [Fetch(SEED), Fetch(SEED), Fetch("http://other.example/")]
    _, site, *_ = ask(paths, *fetches)
    assert [exchange.headers.get("cookie") for exchange in site.asked] == [None, "id=7", None]


def test_the_users_own_cookie_stays():
    paths = {"/": data(b"<p>", "text/html", set_cookie="id=7")}
    _, site, *_ = ask(paths, Fetch(SEED), Fetch(SEED), headers={"cookie": "login=1"})
    assert site.asked[1].headers["cookie"] == "login=1; id=7"


def test_broken_cookies_do_no_harm():
    manner = sized(b"<p>", "Content-Type: text/html\r\n", "Set-Cookie: \xff;;;=;\x01\r\n")
    answers, *_ = ask({"/": manner}, Fetch(SEED), Fetch(SEED))
    assert len(answers) == 2


def test_every_url_goes_to_the_one_address_unchanged():
    """Host and path are those of the URL, also for https and other ports."""
    _, site, *_ = ask({}, Fetch("https://a.example:8443/x%20y?q=%41&r=a+b|c"))
    assert (site.asked[0].host, site.asked[0].path) == ("a.example:8443", "/x%20y?q=%41&r=a+b|c")
    assert site.asked[0].headers["x-forwarded-proto"] == "https"


def test_retries_are_counted_and_spaced():
    """Jittered, doubled, told to whoever watches; every one is in the answer's requests."""
    site = Website({"/": at_first(raw(), 2, page())})
    (got,), _, web, time, waits = ask({}, Fetch(SEED), site=site)
    assert (got.status, got.requests, web.stats.requests) == (200, 3, 3)
    assert 0.5 <= time.slept[0] <= 1.5
    assert 1.0 <= time.slept[1] <= 3.0
    assert {wait.reason for wait in waits} == {"retry"}
    (got,), *_ = ask({"/": raw()}, Fetch(SEED))
    assert got == Failure(SEED, "connection lost", requests=3)


def test_an_error_that_stays_is_not_asked_for_again():
    """500, 404 and 403 are answers."""
    for status in (500, 404, 403, 410, 501):
        (got,), *_ = ask({"/": error(status)}, Fetch(SEED))
        assert (got.status, got.requests) == (status, 1)


def test_a_host_that_must_rest_long_is_left_for_others():
    """The impatient get another link to try at once; the host is not asked meanwhile."""
    paths = {"/": error(503, retry_after="600"), "other.example/": page()}
    other = "http://other.example/"
    fetches = [Fetch(SEED), Fetch(SEED + "b"), Fetch(other)]
    answers, site, _, time, _ = ask(paths, *fetches)
    assert answers[:2] == [Postponed(SEED), Postponed(SEED + "b")]
    assert answers[2].status == 200
    assert len(site.asked) == 2
    assert not time.slept


def test_the_patient_wait_out_the_rest():
    site = Website({"/": at_first(error_manner(503, "600"), 1, page())})
    (got,), _, _, time, waits = ask({}, Fetch(SEED, patient=True), site=site)
    assert (got.status, got.requests) == (200, 2)
    assert sum(time.slept) >= 600
    assert waits[0].reason == "Retry-After"


def error_manner(status, retry_after):
    return raw(f"HTTP/1.1 {status} No\r\nRetry-After: {retry_after}\r\nContent-Length: 0\r\n\r\n")


def test_a_url_beyond_all_measure_is_not_asked_for():
    (got,), site, *_ = ask({}, Fetch(SEED + "x" * 9000))
    assert (got.reason, got.requests, site.asked) == ("URL too long", 0, [])


def test_a_host_that_is_not_there_is_a_failure():
    """At once for what nobody knows; no robots.txt is blamed for it."""

    async def run():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            settings = WebSettings(connect_to=f"127.0.0.1:{taken.getsockname()[1]}", max_retries=1)
            async with Web(SEED, settings, clock=PretendTime().clock) as web:
                return await web.get(Fetch(SEED, patient=True))

    answer = asyncio.run(run())
    assert answer.reason.startswith("can't connect")
    assert answer.requests == 2


def test_a_network_that_vanishes_is_waited_for():
    """A host that used to answer is asked until it does again; that costs no requests."""
    site, waits = Website({"/": page()}), []

    async def run():
        time = PretendTime()
        async with site.served() as address:
            web = Web(
                SEED, WebSettings(**BASE, connect_to=address), None, waits.append, clock=time.clock
            )
            await web.__aenter__()
            await web.get(Fetch(SEED))
        again = asyncio.create_task(web.get(Fetch(SEED)))
        while len(waits) < 5:
            await asyncio.sleep(0.001)
        port = int(address.rpartition(":")[2])
        server = await asyncio.start_server(site._talk, "127.0.0.1", port)
        answer = await again
        await web.__aexit__()
        server.close()
        return answer

    answer = asyncio.run(run())
    assert (answer.status, answer.requests) == (200, 1)
    assert {wait.reason for wait in waits} == {"network"}
    assert [wait.seconds for wait in waits[:5]] == [2, 4, 8, 16, 32]


def test_a_network_that_stays_away_ends_the_crawl():
    """With a reason and the fetch unanswered, so that it can go on later."""
    site = Website({"/": page()})

    async def run():
        async with site.served() as address:
            web = Web(SEED, WebSettings(**BASE, connect_to=address), clock=PretendTime().clock)
            await web.__aenter__()
            await web.get(Fetch(SEED))
        try:
            with pytest.raises(Unreachable, match=r"www\.site\.example used to answer"):
                await web.get(Fetch(SEED))
        finally:
            await web.__aexit__()

    asyncio.run(run())


def test_a_cancelled_fetch_leaves_no_connection():
    """Whatever the server is doing."""
    site = Website({"/": then_hang(OK, "Content-Type: text/html\r\n\r\n")})

    async def run():
        async with (
            site.served() as address,
            Web(SEED, WebSettings(**BASE, connect_to=address)) as web,
        ):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(web.get(Fetch(SEED)), 0.2)
            for _ in range(100):
                await asyncio.sleep(0.01)
                if not site.open_connections:
                    return True
        return False

    assert asyncio.run(run())


def test_a_proxy_is_used():
    """Every request goes there, with its whole URL."""
    site = Website({"http://www.site.example/": page()})

    async def run():
        async with site.served() as address:
            settings = WebSettings(delay_seconds=0, proxy=f"http://{address}", ignore_robots=True)
            async with Web(SEED, settings) as web:
                return await web.get(Fetch(SEED))

    asyncio.run(run())
    assert site.asked[0].path == SEED


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_closed_port_of_a_host_that_answers_is_a_failure_and_no_outage(scheme):
    """Reachability is known by scheme, host and port: the crawl goes on at once."""
    site, time = Website({"/": page()}), PretendTime()

    async def run():
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
            async with (
                site.served() as address,
                Web(f"http://{address}/", WebSettings(**BASE), clock=time.clock) as web,
            ):
                first = await web.get(Fetch(f"http://{address}/"))
                refused = await web.get(Fetch(f"{scheme}://127.0.0.1:{port}/x"))
                return first, refused, await web.get(Fetch(f"http://{address}/"))

    first, refused, after = asyncio.run(run())
    assert (first.status, after.status) == (200, 200)
    assert isinstance(refused, Failure)
    assert "can't connect" in refused.reason
    assert sum(time.slept) < 60
