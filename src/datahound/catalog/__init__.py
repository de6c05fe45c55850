"""What is inside the data files: tables, statistics, search."""
