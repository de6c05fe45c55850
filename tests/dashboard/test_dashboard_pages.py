"""Every page of the dashboard answers, says the same as its JSON, and shows text as text."""

import sqlite3
from contextlib import closing
from dataclasses import asdict
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from changing_site import ChangingSite, page, serve_site
from crawled import Client, crawl, demo_site, in_thread
from old_folders import NAMES, unpack
from websites import site_with_companions

from datahound.cli import run
from datahound.dashboard.app import serve_dashboard
from datahound.report.phrases import Unfollowed
from datahound.report.status import read_status
from datahound.store.sqlite import open_to_read

PAGES = [
    "/crawl/{}",
    "/crawl/{}/data",
    "/crawl/{}/data?q=table&sort=title&statistics=1",
    "/crawl/{}/data?format=csv&from=1900&to=2100",
    "/crawl/{}/data/1",
    "/crawl/{}/explain",
    "/crawl/{}/explain?url=http://www.site.example/",
    "/crawl/{}/groups",
    "/crawl/{}/groups/0",
    "/crawl/{}/new",
    "/crawl/{}/new?since=0",
    "/crawl/{}/pages",
    "/crawl/{}/pages?sort=targets",
    "/crawl/{}/requests",
    "/crawl/{}/requests?only=errors",
    "/crawl/{}/requests?q=%25_%5C&only=mistaken",
    "/crawl/{}/skipped",
    "/crawl/{}/skipped?reason=other+site",
]


