"""What a website can do to a crawl: for each shape of attack, the tests that show its bound.

The shapes were found by attacking the product on loopback. A row names the shape, what it may cost
at most, and the tests that fail where it costs more; a number in front is that of the fault in the
list of the first attack, all of whose 26 faults are here. The last part has the tests of shapes
that belong to no single module.
"""

import ast
import asyncio
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pytest
from test_hostile import LONGEST_BLOCK, crawl
from watchdog import LoopWatch
from websites import SEED, Website, data, page, redirect

from datahound.archive.warc.recorder import record_warc
from datahound.crawl.crawl import Crawl
from datahound.events import ListRead, Visited
from datahound.model import Fetch, Link, Page, Response
from datahound.readers import read_listing
from datahound.runs.session import write_backlog
from datahound.settings import CrawlSettings
from datahound.store.writer import Store
from datahound.strategies import make_strategy

TESTS = Path(__file__).parent


class Attack(NamedTuple):
    """A shape of attack, what it may cost, and the names of the tests of that."""

    shape: str
    bound: str
    tests: tuple[str, ...]


def attack(shape, bound, *tests):
    return Attack(shape, bound, tests)


READING = [
    attack(
        "1: a file that begins with dozens of empty comments",
        "time: linear in its length",
        "test_hostile_beginnings_are_judged_in_a_moment",
        "test_patterns_take_linear_time",
    ),
    attack(
        "2: a thousand open formatting elements before twenty thousand paragraphs",
        "time and memory: as a page of its length",
        "test_hostile_pages_are_read_within_limits_of_time_and_memory",
        "test_a_terrible_page_costs_one_answer",
    ),
    attack(
        "3: tags that never end, and tags with ten thousands of attributes",
        "time: linear in its length",
        "test_hostile_pages_are_read_within_limits_of_time_and_memory",
    ),
    attack(
        "4: layers of Content-Encoding around millions of empty members",
        "time: the members of each layer are counted",
        "test_endless_empty_members_are_refused",
        "test_no_layer_brings_more_than_the_limit",
        "test_bombs_of_the_public_suite_are_cut",
    ),
    attack(
        "5: URLs of a megabyte, and names of parameters that repeat without end",
        "memory: 6 MB of URLs per page; time: linear",
        "test_long_urls_never_become_links",
        "test_all_urls_of_a_page_are_bounded",
        "test_hostile_urls_are_judged_in_a_moment",
        "test_a_url_beyond_all_measure_is_not_asked_for",
    ),
    attack(
        "pages and sitemaps full of URLs of 8 KB, or of a thousand directories",
        "memory: 32 MB for all long URLs; time: moments of the event loop",
        "test_no_step_of_a_crawl_takes_long",
        "test_long_urls_are_bounded_in_all_and_counted",
        "test_a_page_brings_few_long_urls",
        "test_a_sitemap_brings_few_long_urls",
        "test_long_rows_are_written_a_few_at_a_time",
    ),
    attack(
        "files that name files without end",
        "files: those that pages link to come first",
        "test_files_that_name_files_without_end_wait_for_the_others",
    ),
    attack(
        "a journal whose last answer hangs its reader",
        "requests: none; the failure is in the journal",
        "test_a_failed_reading_is_journalled_and_resuming_tells_the_same_story",
        "test_stopping_does_not_wait_for_a_reading",
    ),
    attack(
        "17: a page with hundreds of thousands of links",
        "time: moments of the event loop; memory: the rest is counted",
        "test_a_page_of_many_links_blocks_the_event_loop_for_moments_only",
        "test_links_beyond_the_limit_are_counted",
        "test_a_page_of_many_links_is_done_in_moments",
        "test_known_urls_are_bounded_and_files_are_still_found",
    ),
    attack(
        "an answer of a portal with one odd value",
        "files: those of all other values",
        "test_one_odd_value_breaks_no_reader",
        "test_markup_that_is_cut_or_changed_breaks_no_reader",
    ),
    attack(
        "a list with 50,000 entries and their dates",
        "time: moments of the event loop",
        "test_long_lists_are_stored_in_moments",
        "test_a_sitemap_of_hundreds_of_thousands_is_read_to_its_bound_and_counted",
        "test_large_answers_are_compressed_beside_the_event_loop",
    ),
    attack(
        "a table whose queries repeat all values of an axis thousands of times",
        "memory: 4 MB of queries; the table is left out, and said",
        "test_strange_descriptions_of_tables",
    ),
    attack(
        "thousands of hostile answers by a grammar",
        "time: 2 s each; memory: 300 MB",
        "test_hostile_answers_are_read_within_limits",
        "test_hostile_pages_never_block_the_event_loop",
        "test_it_costs_few_requests_little_memory_and_no_stall",
    ),
]
NETWORK = [
    attack(
        "6: a link to a closed port of a host that answers",
        "requests: one; time: no outage",
        "test_a_closed_port_of_a_host_that_answers_is_a_failure_and_no_outage",
    ),
    attack(
        "7: a site that moves, a public suffix or another port asks for the user's secrets",
        "requests with secrets: none",
        "test_the_users_headers_go_to_the_site_only",
        "test_the_users_headers_go_to_the_hosts_and_the_port_of_the_seed",
        "test_cookies_do_not_cross_a_public_suffix",
        "test_a_public_suffix_is_no_site",
        "test_a_site_that_moved_gets_no_headers_and_the_crawl_says_so",
    ),
    attack(
        "9: six seeds on one host",
        "requests: at the pace of one crawl",
        "test_crawls_of_one_process_share_the_clock_of_a_host",
        "test_sites_at_one_address_share_its_pace",
    ),
    attack(
        "11: wildcard subdomains, each with 500 KB of robots.txt",
        "memory: one bound for all hosts",
        "test_memory_is_bounded_for_any_number_of_hosts",
    ),
    attack(
        "12: a seed that resolves to a public and a private address",
        "requests to private addresses: none",
        "test_one_public_address_of_the_seed_keeps_the_guard_on",
    ),
    attack(
        "23: IPv6 ranges that lead to private networks",
        "requests to private addresses: none",
        "test_private_addresses_are_known",
    ),
    attack(
        "16: a robots.txt with 70 KB of headers, or in another protocol",
        "requests: none but for robots.txt",
        "test_one_that_is_not_http_counts_as_unreachable",
    ),
    attack(
        "15: files that drip",
        "time: other files are not held up",
        "test_files_that_drip_are_put_off_and_do_not_hold_up_others",
        "test_files_that_last_long_give_their_places_to_others",
        "test_chunks_that_bring_no_bytes_are_given_up",
    ),
    attack(
        "headers that drip, pages that drip, requests that are never answered",
        "time: 10 s each, and no retry, of a host that answers in time otherwise; 30 s for a page",
        "test_answers_that_come_late_are_asked_for_once",
        "test_a_host_is_waited_for_as_long_as_its_answers_take",
        "test_a_page_that_drips_is_read_as_far_as_it_came",
    ),
    attack(
        "half a megabyte of blank lines for a robots.txt",
        "time: a moment of the event loop",
        "test_a_blank_robots_txt_is_looked_through_in_a_moment",
    ),
    attack(
        "cookies by the hundred, and ETags of 50 KB",
        "requests: with headers that servers take",
        "test_cookies_stay_within_what_servers_take",
        "test_weak_validators_do_not_resume",
    ),
    attack(
        "answers that break the rules of HTTP, names and links that lead away, spaces without end",
        "requests: six for each; files: all good ones, none outside; memory: 300 MB",
        "test_it_ends_keeps_the_good_files_and_costs_little",
        "test_a_range_of_thousands_of_digits_fails_one_file_only",
    ),
    attack(
        "answers that raise what nobody has foreseen",
        "requests: one failure, no crawl",
        "test_what_nobody_has_foreseen_is_one_failure",
    ),
    attack(
        "13: a thousand sites with 1,024 descriptors",
        "files: all sites are crawled",
        "test_fewer_at_once_where_few_files_may_be_open",
        "test_a_few_run_at_once_and_the_others_wait",
    ),
]
DISK = [
    attack(
        "10: files that unpack to gigabytes",
        "disk: --max-bytes, and a floor of what stays free",
        "test_unpacked_bytes_count_against_the_bytes_of_all_files",
        "test_the_bytes_of_all_files_count_unpacked",
        "test_little_free_disk_stops_the_crawl_with_a_reason",
    ),
    attack(
        "8: a damaged record in the middle of the journal",
        "files: none is lost",
        "test_a_damaged_record_in_the_middle_of_the_journal_is_mended",
        "test_fetch_finds_the_targets_behind_a_damaged_record",
    ),
    attack(
        "18: kept files that are deleted or cut",
        "files: fetched again",
        "test_files_that_were_deleted_or_cut_are_fetched_again",
        "test_files_that_are_missing_or_changed_are_fetched_again",
    ),
    attack(
        "19: a damaged crawl.db or catalog.db",
        "files: none is lost; requests: none",
        "test_crawl_db_is_rebuilt_from_journal_and_files",
        "test_a_damaged_catalogue_is_made_again",
    ),
    attack(
        "20: the folder is deleted while it is crawled into",
        "requests: the crawl ends at once",
        "test_a_folder_that_is_deleted_ends_the_crawl_at_once",
    ),
    attack(
        "21: a thousand files with one name and one size",
        "time: each is hashed once",
        "test_equal_names_and_sizes_are_hashed_once",
    ),
    attack(
        "24: names that a double click runs, and links in the folder of files",
        "files: none outside, none that runs",
        "test_no_file_gets_a_name_that_a_double_click_runs",
        "test_links_in_the_folder_are_not_followed",
    ),
    attack(
        "power cuts, kills, and writes that fail",
        "files: none is lost; requests: what was in flight",
        "test_a_power_cut_loses_the_last_seconds_at_most",
        "test_killed_at_random_instants",
        "test_a_stop_in_the_middle_of_a_write_writes_no_byte_twice",
        "test_every_write_may_fail_once",
    ),
]
USER = [
    attack(
        "14: escape sequences in ids, classes and titles",
        "the terminal: nothing but printable characters",
        "test_what_a_page_writes_does_nothing_to_the_terminal",
        "test_a_shown_text_is_one_short_line",
    ),
    attack(
        "22: numbers with a million commas in a table that is exported",
        "time: linear in its length",
        "test_texts_that_are_almost_numbers_are_judged_in_a_moment",
        "test_patterns_take_linear_time",
    ),
    attack(
        "25: formulas, with full-width signs too",
        "spreadsheets: no cell is active",
        "test_titles_are_never_formulas",
        "test_a_csv_does_nothing_in_a_spreadsheet",
    ),
    attack(
        "25: Ctrl-C while the command starts",
        "one line",
        "test_an_early_interrupt_prints_one_line",
    ),
    attack(
        "26: files that take all memory of a small machine to look into",
        "memory: as many workers as fit",
        "test_workers_fit_into_the_memory_of_the_machine",
    ),
]
ATTACKS = [*READING, *NETWORK, *DISK, *USER]


