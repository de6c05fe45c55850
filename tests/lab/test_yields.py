"""How many files of a crawl hold statistics tables: a crawl over loopback, counted and sampled."""

import csv
import math

import pytest
import websites
from made_results import rows_of
from websites import SEED, Website, data, page

from datahound import cli
from datahound.api import crawl_blocking
from datahound.errors import UserError
from datahound.lab.report.yields import (
    CountedFile,
    SiteYield,
    draw_sample,
    find_interval,
    make_yield_table,
    measure_yields,
    read_hand_counts,
)

FIGURES = b"region,year,pupils,share\nNorth,2019,120,4.5\nSouth,2019,340,5.5\nWest,2020,99,1.5\n"
WORDS = b"name,street\nAnn,Long Lane\nBob,High Street\nCid,Mill Road\n"
FILES = [CountedFile(f"{SEED}{n}.csv", f"{n}.csv", n % 3) for n in range(100)]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """A crawl of three files with figures of different sizes, and one with words only."""
    folder = tmp_path_factory.mktemp("crawls") / "site"
    names = [f"{n}.csv" for n in range(4)]
    bodies = [FIGURES + b"East,2020,%d,2\n" % n for n in range(3)] + [WORDS]
    answers = {f"/{name}": data(body) for name, body in zip(names, bodies, strict=True)}
    with websites.served_in_thread(Website({"/": page(*names), **answers})) as address:
        manners = {"delay": 0, "connect_to": address, "ignore_robots": True}
        assert len(list(crawl_blocking(SEED, output=folder, **manners))) == 4
    return folder


def read_sample(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write_counts(path, counts):
    rows = read_sample(path)
    for row, count in zip(rows, counts, strict=False):
        row["by hand"] = count
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_files_are_counted_and_a_person_counts_the_sample(crawled, tmp_path):
    """All files, then the sample; counts by hand are kept, and shown once all are there."""
    table = measure_yields([crawled], tmp_path / "out", size=2)
    cells = rows_of(table)["site"]
    assert cells[:4] == ["4", "75.0", "0.75", "2"]
    assert cells[6:] == ["–", "–"]
    rows = read_sample(tmp_path / "out/sample.csv")
    assert [set(row) for row in rows] == [{"site", "url", "file", "counted", "by hand"}] * 2
    assert all((crawled / "files" / row["file"]).is_file() for row in rows)
    write_counts(tmp_path / "out/sample.csv", ["2"])
    assert rows_of(measure_yields([crawled], tmp_path / "out", size=2))["site"][6:] == ["–", "–"]
    write_counts(tmp_path / "out/sample.csv", ["2", "0"])
    again = rows_of(measure_yields([crawled], tmp_path / "out", size=2))["site"]
    assert again[6:] == ["50.0 [9–91]", "1.00"]
    assert [row["by hand"] for row in read_sample(tmp_path / "out/sample.csv")] == ["2", "0"]
    assert "50.0 [9–91]" in (tmp_path / "out/sd-yield.md").read_text()


def test_the_command(crawled, tmp_path, capsys):
    """It prints the table and says what to do with the sample."""
    out = tmp_path / "out"
    assert cli.run(["lab", "yield", str(crawled), "--out", str(out), "--markdown"]) == 0
    said = capsys.readouterr().out
    assert "| site | 4 | 75.0 | 0.75 | 4 | 75.0 [30–95] | 0.75 | – | – |" in said
    assert f"the last column of {out}/sample.csv" in said
    assert cli.run(["lab", "yield", str(crawled), "--out", str(out)]) == 0
    assert "in sample (%): 75.0 [30–95]" in " ".join(capsys.readouterr().out.split())


def test_a_sample_is_the_same_each_time():
    """Whatever the order of the files; another seed draws others; few files are all drawn."""
    sample = draw_sample(FILES)
    assert len({file.url for file in sample}) == 40
    assert draw_sample(FILES[::-1]) == sample
    assert draw_sample(FILES, seed=1) != sample
    assert set(draw_sample(FILES[:3])) == set(FILES[:3])


@pytest.mark.parametrize(("hits", "total"), [(0, 40), (40, 40), (33, 40), (1, 1)])
def test_the_interval_holds_the_share(hits, total):
    """Wilson's ends are those shares from which the observed one is 1.96 deviations away."""
    ends = find_interval(hits, total)
    assert 0 <= ends[0] <= hits / total <= ends[1] <= 1
    for end in ends:
        if 1e-9 < end < 1 - 1e-9:
            deviation = math.sqrt(end * (1 - end) / total)
            assert abs(end - hits / total) == pytest.approx(1.96 * deviation)


def test_the_papers_sites_are_below():
    """With the interval that 40 targets give."""
    table = make_yield_table([SiteYield("one", tuple(FILES), tuple(FILES[:40]))])
    ruled = [row.head for row in table.rows if row.ruled]
    assert ruled == ["be (paper)"]
    assert rows_of(table)["be (paper)"][6:] == ["82 [68–91]", "9.1"]


def test_mistakes(crawled, tmp_path, capsys):
    """One line and exit status 2."""
    (tmp_path / "sample.csv").write_text("site,url,by hand\nsite,http://a/,many\n")
    with pytest.raises(UserError, match="'many' is not a number"):
        read_hand_counts(tmp_path / "sample.csv")
    with pytest.raises(UserError, match="two crawls are called site"):
        measure_yields([crawled, crawled], tmp_path)
    assert cli.run(["lab", "yield", str(tmp_path / "absent")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
