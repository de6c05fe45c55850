"""Where I/O happens."""
