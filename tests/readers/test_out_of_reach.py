"""What pages offer and a crawler of links cannot fetch."""

import pytest

from datahound.model import Response
from datahound.readers.html import read_page


def read(body):
    return read_page(
        Response("https://a.example/", 200, {"content-type": "text/html"}, body.encode())
    )


@pytest.mark.parametrize(
    ("reference", "noted"),
    [
        ("ftp://ftp.a.example/x.csv", ("ftp://ftp.a.example/x.csv",)),
        ("s3://bucket/x.csv", ("s3://bucket/x.csv",)),
        ("magnet:?xt=urn:btih:1", ("magnet:?xt=urn:btih:1",)),
        ("data:text/csv;base64,aWQ=", ("data:text/csv",)),
        ("blob:https://a.example/1-2", ("blob:https://a.example/1-2",)),
        ("data:image/png;base64,aWQ=", ()),
        ("mailto:a@a.example", ()),
        ("/x.csv", ()),
        ("/" + "x" * 9000, ("https://a.example/" + "x" * 199,)),
    ],
)
def test_references_that_cannot_be_fetched(reference, noted):
    """Cut short: a page may have megabytes of them."""
    assert read(f'<a href="{reference}">x</a>').unfetchable == noted


@pytest.mark.parametrize(
    ("html", "is_counted"),
    [
        ('<a href="#" class="x">Download CSV</a>', True),
        ("<a href=\"javascript:save(1)\" id='export'>x</a>", True),
        ("<button>Export to Excel</button>", True),
        ("<form><button>Export to Excel</button></form>", False),
        ('<a href="#" data-toggle="dropdown">Download</a>', False),
        ('<button data-file="/a.csv">CSV</button>', False),
        ('<a href="#">Top</a>', False),
        ('<a href="/csv">CSV</a>', False),
        ('<a href="" class="x">Télécharger</a>', True),
        ('<a href="#">Herunterladen</a>', True),
        ('<span onclick="go(1)">Скачать</span>', True),
        ('<a onclick="go(1)">下载附件</a>', True),
        ('<div role="button">ダウンロード</div>', True),
        ('<a href="javascript:descargarArchivo(1)">PDF</a>', True),
        ('<a href="/x" role="button">Download</a>', False),
        ('<span onclick="show(1)">More</span>', False),
        ('<div class="flourish-embed" data-src="visualisation/1"></div>', True),
        ("<p>flourish-embed, tableau</p>", False),
    ],
)
def test_buttons_for_files_that_only_a_script_follows(html, is_counted):
    page = read(html)
    assert page.files_by_script is is_counted
    assert not page.needs_script
