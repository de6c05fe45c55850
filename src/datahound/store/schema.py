"""The tables of `crawl.db`, the views that people read, and the steps from older formats."""

from datahound.model import Skip

# "DHND" in ASCII: `file` and SQLite itself can tell our databases from others.
APPLICATION_ID = 0x44484E44
# Raised with every change of a table; `UPGRADES` then needs the step from the version before.
VERSION = 7

LISTING_READ, LISTING_ELSEWHERE = 200, -1
"""Values of `listing.status`: a list that was read; an API on another host, not requested."""

_TIME = "strftime('%Y-%m-%dT%H:%M:%SZ', {}, 'unixepoch')"

# Texts that repeat (tag paths, pages) are kept once, in `text`. Everything from `link` to
# `foreseen` is made of events and can be made again from the journal; `file` is the ledger, which
# can't.
# There is no index of URLs: at 60 new links per page, keeping it would cost more than all other
# writing. Values of enums are those of `model` and `events`.
_LISTS = """
CREATE TABLE listing (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, url TEXT, platform TEXT, host TEXT,
    request TEXT, status INTEGER, total INTEGER, links INTEGER, remark TEXT
);
CREATE TABLE listed_dataset (
    id INTEGER PRIMARY KEY, platform TEXT, host TEXT, name TEXT, title TEXT, description TEXT,
    licence TEXT, modified TEXT, page TEXT, files INTEGER, publisher TEXT
);
CREATE TABLE listed_entry (
    id INTEGER PRIMARY KEY, url TEXT, platform TEXT, host TEXT, dataset TEXT, role TEXT,
    title TEXT, format TEXT, size INTEGER, modified TEXT, licence TEXT
);
CREATE INDEX listed_entry_url ON listed_entry (url);
CREATE INDEX listed_dataset_name ON listed_dataset (name);
"""
_ROUNDS = """
CREATE TABLE version (
    id INTEGER PRIMARY KEY, url TEXT, round INTEGER, at REAL, path TEXT, size INTEGER, sha256 TEXT,
    etag TEXT, last_modified TEXT
);
CREATE TABLE checked (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, url TEXT, outcome TEXT, status INTEGER,
    round INTEGER NOT NULL
);
CREATE TABLE gone (url TEXT PRIMARY KEY, round INTEGER, at REAL);
CREATE INDEX version_url ON version (url);
CREATE INDEX checked_url ON checked (url);
"""
TABLES = f"""
{_LISTS}
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE text (id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE link (
    number INTEGER PRIMARY KEY, url TEXT, tag_path INTEGER, anchor TEXT, surrounding TEXT,
    found_on INTEGER, depth INTEGER, expected TEXT, action INTEGER
);
CREATE TABLE skip (
    id INTEGER PRIMARY KEY, url TEXT, reason TEXT, anchor TEXT, found_on INTEGER,
    redirected INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE elsewhere (
    id INTEGER PRIMARY KEY, url TEXT, host TEXT, extension TEXT, anchor TEXT, found_on INTEGER,
    depth INTEGER
);
CREATE TABLE request (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, url TEXT, purpose TEXT, status INTEGER,
    kind TEXT, expected TEXT, size INTEGER, failure TEXT, redirected_from TEXT,
    round INTEGER NOT NULL DEFAULT 0, mime_type TEXT NOT NULL DEFAULT ''
);
CREATE TABLE action (number INTEGER PRIMARY KEY, tag_path TEXT, place TEXT NOT NULL DEFAULT '');
CREATE TABLE visit (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, url TEXT, title TEXT, depth INTEGER,
    action INTEGER, reward INTEGER, new_links INTEGER, outcome TEXT,
    needs_script INTEGER NOT NULL DEFAULT 0, forms INTEGER NOT NULL DEFAULT 0,
    files_elsewhere INTEGER NOT NULL DEFAULT 0, round INTEGER NOT NULL DEFAULT 0,
    file_links INTEGER NOT NULL DEFAULT 0, links_left_out INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE target (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, url TEXT, anchor TEXT, found_on INTEGER,
    depth INTEGER, mime_type TEXT, size INTEGER, round INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE choice (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, link INTEGER, url TEXT, action INTEGER,
    score REAL, expected REAL, evidence TEXT
);
CREATE TABLE foreseen (
    id INTEGER PRIMARY KEY, number INTEGER, page INTEGER, url TEXT, found INTEGER
);
CREATE TABLE file (
    url TEXT PRIMARY KEY, state TEXT, path TEXT, size INTEGER, sha256 TEXT, mime_type TEXT,
    last_modified TEXT, note TEXT, at REAL, part TEXT, etag TEXT NOT NULL DEFAULT ''
);
{_ROUNDS}
CREATE TABLE known (first INTEGER PRIMARY KEY, urls BLOB);
CREATE TABLE state (part TEXT, chunk INTEGER, data BLOB, PRIMARY KEY (part, chunk));
CREATE INDEX visit_url ON visit (url);
CREATE INDEX target_url ON target (url);
CREATE INDEX file_sha256 ON file (sha256);
CREATE INDEX choice_link ON choice (link);
CREATE INDEX request_trouble ON request (id) WHERE status IS NULL OR status >= 400;
CREATE INDEX visit_action ON visit (action);
CREATE INDEX visit_reward ON visit (reward) WHERE reward > 0;
CREATE INDEX request_redirect ON request (redirected_from) WHERE redirected_from IS NOT NULL;
"""

