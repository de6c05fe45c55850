"""Object storage: a crawl folder shipped to a bucket while it grows, and fetched from there."""
