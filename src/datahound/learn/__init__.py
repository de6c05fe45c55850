"""Online learning: knows numbers and strings, not the web."""
