"""EPrints: OAI-PMH 2.0, whose records name the files, and pages of the items by year."""

from html import escape
from urllib.parse import parse_qsl

from aiohttp import web

from .portal import Portal

_LISTED = 100
_ARGUMENTS = {
    "Identify": ((), ()),
    "ListMetadataFormats": ((), ("identifier",)),
    "ListSets": ((), ("resumptionToken",)),
    "GetRecord": (("identifier", "metadataPrefix"), ()),
    "ListIdentifiers": (("metadataPrefix",), ("from", "until", "set")),
    "ListRecords": (("metadataPrefix",), ("from", "until", "set")),
}
_DC = (
    'xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


class Eprints(Portal):
    """Records of datasets whose number ends in 99 were deleted."""

    head = '<link rel="alternate" href="/cgi/oai2?verb=Identify">'

    def list_path(self, page):
        return f"/view/part/{page}.html"

    def dataset_path(self, dataset):
        return f"/{dataset.number + 1}/"

    def file_path(self, dataset, file):
        return f"/{dataset.number + 1}/{file.number}/{file.name}"

    def front_links(self):
        return [("/cgi/oai2?verb=Identify", "OAI 2.0")]

    def documents(self):
        for path, text in super().documents():
            number = path.strip("/")
            if not (number.isdigit() and is_deleted(self.datasets[int(number) - 1])):
                yield path, text

    def files(self):
        return (
            (self.file_path(d, f), f)
            for d in self.datasets
            if not is_deleted(d)
            for f in d.own_files
        )

    def own_paths(self):
        return {path for path, _ in self.files()}

    def api(self):
        yield web.get("/cgi/oai2", self.oai)
        yield web.post("/cgi/oai2", self.oai)

    async def oai(self, request):
        text = await request.text() if request.method == "POST" else request.query_string
        pairs = parse_qsl(text, keep_blank_values=True)
        asked, names = dict(pairs), [name for name, _ in pairs]
        verb = asked.pop("verb", "")
        try:
            if verb not in _ARGUMENTS or names.count("verb") > 1:
                raise Refused("badVerb", "Unknown verb")
            check_arguments(verb, asked, names)
            inner = getattr(self, f"_{verb}")(asked)
        except Refused as refused:
            inner = f'<error code="{refused.code}">{escape(str(refused))}</error>'
            attributes = (
                "" if refused.code in ("badVerb", "badArgument") else attributes_of(verb, asked)
            )
        else:
            inner, attributes = f"<{verb}>{inner}</{verb}>", attributes_of(verb, asked)
        text = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" '
            'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
            'xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ '
            'http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">'
            f"<responseDate>2026-01-01T00:00:00Z</responseDate>"
            f"<request{attributes}>{self.base}/cgi/oai2</request>{inner}</OAI-PMH>"
        )
        return web.Response(text=text, content_type="text/xml")

    def _Identify(self, _):  # noqa: N802
        return (
            f"<repositoryName>Brovik</repositoryName><baseURL>{self.base}/cgi/oai2</baseURL>"
            "<protocolVersion>2.0</protocolVersion><adminEmail>data@brovik.example</adminEmail>"
            "<earliestDatestamp>2010-01-01T00:00:00Z</earliestDatestamp>"
            "<deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity>"
        )

    def _ListMetadataFormats(self, asked):  # noqa: N802
        if "identifier" in asked:
            self.find(asked["identifier"])
        return (
            "<metadataFormat><metadataPrefix>oai_dc</metadataPrefix>"
            "<schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema><metadataNamespace>"
            "http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace></metadataFormat>"
        )

    def _ListSets(self, _):  # noqa: N802
        licences = sorted({dataset.licence[0] for dataset in self.datasets})
        return "".join(
            f"<set><setSpec>{name}</setSpec><setName>{name}</setName></set>" for name in licences
        )

    def _GetRecord(self, asked):  # noqa: N802
        check_prefix(asked)
        return self.record(self.find(asked["identifier"]))

    def _ListIdentifiers(self, asked):  # noqa: N802
        return self.page(asked, header)

    def _ListRecords(self, asked):  # noqa: N802
        return self.page(asked, self.record)

    def find(self, identifier):
        for dataset in self.datasets:
            if name_of(dataset) == identifier:
                return dataset
        raise Refused("idDoesNotExist", f"{identifier} is unknown")

    def page(self, asked, show):
        """A part of the list that the arguments, or those inside the token, ask for."""
        if "resumptionToken" in asked:
            start, _, rest = asked["resumptionToken"].partition("|")
            if not start.isdigit() or not 0 < int(start) < len(self.datasets):
                raise Refused("badResumptionToken", "The token is invalid")
            start, asked = int(start), dict(part.split("=", 1) for part in rest.split("|"))
        else:
            start = 0
        check_prefix(asked)
        first, last = asked.get("from", "")[:10], asked.get("until", "9")[:10]
        found = [
            dataset
            for dataset in sorted(self.datasets, key=lambda d: (d.modified, d.number))
            if first <= dataset.modified <= last
            and asked.get("set", dataset.licence[0]) == dataset.licence[0]
        ]
        if not found:
            raise Refused("noRecordsMatch", "No items match")
        text = "".join(show(dataset) for dataset in found[start : start + _LISTED])
        if len(found) <= _LISTED:
            return text
        end = start + _LISTED
        token = f"{end}|" + "|".join(f"{n}={v}" for n, v in asked.items())
        return (
            f'{text}<resumptionToken expirationDate="2099-01-01T00:00:00Z" cursor="{start}" '
            f'completeListSize="{len(found)}">{escape(token) if end < len(found) else ""}'
            "</resumptionToken>"
        )

    def record(self, dataset):
        if is_deleted(dataset):
            return f"<record>{header(dataset)}</record>"
        fields = [
            ("title", dataset.title), ("description", dataset.description),
            ("relation", self.landing(dataset)), ("type", "Dataset"), ("date", dataset.modified),
            ("rights", dataset.licence[1]), ("identifier", f"Brovik (2026) {dataset.title}."),
        ]  # fmt: skip
        for file in dataset.files:
            fields += [("format", file.mime_type), ("identifier", self.file_url(dataset, file))]
        inner = "".join(f"<dc:{name}>{escape(text)}</dc:{name}>" for name, text in fields)
        body = f"<metadata><oai_dc:dc {_DC}>{inner}</oai_dc:dc></metadata>"
        return f"<record>{header(dataset)}{body}</record>"


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def is_deleted(dataset):
    return dataset.number % 100 == 99


