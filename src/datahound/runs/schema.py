"""The tables of `crawl.db`, and the views that people read."""

APPLICATION_ID = 0x44484E44
VERSION = 3

# Why each link was chosen, and what long lists are gone through by: since version 2. There is no
# index of URLs: at 60 new links a page, keeping it would cost more than all other writing.
# A score that is infinite is that of a group never tried; in `runners_up` it is null.
_SINCE_2 = """
CREATE TABLE choice (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, link INTEGER, url TEXT, action INTEGER,
    score REAL, bonus REAL, basis TEXT, runners_up TEXT
);
CREATE INDEX choice_link ON choice (link);
CREATE INDEX request_trouble ON request (id) WHERE status IS NULL OR status >= 400;
CREATE INDEX visit_action ON visit (action);
CREATE INDEX visit_reward ON visit (reward) WHERE reward > 0;
"""

# Links and visits are each counted once, not once for every group: there may be thousands.
_ACTIONS = """CREATE VIEW actions AS
    SELECT a.number, a.tag_path, coalesce(v.visits, 0) AS visits, v.mean_reward,
        coalesce(v.targets, 0) AS targets, coalesce(l.links, 0) AS links
    FROM action a
    LEFT JOIN (SELECT action, count(*) AS visits, avg(reward) AS mean_reward, sum(reward) AS targets
        FROM visit GROUP BY 1) v ON v.action = a.number
    LEFT JOIN (SELECT action, count(*) AS links FROM link GROUP BY 1) l ON l.action = a.number
    ORDER BY targets DESC, a.number;
"""

_TIME = "strftime('%Y-%m-%dT%H:%M:%SZ', {}, 'unixepoch')"

# Of a visit. What was no page has no reward; a page whose files were collected without it was not
# read, and has no `new_links`.
WAS_READ = "(reward IS NOT NULL AND new_links IS NOT NULL)"

_PAGES = f"""CREATE VIEW pages AS
    SELECT v.url, v.title, v.depth, v.action, a.tag_path, v.reward AS targets, v.new_links,
        v.number AS request, {_TIME.format("v.at")} AS visited_at
    FROM visit v LEFT JOIN action a ON a.number = v.action
    WHERE {WAS_READ} ORDER BY v.id;
"""

# A page has a title once it was read; its visits without that are told without one.
_TARGETS = f"""CREATE VIEW targets AS
    SELECT t.url, 'files/' || f.path AS file, t.anchor AS title, p.text AS page,
        (SELECT max(v.title) FROM visit v WHERE v.url = p.text) AS page_title,
        coalesce(f.mime_type, t.mime_type) AS mime_type, coalesce(f.size, t.size) AS bytes,
        f.sha256, f.last_modified, {_TIME.format("t.at")} AS found_at, t.depth,
        t.number AS request, coalesce(f.state, 'listed') AS state, f.note
    FROM target t LEFT JOIN file f ON f.url = t.url LEFT JOIN text p ON p.id = t.found_on
    ORDER BY t.id;
"""

UPGRADES = {
    1: f"{_SINCE_2} DROP VIEW actions; {_ACTIONS}",
    2: f"DROP VIEW pages; DROP VIEW targets; {_PAGES} {_TARGETS}",
}
"""What makes a database of an older version one of the next."""

# Texts that repeat (tag paths, pages) stand once in `text`. Everything from `link` to `target`, and
# `choice`, is made of events and can be made again from the journal; `file` is the ledger, which
# can't.
_SINCE_1 = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE text (id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE link (
    number INTEGER PRIMARY KEY, url TEXT, tag_path INTEGER, anchor TEXT, surrounding TEXT,
    found_on INTEGER, depth INTEGER, expected TEXT, action INTEGER
);
CREATE TABLE skip (id INTEGER PRIMARY KEY, url TEXT, reason TEXT, anchor TEXT, found_on INTEGER);
CREATE TABLE request (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, url TEXT, purpose TEXT, status INTEGER,
    kind TEXT, expected TEXT, size INTEGER, reason TEXT
);
CREATE TABLE action (number INTEGER PRIMARY KEY, tag_path TEXT);
CREATE TABLE visit (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, url TEXT, title TEXT, depth INTEGER,
    action INTEGER, reward INTEGER, new_links INTEGER
);
CREATE INDEX visit_url ON visit (url);
CREATE TABLE target (
    id INTEGER PRIMARY KEY, number INTEGER, at REAL, url TEXT, anchor TEXT, found_on INTEGER,
    depth INTEGER, mime_type TEXT, size INTEGER
);
CREATE INDEX target_url ON target (url);
CREATE TABLE file (
    url TEXT PRIMARY KEY, state TEXT, path TEXT, size INTEGER, sha256 TEXT, mime_type TEXT,
    last_modified TEXT, note TEXT, at REAL, part TEXT
);
CREATE INDEX file_sha256 ON file (sha256);
CREATE TABLE known (first INTEGER PRIMARY KEY, urls BLOB);
CREATE TABLE state (part TEXT, chunk INTEGER, data BLOB, PRIMARY KEY (part, chunk));
"""

TABLES = _SINCE_1 + _SINCE_2

VIEWS = f"""
{_TARGETS}{_PAGES}{_ACTIONS}CREATE VIEW skipped AS
    SELECT s.url, s.reason, s.anchor, p.text AS page
    FROM skip s LEFT JOIN text p ON p.id = s.found_on ORDER BY s.id;
CREATE VIEW requests AS
    SELECT number, {_TIME.format("at")} AS made_at, url,
        CASE purpose WHEN 'probe' THEN 'HEAD' ELSE 'GET' END AS method,
        purpose, status, kind, expected, size AS bytes, reason
    FROM request ORDER BY id;
"""
