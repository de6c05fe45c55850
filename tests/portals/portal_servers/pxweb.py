"""PxWeb: tables by version 2 of its API, and by version 1, whose tables are asked for by POST."""

import json
from html import escape
from itertools import product
from math import prod

from aiohttp import web

from .portal import POSTED, Portal, some_of

MAX_CELLS = 100_000
_FORMATS = ("csv", "json-stat2", "px")


class Table:
    """A dataset as a cube of places, a content and years."""

    def __init__(self, dataset):
        self.dataset = dataset
        self.values = {(place, str(year)): v for place, year, v in dataset.rows}
        years = [str(year) for year in dataset.years]
        places = {f"{i:02}": place for i, place in enumerate(dataset.places)}
        self.variables = {
            "Region": ("region", places),
            "ContentsCode": ("contents", {f"{dataset.number:06}": "Number"}),
            "Tid": ("year", dict(zip(years, years, strict=True))),
        }

    def all(self):
        return {code: list(values) for code, (_, values) in self.variables.items()}

    def cell(self, place, _, year):
        return self.values[self.variables["Region"][1][place], year]

    def csv(self, chosen):
        """A row per place and contents, a column per year, as the software makes it."""
        years = chosen["Tid"]
        heads = ["region", *(f"Number {year}" for year in years)]
        lines = [",".join(f'"{head}"' for head in heads)]
        for place, contents in product(chosen["Region"], chosen["ContentsCode"]):
            cells = [str(self.cell(place, contents, year)) for year in years]
            lines.append(",".join([f'"{self.variables["Region"][1][place]}"', *cells]))
        return "\r\n".join(lines) + "\r\n"

    def stat(self, chosen, *, with_values=True):
        """JSON-stat 2."""
        dimensions = {}
        for code, (label, values) in self.variables.items():
            index = {name: place for place, name in enumerate(chosen[code])}
            category = {"index": index, "label": {name: values[name] for name in chosen[code]}}
            more = {"elimination": code == "Region", "show": "value"}
            dimensions[code] = {"label": label, "category": category, "extension": more}
            if code == "ContentsCode":
                category["unit"] = {name: {"base": "number", "decimals": 0} for name in index}
        table = {
            "version": "2.0", "class": "dataset", "label": self.dataset.title, "source": "Brovik",
            "updated": f"{self.dataset.modified}T06:00:00Z",
            "role": {"time": ["Tid"], "metric": ["ContentsCode"]},
            "id": list(chosen), "size": [len(names) for names in chosen.values()],
            "dimension": dimensions, "extension": {"px": {"tableid": self.dataset.name}},
        }  # fmt: skip
        if with_values:
            table["value"] = [self.cell(*place) for place in product(*chosen.values())]
        return table

    def px(self, chosen):
        """PC-Axis: text that pyaxis reads."""
        regions = [self.variables["Region"][1][name] for name in chosen["Region"]]
        cells = [str(self.cell(*place)) for place in product(*chosen.values())]
        quoted = [",".join(f'"{name}"' for name in names) for names in (regions, chosen["Tid"])]
        return (
            'CHARSET="ANSI";\nAXIS-VERSION="2013";\nCODEPAGE="utf-8";\n'
            f'MATRIX="{self.dataset.number}";\nTITLE="{self.dataset.title}";\n'
            f'STUB="region","contents";\nHEADING="year";\nVALUES("region")={quoted[0]};\n'
            f'VALUES("contents")="Number";\nVALUES("year")={quoted[1]};\n'
            f"DATA=\n{' '.join(cells)};\n"
        )

    def answer(self, format_, chosen):
        if format_ == "csv":
            return web.Response(text=self.csv(chosen), content_type="text/csv")
        if format_ == "px":
            return web.Response(text=self.px(chosen), content_type="application/octet-stream")
        return web.json_response(self.stat(chosen))


