"""One file per command, thin over the library."""