# Links and visits are each counted once, not once for every group: there may be thousands.
# A page has a title once it was read; a visit that only brought foreseen files has none.
VIEWS = f"""
CREATE VIEW targets AS
    SELECT t.url, 'files/' || f.path AS file, t.anchor AS title, p.text AS page,
        (SELECT max(v.title) FROM visit v WHERE v.url = p.text) AS page_title,
        coalesce(f.mime_type, t.mime_type) AS mime_type, coalesce(f.size, t.size) AS bytes,
        f.sha256, f.last_modified, {_TIME.format("t.at")} AS found_at, t.depth,
        t.number AS request, coalesce(f.state, 'listed') AS state, f.note,
        {_TIME.format("t.at")} AS first_seen,
        {
    _TIME.format(
        "max(t.at, coalesce((SELECT max(c.at) FROM checked c WHERE c.url = t.url"
        " AND c.outcome IN ('unchanged', 'served')), 0))"
    )
} AS last_seen,
        {_TIME.format("coalesce((SELECT max(v.at) FROM version v WHERE v.url = t.url), t.at)")}
            AS last_changed,
        1 + (SELECT count(*) FROM version v WHERE v.url = t.url) AS versions,
        {_TIME.format("g.at")} AS gone,
        d.title AS dataset_title, d.description, coalesce(nullif(e.licence, ''), d.licence)
            AS licence, d.publisher, coalesce(nullif(e.modified, ''), d.modified)
            AS source_modified
    FROM target t LEFT JOIN file f ON f.url = t.url LEFT JOIN text p ON p.id = t.found_on
    LEFT JOIN gone g ON g.url = t.url
    LEFT JOIN listed_entry e ON e.id =
        (SELECT min(id) FROM listed_entry WHERE url = t.url AND role = 'file')
    LEFT JOIN listed_dataset d ON d.id = (SELECT min(id) FROM listed_dataset
        WHERE name = e.dataset AND platform = e.platform AND host = e.host)
    ORDER BY t.id;
CREATE VIEW pages AS
    SELECT v.url, v.title, v.depth, v.action, a.tag_path, v.reward AS targets, v.new_links,
        v.number AS request, {_TIME.format("v.at")} AS visited_at, v.needs_script, v.forms,
        v.files_elsewhere, v.links_left_out
    FROM visit v LEFT JOIN action a ON a.number = v.action
    WHERE v.outcome = 'read' ORDER BY v.id;
CREATE VIEW actions AS
    SELECT a.number, a.tag_path, a.place, coalesce(v.visits, 0) AS visits, v.mean_reward,
        coalesce(v.targets, 0) AS targets, coalesce(l.links, 0) AS links
    FROM action a
    LEFT JOIN (SELECT action, count(*) AS visits,
            avg(CASE WHEN outcome != 'not a page' THEN reward END) AS mean_reward,
            sum(reward) AS targets
        FROM visit GROUP BY 1) v ON v.action = a.number
    LEFT JOIN (SELECT action, count(*) AS links FROM link GROUP BY 1) l ON l.action = a.number
    ORDER BY targets DESC, a.number;
CREATE VIEW skipped AS
    SELECT s.url, s.reason, s.anchor, p.text AS page, s.redirected
    FROM skip s LEFT JOIN text p ON p.id = s.found_on ORDER BY s.id;
CREATE VIEW requests AS
    SELECT number, {_TIME.format("at")} AS made_at, url,
        CASE purpose WHEN 'probe' THEN 'HEAD' ELSE 'GET' END AS method,
        purpose, status, kind, expected, size AS bytes, failure, redirected_from, mime_type
    FROM request ORDER BY id;
CREATE VIEW files_elsewhere AS
    SELECT e.url, e.host, e.extension, e.anchor, p.text AS page
    FROM elsewhere e LEFT JOIN text p ON p.id = e.found_on ORDER BY e.id;
"""

