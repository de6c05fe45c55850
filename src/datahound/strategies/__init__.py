"""One way to crawl per file."""