@cache
def find_tests():
    """All tests by name, wherever they are."""
    trees = (ast.parse(path.read_text()) for path in TESTS.rglob("test_*.py"))
    nodes = (node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef))
    return {node.name: node for node in nodes if node.name.startswith("test_")}


@pytest.mark.parametrize("shape", ATTACKS, ids=lambda shape: shape.shape)
def test_every_shape_has_tests_that_can_fail(shape):
    assert shape.tests
    for name in shape.tests:
        assert name in find_tests(), f"{name} is gone: {shape.shape} needs a test"
        nodes = list(ast.walk(find_tests()[name]))
        # Some leave the assertion to a function that many tests call.
        assert any(isinstance(node, ast.Assert | ast.Call) for node in nodes), name


def test_all_faults_of_the_first_attack_are_here():
    numbers = {int(shape.shape.partition(":")[0]) for shape in ATTACKS if shape.shape[0].isdigit()}
    assert numbers == set(range(1, 27))


@pytest.mark.usefixtures("young_heap")
def test_a_page_of_many_links_is_done_in_moments():
    """50,000 links that nobody has met: no step of the crawl takes long, nor does its snapshot."""
    links = tuple(
        Link(f"{SEED}d{n % 300}/p{n}", f"html ul.c{n % 7} li a", f"Table {n}", "", SEED)
        for n in range(50_000)
    )
    steps = Counter()

    def measure(name, step):
        begun = time.thread_time()
        result = step()
        steps[name] = max(steps[name], time.thread_time() - begun)
        return result

    crawl = Crawl(SEED, make_strategy("hound", seed=1), in_flight=8, per_host=8)
    fetch = crawl.next_fetch()
    answer = Response(SEED, 200, {"content-type": "text/html"}, b"<p>x", page=Page(SEED, "", links))
    measure("answer", lambda: crawl.answer(fetch, answer))
    measure("snapshot of a page", crawl.bookmark)
    while not crawl.tally.visits:
        fetch = measure("links", lambda: crawl.next_fetch(200))
        if fetch is not None:
            gone = Response(fetch.url, 404, {"content-type": "text/html"})
            measure("answer", partial(crawl.answer, fetch, gone))
        crawl.take_events()
    measure("snapshot of links", crawl.bookmark)
    assert len(crawl.known) == len(links) + 1
    assert max(steps.values()) < LONGEST_BLOCK, steps


