"""Every parser of what websites send, as a function of bytes: for fuzzing, and for its findings.

A parser may refuse its input in the way that its callers expect; any other exception is a finding.
"""

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from datahound.archive.http_message import dechunk, parse_head
from datahound.archive.warc.records import parse_record_head
from datahound.catalog.formats import detect_format
from datahound.catalog.readers import (
    dbase,
    delimited,
    json_text,
    markup,
    pc_axis,
    spreadsheet_xml,
    text_columns,
    web_page,
)
from datahound.catalog.readers.task import Limits, Task, Unreadable
from datahound.catalog.tables.cells import is_period, parse_date, parse_number, strip_marks
from datahound.crawl.crawl import Crawl
from datahound.crawl.forms import Forms
from datahound.crawl.url_names import RedirectRules
from datahound.downloads.file_names import name_for
from datahound.downloads.transfer import (
    PartialFile,
    _choose_validator,
    _continues,
    _range_total,
)
from datahound.http.addresses import AddressGuard, is_private_host
from datahound.http.politeness import seconds_in
from datahound.http.robots import parse_robots
from datahound.http.wire import _is_for_strangers
from datahound.model import Answer, Failure, Fetch, Purpose, Response
from datahound.readers import Readers, add_queries, find_sitemaps, read_listing
from datahound.readers.feed import read_feed
from datahound.readers.file_list import read_file_list
from datahound.readers.html import HtmlReader, read_text
from datahound.readers.html_bytes import to_utf8
from datahound.readers.job import BodyReading, ReadingJob, ResultReader, pack_result
from datahound.readers.link_sources import find_in_headers, find_references
from datahound.readers.linked_data import declared_files, make_catalogue_page
from datahound.readers.markup_limits import limit_markup
from datahound.readers.portals import platforms, recognize
from datahound.readers.portals.dcat_ap import parse_turtle, read_rdf
from datahound.readers.sitemap import read_sitemap, read_url_list
from datahound.readers.xml_tree import parse_xml
from datahound.refresh.lists import read_date
from datahound.settings import CrawlSettings, PageSettings, TrapSettings
from datahound.strategies import make_strategy
from datahound.text import (
    escape_iri,
    guard_formula,
    make_portable,
    make_slug,
    replace_forbidden,
    show_text,
)
from datahound.web.messages import (
    clean_headers,
    content_length,
    layers_of,
    parse_content_type,
    parse_fields,
    parse_mime_type,
    unpack,
    unpack_tolerantly,
)
from datahound.web.named_types import find_named_type
from datahound.web.site import Site, Traps, is_public_suffix
from datahound.web.targets import detect_type, drop_body, find_wanted, kind_of
from datahound.web.types import choose_extension, looks_like_html
from datahound.web.urls import canonical, extension_of, host_of, join, origin_and_path, path_of

URL = "https://www.site.example/a/b?c=1"
LIST_PATHS = (
    "/api/3/action/package_search?rows=100&start=0",
    "/api/3/action/package_list",
    "/api/3/action/package_show?id=a",
    "/api/2/search/dataset?q=",
    "/api/explore/v2.1/catalog/datasets?limit=100&offset=0",
    "/api/explore/v2.1/catalog/exports/json",
    "/api/datasets/1.0/search?rows=100&start=0",
    "/api/catalog/v1?limit=100",
    "/api/views?limit=200&page=1",
    "/arcgis/rest/services/A/FeatureServer/0?f=json",
    "/arcgis/rest/services?f=json",
    "/api/search/v1/collections/dataset/items?limit=100",
    "/api/v2/tables?pageSize=1000&pageNumber=1",
    "/api/v2/tables/T1/metadata?lang=en",
    "/pxweb/api/v1/en/db/",
    "/stac/search?limit=100",
    "/wp-json/wp/v2/media?media_type=text&per_page=1&page=1",
    "/rest/dataflow/all/all/latest",
    "/oai?verb=ListRecords&metadataPrefix=oai_dc",
    "/csw?service=CSW&request=GetRecords&startPosition=1&maxRecords=10",
    "/erddap/tabledap/allDatasets.json",
    "/erddap/info/index.json?page=1&itemsPerPage=10",
    "/thredds/catalog/a/catalog.xml",
    "/-/databases.json",
    "/db.json",
    "/api/records?size=100&page=1",
    "/api/records/1/files",
    "/api/search?q=*&type=dataset&start=0&per_page=100",
    "/api/1/datasets/?page=1&page_size=100",
    "/data.json",
    "/catalog.ttl",
    "/feed.xml?start=0",
    "/sitemap.xml",
)
"""Requests of portals: what a list is read as depends on its address, too."""
LIMIT = 4 << 20
CODINGS = ("gzip", "deflate", "br", "zstd", "gzip, deflate", "gzip, gzip", "br, gzip")


