"""One format per file: how tables are found in it, and how their rows are read again."""
