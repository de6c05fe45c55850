"""GeoNetwork: CSW 2.0.2 with records of ISO 19139 and Dublin Core, beside pages of records."""

from html import escape
from xml.etree import ElementTree as ET

from aiohttp import web

from .portal import Portal, read_number, some_of

_MAX_RECORDS = 100
_DOWNLOAD = "WWW:DOWNLOAD-1.0-http--download"
_GMD = "http://www.isotc211.org/2005/gmd"
_OGC = "http://www.opengis.net/cat/csw/2.0.2"
_SPACES = (
    f' xmlns:csw="{_OGC}" xmlns:gmd="{_GMD}" xmlns:gco="http://www.isotc211.org/2005/gco"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/"'
    ' xmlns:ows="http://www.opengis.net/ows" xmlns:xlink="http://www.w3.org/1999/xlink"'
)


class Geonetwork(Portal):
    head = '<link href="/srv/eng/rss.search?sortBy=changeDate" title="GeoNetwork opensource">'

    def list_path(self, page):
        return f"/srv/eng/catalog.list?from={(page - 1) * 20 + 1}"

    def dataset_path(self, dataset):
        return f"/srv/api/records/{dataset.id}"

    def file_path(self, dataset, file):
        return f"/srv/api/records/{dataset.id}/attachments/{file.name}"

    def api(self):
        yield web.get("/srv/eng/csw", self.csw)
        yield web.post("/srv/eng/csw", self.csw)

    async def csw(self, request):
        """Parameters of a query, or the same as XML."""
        if request.method == "POST":
            asked = read_request(await request.read())
        else:
            asked = {name.lower(): value for name, value in request.query.items()}
        match asked.get("request", "").lower():
            case "getcapabilities":
                return answer(self.capabilities())
            case "getrecords":
                return self.records(asked)
            case "getrecordbyid":
                found = [d for d in self.datasets if d.id in asked.get("id", "").split(",")]
                inner = "".join(self.record(d, asked) for d in found)
                name = "csw:GetRecordByIdResponse"
                return answer(f"<{name}{_SPACES}>{inner}</{name}>")
            case "":
                return fail("MissingParameterValue", "request")
        return fail("OperationNotSupported", "request")

    def capabilities(self):
        address = f"{self.base}/srv/eng/csw"
        ways = "".join(f'<ows:{way} xlink:href="{address}"/>' for way in ("Get", "Post"))
        dcp = f"<ows:DCP><ows:HTTP>{ways}</ows:HTTP></ows:DCP>"  # fmt: skip
        names = ("GetCapabilities", "DescribeRecord", "GetRecords", "GetRecordById")
        operations = "".join(
            f'<ows:Operation name="{name}">{dcp}</ows:Operation>' for name in names
        )
        return (
            f'<csw:Capabilities{_SPACES} version="2.0.2"><ows:ServiceIdentification><ows:Title>'
            "Brovik</ows:Title><ows:ServiceType>CSW</ows:ServiceType><ows:ServiceTypeVersion>"
            "2.0.2</ows:ServiceTypeVersion></ows:ServiceIdentification><ows:OperationsMetadata>"
            f"{operations}</ows:OperationsMetadata></csw:Capabilities>"
        )

    def records(self, asked):
        start = read_number(asked.get("startposition", "1"))
        size = read_number(asked.get("maxrecords", "10"))
        if not start:
            return fail("InvalidParameterValue", "startPosition")
        if size is None:
            return fail("InvalidParameterValue", "maxRecords")
        if "typenames" not in asked:
            return fail("MissingParameterValue", "typeNames")
        is_hits = asked.get("resulttype", "hits") == "hits"
        some = () if is_hits else some_of(self.datasets, start - 1, min(size, _MAX_RECORDS))
        following = start + len(some) if start - 1 + len(some) < len(self.datasets) else 0
        inner = "".join(self.record(dataset, asked) for dataset in some)
        return answer(
            f'<csw:GetRecordsResponse{_SPACES} version="2.0.2">'
            '<csw:SearchStatus timestamp="2026-01-01T00:00:00Z"/><csw:SearchResults '
            f'numberOfRecordsMatched="{len(self.datasets)}" numberOfRecordsReturned="{len(some)}" '
            f'elementSet="{asked.get("elementsetname", "summary")}" nextRecord="{following}">'
            f"{inner}</csw:SearchResults></csw:GetRecordsResponse>"
        )

    def record(self, dataset, asked):
        return self.iso(dataset) if asked.get("outputschema") == _GMD else self.dublin_core(dataset)

    def dublin_core(self, dataset):
        links = "".join(
            f'<dct:references scheme="{_DOWNLOAD}">{escape(url)}</dct:references>'
            for url in (self.file_url(dataset, file) for file in dataset.files)
        )
        return (
            f"<csw:Record><dc:identifier>{dataset.id}</dc:identifier><dc:title>"
            f"{escape(dataset.title)}</dc:title><dc:type>dataset</dc:type><dct:abstract>"
            f"{escape(dataset.description)}</dct:abstract><dct:modified>{dataset.modified}"
            f"</dct:modified><dc:rights>{escape(dataset.licence[1])}</dc:rights>{links}</csw:Record>"
        )

    def iso(self, dataset):
        def text(name, value):
            inner = f"<gco:CharacterString>{escape(value)}</gco:CharacterString>"
            return f"<gmd:{name}>{inner}</gmd:{name}>"

        def online(url, protocol, name):
            return (
                "<gmd:CI_OnlineResource>"
                f"<gmd:linkage><gmd:URL>{escape(url)}</gmd:URL></gmd:linkage>"
                f"{text('protocol', protocol)}{text('name', name)}</gmd:CI_OnlineResource>"
            )

        contact = online("https://www.brovik.example/", "WWW:LINK-1.0-http--link", "Town")
        links = "".join(
            f"<gmd:onLine>{online(self.file_url(dataset, f), _DOWNLOAD, f.title)}</gmd:onLine>"
            for f in dataset.files
        )  # fmt: skip
        service = online(f"{self.base}/geoserver/ows?service=WMS", "OGC:WMS", dataset.name)
        return (
            f"<gmd:MD_Metadata>{text('fileIdentifier', dataset.id)}<gmd:contact>"
            "<gmd:CI_ResponsibleParty><gmd:contactInfo><gmd:CI_Contact><gmd:onlineResource>"
            f"{contact}</gmd:onlineResource></gmd:CI_Contact></gmd:contactInfo>"
            "</gmd:CI_ResponsibleParty></gmd:contact><gmd:dateStamp><gco:Date>"
            f"{dataset.modified}</gco:Date></gmd:dateStamp><gmd:identificationInfo>"
            "<gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation>"
            f"{text('title', dataset.title)}</gmd:CI_Citation></gmd:citation>"
            f"{text('abstract', dataset.description)}<gmd:resourceConstraints>"
            f"<gmd:MD_LegalConstraints>{text('useLimitation', dataset.licence[1])}"
            "</gmd:MD_LegalConstraints></gmd:resourceConstraints></gmd:MD_DataIdentification>"
            "</gmd:identificationInfo><gmd:distributionInfo><gmd:MD_Distribution>"
            "<gmd:transferOptions><gmd:MD_DigitalTransferOptions>"
            f"{links}<gmd:onLine>{service}</gmd:onLine></gmd:MD_DigitalTransferOptions>"
            "</gmd:transferOptions></gmd:MD_Distribution></gmd:distributionInfo></gmd:MD_Metadata>"
        )


def read_request(body):
    """The parameters of a request in XML, under the names of those of a query."""
    root = ET.fromstring(body)
    asked = {name.lower(): value for name, value in root.attrib.items()}
    asked["request"] = root.tag.rpartition("}")[2]
    for element in root.iter():
        name = element.tag.rpartition("}")[2].lower()
        if name == "query":
            asked["typenames"] = element.get("typeNames", "")
        elif name in ("elementsetname", "id"):
            asked[name] = element.text or ""
    return asked


def answer(inner):
    text = f'<?xml version="1.0" encoding="UTF-8"?>{inner}'
    return web.Response(text=text, content_type="application/xml")


def fail(code, locator):
    return answer(
        f'<ows:ExceptionReport{_SPACES} version="1.2.0"><ows:Exception exceptionCode="{code}" '
        f'locator="{locator}"><ows:ExceptionText>{code}: {locator}</ows:ExceptionText>'
        "</ows:Exception></ows:ExceptionReport>"
    )
