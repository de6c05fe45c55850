"""What a terminal shows of crawls: while they run, and at their end."""