def read_html(data: bytes) -> None:
    response = Response(URL, 200, {"content-type": "text/html"}, data)
    HtmlReader().read(response)
    read_text(response)


def read_file_lists(data: bytes) -> None:
    """Files that name others: the first byte chooses their type."""
    kinds = ("text/csv", "application/json", "application/xml", "application/pdf", "text/plain")
    said = {"content-type": kinds[data[0] % len(kinds)] if data else kinds[0]}
    page = read_file_list(Response(URL, 200, said, data[1:]))
    for link in page.further if page is not None else ():
        assert canonical(link.url) == link.url


def read_job(data: bytes) -> None:
    """What a worker does, and what the crawl makes of its answer."""
    head, _, payload = data.partition(b"\n\n")
    headers = parse_fields(head.decode("latin-1"))
    job = ReadingJob(URL, {"content-type": "text/html", **headers}, payload, LIMIT, PageSettings())
    taken = ResultReader(job)
    for record in pack_result(job, BodyReading().read(job)):
        taken.take(json.loads(json.dumps(record)))
    assert taken.result is not None


def read_lists(data: bytes) -> None:
    """Sitemaps, feeds, linked data and the answers of portals; the first byte chooses a path."""
    path = LIST_PATHS[data[0] % len(LIST_PATHS)] if data else "/"
    job = ReadingJob(join(URL, path) or URL, {}, data[1:], LIMIT, PageSettings(), is_list=True)
    taken = ResultReader(job)
    for record in pack_result(job, BodyReading().read(job)):
        taken.take(json.loads(json.dumps(record)))


def write_table_queries(data: bytes) -> None:
    """The description of a table by PxWeb or ArcGIS, and the queries that come of it."""
    path = ("/api/v1/en/db/t.px", "/api/v2/tables/T1/metadata", "/arcgis/A/FeatureServer/0/query")
    url = join(URL, path[data[0] % 3] if data else "/") or URL
    page = read_listing(Response(url, 200, {}, data[1:]))
    if page is not None:
        add_queries(page, "", None, 1_000_000)


def fill_forms(data: bytes) -> None:
    """Choices of a form, and their order of asking."""
    body = b"<form action='/q'>" + data + b"</form>"
    page = HtmlReader().read(Response(URL, 200, {"content-type": "text/html"}, body))
    forms = Forms()
    asked = forms.offer(page.form_links, ())
    for number in range(50):
        if not asked:
            break
        link = asked.pop()
        asked += forms.learn(link.url, (), is_new=number % 3 > 0)
    forms.restore(json.loads(json.dumps(forms.snapshot())))


def crawl_answers(data: bytes) -> None:
    """The whole crawl: each answer is a line of status and headers and then a body."""
    answers = [part.partition(b"\n") for part in data.split(b"\n\n\n")]
    settings = CrawlSettings(max_requests=15, traps=TrapSettings())
    crawl = Crawl(URL, make_strategy("hound", seed=1), settings=settings)
    count = 0
    while (fetch := crawl.next_fetch()) is not None:
        head, _, body = answers[count % len(answers)]
        count += 1
        crawl.answer(fetch, _make_answer(fetch, head.decode("latin-1"), body))
        crawl.take_events()
    json.dumps(crawl.bookmark(), default=str)


def _make_answer(fetch: Fetch, head: str, body: bytes) -> Answer:
    status, _, rest = head.partition(" ")
    headers = {"content-type": "text/html", **parse_fields(rest.replace("|", "\n"))}
    if not content_length({"content-length": status}):
        return Failure(fetch.url, status)
    response = Response(fetch.url, int(status) % 600, headers, body, len(body))
    if fetch.purpose is Purpose.LIST:
        return replace(response, page=read_listing(response))
    return replace(response, page=Readers().read(response))


