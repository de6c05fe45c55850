"""Experiments: metrics, comparisons, tables, plots."""
