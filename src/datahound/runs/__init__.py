"""A crawl of one's own: its folder, its checkpoints, its report."""
