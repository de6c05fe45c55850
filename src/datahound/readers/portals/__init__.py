"""Portals: the platforms whose answers can be read. A new one is a module in this folder."""

import pkgutil
from functools import cache
from importlib import import_module

from datahound.readers.portals.platform import Platform


@cache
def platforms() -> tuple[Platform, ...]:
    """Every platform that a module here declares, the general ones last."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = (import_module(f"{__name__}.{name}") for name in names)
    found = [
        platform for m in modules if isinstance(platform := getattr(m, "PLATFORM", None), Platform)
    ]
    return tuple(sorted(found, key=lambda platform: platform.is_general))
