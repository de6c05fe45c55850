"""Links from other places than the paper's four elements, scripts included, with their source."""

import time

import pytest

from datahound.model import Response
from datahound.readers.html import read_page
from datahound.readers.link_sources import find_references, looks_like_reference

URL = "https://www.example.org/d/index.html"


def read(body, **headers):
    return read_page(Response(URL, 200, {"content-type": "text/html", **headers}, body.encode()))


def further(body, **headers):
    return [(link.url.removeprefix("https://www.example.org"), link.source) for link in
            read(body, **headers).further]  # fmt: skip


@pytest.mark.parametrize(
    ("html", "url", "source"),
    [
        ('<link rel="alternate" href="/a.csv">', "/a.csv", "@link"),
        ("<link rel=NEXT href=p2.html>", "/d/p2.html", "@link"),
        ('<link rel="describedby canonical" href="/x">', "/x", "@link"),
        ('<object data="o.pdf"></object>', "/d/o.pdf", "@object"),
        ('<embed src="e.pdf">', "/d/e.pdf", "@embed"),
        ('<video><source src="s.csv"></video>', "/d/s.csv", "@source"),
        ('<select><option value="/o.csv">O</select>', "/o.csv", "@option"),
        ('<meta http-equiv="Refresh" content="0; URL=\'/r\'">', "/r", "@refresh"),
        ('<meta http-equiv=refresh content="5;url=r2">', "/d/r2", "@refresh"),
        ('<div data-href="1.csv">', "/d/1.csv", "@data-href"),
        ('<div data-url="2.csv">', "/d/2.csv", "@data-url"),
        ('<div data-file="3.csv">', "/d/3.csv", "@data-file"),
        ('<div data-src="4.csv">', "/d/4.csv", "@data-src"),
        ("<button onclick=\"location.href='5.csv'\">", "/d/5.csv", "@onclick"),
        ('<a href="javascript:open(&quot;/6.csv&quot;)">x</a>', "/6.csv", "@onclick"),
        ('<svg><a xlink:href="/7.csv"></a></svg>', "/7.csv", "@xlink"),
        ('<script type="application/json">{"a": "\\/8.csv"}</script>', "/8.csv", "@state"),
        ('<script id="__NEXT_DATA__" type="application/json">["9.csv"]</script>', "/d/9.csv",
         "@state"),
        ('<script>var a = ["/11.csv", 1]</script>', "/11.csv", "@script"),
        ('<script>d3.json("12.json")</script>', "/d/12.json", "@script"),
        ('<script>u = "https:\\/\\/www.example.org\\/13.xlsx"</script>', "/13.xlsx", "@script"),
        ("<script>window.location.replace('/14')</script>", "/14", "@script"),
        ('<script type="text/template"><a href="/15"></a></script>', "/15", "@nested"),
        ('<template><a href="16.csv">x</a></template>', "/d/16.csv", "@nested"),
        ('<iframe srcdoc="&lt;a href=/17&gt;x"></iframe>', "/17", "@nested"),
        ("<noframes><a href=/18>x</a></noframes>", "/18", "@nested"),
        ('<input readonly value="/i/20.csv">', "/i/20.csv", "@input"),
        ('<object><param name=src value="/21.csv"></object>', "/21.csv", "@param"),
        ('<video><track src="/22.csv"></video>', "/22.csv", "@track"),
        ('<form action="/23.csv"><button>x</button></form>', "/23.csv", "@form"),
        ('<button formaction="/24.csv">x</button>', "/24.csv", "@data-file"),
        ('<i data-x-link="/25.csv">x</i>', "/25.csv", "@data-file"),
        ('<i data-config=\'{"a": "/26.csv"}\'>x</i>', "/26.csv", "@data-file"),
        ('<i onmousedown="location.href=\'/27\'">x</i>', "/27", "@onclick"),
        ('<meta name="citation_pdf_url" content="/28">', "/28", "@meta"),
        ('<link itemprop="contentUrl" href="/29">', "/29", "@link"),
        ('<link rel="preload" as="fetch" href="/30.csv">', "/30.csv", "@link"),
        ('<link rel="section" type="text/csv" href="/31">', "/31", "@link"),
        ('<p data-row-link="/32"></p>', "/32", "@part"),
        ('<div hx-get="33"></div>', "/d/33", "@part"),
        ('<turbo-frame src="/34"></turbo-frame>', "/34", "@part"),
        ('<csv-viewer file="35.csv"></csv-viewer>', "/d/35.csv", "@data-file"),
        ("<a :href=\"'/36.csv'\">x</a>", "/36.csv", "@data-file"),
        ('<b itemprop="contentUrl" content="/37.csv">x</b>', "/37.csv", "@data-file"),
        ('<meta name="DC.identifier" content="/38.csv">', "/38.csv", "@meta"),
        ('<script type="application/ld+json">{"contentUrl": "\\/39.csv"}</script>', "/39.csv",
         "@state"),
        ("<script>fetch('/40').then(show)</script>", "/40", "@call"),
        ('<script>$("#t").DataTable({"ajax": "/44.json"})</script>', "/44.json", "@call"),
        ('<script>$("#t").DataTable({ajax: {url: "/45.json"}})</script>', "/45.json", "@call"),
        ('<script>new Tabulator("#t", {ajaxURL:"/46"})</script>', "/46", "@call"),
        ("<script>m.add('w', {data: '/47.geojson'})</script>", "/47.geojson", "@script"),
        ('<script>embed({"data": {"url": "48.csv"}})</script>', "/d/48.csv", "@script"),
        ("<script>document.write('<a href=\"49.xls\">x')</script>", "/d/49.xls", "@script"),
        ("<select onchange=\"open('/t/' + this.value)\"><option value='1.csv'>", "/t/1.csv",
         "@option"),
        ("<select onchange=\"location='?id='+this.options[0].value\"><optgroup><option value=7>",
         "/d/index.html?id=7", "@option"),
        ('<input type=hidden id="downloadURL" value="/s/1/download">', "/s/1/download", "@input"),
        ('<b property="dcat:downloadURL" resource="/58">x</b>', "/58", "@data-file"),
        ("<b ondblclick=\"go('/50')\">x</b>", "/50", "@onclick"),
        ('<body onload="location=\'51.htm\'">', "/d/51.htm", "@onclick"),
        ("<b onclick=\"open('/f/Table 1.xlsx')\">x</b>", "/f/Table%201.xlsx", "@onclick"),
        ("<script>$.ajax({type: 'GET', url: \"/41\"})</script>", "/41", "@call"),
        ("<script>window.__NUXT__=function(a){return {f:a}}('/10.csv')</script>", "/10.csv",
         "@state"),
    ],
)  # fmt: skip
def test_a_source_gives_its_url(html, url, source):
    page = read(html)
    (link,) = page.further
    assert (link.url, link.source) == (f"https://www.example.org{url}", source)
    assert link.tag_path.endswith(f" {source}")
    assert link.found_on == URL
    assert not page.links


