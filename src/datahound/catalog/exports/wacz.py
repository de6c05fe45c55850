"""The crawl as a WACZ file (1.1.1): the recording, its index and its pages in one ZIP file."""

import zipfile

from datahound.archive.export import write_wacz
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import MADE_BY, claim_file
from datahound.files import storage_errors, write_whole


def export_wacz(job: Job) -> Outcome:
    """Write the recording as a WACZ file."""
    claim_file(job.output, force=job.force)
    with (
        write_whole(job.output) as draft,
        storage_errors(job.output),
        zipfile.ZipFile(draft, "w", allowZip64=True) as package,
    ):
        package.comment = MADE_BY.encode()
        written = write_wacz(job, package)
    return Outcome(job.output, written.counts, written.left_out)