def name_of(dataset):
    return f"oai:brovik.example:{dataset.number + 1}"


def header(dataset):
    status = ' status="deleted"' if is_deleted(dataset) else ""
    return (
        f"<header{status}><identifier>{name_of(dataset)}</identifier><datestamp>"
        f"{dataset.modified}T00:00:00Z</datestamp><setSpec>{dataset.licence[0]}</setSpec></header>"
    )


def attributes_of(verb, asked):
    pairs = {"verb": verb, **asked}
    return "".join(f' {name}="{escape(value)}"' for name, value in pairs.items())


def check_arguments(verb, asked, names):
    """Arguments that are missing, repeated or not known are errors; a token stands alone."""
    if len(names) != len(set(names)):
        raise Refused("badArgument", "Repeated argument")
    needed, possible = _ARGUMENTS[verb]
    if verb.startswith("List") and "resumptionToken" in asked:
        if len(asked) > 1:
            raise Refused("badArgument", "resumptionToken is an exclusive argument")
        if verb == "ListSets":
            raise Refused("badResumptionToken", "The token is invalid")
        return
    if set(asked) - {*needed, *possible} or set(needed) - set(asked):
        raise Refused("badArgument", f"Wrong arguments for {verb}")


def check_prefix(asked):
    if asked.get("metadataPrefix") != "oai_dc":
        raise Refused("cannotDisseminateFormat", "Only oai_dc is known")
