"""The dashboard in a real browser: every page, a live crawl to its end, by keyboard, on a phone."""

import asyncio
import os
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from crawled import in_thread

from datahound.archive import open_archive
from datahound.archive.server import serve_archive
from datahound.dashboard.app import serve_dashboard
from datahound.runs.options import make_options
from datahound.runs.run import Run

CHROMIUM = os.environ.get("DATAHOUND_CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PAGES = ["", "/data", "/data/1", "/explain", "/groups", "/groups/0", "/pages", "/requests"]
PAGES += ["/new", "/skipped", "/report"]

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(
    not Path(CHROMIUM).exists(), reason="there is no Chromium (DATAHOUND_CHROMIUM names one)"
)


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@contextmanager
def watched_page(browser, home, **options):
    """A page of its own; whatever goes wrong in it, or leaves this machine, is a failure."""
    context = browser.new_context(base_url=home, **options)
    page = context.new_page()
    troubles = []
    page.on("console", lambda message: troubles.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (troubles.append(dialog.message), dialog.dismiss()))
    page.on(
        "request",
        lambda request: (
            request.url.startswith((home, "data:")) or troubles.append(f"leaves: {request.url}")
        ),
    )
    try:
        yield page
    finally:
        context.close()
    assert not troubles


@pytest.fixture
def home(client):
    return client.serving.address


@pytest.mark.parametrize("name", ["demo", "hostile"])
def test_every_page_opens_without_a_complaint(browser, home, name):
    """No console error, nothing run that a site sent, nothing asked of anybody else."""
    with watched_page(browser, home) as page:
        page.goto("/")
        assert page.locator(".card").count() == 2
        for path in PAGES:
            answer = page.goto(f"/crawl/{name}{path}")
            assert answer.status == 200, path
            assert page.locator("h1").count() >= 1
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_search_preview_and_explain(browser, home):
    """From a word to a table, to the story of its file, to the page that links it."""
    with watched_page(browser, home) as page:
        page.goto("/crawl/demo/data")
        word = page.locator(".entries .title").first.inner_text().split()[0]
        page.get_by_label("Search titles").fill(word)
        page.get_by_role("button", name="Search", exact=True).click()
        assert page.locator(".entries .title").count() > 0
        page.locator(".entries li", has_text="table").first.locator(".title").click()
        assert page.locator(".preview tbody tr").count() > 0
        source = page.get_by_role("link", name="Source page")
        assert source.get_attribute("rel").startswith("noopener noreferrer")
        page.get_by_role("link", name="How it was found").click()
        assert "The file was kept" in page.locator(".sentences").inner_text()
        page.locator(".rows .url").first.click()
        assert "which led to" in page.locator(".sentences").inner_text()


def test_a_selection_is_downloaded(browser, home, tmp_path):
    with watched_page(browser, home) as page:
        page.goto("/crawl/demo/data")
        page.get_by_label("all on this page").check()
        assert page.locator(".entries input:checked").count() == page.locator(".entries li").count()
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download ticked as ZIP").click()
        waiting.value.save_as(tmp_path / "demo.zip")
        assert (tmp_path / "demo.zip").read_bytes()[:2] == b"PK"
        page.goto("/crawl/demo/data/1")
        with page.expect_download() as waiting:
            page.get_by_role("link", name="Download", exact=True).click()
        assert waiting.value.suggested_filename


def test_by_keyboard_alone(browser, home):
    """Skip link, tabs, search, a result: the focus is always to be seen."""
    with watched_page(browser, home) as page:
        page.goto("/crawl/demo")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.goto("/crawl/demo")
        for _ in range(20):
            page.keyboard.press("Tab")
            assert page.evaluate(
                """() => { const box = document.activeElement;
                const style = getComputedStyle(box);
                return box !== document.body && style.outlineStyle !== "none"
                    && parseFloat(style.outlineWidth) > 0; }"""
            )
            if page.evaluate("document.activeElement.textContent") == "Data":
                break
        page.keyboard.press("Enter")
        page.wait_for_url("**/data")
        page.get_by_label("Search titles").focus()
        page.keyboard.type("population")
        page.keyboard.press("Enter")
        page.wait_for_url("**q=population**")
        page.locator(".entries .title").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/data/*")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(browser, home, scheme):
    """At 390 pixels nothing runs over the edge, and what is tapped is large enough."""
    look = {"viewport": {"width": 390, "height": 844}, "color_scheme": scheme}
    with watched_page(browser, home, **look) as page:
        for path in PAGES:
            page.goto(f"/crawl/demo{path}")
            over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert over <= 0, path
        page.goto("/crawl/demo/data")
        assert page.get_by_role("button", name="Search", exact=True).bounding_box()["height"] >= 30


def contrast(page, selector):
    """How well the text of an element stands out from the page."""
    return page.locator(selector).first.evaluate(
        """box => { const light = text => { const c = text.match(/[\\d.]+/g).slice(0, 3).map(v => {
            v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
            return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; };
        const a = light(getComputedStyle(box).color);
        const b = light(getComputedStyle(document.body).backgroundColor);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }"""
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_in_light_and_dark(browser, home, scheme):
    """At least 4.5 to 1, as WCAG wants it; and dark is dark."""
    with watched_page(browser, home, color_scheme=scheme) as page:
        page.goto("/crawl/demo")
        for selector in ("h1", ".dim", ".url", ".bad", ".facts dt", ".path", ".tabs a"):
            assert contrast(page, selector) >= 4.5, selector
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, ground[4:-1].split(","))) > 380) is (scheme == "light")


def test_who_wants_no_motion_gets_none(browser, home):
    with watched_page(browser, home, reduced_motion="reduce") as page:
        page.goto("/crawl/demo")
        name = "getComputedStyle(document.querySelector('.state'), '::before').animationName"
        assert page.evaluate(name) == "none"


def test_the_curve_can_be_read_off(browser, home):
    with watched_page(browser, home) as page:
        page.goto("/crawl/demo")
        page.locator(".curve > svg").hover()
        assert "data files after" in page.locator(".reading").inner_text()


class LiveCrawl:
    """A crawl of the built-in site over loopback HTTP, in a thread."""

    def __init__(self, folder, delay):
        self._given = {"output": str(folder), "delay": delay}
        self.ended = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._go()), daemon=True)
        self._thread.start()

    async def _go(self):
        archive = open_archive("synthetic:demo?pages=100&targets=30&bodies=on")
        async with serve_archive(archive) as served:
            address = served.address.removeprefix("http://")
            options = make_options(archive.seed, {**self._given, "connect-to": address})
            self.ended = await Run(options).go()

    def join(self):
        self._thread.join(60)
        return self.ended


def number_of(page, name):
    fact = page.locator(".facts div", has=page.locator("dt", has_text=name)).first
    return int(fact.locator("dd").inner_text().replace(",", ""))


def test_a_live_crawl_to_its_end(browser, tmp_path):
    """The figures grow by themselves; pause, continue; at its end the page says so."""
    crawl = LiveCrawl(tmp_path / "live", delay=0.1)  # time enough for a slow browser
    with (
        in_thread(lambda: serve_dashboard([tmp_path])) as serving,
        watched_page(browser, serving.address) as page,
    ):
        page.goto("/")
        page.wait_for_function(
            "() => document.querySelector('.card') || (location.reload(), false)", timeout=20000
        )
        page.locator(".card").click()
        page.wait_for_selector(".state.running")
        page.wait_for_selector(".scores, .basis", timeout=20000)
        page.get_by_role("button", name="Pause").click()
        page.wait_for_selector(".state.paused", timeout=10000)
        page.wait_for_timeout(1500)
        before = number_of(page, "requests")
        page.wait_for_timeout(1500)
        assert number_of(page, "requests") == before
        page.get_by_role("button", name="Continue").click()
        page.wait_for_selector(".state.running", timeout=10000)
        page.locator("h1").click()
        page.wait_for_selector(".state.ended", timeout=60000)
        assert "every link on the site has been followed" in page.inner_text("[data-part=says]")
        assert number_of(page, "requests") > before
        assert page.get_by_role("button", name="Pause").count() == 0
    assert crawl.join().status == 0


def test_a_crawl_is_stopped_by_its_button(browser, tmp_path):
    """As by Ctrl-C: it ends soon, and can be gone on with."""
    crawl = LiveCrawl(tmp_path / "live", delay=0.2)
    with (
        in_thread(lambda: serve_dashboard([tmp_path])) as serving,
        watched_page(browser, serving.address) as page,
    ):
        page.goto("/")
        page.wait_for_function(
            "() => document.querySelector('.card') || (location.reload(), false)", timeout=20000
        )
        page.goto("/crawl/live")
        page.get_by_role("button", name="Stop").click()
        page.wait_for_selector(".state.ended", timeout=20000)
        assert "interrupted" in page.inner_text("[data-part=says]").lower()
    assert crawl.join().status == 130
