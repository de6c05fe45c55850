"""Websites recorded in WARC files: reading, indexing and recording."""