def test_known_urls_are_bounded_and_files_are_still_found():
    """A site that makes links without end: memory is bounded, what was left out is counted."""
    settings = CrawlSettings(max_known=2000, max_requests=400)
    crawl = Crawl(SEED, make_strategy("bfs"), settings=settings)
    left_out = 0
    while (fetch := crawl.next_fetch()) is not None:
        if fetch.url.endswith(".csv"):
            crawl.answer(fetch, Response(fetch.url, 200, {"content-type": "text/csv"}, size=9))
            continue
        names = [f"{fetch.url.rstrip('/')}/{n}" for n in range(100)]
        links = [Link(url, "html a", "", "", fetch.url) for url in (*names, f"{names[0]}.csv")]
        page = Page(fetch.url, "", tuple(links))
        headers = {"content-type": "text/html"}
        crawl.answer(fetch, Response(fetch.url, 200, headers, b"<p>x", page=page))
        events = (event for event in crawl.take_events() if isinstance(event, Visited))
        left_out += sum(event.not_followed.links_left_out for event in events)
    files = [url for url in crawl.known if url.endswith(".csv")]
    assert len(crawl.known) - len(files) <= 2000 + 100
    assert len(files) > 300
    assert left_out > 15_000


def make_sitemap(count):
    """What a sitemap with dates lists."""
    urls = (f"<url><loc>{SEED}p{n}</loc><lastmod>2024-01-01</lastmod></url>" for n in range(count))
    body = f"<urlset>{''.join(urls)}</urlset>".encode()
    return read_listing(Response(f"{SEED}sitemap.xml", 200, {}, body))