class Pxweb2(Portal):
    """Version 2 of the API. Its pages are made by a script: no link leads to a table."""

    head = '<script type="module" src="/pxweb2-main.js"></script>'
    has_pages = False
    max_page = 10_000
    max_cells = MAX_CELLS

    def __init__(self, count=1000):
        super().__init__(count)
        self.datasets = tuple(dataset for dataset in self.datasets if dataset.files)
        self.tables = {dataset.name: Table(dataset) for dataset in self.datasets}

    def own_paths(self):
        return {
            f"/api/v2/tables/{name}/data?lang=en&outputFormat=csv"
            "&valueCodes[Region]=*&valueCodes[ContentsCode]=*&valueCodes[Tid]=*"
            for name in self.tables
        }

    def files(self):
        return ()

    def api(self):
        yield web.get("/api/v2/config", self.config)
        yield web.get("/api/v2/tables", self.listed)
        yield web.get("/api/v2/tables/{name}", self.table)
        yield web.get("/api/v2/tables/{name}/metadata", self.metadata)
        yield web.get("/api/v2/tables/{name}/data", self.data)
        yield web.post("/api/v2/tables/{name}/data", self.data)

    async def config(self, _):
        return web.json_response(
            {
                "apiVersion": "2.0.0", "appVersion": "v1.0.0", "defaultLanguage": "en",
                "languages": [{"id": "en", "label": "English"}], "maxDataCells": self.max_cells,
                "maxCallsPerTimeWindow": 1000, "timeWindow": 10, "license": "CC0",
                "defaultDataFormat": "px", "dataFormats": list(_FORMATS), "features": [],
                "sourceReferences": [],
            }
        )  # fmt: skip

    def link(self, relation, path):
        return {"rel": relation, "hreflang": "en", "href": f"{self.base}/api/v2/{path}"}

    def described(self, table):
        name, dataset = table.dataset.name, table.dataset
        return {
            "type": "Table", "id": name, "label": dataset.title, "description": "",
            "updated": f"{dataset.modified}T06:00:00Z", "firstPeriod": str(dataset.years[0]),
            "lastPeriod": str(dataset.years[-1]), "category": "public", "timeUnit": "Annual",
            "variableNames": [label for label, _ in table.variables.values()], "source": "Brovik",
            "paths": [[{"id": "A", "label": "All"}]], "subjectCode": "A",
            "links": [
                self.link("self", f"tables/{name}?lang=en"),
                self.link("metadata", f"tables/{name}/metadata?lang=en"),
                self.link("data", f"tables/{name}/data?lang=en&outputFormat=px"),
            ],
        }  # fmt: skip

    async def listed(self, request):
        asked = {name.lower(): value for name, value in request.query.items()}
        page, size = asked.get("pagenumber", "1"), asked.get("pagesize", "20")
        if not (page.isdigit() and size.isdigit() and 0 < int(size) <= self.max_page and int(page)):
            return problem("Page size or number out of range")
        page, size = int(page), int(size)
        words = asked.get("query", "").lower().split()
        found = [
            t for t in self.tables.values() if all(w in t.dataset.title.lower() for w in words)
        ]
        pages = -(-len(found) // size)
        if page > max(pages, 1):
            return problem("Page number out of range")
        links = []
        for relation, number in (("next", page + 1), ("previous", page - 1), ("last", pages)):
            if 0 < number <= pages:
                path = f"tables?lang=en&pagesize={size}&pageNumber={number}"
                links.append(self.link(relation, path))
        return web.json_response(
            {
                "language": "en",
                "tables": [self.described(t) for t in some_of(found, (page - 1) * size, size)],
                "page": {
                    "pageNumber": page, "pageSize": size, "totalElements": len(found),
                    "totalPages": pages, "links": links,
                },
                "links": [self.link("self", f"tables?lang=en&pagesize={size}&pageNumber={page}")],
            }
        )  # fmt: skip

    def find(self, request):
        table = self.tables.get(request.match_info["name"])
        if table is None:
            text = '{"title":"Non-existent table"}'
            raise web.HTTPNotFound(text=text, content_type="application/json")
        return table

    async def table(self, request):
        return web.json_response(self.described(self.find(request)))

    async def metadata(self, request):
        table = self.find(request)
        return web.json_response(table.stat(table.all(), with_values=False))

    async def data(self, request):
        """What is chosen of each variable; without any choice, the last year alone."""
        table, chosen = self.find(request), {}
        body = await request.json() if request.method == "POST" else {}
        for part in body.get("selection", ()):
            chosen[part["variableCode"].lower()] = part["valueCodes"]
        for name, value in request.query.items():
            if name.lower().startswith("valuecodes["):
                chosen[name[11:-1].lower()] = value.split(",")
        everything = table.all()
        if set(chosen) - {code.lower() for code in everything}:
            return problem("Non-existent variable")
        if not chosen:
            names = {**everything, "Tid": everything["Tid"][-1:]}
        else:
            if "tid" not in chosen or "contentscode" not in chosen:
                return problem("Missing selection for mandantory variable")
            names = {c: pick(all_, chosen.get(c.lower(), ["*"])) for c, all_ in everything.items()}
        if not all(names.values()):
            return problem("Non-existent value")
        if prod(map(len, names.values())) > self.max_cells:
            return problem("Too many cells selected", 403)
        format_ = request.query.get("outputFormat", "px")
        if format_ not in _FORMATS:
            return problem("Unsupported output format")
        return table.answer(format_, names)


class Pxweb1(Pxweb2):
    """Version 1: levels lead to tables; a table is asked for by POST. Pages are forms."""

    head = '<link href="/pxweb/Resources/Styles/main.css" rel="stylesheet">'

    def front_links(self):
        return [("/pxweb/en/brovik/", "Statistical database")]

    def documents(self):
        yield from super().documents()
        form = '<form method="post"><select name="v"></select><input type="submit"></form>'
        yield "/pxweb/en/brovik/", self.html("Choose a table", (), form)

    def subjects(self):
        return sorted({name.partition("-")[0] for name in self.tables})

    def table_paths(self):
        """Paths of the tables, which answer a POST."""
        return {f"/pxweb/api/v1/en/brovik/{n.partition('-')[0]}/{n}.px" for n in self.tables}

    def own_paths(self):
        return {path + POSTED for path in self.table_paths()}

    def same_file(self, path):
        # A file is named by what was posted for it, too.
        return "".join(path.partition(POSTED)[:2])

    def api(self):
        yield web.get("/pxweb/api/v1/en", self.roots)
        yield web.get("/pxweb/api/v1/en/", self.roots)
        for path in ("/pxweb/api/v1/en/brovik", "/pxweb/api/v1/en/brovik/"):
            yield web.get(path, self.top)
        for end in ("", "/"):
            yield web.get(f"/pxweb/api/v1/en/brovik/{{subject}}{end}", self.level)
            path = f"/pxweb/api/v1/en/brovik/{{subject}}/{{name}}.px{end}"
            yield web.get(path, self.variables)
            yield web.post(path, self.query)

    async def roots(self, request):
        if request.query_string == "config":
            limits = {"maxValues": self.max_cells, "maxCells": self.max_cells}
            return web.json_response({**limits, "maxCalls": 30, "timeWindow": 10, "CORS": True})
        return web.json_response([{"dbid": "brovik", "text": "Brovik"}])

    async def top(self, _):
        return web.json_response([{"id": s, "type": "l", "text": s} for s in self.subjects()])

    async def level(self, request):
        subject = request.match_info["subject"]
        if subject not in self.subjects():
            return web.json_response({"error": "Parameter error"}, status=404)
        return web.json_response(
            [
                {
                    "id": f"{name}.px", "type": "t", "text": table.dataset.title,
                    "updated": f"{table.dataset.modified}T06:00:00",
                }
                for name, table in self.tables.items()
                if name.partition("-")[0] == subject
            ]
        )  # fmt: skip

    async def variables(self, request):
        table = self.find(request)
        shown = [
            {
                "code": code, "text": label, "values": list(values),
                "valueTexts": list(values.values()),
                **({"elimination": True} if code == "Region" else {}),
                **({"time": True} if code == "Tid" else {}),
            }
            for code, (label, values) in table.variables.items()
        ]  # fmt: skip
        return web.json_response({"title": escape(table.dataset.title), "variables": shown})

    async def query(self, request):
        """The table, of each variable what the query names; all of those that it leaves out."""
        table = self.find(request)
        try:
            asked = json.loads(await request.text())
            chosen = {part["code"]: part["selection"] for part in asked["query"]}
            format_ = asked["response"]["format"]
        except (ValueError, KeyError, TypeError):
            return web.json_response({"error": "Bad request"}, status=400)
        everything = table.all()
        if set(chosen) - set(everything) or format_ not in (*_FORMATS, "json-stat"):
            return web.json_response({"error": "Parameter error"}, status=400)
        names = dict(everything)
        for code, selection in chosen.items():
            names[code] = choose(everything[code], selection)
        if not all(names.values()):
            return web.json_response({"error": "Parameter error"}, status=400)
        if prod(map(len, names.values())) > self.max_cells:
            return web.json_response({"error": "Too many values selected"}, status=403)
        return table.answer(format_, names)


def choose(names, selection):
    match selection.get("filter"):
        case "all":
            return pick(names, selection["values"])
        case "top":
            return names[-int(selection["values"][0]) :]
        case _:
            return [name for name in names if name in selection.get("values", ())]


def pick(names, patterns):
    """Names that are named, or begin as a pattern with a star at its end says."""
    found = []
    for pattern in patterns:
        begin, star, _ = pattern.partition("*")
        found += [n for n in names if n == pattern or (star and n.startswith(begin))]
    return found


def problem(title, status=400):
    body = {"type": "Parameter error", "title": title, "status": status}
    return web.json_response(body, status=status)