def learn_url_names(data: bytes) -> None:
    """Redirects from URL to URL, as lines."""
    rules = RedirectRules()
    urls = [join(URL, line) for line in data.decode("utf-8", "replace").split("\n")]
    known = [url for url in urls if url]
    for url, destination in pairwise(known):
        name = rules.predict_name(url)
        assert canonical(name) == name
        rules.learn_redirect(url, destination)
        rules.learn_in_place(destination)
    rules.restore(json.loads(json.dumps(rules.snapshot())))


def judge_addresses(data: bytes) -> None:
    guard = AddressGuard()
    for line in data.decode("utf-8", "replace").split("\n"):
        is_private_host(line)
        url = join(URL, f"http://{line}/")
        if url is not None:
            guard.refuses(url)
            is_private_host(host_of(url))
            is_public_suffix(host_of(url))


def judge_types(data: bytes) -> None:
    """What a file is by its name, its headers and its first bytes."""
    name, _, body = data.partition(b"\n")
    text = name.decode("latin-1")
    url = join(URL, text) or URL
    headers = {"content-type": text, "content-disposition": f"attachment; filename={text}"}
    wanted = find_wanted(frozenset({"data", "documents"}))
    for said in ({}, headers, {"content-type": text}):
        response = Response(url, 200, said, body)
        kind_of(response, wanted, text)
        wanted.needs_bytes(response, text)
        drop_body(response, wanted, text)
        find_named_type(url, said.get("content-disposition", ""), text)
    detect_type(body)


def read_ranges(data: bytes) -> None:
    """What continues a file, and dates."""
    text = data.decode("utf-8", "replace")
    headers = {"content-range": text, "etag": text, "last-modified": text}
    part = PartialFile(Path("none"), URL)
    part.begin(headers)
    _continues(headers, part)
    _range_total(headers)
    _choose_validator(headers)
    assert isinstance(read_date(text), int | float)


def show_texts(data: bytes) -> None:
    """Nothing that a terminal or a spreadsheet acts on is left of a text."""
    text = data.decode("utf-8", "surrogateescape")
    shown = show_text(text)
    assert len(shown) <= 500
    assert not set(shown) & set("\x1b\n\r\0\x9b\u202e")
    guarded = guard_formula(shown)
    assert not isinstance(guarded, str) or guarded[:1] not in ("=", "@")
    assert make_slug(text)
    escape_iri(text)
    assert not {".", ".."} & set(make_portable(text).split("/"))
    assert "/" not in replace_forbidden(text)


def read_markup_lists(data: bytes) -> None:
    """XML and Turtle by every reader of them, whatever it looks like."""
    text = data.decode("utf-8", "replace")
    if (root := parse_xml(text)) is not None:
        for platform in platforms():
            if platform.read_xml is not None:
                platform.read_xml(URL, root)
        read_feed(URL, root)
        make_catalogue_page(URL, "rdf", read_rdf(root))
    make_catalogue_page(URL, "turtle", parse_turtle(text))
    read_sitemap(URL, "<urlset" + text)
    read_url_list(URL, text)


def recognize_portals(data: bytes) -> None:
    """What a page and its headers, in the first line, say of a portal."""
    head, _, body = data.partition(b"\n")
    value = head.decode("latin-1")
    headers = {"link": value, "server": value, "x-powered-by": value}
    for link in recognize(URL, body, headers):
        assert canonical(link.url) == link.url


def limit_html(data: bytes) -> None:
    limited = limit_markup(data)
    assert len(limited) <= len(data)
    looks_like_html(data)
    choose_extension("", data)


def convert_html(data: bytes) -> None:
    label, _, body = data.partition(b"\n")
    said = {"content-type": "text/html; charset=" + label.decode("latin-1")}
    to_utf8(body, said).decode("utf-8", "replace")


