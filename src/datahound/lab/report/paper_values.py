"""What the paper prints, for the sites that presets are in the likeness of."""

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


def crawler_value(measure: str, crawler: str, site: str) -> str:
    """A cell of the tables of crawlers: `requests` or `volume`; empty where there is none."""
    return _table(f"{measure}-to-90").get((crawler, site), "")


def early_stopping_value(row: str, site: str) -> str:
    """A cell of the last rows of the table of requests: `Saved req.` or `Lost targets`."""
    return _table("requests-to-90").get((row.lower(), site), "")


def hyperparameter_value(parameter: str, value: str, site: str) -> str:
    """`requests | volume` for a value of α, n or θ."""
    shown = "2sqrt(2)" if parameter == "exploration" and value.startswith("2.82") else value
    row = f"{_SYMBOLS[parameter]} = {shown}"
    table = _table("hyperparameters")
    pair = [table.get((row, f"{site}_{measure}_pct"), "") for measure in ("requests", "volume")]
    return " | ".join(pair) if any(pair) else ""


def classifier_value(model: str, features: str, site: str) -> str:
    """A cell of the table of classifiers; `MR` for the site gives the misclassification rate."""
    row = f"{'url_only' if features == 'url' else 'url_cont'}-{model}"
    return _table("url-classifiers").get((row, site), "")


def reward_value(statistic: str, site: str) -> str:
    """`Mean` or `Std` of the table of rewards."""
    return _table("rewards").get((statistic.lower(), site), "")


@cache
def _table(name: str) -> dict[tuple[str, str], str]:
    text = (files(__package__) / "paper" / f"paper-{name}.csv").read_text("utf-8")
    (_, *columns), *rows = csv.reader(text.splitlines())
    return {
        (_CRAWLERS.get(first, first.lower()), column): _WORDS.get(value, value)
        for first, *values in rows
        for column, value in zip(columns, values, strict=True)
    }
