"""What is new on a site since the last round: pages, feeds and messages about it."""