def read_json_ld(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    declared_files(text)
    declared_files(f'{{"distribution": {text}')


def read_script(data: bytes) -> None:
    for reference in find_references(data.decode("utf-8", "replace")):
        join(URL, reference)


def read_headers(data: bytes) -> None:
    pairs = [line.partition(b":")[::2] for line in data.split(b"\n")]
    headers = clean_headers(pairs)
    text = data.decode("utf-8", "replace")
    for value in (text, *headers.values()):
        parse_content_type(value)
        parse_mime_type(value)
        layers_of(value)
        seconds_in(value, 0.0)
        content_length({"content-length": value})
        find_in_headers({"link": value, "refresh": value})
        _is_for_strangers(value, "www.site.example")
        name = name_for(URL, {"content-disposition": value, "content-type": value}, data)
        assert ".." not in name.split("/")
    parse_fields(text)


def decode_body(data: bytes) -> None:
    codings = CODINGS[data[0] % len(CODINGS)] if data else ""
    assert len(unpack(data[1:], codings, LIMIT).body) <= LIMIT
    unpack_tolerantly(data[1:], codings, LIMIT)


def read_robots(data: bytes) -> None:
    rules = parse_robots(data, "Datahound")
    for sitemap in find_sitemaps(URL, data.decode("utf-8-sig", "replace")):
        assert canonical(sitemap) == sitemap
    for path in ("/", "/a/b?c=1", "/%61%ff", "/robots.txt"):
        rules.can_fetch(f"https://www.site.example{path}", "Datahound")
    delay = rules.crawl_delay("Datahound")
    assert delay is None or isinstance(delay, float)


def read_urls(data: bytes) -> None:
    site, traps = Site(URL), Traps(TrapSettings())
    for reference in data.decode("utf-8", "replace").split("\n"):
        url = join(URL, reference)
        if url is not None:
            assert canonical(url) == url
            for part in (host_of, origin_and_path, path_of, extension_of):
                part(url)
            site.objection(url)
            traps.objection(url)
            assert name_for(url, {})


def read_message(data: bytes) -> None:
    """A recorded message, as other tools write them, too."""
    parse_head(data)
    dechunk(data)
    parse_record_head(data)


def read_cells(data: bytes) -> None:
    for text in data.decode("utf-8", "replace").split("\n"):
        for parse in (parse_number, parse_date, is_period, strip_marks):
            parse(text)


def _read_file(data: bytes, reader: object, encoding: str = "utf-8") -> None:
    path = _scratch() / "file"
    path.write_bytes(data)
    task = Task(Limits(seconds=20.0), _scratch(), encoding=encoding, delimiter=",")
    try:
        for _ in reader.find_tables(path, task):  # type: ignore[attr-defined]
            pass
    except (Unreadable, RecursionError):
        pass


def read_delimited(data: bytes) -> None:
    _read_file(data, delimited)


def read_text_columns(data: bytes) -> None:
    _read_file(data, text_columns)


def read_json_file(data: bytes) -> None:
    _read_file(data, json_text)


def read_markup(data: bytes) -> None:
    _read_file(data, markup)


def read_dbase(data: bytes) -> None:
    _read_file(data, dbase)


def read_spreadsheet_xml(data: bytes) -> None:
    _read_file(data, spreadsheet_xml)


def read_pc_axis(data: bytes) -> None:
    _read_file(data, pc_axis)


def read_web_tables(data: bytes) -> None:
    _read_file(data, web_page)


def detect(data: bytes) -> None:
    path = _scratch() / "file"
    path.write_bytes(data)
    detect_format(path, "file")


@cache
def _scratch() -> Path:
    return Path(tempfile.mkdtemp(prefix="datahound-fuzz-"))


PARSERS: dict[str, Callable[[bytes], None]] = {
    parse.__name__: parse
    for parse in (
        read_html,
        read_file_lists,
        read_job,
        read_lists,
        write_table_queries,
        fill_forms,
        crawl_answers,
        learn_url_names,
        judge_addresses,
        judge_types,
        read_ranges,
        show_texts,
        read_markup_lists,
        recognize_portals,
        limit_html,
        convert_html,
        read_json_ld,
        read_script,
        read_headers,
        decode_body,
        read_robots,
        read_urls,
        read_message,
        read_cells,
        read_delimited,
        read_text_columns,
        read_json_file,
        read_markup,
        read_dbase,
        read_spreadsheet_xml,
        read_pc_axis,
        read_web_tables,
        detect,
    )
}
