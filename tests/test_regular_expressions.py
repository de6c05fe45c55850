"""Every regular expression of the product takes linear time, also on texts made against it."""

import importlib
import inspect
import pkgutil
import re
import re._constants as op
import re._parser as parser
import sys
import time

import pytest

import datahound

SIZES = (2000, 8000)
SLOW = 0.03
QUADRATIC = 9.0
"""Four times the text may take this many times as long; sixteen times is quadratic."""
SKIPPED = ("datahound.__main__", "datahound.scrapy", "datahound.lab", "datahound.archive.synthetic")
USER_INPUT = {("datahound.units", "_DURATION"), ("datahound.units", "_STEP")}
"""Read from the command line only, and short."""


EXTRAS = {"torch"}
"""Libraries that need not be installed; modules that import one are left out without it."""


def find_patterns():
    """All compiled patterns at the top of modules."""
    for module in pkgutil.walk_packages(datahound.__path__, "datahound."):
        if module.name.startswith(SKIPPED):
            continue
        try:
            names = vars(importlib.import_module(module.name))
        except ModuleNotFoundError as error:
            if error.name in EXTRAS:
                continue
            raise
        for name, value in names.items():
            if isinstance(value, re.Pattern) and (module.name, name) not in USER_INPUT:
                methods = find_methods(name, inspect.getsource(sys.modules[module.name]))
                yield pytest.param(value, methods, id=f"{module.name}.{name}")


def find_methods(name, source):
    """How a module uses a pattern: a search tries every position, a match only one."""
    used = set(re.findall(rf"\b{name}\.(\w+)", source)) - {"pattern"}
    return {"fullmatch", "match"} & used | ({"search"} if used - {"fullmatch", "match"} else set())


def sample(tree):
    """A text that a part of a pattern matches."""
    return "".join(sample_item(*item) for item in tree)


def sample_item(kind, value):
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is op.ANY:
        return "a"
    if kind is op.IN:
        return sample_set(value)
    if kind is op.BRANCH:
        return sample(value[1][0])
    if kind is op.SUBPATTERN:
        return sample(value[3])
    if kind is op.ATOMIC_GROUP:
        return sample(value)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return sample(value[2]) * max(1, value[0])
    return ""


def sample_set(items):
    if items[0][0] is op.NEGATE:
        return next(c for c in "a1 -Z%" if not re.match(f"[{c}]", c) or is_outside(c, items[1:]))
    kind, value = items[0]
    if kind is op.CATEGORY:
        return {op.CATEGORY_DIGIT: "1", op.CATEGORY_SPACE: " ", op.CATEGORY_WORD: "a"}.get(
            value, "-"
        )
    return chr(value if kind is op.LITERAL else value[0])


def is_outside(letter, items):
    ranges = [v if k is op.RANGE else (v, v) for k, v in items if k in (op.RANGE, op.LITERAL)]
    return not any(low <= ord(letter) <= high for low, high in ranges)


def find_pumps(tree, before=""):
    """Each part that may be repeated, with a text that leads to it."""
    for kind, value in tree:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield before, sample(value[2])
            yield before, before[-20:] + sample(value[2])
            yield from find_pumps(value[2], before)
        elif kind is op.SUBPATTERN:
            yield from find_pumps(value[3], before)
        elif kind is op.ATOMIC_GROUP:
            yield from find_pumps(value, before)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from find_pumps(branch, before)
                yield before, sample(branch)
        elif sampled := sample_item(kind, value):
            yield before, sampled
        before += sample_item(kind, value)
    whole = sample(tree)
    yield "", whole
    yield "", whole[:-1]


def measure(pattern, methods, text, tries=1):
    """The fastest of some tries, in seconds of this thread: what else runs does not count."""
    subject = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    times = []
    for _ in range(tries):
        begun = time.thread_time()
        for method in methods:
            getattr(pattern, method)(subject)
        times.append(time.thread_time() - begun)
    return min(times)


def compare(pattern, methods, short, long):
    """How many times as long the long text takes; measured again while that looks like a fault.

    Noise makes a measurement longer, never shorter: the least of many is the true one.
    """
    if measure(pattern, methods, long) < SLOW:
        return 1.0
    least_short = least_long = float("inf")
    for tries in (3, 3, 5, 10):
        least_short = min(least_short, measure(pattern, methods, short, tries))
        least_long = min(least_long, measure(pattern, methods, long, tries))
        if least_long < max(SLOW, QUADRATIC * least_short):
            break
    return 1.0 if least_long < SLOW else least_long / max(least_short, 1e-9)


@pytest.mark.parametrize(("pattern", "methods"), list(find_patterns()))
def test_patterns_take_linear_time(pattern, methods):
    source = pattern.pattern
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    tree = parser.parse(text, pattern.flags & ~re.UNICODE)
    for before, pump in set(find_pumps(tree)):
        for after in ("", "\x01", "x!"):
            if not pump:
                continue
            texts = [before + (pump * (size // len(pump) + 1))[:size] + after for size in SIZES]
            ratio = compare(pattern, methods, *texts)
            assert ratio < QUADRATIC, f"{before[:30]!r} + {pump[:30]!r} * n + {after!r}"
