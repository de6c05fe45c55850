"""Services that show data of a website on their own hosts: dashboards, shares, archives."""

import re

_VIEWS = (
    "public.tableau.com/", "app.powerbi.com/", "datawrapper.dwcdn.net/", "flo.uri.sh/",
    "public.flourish.studio/", "infogram.com/", "lookerstudio.google.com/",
    "datastudio.google.com/", "storymaps.arcgis.com/", "experience.arcgis.com/",
    "arcgis.com/apps/", "airtable.com/", "qlikcloud.com/", "observablehq.com/embed/",
)  # fmt: skip
_SHARES = (
    "docs.google.com/spreadsheets/", "drive.google.com/", "onedrive.live.com/", "1drv.ms/",
    "sharepoint.com/:", "dropbox.com/s", "we.tl/", "/index.php/s/", "app.box.com/s/", "mega.nz/",
    "disk.yandex.", "pan.baidu.com/s/",
)  # fmt: skip
_ARCHIVES = (
    "zenodo.org/rec", "doi.org/10.5281/zenodo.", "figshare.com/", "doi.org/10.6084/",
    "datadryad.org/", "doi.org/10.5061/", "osf.io/", "data.mendeley.com/datasets/",
    "dataverse.harvard.edu/", "doi.org/10.7910/", "kaggle.com/datasets/",
    "huggingface.co/datasets/",
)  # fmt: skip
SHOWN = {"view": _VIEWS, "share": _SHARES, "archive": _ARCHIVES}
"""What the addresses of such services have in them, by kind."""
_HOST = re.compile(r"\A[a-z]+://[^/]*")


def is_shown_at(url: str, part: str) -> bool:
    """Whether an address is of a service: a part that begins with a host must be at the host.

    >>> is_shown_at("https://eu.app.powerbi.com/view?r=1", "app.powerbi.com/")
    True
    >>> is_shown_at("https://a.example/?u=https://app.powerbi.com/", "app.powerbi.com/")
    False
    """
    host = _HOST.match(url)
    place = url.find(part)
    if place < 0 or host is None:
        return False
    if part.startswith("/"):
        return True
    return place < host.end() and url[place - 1] in "./"
