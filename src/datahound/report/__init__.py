"""`report.html`: a crawl on one page."""