def test_long_lists_are_stored_in_moments(tmp_path):
    """The rows of 50,000 entries are written in parts; after that, all of them are there."""
    listed = make_sitemap(50_000)
    event = ListRead(1, Link(listed.url, "@api sitemap urls"), listed.listing, len(listed.links))

    async def write(store):
        with LoopWatch() as watch:
            await asyncio.create_task(observe(store))
        return watch

    async def observe(store):
        store.observe([event])
        store.write_some()
        assert store.is_behind
        await write_backlog(store)

    with closing(Store(tmp_path / "crawl.db")) as store:
        watch = asyncio.run(write(store))
        assert not store.is_behind
        count = store.connection.execute("SELECT count(DISTINCT url) FROM listed_entry").fetchone()
    assert count == (50_000,)
    assert watch.longest < LONGEST_BLOCK, watch.culprit


def test_a_checkpoint_has_all_rows_of_a_list(tmp_path):
    """What is behind a checkpoint is not replayed: rows that wait are written with it."""
    listed = make_sitemap(5000)
    event = ListRead(1, Link(listed.url, "@api sitemap urls"), listed.listing, len(listed.links))
    with closing(Store(tmp_path / "crawl.db")) as store:
        store.observe([event])
        store.checkpoint(Crawl(SEED, make_strategy("bfs")), 0)
        assert not store.is_behind
        count = store.connection.execute("SELECT count(*) FROM listed_entry").fetchone()
    assert count == (5000,)


def test_large_answers_are_compressed_beside_the_event_loop(tmp_path):
    """What another thread has packed is what is recorded; another answer is never taken for it."""
    fetch = Fetch(f"{SEED}data.json")
    answer = Response(fetch.url, 200, {"content-type": "application/json"}, b"[1]" * 1_000_000)
    other = replace(answer, body=b"[2]")
    with closing(record_warc(tmp_path / "a.warc.gz", SEED)) as archive:
        archive.pack(fetch, answer)
        begun = time.thread_time()
        archive.put(fetch, answer)
        assert time.thread_time() - begun < LONGEST_BLOCK / 3
        archive.pack(fetch, answer)
        archive.put(fetch, other)
        bodies = [recorded.answer.body for recorded in archive]
    assert bodies == [answer.body, other.body]


def test_a_large_page_is_crawled_without_a_block(tmp_path):
    """A page of 15 MB with 40,000 links: read by a worker, compressed in a thread, stored."""
    links = "".join(f"<p>{'text ' * 60}<a href='/p{n}'>{n}</a>" for n in range(40_000))
    site = Website({"/": data(links.encode(), "text/html"), "/a.csv": data(b"a,b\n1,2\n")})
    _, run, watch = crawl(tmp_path / "crawl", site, budget=20)
    assert run.crawl.tally.requests == 20
    assert watch.longest < LONGEST_BLOCK, watch.culprit


def test_a_site_that_moved_gets_no_headers_and_the_crawl_says_so(tmp_path):
    """A start page that leads elsewhere must not take the user's secrets along."""
    other = "www.other.example"
    site = Website(
        {
            "/": redirect(f"http://{other}/start"),
            f"{other}/start": page(f"http://{other}/a.csv"),
            f"{other}/a.csv": data(b"a,b\n1,2\n"),
        }
    )
    _, run, _ = crawl(tmp_path / "crawl", site, header=["X-Key: secret"])
    keys = {exchange.host: exchange.headers.get("x-key") for exchange in site.asked}
    assert keys == {"www.site.example": "secret", other: None}
    assert (tmp_path / "crawl" / "files" / other / "a.csv").exists()
    assert any(f"moved to {other}" in remark for remark in run.online.remarks)