@pytest.mark.parametrize(
    "html",
    [
        '<link rel="stylesheet" href="/a.css">',
        '<link rel="icon" href="/a.ico">',
        '<select><option value="12">x<option value="and/or">y</select>',
        '<meta http-equiv="refresh" content="300">',
        '<meta name="description" content="/a.csv">',
        '<div data-url="{{ url }}">',
        '<object data="data:text/csv,a"></object>',
        '<button onclick="go(1)">',
        '<script>var a = "/a.html", b = "c.csv", d = "/e.json", f = "/g/" + h + ".csv"</script>',
        '<script>if (location == "/a.html") location.href = "/b/" + c</script>',
        '<input value="/search"><input value="a.csv"><div data-config="{}" data-name="a.csv.b">',
        '<form action="/a.csv" method="post"></form><form action="/b.csv"><input name="c"></form>',
        '<!-- <a href="/a.csv">a</a> http://www.example.org/b.csv -->',
        '<script src="/x.js" type="application/javascript"></script>',
        '<img data-thumb="/x.png"><b data-title="and/or"></b><b data-code="/x {{ y }}"></b>',
        '<my-app href="/x"></my-app><b title="/get?file=/a.csv"></b>',
        "<script>$.ajax({url: '/a', type: 'POST'}); fetch('/b/' + id)</script>",
        '<script type="application/ld+json">{"a": "/b.csv"}</script>',
        '<!-- x <b data="/a.csv"> --><style>a{b: "/c.csv"}</style><b x="/d.csv" + y="d.csv">',
        "<script>f(a + '/b.csv', '/c.csv' + d, '/c d.', \"see /e.csv\")</script>",
    ],
)
def test_what_is_not_a_link(html):
    assert further(f'<a href="/page">Page</a>{html}') == []