class Markup(HTMLParser):
    """What a browser would take for markup, and what it would take for text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("crawl", ["demo", "hostile"])
@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_a_twin_and_nothing_runs(client, page, crawl):
    """HTML and JSON answer; no inline script, style or handler; nothing from elsewhere."""
    path = page.format(crawl)
    answer = client.ask(path)
    assert answer.status == 200, answer.text
    bare, _, query = path.partition("?")
    twin = client.json(f"{bare}.json?{query}")
    assert twin["id"] == crawl
    markup = Markup(answer.text)
    assert markup.tags.count("script") == 1
    assert not {"style", "iframe", "object", "embed", "base"} & set(markup.tags)
    for tag, name, value in markup.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name != "style"
        if name == "src" or (tag == "link" and name == "href"):
            assert value.startswith("/static/"), value
        if name in ("href", "action"):
            assert not value.lower().startswith(("javascript:", "data:")), value
    hidden = set("\x00\x07\x1b\u202e\u2066\u200f\ufeff") & set(answer.text)
    assert not hidden


def test_the_home_page_lists_all_crawls(client):
    home = client.json("/index.json")
    assert {line["id"] for line in home["crawls"]} == {"demo", "hostile"}
    assert all(line["state"] == "ended" for line in home["crawls"])
    assert client.json("/.json")["running"] == 0
    text = client.ask("/").text
    assert 'href="/crawl/demo"' in text


def test_hostile_texts_are_shown_as_text(client):
    """What a site called its page, link and cell is there to be read, sign for sign."""
    explained = client.ask("/crawl/hostile/explain?url=http://www.site.example/a.csv").text
    assert "&lt;script&gt;alert(4)&lt;/script&gt; ‹U+202E›txt" in explained
    pages = client.ask("/crawl/hostile/pages").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;" in pages
    table = client.ask("/crawl/hostile/data/1").text
    assert "=HYPERLINK(" in table
    assert "<svg onload" not in table
    assert "&lt;b&gt;bold&lt;/b&gt;" in table


def test_the_overview_counts_what_the_database_holds(client, crawls):
    view = client.json("/crawl/demo.json")
    with closing(sqlite3.connect(crawls / "demo" / "crawl.db")) as connection:
        (requests,) = connection.execute("SELECT max(number) FROM request").fetchone()
        (targets,) = connection.execute("SELECT count(*) FROM target").fetchone()
        (troubles,) = connection.execute(
            "SELECT count(*) FROM request WHERE status IS NULL OR status >= 400"
        ).fetchone()
        (rewards,) = connection.execute("SELECT sum(reward) FROM visit").fetchone()
    assert (view["requests"], view["targets"], view["trouble_count"]) == (
        requests,
        targets,
        troubles,
    )
    assert view["curve"]["points"][-1] == [requests, targets]
    assert view["counted"] == 1
    groups = client.json("/crawl/demo/groups.json")["rows"]
    assert sum(row["targets"] for row in groups) <= rewards
    assert view["choice"]["basis"]


def test_lists_go_on_page_by_page_and_lose_nothing(client):
    """Following `next` gives every request once, newest first."""
    numbers, path = [], "/crawl/demo/requests.json"
    while True:
        page = client.json(path)
        numbers += [row["number"] for row in page["rows"]]
        if page["next"] is None:
            break
        path = f"/crawl/demo/requests.json?before={page['next']}"
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == page["in_all"]


def test_pages_with_most_files_come_first(client):
    seen, path = [], "/crawl/demo/pages.json?sort=targets"
    while True:
        page = client.json(path)
        seen += [row["targets"] for row in page["rows"]]
        if page["next"] is None:
            break
        path = f"/crawl/demo/pages.json?sort=targets&before={page['next']}&most={page['most']}"
    assert seen == sorted(seen, reverse=True)
    assert min(seen) > 0


def test_filters_keep_their_word(client):
    errors = client.json("/crawl/demo/requests.json?only=errors")["rows"]
    assert all(row["status"] is None or row["status"] >= 400 for row in errors)
    found = client.json("/crawl/demo/requests.json?q=release")["rows"]
    assert found
    assert all("release" in row["url"] for row in found)
    reason = client.json("/crawl/demo/skipped.json")["reasons"][0]["reason"]
    rows = client.json(f"/crawl/demo/skipped.json?reason={quote(reason)}")["rows"]
    assert {row["reason"] for row in rows} == {reason}


def story(client, url):
    return client.json(f"/crawl/demo/explain.json?url={quote(url, safe='')}")["story"]


def test_a_visited_page_is_explained(client, crawls):
    """Where it was found, its group, the choice that took it and what it brought."""
    with closing(sqlite3.connect(crawls / "demo" / "crawl.db")) as connection:
        link, url, score, group, reward = connection.execute(
            """SELECT c.link, c.url, c.score, c.action, v.reward
            FROM choice c JOIN visit v ON v.url = c.url
            WHERE v.reward > 0 AND c.score < 1e9 LIMIT 1"""
        ).fetchone()
    told = story(client, url)
    assert told["link"]["number"] == link
    assert told["choice"]["score"] == pytest.approx(score)
    assert told["group"] == group
    assert told["requests"][-1]["status"] == 200
    text = " ".join(told["sentences"])
    assert "was found on" in text
    assert f"its group {group} had the best score" in text
    assert f"which led to {reward} new data file{'s' * (reward > 1)}" in text


def test_groups_of_one_tag_path_are_told_apart(client):
    """By the folder that their links lead to, which can be searched for."""
    rows = client.json("/crawl/demo/groups.json?q=/news/20")["rows"]
    assert len(rows) > 1
    assert all(row["place"].startswith("/news/20") for row in rows)
    page = client.ask("/crawl/demo/groups?q=/news/20").text
    assert f"<bdi>{rows[0]['place']}</bdi>" in page
    number = rows[0]["group"]
    assert client.json(f"/crawl/demo/groups/{number}.json")["place"] == rows[0]["place"]


def test_the_folder_of_a_group_is_that_of_all_its_links(client, crawls):
    with closing(sqlite3.connect(crawls / "demo" / "crawl.db")) as connection:
        links = connection.execute(
            "SELECT action, url FROM link WHERE expected = 'page'"
        ).fetchall()
    groups = client.json("/crawl/demo/groups.json")["rows"]
    for group in (group for group in groups if group["links"]):
        urls = [url.partition("//")[2] for action, url in links if action == group["group"]]
        place = group["place"]
        if place.startswith("/"):
            place = f"www.demo.example{place}"
        assert all(url.startswith(place) for url in urls)


def test_every_fate_is_told(client, crawls):
    """The start, a target, a link left out, one that failed, one that was never met."""
    with closing(sqlite3.connect(crawls / "demo" / "crawl.db")) as connection:

        def one(query):
            return connection.execute(query).fetchone()[0]

        target = one("SELECT url FROM target LIMIT 1")
        skipped = one("SELECT url FROM skip WHERE reason = 'other site' LIMIT 1")
        failed = one("SELECT url FROM request WHERE status = 404 LIMIT 1")
        seed = one("SELECT url FROM request ORDER BY id LIMIT 1")
    assert "The crawl began here." in story(client, seed)["sentences"]
    assert "The file was kept" in " ".join(story(client, target)["sentences"])
    assert "It was left out: on another site." in story(client, skipped)["sentences"]
    assert "status 404" in " ".join(story(client, failed)["sentences"])
    assert "never met" in story(client, "https://nowhere.example/")["sentences"][0]


def test_a_redirect_is_followed_both_ways(client, crawls):
    with closing(sqlite3.connect(crawls / "demo" / "crawl.db")) as connection:
        row = connection.execute(
            "SELECT redirected_from, url FROM request WHERE redirected_from IS NOT NULL LIMIT 1"
        ).fetchone()
    if row is None:
        pytest.skip("this site redirects nobody")
    assert story(client, row[0])["redirected_to"][0]["url"] == row[1]
    assert story(client, row[1])["redirected_from"][-1]["url"] == row[0]


def test_a_link_that_waits_says_for_what(tmp_path):
    """A crawl that was cut short leaves links, and says why they were not fetched."""
    crawl(demo_site(), tmp_path / "short", budget=60)
    with closing(open_to_read(tmp_path / "short" / "crawl.db")) as connection:
        (url,) = connection.execute(
            """SELECT url FROM link l WHERE expected = 'page' AND NOT EXISTS
            (SELECT 1 FROM choice c WHERE c.link = l.number) ORDER BY number DESC LIMIT 1"""
        ).fetchone()
    with in_thread(lambda: serve_dashboard([tmp_path])) as serving:
        told = Client(serving).json(f"/crawl/short/explain.json?url={quote(url, safe='')}")
        group = Client(serving).json(f"/crawl/short/groups/{told['story']['group']}.json")
    text = " ".join(told["story"]["sentences"])
    assert "It waits in group" in text
    assert "never fetched, because the crawl ended before" in text
    assert group["waiting"] > 0


def test_files_that_came_before_their_pages_are_explained(tmp_path):
    """Whose they are and why they were asked for; pages count as read once they were."""
    folder = tmp_path / "soon"
    crawl(site_with_companions(40).archive(), folder, budget=50)
    with closing(open_to_read(folder / "crawl.db")) as connection:
        (page,) = connection.execute(
            "SELECT url FROM visit WHERE outcome = 'foreseen only'"
        ).fetchone()
        (read,) = connection.execute("SELECT count(*) FROM request WHERE kind = 'page'").fetchone()
    with in_thread(lambda: serve_dashboard([tmp_path])) as serving:
        client = Client(serving)

        def told(url):
            answer = client.json(f"/crawl/soon/explain.json?url={quote(url, safe='')}")
            return " ".join(answer["story"]["sentences"])

        assert f"Its address follows from that of {page}" in told(page.replace("html", "csv"))
        assert "Its address led to 1 new data file, without reading the page" in told(page)
        assert client.json("/crawl/soon.json")["pages"] == read
        listed = client.json("/crawl/soon/pages.json")["rows"]
        assert len({row["url"] for row in listed}) == len(listed) == read
    assert read_status(folder).pages == read


def test_what_was_not_followed_is_the_same_everywhere(tmp_path):
    """Of the pages that were read, in the overview as in the status and the report."""
    folder = tmp_path / "site"
    crawl(demo_site(), folder, budget=60)
    with closing(sqlite3.connect(folder / "crawl.db")) as connection, connection:
        connection.execute("UPDATE visit SET needs_script = 1, forms = 2, files_elsewhere = 3")
        connection.execute("UPDATE visit SET outcome = 'not a page' WHERE id % 2")
        (read,) = connection.execute("SELECT count(*) FROM pages").fetchone()
    with in_thread(lambda: serve_dashboard([tmp_path])) as serving:
        view = Client(serving).json("/crawl/site.json")
    status = read_status(folder)
    unfollowed = status.unfollowed
    assert unfollowed == Unfollowed(read, 2 * read, read, 3 * read, read)
    assert view["unfollowed"] == asdict(unfollowed)
    assert view["not_followed"] == list(status.missed)
    assert view["not_followed"][0].startswith(f"{read} pages need a script")


def test_searching_the_catalogue(client):
    every = client.json("/crawl/demo/data.json")
    assert every["catalogue"]
    assert every["total"] == 40
    word = every["entries"][0]["title"].split()[0]
    found = client.json(f"/crawl/demo/data.json?q={quote(word)}")
    assert 0 < found["total"] <= every["total"]
    one = every["formats"][0]
    assert client.json(f"/crawl/demo/data.json?format={one['label']}")["total"] == one["value"]
    shown = client.json(f"/crawl/demo/data/{every['entries'][0]['id']}.json")
    assert shown["entry"]["url"] == every["entries"][0]["url"]


def test_without_a_catalogue_the_targets_are_listed(tmp_path):
    crawl(demo_site(), tmp_path / "bare")
    with in_thread(lambda: serve_dashboard([tmp_path / "bare"])) as serving:
        bare = Client(serving)
        assert "datahound catalog DIR" in bare.ask("/crawl/bare/data").text
        assert len(bare.json("/crawl/bare/data.json")["rows"]) == 40


@pytest.mark.parametrize(
    "path",
    [
        "/crawl/nobody",
        "/crawl/demo/data/99999",
        "/crawl/demo/groups/99999",
        "/crawl/demo/groups/99999999999999999999",
        "/crawl/demo/elsewhere",
        "/crawl/..%2f..%2fetc",
        "/static/../app.py",
        "/elsewhere",
    ],
)
def test_what_is_not_there_is_said_in_a_line(client, path):
    answer = client.ask(path)
    assert answer.status == 404
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("value", ["-1", "x", "9" * 400, "1e9", "%00", "٣"])
def test_odd_parameters_are_harmless(client, value):
    quoted = quote(value)
    for path in ("requests?before=", "pages?sort=targets&most=", "data?offset=", "groups?offset="):
        assert client.ask(f"/crawl/demo/{path}{quoted}").status == 200
    assert client.ask(f"/crawl/demo/explain?url={quoted}").status == 200


def test_older_folders_can_be_looked_at(tmp_path):
    """Crawls that earlier releases wrote: every page shows them, with what they said of choices."""
    for name in NAMES:
        unpack(name, tmp_path / name)
    with in_thread(lambda: serve_dashboard([tmp_path])) as serving:
        client = Client(serving)
        assert len(client.json("/index.json")["crawls"]) == len(NAMES)
        for name in NAMES:
            target = client.json(f"/crawl/{name}/data.json")["rows"][0]["url"]
            skip = client.json(f"/crawl/{name}/skipped.json")["reasons"]
            pages = ["", "/groups", "/groups/1", "/requests", "/pages", "/skipped", "/report"]
            pages += [f"/explain?url={quote(target, safe='')}"]
            for page in pages:
                answer = client.ask(f"/crawl/{name}{page}")
                assert answer.status == 200, (name, page, answer.text)
            assert all(row["phrase"] for row in skip)
        choice = client.json("/crawl/format-2-hound-done.json")["choice"]
        assert "any link of the site brings" in choice["basis"]
        assert client.json("/crawl/format-1-sb-cut.json")["choice"] is None


def test_what_is_new_is_shown_with_its_differences(tmp_path):
    """The last round by default, earlier ones where asked for; differences as they were told."""
    bodies = {"/": page("/a.csv", "/b.csv"), "/a.csv": b"region,rate\nNord,12.1\nOst,3.5\n"}
    folder = tmp_path / "grows"
    with serve_site(ChangingSite({**bodies, "/b.csv": b"x,y\n1,2\n"})) as site:
        asked = ["--delay", "0", "--no-catalog", "--plain"]
        assert run(["crawl", site.url, "--output", str(folder), *asked]) == 0
        site.bodies |= {"/": page("/a.csv", "/b.csv", "/new.csv"), "/new.csv": b"n,m\n1,2\n"}
        assert run(["refresh", str(folder), *asked]) == 0
        site.bodies["/a.csv"] = bodies["/a.csv"].replace(b"12.1", b"<b>12.4</b>")
        assert run(["refresh", str(folder), *asked]) == 0
    with in_thread(lambda: serve_dashboard([tmp_path])) as serving:
        client = Client(serving)
        shown = client.ask("/crawl/grows/new")
        found = client.json("/crawl/grows/new.json")
        earlier = client.json("/crawl/grows/new.json?since=0")
    assert "Nord: 12.1" in shown.text
    assert "b" not in Markup(shown.text).tags
    assert [kind["count"] for kind in found["kinds"]] == [0, 1, 0]
    assert [kind["count"] for kind in earlier["kinds"]] == [1, 1, 0]
    assert [(row["round"], row["new"], row["changed"]) for row in found["rounds"]] == [
        (2, 0, 1),
        (1, 1, 0),
    ]


WRITTEN = [
    "",
    "[]",
    "{}",
    '{"round": 0, "changed": 3}',
    '{"round": 0, "changed": [1, {}, {"difference": {"tables": 3}}]}',
    '{"round": 0, "since": "x", "changed": [{"difference": {"tables": [{"lines": [1]}]}}]}',
    "[" * 9999,
]


@pytest.mark.parametrize("text", WRITTEN, ids=lambda text: text[:20])
def test_any_text_in_whatsnew_is_survived(client, crawls, text):
    """Somebody edited the file, or a disk lost half of it."""
    path = crawls / "demo" / "whatsnew.json"
    path.write_text(text)
    assert client.ask("/crawl/demo/new").status == 200
    path.unlink()
