"""Reading the web: pure functions on text and bytes."""
