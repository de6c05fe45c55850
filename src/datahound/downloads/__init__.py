"""Bodies of targets on their way to files."""
