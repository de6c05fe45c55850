"""The values that the paper prints, by the presets that imitate its sites."""

import csv
from functools import cache
from importlib.resources import files

_CRAWLERS = {"SB-CLASS.": "sb-classifier"}
_SYMBOLS = {
    "exploration": "alpha",
    "ngram": "n",
    "min_similarity": "theta",
}
_WORDS = {"inf": "+∞", "NA": ""}


def read_crawler_value(measure: str, crawler: str, site: str) -> str:
    """Return a cell of the table of `requests` or `volume`; empty where the paper has none."""
    return _read_table(f"{measure}-to-90").get((crawler, site), "")


def read_early_stopping_value(row: str, site: str) -> str:
    """Return a cell of the rows `Saved req.` and `Lost targets` of the table of requests."""
    return _read_table("requests-to-90").get((row.lower(), site), "")


def read_hyperparameter_value(parameter: str, value: str, site: str) -> str:
    """Return `requests | volume` for a value of α, n or θ."""
    # The paper prints 2√2, results hold its 17 digits.
    shown = "2sqrt(2)" if parameter == "exploration" and value.startswith("2.82") else value
    row = f"{_SYMBOLS[parameter]} = {shown}"
    table = _read_table("hyperparameters")
    pair = [table.get((row, f"{site}_{measure}_pct"), "") for measure in ("requests", "volume")]
    return " | ".join(pair) if any(pair) else ""


def read_classifier_value(model: str, features: str, site: str) -> str:
    """Return a cell of the table of classifiers; site `MR` is the misclassification rate."""
    row = f"{'url_only' if features == 'url' else 'url_cont'}-{model}"
    return _read_table("url-classifiers").get((row, site), "")


def read_reward_value(statistic: str, site: str) -> str:
    """Return `Mean` or `Std` of the table of rewards."""
    return _read_table("rewards").get((statistic.lower(), site), "")


def read_sd_yields() -> dict[str, tuple[str, str]]:
    """Return the yield in percent and the mean number of statistics tables, by site."""
    table = _read_table("sd-yield")
    sites = dict.fromkeys(site for _, site in table)
    return {s: (table["sd yield (%)", s], table["mean # sds / target", s]) for s in sites}


@cache
def _read_table(name: str) -> dict[tuple[str, str], str]:
    text = (files(__package__) / "paper" / f"paper-{name}.csv").read_text("utf-8")
    (_, *columns), *rows = csv.reader(text.splitlines())
    return {
        (_CRAWLERS.get(first, first.lower()), column): _WORDS.get(value, value)
        for first, *values in rows
        for column, value in zip(columns, values, strict=True)
    }
