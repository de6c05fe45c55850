"""What the catalogue reads of files in the layouts of named offices, one test per cause."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "quality"))

from published_offices import Figures, list_layouts, list_period_layouts
from published_pages import PAGES
from published_services import SERVICES
from published_tables import File, judge, write_layout

from datahound.catalog.inspect import FileProfile, inspect_file
from datahound.catalog.readers.task import Limits, Task

SHEETS = (
    "genesis_regional",  # two rows of names over columns without one, a rule below
    "genesis_months",
    "fachserie_with_sections",  # a row of units that begins with "1 000"
    "ons_series",  # facts as names and values over a series
    "ons_labour_market",  # rows without a period below those with one
    "eurostat_bulk",  # missing figures with flags
    "abs_time_series",  # ten rows of facts below the names
    "ine_long",  # points between thousands
    "ine_pt_indicator",  # a title in the header
    "ibge_sidra",  # a corner and one heading, a legend below
    "gus_bilingual",  # decimal commas between semicolons
    "statcan_view",  # flags joined to figures
    "elstat_bilingual",  # Greek letters, one byte each
    "czso_regions",  # marks for missing figures that are in no list
    "microdata_codes",  # codes in place of labels
    "indicators_down_years_across",  # numbers of sections
    "other_record_layout",
)


def read(path: Path, scratch: Path) -> FileProfile:
    return inspect_file(path, Task(Limits(), scratch, name=path.name))


def find_wrong(file: File, scratch: Path) -> list[str]:
    marks = judge(file, read(file.path, scratch).to_dict())
    wrong = [name for name, right in marks.items() if right is False and name != "said"]
    return [name for name in wrong if name != "label"] + (
        ["statistics"] if marks["label"] != marks["said"] else []
    )


@pytest.mark.parametrize("name", SHEETS)
def test_sheets_of_offices(name, tmp_path):
    layout = next(layout for layout in list_layouts() if layout.name == name)
    for kind in layout.kinds:
        sheets, truth = layout.make(Figures(Random(5)))
        path = tmp_path / f"table.{kind[:3] if kind.startswith('csv') else kind}"
        write_layout(path, kind, layout, sheets, truth)
        assert find_wrong(File(path, kind, layout.language, truth), tmp_path) == []


def test_periods_as_offices_write_them(tmp_path):
    wrong = {}
    for layout in list_period_layouts():
        sheets, truth = layout.make(Figures(Random(5)))
        path = tmp_path / f"{layout.name}.csv"
        write_layout(path, "csv;utf-8", layout, sheets, truth)
        if found := find_wrong(File(path, "csv", layout.language, truth), tmp_path):
            wrong[layout.name] = found
    assert wrong == {}


@pytest.mark.parametrize("name", ["px_keys", "px_languages", "merged_workbook", "bare_workbook",
                                  "repeated_ods", "page_as_workbook", "sdmx_compact"])  # fmt: skip
def test_files_of_data_services(name, tmp_path):
    write, language, ending = SERVICES[name]
    path = tmp_path / f"{name}.{ending}"
    truth = write(path, Figures(Random(5)))
    group = "sdmx" if name.startswith("sdmx") else ending
    assert find_wrong(File(path, group, language, truth), tmp_path) == []


@pytest.mark.parametrize("name", ["text_in_two_columns", "labels_over_lines", "contents_page",
                                  "shaded_without_lines", "ruled_with_wrapped_labels"])  # fmt: skip
def test_printed_pages(name, tmp_path):
    write, language = PAGES[name]
    path = tmp_path / f"{name}.pdf"
    truth = write(path, Figures(Random(5)))
    assert find_wrong(File(path, "pdf", language, truth), tmp_path) == []


def test_hidden_sheets_are_listed_if_they_hold_statistics(tmp_path):
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["Region", "2019", "2020"])
    for number in range(5):
        book.active.append([f"Region {number}", 100 + number, 200 + number])
    for title, rows in (
        ("lists", [[f"code {n}", f"label {n}"] for n in range(30)]),
        ("figures", [["Year", "Births"], *[[2000 + n, 500 + 3 * n] for n in range(9)]]),
    ):
        sheet = book.create_sheet(title)
        sheet.sheet_state = "hidden"
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "book.xlsx")
    places = [table.place for table in read(tmp_path / "book.xlsx", tmp_path).tables]
    assert places == ['sheet "Sheet"', 'hidden sheet "figures"']


def test_xml_fields_are_named_by_an_attribute(tmp_path):
    path = tmp_path / "a.xml"
    SERVICES["world_bank_xml"][0](path, Figures(Random(5)))
    [table] = read(path, tmp_path).tables
    names = [field.name for field in table.fields]
    assert names == ["Country or Area", "Country or Area.key", "Item", "Item.key", "Year", "Value"]


def test_months_and_days_as_integers_are_periods(tmp_path):
    path = tmp_path / "a.csv"
    rows = [f"{month},{n * 7},20190{n + 1}15" for n, month in enumerate((201911, 201912, 202001))]
    path.write_text("\n".join(["month,births,day", *rows]))
    [table] = read(path, tmp_path).tables
    assert (table.first_year, table.last_year) == (2019, 2020)
    assert [field.role for field in table.fields] == ["dimension", "measure", "dimension"]


def test_all_lines_above_a_table_are_indexed(tmp_path):
    layout = next(layout for layout in list_layouts() if layout.name == "elstat_bilingual")
    sheets, truth = layout.make(Figures(Random(5)))
    write_layout(tmp_path / "a.xlsx", "xlsx", layout, sheets, truth)
    [table] = read(tmp_path / "a.xlsx", tmp_path).tables
    assert {"Πίνακας 1. Απασχολούμενοι κατά φύλο και τρίμηνο"} <= {table.title, *table.terms}
    assert "Table 1. Employed by sex and quarter" in {table.title, *table.terms}
