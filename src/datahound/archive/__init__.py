"""Recorded websites."""
