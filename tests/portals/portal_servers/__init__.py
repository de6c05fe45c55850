"""Portals for tests and benchmarks: a made-up catalogue behind the APIs and pages of platforms."""

from .arcgis import Hub
from .catalogue import make_catalogue as make_catalogue
from .ckan import Ckan
from .csw import Geonetwork
from .dataverse import Dataverse
from .dkan import Dkan
from .invenio import Invenio, Zenodo
from .measure import crawl_portal as crawl_portal
from .oai import Eprints
from .opendatasoft import Opendatasoft
from .portal import serving as serving
from .pxweb import Pxweb1, Pxweb2
from .sdmx import Registry
from .socrata import Socrata
from .stac import Stac
from .udata import Udata
from .wordpress import Wordpress

PORTALS = {
    "ckan": Ckan,
    "socrata": Socrata,
    "opendatasoft": Opendatasoft,
    "arcgis": Hub,
    "dataverse": Dataverse,
    "invenio": Invenio,
    "zenodo": Zenodo,
    "oai-pmh": Eprints,
    "stac": Stac,
    "csw": Geonetwork,
    "udata": Udata,
    "dcat-us": Dkan,
    "wordpress": Wordpress,
    "pxweb-2": Pxweb2,
    "pxweb-1": Pxweb1,
    "sdmx": Registry,
}
"""By the name of their platform."""
