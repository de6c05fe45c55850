"""The algorithm, without I/O."""
