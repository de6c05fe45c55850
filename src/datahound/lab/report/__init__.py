"""Reports on results: tables, figures, one page, and comparisons of two folders."""

from datahound.lab.bounds import write_hard_site
from datahound.lab.refresh.experiment import (
    RefreshResults,
    draw_scores,
    list_scores,
    replay_lapse,
    run_refresh,
)
from datahound.lab.report.compare import Comparison, compare_results, compare_with_list
from datahound.lab.report.crawler_tables import RequestCosts
from datahound.lab.report.page import write_curves, write_report
from datahound.lab.report.paper_values import read_crawler_value
from datahound.lab.report.tables import ResultTable, to_markdown
from datahound.lab.report.yields import SAMPLE_SIZE, measure_yields

__all__ = [
    "SAMPLE_SIZE",
    "Comparison",
    "RefreshResults",
    "RequestCosts",
    "ResultTable",
    "compare_results",
    "compare_with_list",
    "draw_scores",
    "list_scores",
    "measure_yields",
    "read_crawler_value",
    "replay_lapse",
    "run_refresh",
    "to_markdown",
    "write_curves",
    "write_hard_site",
    "write_report",
]
