"""A way to write tables that dies, hangs, or complains, as the table's place says."""

import os
import time

from datahound.catalog.readers.task import Unreadable
from datahound.errors import StorageError


def write_table(exported, draft):
    match exported.table.place:
        case "dies":
            os.abort()
        case "hangs":
            time.sleep(60)
        case "hoards":
            bytearray(1 << 36)
        case "full":
            raise StorageError("no space")
        case "broken":
            raise Unreadable("broken")
        case "fault":
            raise TypeError("a fault of a library")
    draft.write_text(exported.table.place)
