"""The crawl as one WARC file."""

from datahound.archive.export import write_warc
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import claim_file, complaining, whole_file


def export_warc(job: Job) -> Outcome:
    """Write the recording as one WARC file."""
    claim_file(job.output, force=job.force)
    with whole_file(job.output) as draft, complaining(job.output), draft.open("wb") as to:
        written = write_warc(job, to, job.output.name)
    return Outcome(job.output, written.counts, written.left_out)
