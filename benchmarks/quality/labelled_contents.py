"""Contents for the labelled files: tables as offices publish them, and what lies beside them."""

import random
from datetime import date, timedelta

_R = random.Random(20240517)


def _n(low: int, high: int) -> int:
    return _R.randint(low, high)


def _f(low: float, high: float, digits: int = 1) -> float:
    return round(_R.uniform(low, high), digits)


REGIONS = [
    "Northland",
    "Auckland",
    "Waikato",
    "Taranaki",
    "Otago",
    "Southland",
    "Gisborne",
    "Nelson",
]
SCHOOLS = [
    "Hillside Primary",
    "St Mary's",
    "Oak Park High",
    "Riverside",
    "West End Academy",
    "Lakeview College",
    "Moor Lane",
    "King Edward VI",
]
NAMES = [
    "Ada Byron",
    "Grace Murray",
    "Alan Turner",
    "Edith Clarke",
    "John Tukey",
    "Emmy Noeth",
    "Carl Gauss",
    "Florence N.",
]


def statistics() -> dict[str, list[list[object]]]:
    """Tables that a statistician would call statistics, header first."""
    found: dict[str, list[list[object]]] = {}
    found["population_by_region"] = [
        ["Region", "2018", "2019", "2020", "2021"],
        *([name, *(_n(40_000, 1_600_000) for _ in range(4))] for name in REGIONS),
        ["Total", *(_n(4_000_000, 5_000_000) for _ in range(4))],
    ]
    found["unemployment_long"] = [
        ["FREQ", "GEO", "SEX", "AGE", "TIME_PERIOD", "OBS_VALUE", "OBS_STATUS"],
        *(
            ["A", geo, sex, age, year, _f(2, 19), flag]
            for geo in ("DE", "FR", "ES", "IT")
            for sex in ("F", "M")
            for age in ("Y15-24", "Y25-74")
            for year in (2019, 2020, 2021)
            for flag in ("" if year < 2021 else "p",)
        ),
    ]
    found["price_index"] = [
        ["Month", "All items", "Food", "Housing", "Change on year, %"],
        *(
            [f"{m} {y}", _f(98, 121), _f(97, 130), _f(99, 125), _f(-1, 9)]
            for y in (2021, 2022)
            for m in ("Jan", "Feb", "Mar", "Apr", "May", "Jun")
        ),
    ]
    found["pupils_per_school"] = [
        ["School", "Pupils", "Teachers", "Classes", "Pupils per teacher"],
        *([s, _n(90, 1300), _n(6, 90), _n(4, 45), _f(9, 24)] for s in SCHOOLS),
    ]
    found["election"] = [
        ["Constituency", "Electorate", "Votes cast", "Turnout (%)", "Labour", "Liberal", "Green"],
        *(
            [
                f"{r} {side}",
                _n(40_000, 80_000),
                _n(20_000, 50_000),
                _f(45, 80),
                _n(5000, 30_000),
                _n(5000, 30_000),
                _n(500, 9000),
            ]
            for r in REGIONS[:5]
            for side in ("East", "West")
        ),
    ]
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    found["rainfall"] = [
        ["Station", *months],
        *([s, *(_f(5, 240) for _ in months)] for s in ("Kew", "Armagh", "Durham", "Oxford")),
    ]
    found["chomage_departements"] = [
        ["Code", "Département", "Taux de chômage 2021", "Taux de chômage 2022"],
        *(
            [f"{n:02}", d, _f(4, 13), _f(4, 13)]
            for n, d in enumerate(
                ["Ain", "Aisne", "Allier", "Alpes-de-Haute-Provence", "Hautes-Alpes", "Ardèche"], 1
            )
        ),
    ]
    found["jinko"] = [
        ["都道府県", "人口(千人)", "世帯数", "高齢化率(%)"],
        *(
            [p, _n(600, 14_000), _n(200_000, 7_000_000), _f(22, 38)]
            for p in ("北海道", "青森県", "東京都", "大阪府", "福岡県", "沖縄県")
        ),
    ]
    found["budget"] = [
        ["Item", "Planned", "Actual", "Difference"],
        *(
            [i, _n(100, 9000) * 1000, _n(100, 9000) * 1000, _n(-900, 900) * 1000]
            for i in ("Staff", "Buildings", "Road maintenance", "Interest", "Transfers", "Total")
        ),
    ]
    found["survey_shares"] = [
        ["Answer", "All", "Men", "Women", "Under 30"],
        *(
            [a, _n(1, 60), _n(1, 60), _n(1, 60), ".."]
            for a in ("Very satisfied", "Satisfied", "Neither", "Dissatisfied", "Don't know")
        ),
    ]
    found["energy_quarters"] = [
        ["Quarter", "Coal (GWh)", "Gas (GWh)", "Wind (GWh)", "Solar (GWh)"],
        *(
            [f"{y} Q{q}", _n(10, 900), _n(5000, 30_000), _n(4000, 25_000), _n(300, 5000)]
            for y in (2020, 2021, 2022)
            for q in (1, 2, 3, 4)
        ),
    ]
    found["trade_by_product"] = [
        ["reporter", "partner", "product", "year", "value_eur", "weight_kg"],
        *(
            [a, b, p, 2022, _n(1000, 9_000_000), _n(100, 800_000)]
            for a in ("Austria", "Belgium", "Chile")
            for b in ("China", "Brazil", "Japan")
            for p in ("0101", "0203", "8703")
        ),
    ]
    found["exchange_rates"] = [
        ["Date", "USD", "JPY", "GBP"],
        *(
            [
                (date(2023, 1, 2) + timedelta(days=d)).isoformat(),
                _f(1, 1.2, 4),
                _f(130, 160, 2),
                _f(0.8, 0.9, 4),
            ]
            for d in range(25)
        ),
    ]
    found["small"] = [
        ["Type of offence", "Cases"],
        ["Theft", 812],
        ["Fraud", 301],
        ["Assault", 144],
        ["Other", 77],
    ]
    found["age_pyramid"] = [
        ["Age", "Men", "Women"],
        *([a, _n(9000, 60_000), _n(9000, 60_000)] for a in range(91)),
    ]
    found["passengers_flags"] = [
        ["Airport", "2019", "2020", "2021"],
        *(
            [a, f"{_n(100, 900)} {_n(100, 999)}", f"{_n(100, 900)} {_n(100, 999)} p", ":"]
            for a in ("Arlanda", "Landvetter", "Bromma", "Luleå", "Umeå", "Kiruna")
        ),
    ]
    found["gini_iso"] = [
        ["ISO3", "Country", "2010", "2015", "2020"],
        *(
            [i, c, _f(24, 60), _f(24, 60), _f(24, 60)]
            for i, c in (
                ("ARG", "Argentina"),
                ("BRA", "Brazil"),
                ("CAN", "Canada"),
                ("DNK", "Denmark"),
                ("EGY", "Egypt"),
                ("FRA", "France"),
            )
        ),
    ]
    found["hospital_beds"] = [
        ["Krankenhaus", "Träger", "Betten", "Fälle", "Verweildauer"],
        *(
            [h, t, _n(50, 900), _n(1000, 30_000), _f(3, 12)]
            for h, t in (
                ("Klinikum Mitte", "öffentlich"),
                ("St. Josef", "frei"),
                ("Parkklinik", "privat"),
                ("Uniklinik", "öffentlich"),
                ("Waldhaus", "privat"),
            )
        ),
    ]
    found["indicators_by_year"] = [
        ["Indicator", "Unit", "2019", "2020", "2021", "Source"],
        *(
            [i, u, _f(0, 90), _f(0, 90), _f(0, 90), s]
            for i, u, s in (
                (
                    "Share of renewable energy in gross final consumption of energy",
                    "%",
                    "Energy agency",
                ),
                (
                    "Greenhouse gas emissions per head of the resident population",
                    "t",
                    "Environment agency",
                ),
                (
                    "Early leavers from education and training aged 18 to 24",
                    "%",
                    "Labour force survey",
                ),
                ("Expenditure on research and development, all sectors", "% of GDP", "R&D survey"),
                ("Persons at risk of poverty or social exclusion after transfers", "%", "EU-SILC"),
            )
        ),
    ]
    found["cities"] = [
        ["City", "Country", "Latitude", "Longitude", "Population 2020", "Area km2"],
        *(
            [c, k, _f(40, 60, 4), _f(-5, 30, 4), _n(100_000, 9_000_000), _n(80, 1600)]
            for c, k in (
                ("Vienna", "Austria"),
                ("Ghent", "Belgium"),
                ("Aarhus", "Denmark"),
                ("Lyon", "France"),
                ("Cork", "Ireland"),
                ("Porto", "Portugal"),
                ("Malaga", "Spain"),
            )
        ),
    ]
    found["pupils_by_grade"] = [
        ["School ID", "School name", "Grade", "Pupils"],
        *([4000 + 3 * n, s, g, _n(20, 180)] for n, s in enumerate(SCHOOLS) for g in range(1, 7)),
    ]
    found["einwohner"] = [
        ["Gemeinde", "Einwohner", "Fläche", "Anteil Ausländer"],
        *(
            [
                g,
                f"{_n(1, 900)}.{_n(100, 999)}",
                f"{_n(2, 300)},{_n(10, 99)}",
                f"{_n(1, 30)},{_n(0, 9)} %",
            ]
            for g in ("Altdorf", "Bergen", "Celle", "Dachau", "Emden", "Fulda")
        ),
    ]
    found["daily_cases"] = [
        ["date", "cases"],
        *([(date(2020, 3, 1) + timedelta(days=d)).isoformat(), _n(0, 4000)] for d in range(40)),
    ]
    found["precincts"] = [
        ["Precinct", "Robbery", "Burglary", "Murder"],
        *([n, _n(10, 400), _n(10, 300), _n(0, 15)] for n in range(1, 30)),
    ]
    found["mostly_missing"] = [
        ["Country", "Series", "1990", "1995", "2000", "2005"],
        *(
            [c, s, "..", "..", _R.choice(("..", _n(1, 90))), _n(1, 90)]
            for c in ("Chad", "Mali", "Niger", "Togo")
            for s in ("Literacy, women", "Literacy, men")
        ),
    ]
    found["industry_by_size"] = [
        ["NACE", "Industry", "Size class", "Enterprises", "Turnover (mn)"],
        *(
            [c, i, z, _n(5, 4000), _f(1, 900)]
            for c, i in (("C10", "Food"), ("C13", "Textiles"), ("C20", "Chemicals"))
            for z in ("0-9", "10-49", "50-249", "250+")
        ),
    ]
    return found


