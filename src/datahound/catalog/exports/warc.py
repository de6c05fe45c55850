"""The crawl as one WARC file."""

from datahound.archive.export import write_warc
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import claim_file
from datahound.files import storage_errors, write_whole


def export_warc(job: Job) -> Outcome:
    """Write the recording as one WARC file."""
    claim_file(job.output, force=job.force)
    with write_whole(job.output) as draft, storage_errors(job.output), draft.open("wb") as to:
        written = write_warc(job, to, job.output.name)
    return Outcome(job.output, written.counts, written.left_out)
