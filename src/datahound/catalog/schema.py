"""The tables of `catalog.db`, which can be made again from the files at any time."""

APPLICATION_ID = 0x44484E43
VERSION = 1
FILE_NAME = "catalog.db"

# `brief` holds of each dataset what is filtered by and counted, as few bytes as possible: with it a
# hundred thousand datasets are counted through in some ten milliseconds. `facet` holds each
# combination of what is filtered by once.
# What is searched is written down folded (see `searching`), so the tokenizer has nothing to fold.
TABLES = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE dataset (
    id INTEGER PRIMARY KEY, url TEXT UNIQUE, path TEXT, title TEXT, link_title TEXT, page TEXT,
    page_title TEXT, section TEXT, mime_type TEXT, format TEXT, encoding TEXT, delimiter TEXT,
    bytes INTEGER, sha256 TEXT, found_at TEXT, last_modified TEXT, first_year INTEGER,
    last_year INTEGER, places TEXT, tables INTEGER, statistics INTEGER, rows INTEGER,
    family INTEGER, error TEXT, file_title TEXT, sort_title TEXT, modified TEXT,
    columns_mark TEXT
);
CREATE INDEX dataset_sha256 ON dataset (sha256);
CREATE INDEX dataset_family ON dataset (family);
CREATE INDEX dataset_title ON dataset (sort_title, id);
CREATE INDEX dataset_modified ON dataset (modified, id);
CREATE INDEX dataset_bytes ON dataset (bytes, id);
CREATE INDEX dataset_sorting ON dataset (id, sort_title, modified, bytes);
CREATE TABLE facet (
    id INTEGER PRIMARY KEY, format TEXT, section TEXT, first_year INTEGER, last_year INTEGER,
    statistics INTEGER
);
CREATE UNIQUE INDEX facet_all ON facet
    (format, section, coalesce(first_year, 0), coalesce(last_year, 0), statistics);
CREATE TABLE brief (
    id INTEGER PRIMARY KEY, facet INTEGER, family INTEGER, tables INTEGER, statistics INTEGER,
    rows INTEGER, bytes INTEGER, error INTEGER
);
CREATE TABLE data_table (
    id INTEGER PRIMARY KEY, dataset INTEGER, number INTEGER, place TEXT, address TEXT, title TEXT,
    rows INTEGER, columns INTEGER, number_share REAL, first_year INTEGER, last_year INTEGER,
    places TEXT, statistics INTEGER, fields TEXT, sample TEXT
);
CREATE UNIQUE INDEX data_table_dataset ON data_table (dataset, number);
CREATE VIRTUAL TABLE search USING fts5 (
    title, columns, dimensions, page,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'", prefix = '2 3 4 5 6'
);
"""
