"""Reports on results: tables, figures, comparisons."""
