"""Merge the catalogues of many crawls into one, site by site, to search them together.

The merged catalogue is read as any other (`Catalog`). Its sections are the sites, its paths begin
with the name of the crawl folder, and it has no tables: those stay in the catalogue of each crawl.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from datahound.catalog import database
from datahound.catalog.writer import UNUSED_FACETS, remove_dataset, transaction

_OWNERS = """CREATE TABLE IF NOT EXISTS merged (name TEXT PRIMARY KEY, mark TEXT);
CREATE TABLE IF NOT EXISTS owner (dataset INTEGER PRIMARY KEY, name TEXT);
CREATE INDEX IF NOT EXISTS owner_name ON owner (name)"""
_COLUMNS = """title, link_title, page, page_title, mime_type, format, encoding, delimiter, bytes,
    sha256, found_at, last_modified, first_year, last_year, places, tables, statistics, rows,
    error, file_title, sort_title, modified, columns_mark, dataset_title, description, licence,
    publisher, source_modified"""
# Two sites may link to one file: the first that was merged keeps it.
_COPY = (
    f"""INSERT OR IGNORE INTO dataset (id, url, path, section, family, {_COLUMNS})
        SELECT id + :base, url, :name || '/' || path, :site, family + :base, {_COLUMNS}
        FROM source.dataset""",
    """INSERT INTO owner SELECT id, :name FROM dataset WHERE id > :base""",
    """INSERT OR IGNORE INTO facet (format, section, first_year, last_year, statistics)
        SELECT DISTINCT format, :site, first_year, last_year, statistics FROM source.facet""",
    """INSERT INTO brief SELECT b.id + :base, f.id, b.family + :base, b.tables, b.statistics,
            b.rows, b.bytes, b.error
        FROM source.brief b JOIN source.facet s ON s.id = b.facet JOIN facet f
            ON f.format = s.format AND f.section = :site AND f.statistics = s.statistics
            AND coalesce(f.first_year, 0) = coalesce(s.first_year, 0)
            AND coalesce(f.last_year, 0) = coalesce(s.last_year, 0)
        WHERE b.id + :base IN (SELECT id FROM dataset WHERE id > :base)""",
    """INSERT INTO search (rowid, title, columns, dimensions, page)
        SELECT rowid + :base, title, columns, dimensions, page FROM source.search
        WHERE rowid + :base IN (SELECT id FROM dataset WHERE id > :base)""",
)


class MergedCatalog:
    """One catalogue of many crawls, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._connection = database.open_to_write(folder)
        self._connection.executescript(_OWNERS)

    def close(self) -> None:
        self._connection.close()

    def read_marks(self) -> dict[str, str]:
        """The crawls that are merged, each with the mark of what was read."""
        with database.report_errors(self.folder):
            return dict(self._connection.execute("SELECT name, mark FROM merged"))

    def replace_crawl(self, name: str, site: str, mark: str, source: Path) -> None:
        """Put the datasets of one crawl in place of those it had before."""
        with self._attach(source), transaction(self._connection):
            self._remove(name)
            # A family has the number of one of its datasets: both move by the same distance.
            highest = "SELECT coalesce(max(id), 0) FROM dataset"
            (base,) = self._connection.execute(highest).fetchone()
            values = {"base": base, "name": name, "site": site}
            for statement in _COPY:
                self._connection.execute(statement, values)
            self._connection.execute(UNUSED_FACETS)
            self._connection.execute("INSERT INTO merged VALUES (?, ?)", (name, mark))

    def remove_crawl(self, name: str) -> None:
        """Remove the datasets of one crawl."""
        with database.report_errors(self.folder), transaction(self._connection):
            self._remove(name)
            self._connection.execute(UNUSED_FACETS)

    def _remove(self, name: str) -> None:
        owned = self._connection.execute("SELECT dataset FROM owner WHERE name = ?", (name,))
        for (id_,) in owned.fetchall():
            remove_dataset(self._connection, id_)
        self._connection.execute("DELETE FROM owner WHERE name = ?", (name,))
        self._connection.execute("DELETE FROM merged WHERE name = ?", (name,))

    @contextmanager
    def _attach(self, source: Path) -> Iterator[None]:
        """Attach the catalogue of a crawl folder, once it is known to be one of this version."""
        database.open_to_read(source).close()
        path = database.locate_catalog(source)
        with database.report_errors(path):
            self._connection.execute("ATTACH ? AS source", (str(path),))
            try:
                yield
            finally:
                self._connection.execute("DETACH source")
