"""The memory and the disk of the machine."""

import os

from datahound.machine import read_free_disk, read_memory_bytes


def test_memory_is_at_most_that_of_the_machine():
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 64 << 20 < read_memory_bytes() <= machine


def test_free_disk_is_what_may_be_written(tmp_path):
    found = os.statvfs(tmp_path)
    assert abs(read_free_disk(tmp_path) - found.f_bavail * found.f_frsize) < 1 << 30