_FROM_1 = """
CREATE TABLE choice (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, link INTEGER, url TEXT, action INTEGER,
    score REAL, bonus REAL, basis TEXT, runners_up TEXT
);
CREATE INDEX choice_link ON choice (link);
CREATE INDEX request_trouble ON request (id) WHERE status IS NULL OR status >= 400;
CREATE INDEX visit_action ON visit (action);
CREATE INDEX visit_reward ON visit (reward) WHERE reward > 0;
"""

# Up to format 3 reasons were sentences, a page that was not read had no `new_links`, what was not a
# page had no reward, and an untried group had an infinite score.
# What is not a `Skip` was the failure of a request, which `request` has as well.
_OLD_SKIPS = {
    "on another site": "other site",
    "outside the scope": "out of scope",
    "not among what to include": "not included",
    "another name of a known URL": "alias",
    "forbidden by robots.txt": "robots.txt",
    "trap: the path repeats itself": "trap: repeating path",
    "trap: a calendar without end": "trap: endless calendar",
    "trap: known under another session id": "trap: session id",
    "not a public address": "not public",
}
_OLD_ENDINGS = {
    "every link on the site has been followed": "exhausted",
    "the budget of requests is spent": "requests spent",
    "the budget of bytes is spent": "bytes spent",
    "new targets have become too rare (early stopping)": "barren",
    "interrupted": "interrupted",
}
_MOVED = "redirects to what is "
_PROOF = "it is read to see whether it links to that"
_SKIPS = ", ".join(f"'{reason.value}'" for reason in Skip)


def _case(subject: str, cases: dict[str, str], otherwise: str) -> str:
    whens = " ".join(f"WHEN '{old}' THEN '{new}'" for old, new in cases.items())
    return f"CASE {subject} {whens} ELSE {otherwise} END"