def others() -> dict[str, list[list[object]]]:
    """Tables that are none: lists, codes, plans, records; header first."""
    found: dict[str, list[list[object]]] = {}
    found["contacts"] = [
        ["Name", "Position", "Phone", "E-mail", "Room"],
        *(
            [
                n,
                p,
                f"+49 30 {_n(100, 999)} {_n(1000, 9999)}",
                f"{n.split()[0].lower()}@example.org",
                _n(100, 450),
            ]
            for n, p in zip(
                NAMES,
                ("Director", "Press", "Data desk", "IT", "Legal", "Library", "Surveys", "Prices"),
                strict=True,
            )
        ),
    ]
    found["timetable"] = [
        ["Stop", "Line 1", "Line 2", "Line 3", "Line 4"],
        *(
            [s, *(f"{_n(5, 22):02}:{_n(0, 59):02}" for _ in range(4))]
            for s in ("Central", "Market", "University", "Harbour", "Airport")
        ),
    ]
    found["code_list"] = [
        ["Code", "Description"],
        *(
            [c, d]
            for c, d in (
                ("A", "Agriculture, forestry and fishing"),
                ("B", "Mining"),
                ("C", "Manufacturing"),
                ("D", "Electricity, gas"),
                ("E", "Water supply"),
                ("F", "Construction"),
                ("G", "Wholesale and retail trade"),
            )
        ),
    ]
    found["municipality_codes"] = [
        ["Municipality number", "Municipality", "County number", "County"],
        *(
            [1100 + 7 * n, f"{r} {k}", 11 + n % 3, f"{REGIONS[n % 3]} county"]
            for n, (r, k) in enumerate((r, k) for r in REGIONS for k in ("North", "South"))
        ),
    ]
    found["library"] = [
        ["Title", "Author", "Year", "Pages", "ISBN", "Shelf"],
        *(
            [
                t,
                a,
                _n(1950, 2020),
                _n(90, 700),
                f"978{_n(10**9, 10**10 - 1)}",
                f"{_n(1, 9)}.{_n(10, 99)}",
            ]
            for t, a in zip(
                (
                    "The Sea",
                    "Night Trains",
                    "A Short Walk",
                    "Bread and Stones",
                    "Letters",
                    "The Orchard",
                    "Winter Roads",
                    "Of Mice",
                ),
                NAMES,
                strict=True,
            )
        ),
    ]
    found["server_log"] = [
        ["timestamp", "client", "method", "path", "status", "bytes"],
        *(
            [
                f"2024-03-0{_n(1, 9)}T{_n(10, 23)}:{_n(10, 59)}:{_n(10, 59)}Z",
                f"10.0.{_n(0, 255)}.{_n(0, 255)}",
                "GET",
                f"/page/{_n(1, 999)}.html",
                _R.choice((200, 200, 200, 304, 404)),
                _n(200, 90_000),
            ]
            for _ in range(40)
        ),
    ]
    found["agenda"] = [
        ["Date", "Time", "Room", "Topic", "Speaker"],
        *(
            [f"2024-06-{d:02}", f"{h}:00", _R.choice(("A1", "B2", "Main hall")), t, n]
            for d, h, t, n in zip(
                (3, 3, 4, 4, 5),
                (9, 11, 9, 14, 10),
                ("Opening", "Price statistics", "Register data", "Confidentiality", "Closing"),
                NAMES,
                strict=False,
            )
        ),
    ]
    found["glossary"] = [
        ["Term", "Definition"],
        ["Household", "One or more persons who live together and share the cost of living."],
        ["Index", "A ratio that compares a value with that of a base period, times one hundred."],
        ["Resident", "A person whose centre of economic interest lies within the territory."],
        ["Enterprise", "The smallest combination of legal units that is an organisational unit."],
    ]
    found["changelog"] = [
        ["Version", "Date", "Change"],
        *(
            [f"{a}.{b}", f"{2015 + a}-0{b + 1}-15", c]
            for a, b, c in (
                (1, 0, "First release"),
                (1, 1, "Corrected figures for Otago"),
                (2, 0, "New nomenclature"),
                (2, 1, "Added quarterly series"),
                (3, 0, "Revised back to 2001"),
            )
        ),
    ]
    found["school_addresses"] = [
        ["School", "Street", "Postcode", "Town", "Latitude", "Longitude"],
        *(
            [
                s,
                f"{_n(1, 120)} High Street",
                f"{_n(10_000, 99_999)}",
                r,
                _f(50, 55, 5),
                _f(-3, 2, 5),
            ]
            for s, r in zip(SCHOOLS, REGIONS, strict=True)
        ),
    ]
    found["document_list"] = [
        ["No.", "Document", "Published", "Format", "Link"],
        *(
            [n, t, f"{_n(1, 28):02}/{_n(1, 12):02}/2022", "PDF", f"https://example.org/doc/{n}"]
            for n, t in enumerate(
                (
                    "Annual report",
                    "Methodology",
                    "Quality report",
                    "Questionnaire",
                    "Press release",
                    "Calendar",
                ),
                1,
            )
        ),
    ]
    found["codebook"] = [
        ["Variable", "Label", "Type", "Width", "Values"],
        *(
            [v, d, t, w, x]
            for v, d, t, w, x in (
                ("hhid", "Household identifier", "numeric", 8, ""),
                ("sex", "Sex", "numeric", 1, "1=male 2=female"),
                ("agegr", "Age group", "numeric", 2, "1=0-14 2=15-64 3=65+"),
                ("inc", "Income", "numeric", 9, ""),
                ("reg", "Region", "string", 3, "see annex"),
                ("wgt", "Weight", "numeric", 12, ""),
            )
        ),
    ]
    found["members"] = [
        ["Name", "Party", "Constituency", "Date of birth", "Elected"],
        *(
            [
                n,
                _R.choice(("Labour", "Liberal", "Green")),
                r,
                f"{_n(1, 28)}.{_n(1, 12)}.{_n(1950, 1990)}",
                _n(2005, 2021),
            ]
            for n, r in zip(NAMES, REGIONS, strict=True)
        ),
    ]
    found["spending_records"] = [
        ["Date", "Supplier", "Description", "Invoice", "Department", "Amount"],
        *(
            [
                f"2023-0{_n(1, 9)}-{_n(10, 28)}",
                f"{n.split()[-1]} & Sons {k} Ltd",
                _R.choice(
                    (
                        "Repair of the east wing roof",
                        "Catering for the annual conference",
                        "Licences and support for office software",
                    )
                )
                + f", lot {k}",
                f"INV-{_n(10_000, 99_999)}",
                _R.choice(("Estates", "IT", "HR")),
                _f(500, 90_000, 2),
            ]
            for k in range(4)
            for n in NAMES
        ),
    ]
    found["devices"] = [
        ["Serial number", "MAC", "Model", "Installed", "Site"],
        *(
            [
                _n(10**7, 10**8),
                ":".join(f"{_n(16, 255):x}" for _ in range(6)),
                _R.choice(("TX-1", "TX-2")),
                f"2021-{_n(10, 12)}-{_n(10, 28)}",
                r,
            ]
            for r in REGIONS
        ),
    ]
    found["holidays"] = [
        ["Date", "Holiday", "Observed in"],
        *(
            [d, h, w]
            for d, h, w in (
                ("2024-01-01", "New Year's Day", "everywhere"),
                ("2024-02-06", "Waitangi Day", "everywhere"),
                ("2024-03-29", "Good Friday", "everywhere"),
                ("2024-04-25", "Anzac Day", "everywhere"),
                ("2024-12-25", "Christmas", "everywhere"),
            )
        ),
    ]
    found["features"] = [
        ["Product", "CSV", "API", "Maps", "Free"],
        *(
            [p, *(_R.choice(("yes", "no")) for _ in range(4))]
            for p in ("Atlas", "Census tool", "StatLine", "Data portal", "Explorer")
        ),
    ]
    found["products"] = [
        ["SKU", "Name", "Colour", "Material", "Size"],
        *(
            [
                f"P-{_n(1000, 9999)}",
                n,
                _R.choice(("red", "blue", "grey")),
                _R.choice(("oak", "steel")),
                _R.choice(("S", "M", "L")),
            ]
            for n in ("Chair", "Table", "Lamp", "Shelf", "Stool", "Desk")
        ),
    ]
    found["exams"] = [
        ["Subject", "Level", "Date", "Start", "Minutes", "Room"],
        *(
            [
                x,
                _R.choice(("Basic", "Higher")),
                f"{_n(1, 28)} May 2024",
                f"{_n(8, 14)}:30",
                _R.choice((90, 120, 180)),
                _n(100, 320),
            ]
            for x in ("Mathematics", "Physics", "History", "English", "Biology", "Music")
        ),
    ]
    found["stations"] = [
        ["Station ID", "Name", "Elevation", "Latitude", "Longitude", "Opened"],
        *(
            [
                _n(10_000, 99_999),
                f"{r} airport",
                _n(1, 900),
                _f(-46, -35, 4),
                _f(168, 178, 4),
                _n(1920, 2005),
            ]
            for r in REGIONS
        ),
    ]
    found["vacancies"] = [
        ["Post", "Department", "Grade", "Salary from", "Salary to", "Apply by", "Contact"],
        *(
            [
                p,
                d,
                f"G{_n(3, 9)}",
                _n(28, 40) * 1000,
                _n(41, 70) * 1000,
                f"2024-07-{_n(10, 30)}",
                f"jobs{_n(1, 9)}@example.org",
            ]
            for p, d in (
                ("Statistician", "Prices"),
                ("Clerk", "Census"),
                ("Developer", "IT"),
                ("Editor", "Press"),
                ("Librarian", "Library"),
            )
        ),
    ]
    found["laws"] = [
        ["Number", "Year", "Title", "Gazette page"],
        *(
            [_n(1, 400), _n(1990, 2022), t, _n(1, 3000)]
            for t in (
                "Statistics Act",
                "Census Act",
                "Data Protection Act",
                "Agricultural Census Ordinance",
                "Archives Act",
                "Media Act",
            )
        ),
    ]
    found["courses"] = [
        ["Code", "Course", "Credits", "Semester", "Lecturer"],
        *(
            [f"ST{_n(100, 400)}", c, _R.choice((5, 10)), _R.choice((1, 2)), n]
            for c, n in zip(
                ("Sampling", "Inference", "Time series", "Demography", "Surveys"),
                NAMES,
                strict=False,
            )
        ),
    ]
    found["bibliography"] = [
        ["Author", "Title", "Journal", "Volume", "Issue", "First page", "Year"],
        *(
            [n, t, "J. Off. Stat.", _n(1, 40), _n(1, 4), _n(1, 900), _n(1990, 2022)]
            for n, t in zip(
                NAMES,
                (
                    "On weights",
                    "Small areas",
                    "Response",
                    "Imputation",
                    "Linkage",
                    "Frames",
                    "Editing",
                    "Panels",
                ),
                strict=True,
            )
        ),
    ]
    found["grants"] = [
        ["Reference", "Organisation", "Project", "Awarded", "Amount"],
        *(
            [
                f"GR{_n(1000, 9999)}",
                f"{r} Trust",
                f"{w} for {r}",
                f"2022-0{_n(1, 9)}-10",
                _n(5, 90) * 1000,
            ]
            for r in REGIONS
            for w in ("Playground", "Archive")
        ),
    ]
    found["packages"] = [
        ["Package", "Version", "Licence", "Size in kB"],
        *(
            [
                p,
                f"{_n(0, 9)}.{_n(0, 20)}.{_n(0, 9)}",
                _R.choice(("MIT", "BSD", "Apache")),
                _n(10, 9000),
            ]
            for p in ("numpy", "rich", "typer", "polars", "attrs", "idna", "yarl")
        ),
    ]
    found["colours"] = [
        ["Name", "Hex", "Red", "Green", "Blue"],
        *(
            [c, f"#{_n(0, 2**24 - 1):06x}", _n(0, 255), _n(0, 255), _n(0, 255)]
            for c in ("Ash", "Berry", "Coal", "Denim", "Ebony", "Fern", "Gold")
        ),
    ]
    found["track"] = [
        ["time", "lat", "lon", "ele"],
        *(
            [f"2024-05-01T10:{m:02}:00Z", _f(46, 47, 6), _f(7, 8, 6), _n(400, 900)]
            for m in range(30)
        ),
    ]
    found["questionnaire"] = [
        ["Question", "Text", "Answer type", "Next"],
        *(
            [q, t, a, n]
            for q, t, a, n in (
                (1, "How many people live in your household?", "number", 2),
                (2, "What is your year of birth?", "year", 3),
                (3, "Did you work last week?", "yes/no", 5),
                (4, "How many hours did you work?", "number", 6),
                (5, "Why not?", "text", 6),
            )
        ),
    ]
    return found


TEXT = """Quality report on the labour force survey

1. Introduction. The survey asks some 20,000 households every quarter. It has been held since 1983
and follows the regulation of 2019, which changed the order of the questions.

2. Accuracy. The standard error of the unemployment rate was 0.2 points in 2021. Non-response rose
from 18 to 24 per cent. Answers given by another member of the household are 31 per cent.

3. Timeliness. First results are published 45 days after the end of a quarter, final ones after 120.

4. Contact. Questions go to the data desk, room 212, between 9 and 12 o'clock on working days.
"""
