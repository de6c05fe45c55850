"""The crawl folder, and every statement on `crawl.db`."""