_FROM_3 = f"""
DROP VIEW IF EXISTS targets; DROP VIEW IF EXISTS pages; DROP VIEW IF EXISTS actions;
DROP VIEW IF EXISTS skipped; DROP VIEW IF EXISTS requests;
ALTER TABLE skip ADD COLUMN redirected INTEGER NOT NULL DEFAULT 0;
UPDATE skip SET redirected = 1, reason = substr(reason, {len(_MOVED) + 1})
    WHERE reason LIKE '{_MOVED}%';
UPDATE skip SET reason = {_case("reason", _OLD_SKIPS, "reason")};
DELETE FROM skip WHERE reason NOT IN ({_SKIPS});
ALTER TABLE request RENAME COLUMN reason TO failure;
ALTER TABLE request ADD COLUMN redirected_from TEXT;
ALTER TABLE request ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
UPDATE request SET expected = 'unknown' WHERE expected IS NULL;
UPDATE request SET redirected_from = (SELECT b.url FROM request b WHERE b.id = request.id - 1
        AND b.purpose = request.purpose AND b.status IN (301, 302, 303, 307, 308))
    WHERE EXISTS (SELECT 1 FROM request b WHERE b.id = request.id - 1
        AND b.purpose = request.purpose AND b.status IN (301, 302, 303, 307, 308));
UPDATE link SET expected = 'unknown' WHERE expected IS NULL;
ALTER TABLE action ADD COLUMN place TEXT NOT NULL DEFAULT '';
ALTER TABLE visit ADD COLUMN outcome TEXT;
ALTER TABLE visit ADD COLUMN needs_script INTEGER NOT NULL DEFAULT 0;
ALTER TABLE visit ADD COLUMN forms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE visit ADD COLUMN files_elsewhere INTEGER NOT NULL DEFAULT 0;
ALTER TABLE visit ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
UPDATE visit SET outcome = CASE WHEN reward IS NULL THEN 'not a page'
        WHEN new_links IS NULL THEN 'foreseen only' ELSE 'read' END,
    reward = coalesce(reward, 0), new_links = coalesce(new_links, 0);
ALTER TABLE target ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
CREATE TABLE foreseen (
    id INTEGER PRIMARY KEY, number INTEGER, page INTEGER, url TEXT, found INTEGER
);
INSERT INTO foreseen (number, page, url, found)
    SELECT coalesce(t.number, 0), l.found_on, l.url, t.url IS NOT NULL
    FROM link l JOIN text p ON p.id = l.tag_path LEFT JOIN target t ON t.url = l.url
    WHERE p.text = '' AND l.expected = 'target' AND l.number > 0;
CREATE INDEX request_redirect ON request (redirected_from) WHERE redirected_from IS NOT NULL;
ALTER TABLE choice RENAME TO old_choice;
DROP INDEX choice_link;
CREATE TABLE choice (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, link INTEGER, url TEXT, action INTEGER,
    score REAL, expected REAL, evidence TEXT
);
INSERT INTO choice SELECT id, number, at, link, url, action,
    CASE WHEN score < 9e999 THEN score END,
    CASE WHEN score < 9e999 THEN score - bonus END,
    json_object('note', basis, 'runners_up', json(coalesce(nullif(runners_up, ''), '[]')),
        'grounds', CASE WHEN basis LIKE '%{_PROOF}%' THEN json_array('proves rule')
            WHEN score >= 9e999 THEN json_array('untried') ELSE json_array() END)
    FROM old_choice;
DROP TABLE old_choice;
CREATE INDEX choice_link ON choice (link);
UPDATE fact SET value = json_set(value, '$.cause',
        CASE WHEN json_extract(value, '$.failed_start') THEN 'no start page'
        WHEN json_extract(value, '$.reason') LIKE 'the time is up%' THEN 'time is up'
        ELSE {_case("json_extract(value, '$.reason')", _OLD_ENDINGS, "'other'")} END)
    WHERE name = 'ended' AND json_type(value) = 'object';
DELETE FROM fact WHERE name = 'now';
"""

_FROM_4 = """
DROP VIEW IF EXISTS targets; DROP VIEW IF EXISTS pages; DROP VIEW IF EXISTS actions;
DROP VIEW IF EXISTS skipped; DROP VIEW IF EXISTS requests;
ALTER TABLE request ADD COLUMN mime_type TEXT NOT NULL DEFAULT '';
CREATE TABLE elsewhere (
    id INTEGER PRIMARY KEY, url TEXT, host TEXT, extension TEXT, anchor TEXT, found_on INTEGER,
    depth INTEGER
);
"""

_FROM_5 = f"""
DROP VIEW IF EXISTS targets; DROP VIEW IF EXISTS pages; DROP VIEW IF EXISTS actions;
DROP VIEW IF EXISTS skipped; DROP VIEW IF EXISTS requests; DROP VIEW IF EXISTS files_elsewhere;
ALTER TABLE file ADD COLUMN etag TEXT NOT NULL DEFAULT '';
ALTER TABLE visit ADD COLUMN file_links INTEGER NOT NULL DEFAULT 0;
{_ROUNDS}
{_LISTS}
"""

_FROM_6 = f"""
DROP VIEW IF EXISTS targets; DROP VIEW IF EXISTS pages; DROP VIEW IF EXISTS actions;
DROP VIEW IF EXISTS skipped; DROP VIEW IF EXISTS requests; DROP VIEW IF EXISTS files_elsewhere;
ALTER TABLE visit ADD COLUMN links_left_out INTEGER NOT NULL DEFAULT 0;
{VIEWS}
"""

UPGRADES = {1: _FROM_1, 2: "", 3: _FROM_3, 4: _FROM_4, 5: _FROM_5, 6: _FROM_6}
"""What makes a database of an older format one of the next; the views come with the last step."""
