"""Drive a crawl: from a recording (replay) or from the network (live)."""
