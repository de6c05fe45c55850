import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "quality"))


def test_statistics_tables_are_told_from_others(tmp_path):
    """On every fourth of the labelled files, precision and recall are at least 0.9."""
    from statistics_tables import figures, judge, labelled

    files = list(labelled(tmp_path))[::4]
    assert len(files) >= 80
    *_, last = figures(files, judge(files, tmp_path / "scratch"))
    assert last[0] == "all"
    assert float(last[5]) >= 0.9, last
    assert float(last[6]) >= 0.9, last
