"""Reports on results: tables, figures, one page, and comparisons of two folders."""

from datahound.lab.report.compare import Comparison, compare_results
from datahound.lab.report.crawler_tables import RequestCosts
from datahound.lab.report.page import write_curves, write_report
from datahound.lab.report.paper_values import read_crawler_value
from datahound.lab.report.tables import to_markdown

__all__ = [
    "Comparison",
    "RequestCosts",
    "compare_results",
    "read_crawler_value",
    "to_markdown",
    "write_curves",
    "write_report",
]
