"""SDMX 2.1: the flows of a registry in SDMX-ML, and their data as CSV or SDMX-ML."""

from html import escape

from aiohttp import web

from .portal import Portal

_CSV = "application/vnd.sdmx.data+csv"
_SPACES = "".join(
    f' xmlns:{name}="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/{place}"'
    for name, place in (
        ("mes", "message"), ("str", "structure"), ("com", "common"), ("gen", "data/generic"),
        ("footer", "message/footer"),
    )
)  # fmt: skip


class Registry(Portal):
    """A dataset with files is a flow; pages are made by a script."""

    has_pages = False

    def __init__(self, count=1000):
        super().__init__(count)
        self.flows = {f"DF_{d.number}": d for d in self.datasets if d.files}

    def front_links(self):
        return [("/rest/dataflow/all/all/latest?detail=allstubs", "SDMX registry")]

    def own_paths(self):
        return {f"/rest/data/BROVIK,{flow},1.0/all?format=csv" for flow in self.flows}

    def files(self):
        return ()

    def api(self):
        yield web.get("/rest/dataflow/{agency}/{flow}/{version}", self.dataflow)
        yield web.get("/rest/dataflow/{agency}/{flow}", self.dataflow)
        yield web.get("/rest/dataflow/{agency}", self.dataflow)
        yield web.get("/rest/data/{flow}", self.data)
        yield web.get("/rest/data/{flow}/{key}", self.data)
        yield web.get("/rest/data/{flow}/{key}/{provider}", self.data)

    def message(self, kind, inner):
        head = (
            "<mes:Header><mes:ID>1</mes:ID><mes:Test>false</mes:Test><mes:Prepared>"
            '2026-01-01T00:00:00Z</mes:Prepared><mes:Sender id="BROVIK"/>'
        )
        if kind == "GenericData":
            head += (
                '<mes:Structure structureID="S" dimensionAtObservation="TIME_PERIOD">'
                '<com:Structure><Ref agencyID="BROVIK" id="DSD" version="1.0"/></com:Structure>'
                "</mes:Structure>"
            )
        text = (
            f'<?xml version="1.0" encoding="UTF-8"?><mes:{kind}{_SPACES}>'
            f"{head}</mes:Header>{inner}</mes:{kind}>"
        )
        return web.Response(text=text, content_type="application/xml")

    async def dataflow(self, request):
        agency = request.match_info["agency"].lower()
        asked = request.match_info.get("flow", "all")
        found = {
            name: dataset
            for name, dataset in self.flows.items()
            if asked in ("all", name) and agency in ("all", "brovik")
        }
        if not found:
            return fail(100, "No results found", 404)
        flows = "".join(
            f'<str:Dataflow id="{name}" agencyID="BROVIK" version="1.0" isFinal="true" '
            f'isExternalReference="false"><com:Name xml:lang="en">{escape(d.title)}</com:Name>'
            '<str:Structure><Ref id="DSD" version="1.0" agencyID="BROVIK" package="datastructure" '
            'class="DataStructure"/></str:Structure></str:Dataflow>'
            for name, d in found.items()
        )
        inner = f"<mes:Structures><str:Dataflows>{flows}</str:Dataflows></mes:Structures>"
        return self.message("Structure", inner)

    async def data(self, request):
        parts = request.match_info["flow"].split(",")
        name = parts[1] if len(parts) > 1 else parts[0]
        dataset = self.flows.get(name)
        if dataset is None or (len(parts) > 1 and parts[0] not in ("all", "BROVIK")):
            return fail(100, "No results found", 404)
        if request.match_info.get("key", "all") != "all":
            return fail(140, "The key has a wrong number of dimensions", 400)
        wants_csv = _CSV in request.headers.get("Accept", "")
        if wants_csv or request.query.get("format", "").startswith("csv"):
            lines = [f"BROVIK:{name}(1.0),{p},{y},{v}" for p, y, v in dataset.rows]
            text = "\n".join(["DATAFLOW,REF_AREA,TIME_PERIOD,OBS_VALUE", *lines]) + "\n"
            return web.Response(text=text, content_type=_CSV)
        series = "".join(
            f'<gen:Series><gen:SeriesKey><gen:Value id="REF_AREA" value="{place}"/></gen:SeriesKey>'
            + "".join(
                f'<gen:Obs><gen:ObsDimension value="{y}"/><gen:ObsValue value="{v}"/></gen:Obs>'
                for p, y, v in dataset.rows
                if p == place
            )
            + "</gen:Series>"
            for place in dataset.places
        )
        return self.message("GenericData", f'<mes:DataSet structureRef="S">{series}</mes:DataSet>')


def fail(code, text, status):
    inner = f'<mes:ErrorMessage code="{code}"><com:Text>{text}</com:Text></mes:ErrorMessage>'
    body = f"<?xml version='1.0'?><mes:Error{_SPACES}>{inner}</mes:Error>"
    return web.Response(status=status, text=body, content_type="application/xml")
