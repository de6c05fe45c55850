"""What operators of crawls need beside the crawl: summaries, estimates, metrics, events, checks."""