@pytest.mark.parametrize(
    ("html", "url"),
    [
        ('<script>s.push([1, "[\\"/52.csv\\"]"])</script>', "/52.csv"),
        ('<script>d = {"F": "\\u002fd\\u002f53.xlsx"}</script>', "/d/53.xlsx"),
        ('<script type="application/json">{&q;f&q;:&q;/54.csv&q;}</script>', "/54.csv"),
        ('<x-y props="{&quot;f&quot;:[0,&quot;/55.csv&quot;]}"></x-y>', "/55.csv"),
        ("<b @click=\"go('/56 a.csv')\">x</b>", "/56%20a.csv"),
        ('<oembed url="https://www.example.org/57.pdf?v=1"></oembed>', "/57.pdf?v=1"),
    ],
)  # fmt: skip
def test_an_address_between_quotes_that_names_data_is_found_wherever_it_is(html, url):
    """However a framework escapes it; once only, and not where the page links to it, too."""
    assert further(html) == [(url, "@embedded")]
    page = read(f'{html}<a href="{url}">x</a>')
    assert [link.url.partition("org")[2] for link in page.links] == [url]
    assert page.further == ()


def test_a_program_that_shows_a_file_names_it_in_its_query():
    url = "https://www.example.org/view?file=%2Ff%2Fa.pdf&page=/2"
    page = read_page(Response(url, 200, {"content-type": "text/html"}, b"<p>x"))
    assert [link.url for link in page.further] == ["https://www.example.org/f/a.pdf"]


def test_a_program_elsewhere_or_one_that_reads_its_fragment_shows_a_file():
    elsewhere = '<b title="https://v.example/?src=https%3A%2F%2Fwww.example.org%2F42.csv">x</b>'
    assert further(elsewhere) == [("/42.csv", "@viewer")]
    assert further('<b title="/view#file=/43.csv">x</b>') == [("/43.csv", "@viewer")]


def test_an_app_that_only_calls_still_needs_a_script():
    page = read('<script>fetch("/api/config")</script><div id="app"></div>')
    assert page.needs_script
    assert page.further


@pytest.mark.parametrize(
    "body",
    [
        '<div id="app"><a href="#/">Home</a><a href="#/data">Data</a></div><script src="/a.js">',
        '<div id="root"></div><footer><a href="/imprint">Imprint</a></footer><script src="/a.js">',
        '<base href="/d/index.html"><app-root>Loading ...</app-root><a href="">Reload</a><script>',
    ],
)
def test_an_app_with_links_to_itself_or_in_a_footer_needs_a_script(body):
    """Its own files of scripts may say where its data are."""
    page = read(body)
    assert page.needs_script
    assert [link.source for link in page.further] == ["@script-file"] * body.count("a.js")


