"""Later rounds of a crawl: which pages to read again, which files to check, and what is gone."""