@pytest.mark.parametrize(
    "body",
    [
        '<div id="app"><a href="/list">List</a></div><script src="/a.js"></script>',
        f'<div id="app"></div><p>{"Many words. " * 50}<a href="/list">x</a><script src=/a.js>',
        '<div id="root"></div><a href="/list">List</a>',
    ],
)
def test_a_page_with_links_or_text_of_its_own_is_no_shell(body):
    page = read(body)
    assert not page.needs_script
    assert page.further == ()


def test_a_menu_that_a_script_makes_names_pages():
    """As in the frames of old: a page without any link."""
    page = read("<script>d.add(1, 0, 'Population', 'pop.htm'); d.add(2, 0, 'a b.htm')</script>")
    assert [link.url for link in page.further] == ["https://www.example.org/d/pop.htm"]


def test_headers_name_links():
    link = '</n>; rel="next", </c.css>; rel=preload, </a.csv>; type="text/csv"; rel=alternate'
    assert further("", link=link, refresh="3; url=/r") == [
        ("/r", "@refresh"),
        ("/n", "@header"),
        ("/a.csv", "@header"),
    ]


def test_an_element_with_two_sources_has_two_links_in_order():
    html = '<div data-href="/a" onclick="go(\'/b\')"></div><div data-href="/c"></div>'
    assert further(html) == [("/a", "@data-href"), ("/b", "@onclick"), ("/c", "@data-href")]


def test_the_base_counts_and_the_anchor_is_kept():
    page = read('<base href="/other/"><button data-href="a.csv"> All  data </button>')
    (link,) = page.further
    assert link.url == "https://www.example.org/other/a.csv"
    assert link.anchor == "All data"


def test_an_app_whose_state_names_urls_needs_no_script():
    shell = '<link rel="canonical" href="/"><div id="app"></div><script src="/a.js"></script>'
    assert read(shell).needs_script
    state = '<script type="application/json">{"next": "/list"}</script>'
    assert not read(shell + state).needs_script


@pytest.mark.parametrize(
    "body",
    [
        '<script type="application/json">' + '"\\"' * 300_000,
        "<script>window.__X=" + "'\"" * 300_000,
        '<button onclick="' + "'\\" * 300_000,
        "<div data-href=x>" * 20_000,
        '<meta http-equiv="refresh" content="' + "0 ; " * 100_000 + '">',
        "<option value=/a>" * 20_000,
    ],
)
def test_hostile_pages_cost_linear_time_and_few_links(body):
    begin = time.perf_counter()
    page = read(body, link="<" * 200_000, refresh="0" * 200_000)
    assert len(page.further) <= 1010
    assert time.perf_counter() - begin < 4


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '{"a": "/x.csv", "b": ["https://o.example/y"], "c": 3}',
            ["/x.csv", "https://o.example/y"],
        ),
        (r'"\u002fa\u002fb.csv"', ["/a/b.csv"]),
        (r'"a\"b" "/c"', ["/c"]),
        ("location='list.php?id=3'", ["list.php?id=3"]),
        ('"/' + "a" * 3000 + '" "/b"', ["/b"]),
        (r'"\ud800/x.csv"', []),
    ],
)
def test_literals(text, found):
    assert list(find_references(text)) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.csv", True), ("../x", True), ("?page=2", True), ("//cdn.example/a.csv", True),
        ("", False), ("/", False), ("//", False), ("12", False), ("x.y", False),
        ("mailto:a.csv", False), ("a b.csv", False), ("/<id>", False), (".csv", False),
    ],
)  # fmt: skip
def test_what_looks_like_a_url(text, expected):
    assert looks_like_reference(text) is expected


def test_urls_shown_as_text():
    """URLs of data files in the text of a page are links, without what ends the sentence."""
    body = "<p>See http://a.example/1.csv. <b>https://a.example/2.xlsx?a=1&amp;b=2</b> http://a.example/"
    assert [link.url for link in read(body).further] == [
        "http://a.example/1.csv",
        "https://a.example/2.xlsx?a=1&b=2",
    ]
    assert read("<style>a{b:url( http://a.example/1.csv )}</style>").further == ()
