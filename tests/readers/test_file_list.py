"""Files that name other files, whatever their structure is."""

import pytest

from datahound.model import Response
from datahound.readers import Readers, may_have_links
from datahound.readers.file_list import FILE_LIST, MAX_LIST_BYTES

URL = "https://a.example/api/list"


def answer(body, mime_type="application/json"):
    return Response(URL, 200, {"content-type": mime_type}, body, len(body))


def named(body, mime_type="application/json"):
    page = Readers().read(answer(body, mime_type))
    return [link.url.removeprefix("https://a.example") for link in page.further] if page else []


@pytest.mark.parametrize(
    ("body", "mime_type", "urls"),
    [
        (b'[{"u": "\\/d\\/a.csv", "v": "../b.xlsx?x=1"}]', "application/json", ["/d/a.csv",
         "/b.xlsx?x=1"]),
        (b"name;url\na;https://a.example/c.csv\n", "text/csv; charset=utf-8", ["/c.csv"]),
        (b"<f><u>/d.pdf</u><u href='/d.pdf'/></f>", "text/xml", ["/d.pdf"]),
        (b"%PDF-1.4 /URI (https://a.example/e.ods)", "application/pdf", ["/e.ods"]),
        (b'{"a": "b.csv", "c": "/d.json", "e": "x /f.csvs"}', "application/json", []),
        (b'{"u": "/d/a.csv"}', "image/png", []),
        (b'{"path": "f.csv", "name": "g.csv"}', "application/json", ["/api/f.csv"]),
        (b"- [table](/h.csv)", "text/markdown", ["/h.csv"]),
        (b"<ListBucketResult><Key>i/j &amp; k.csv</Key><Key>l.png</Key></ListBucketResult>",
         "application/xml", ["/api/i/j%20%26%20k.csv"]),
        (b'[{"mimeType": "text/csv", "downloadUrl": "/api/files/1", "icon": "x"}]',
         "application/json", ["/api/files/1"]),
        (b'{"item": [{"href": "/dl/2", "type": "application/vnd.ms-excel"}, {"href": "/dl/3"}]}',
         "application/linkset+json", ["/dl/2"]),
        (b'{"a": {"file": "/f/Table 4.xlsx"}, "b": "/no data in .csv files"}', "application/json",
         ["/f/Table%204.xlsx"]),
        (b'[{"type": "image/png", "url": "/5"}, {"type": "application/json", "url": "/6"}]',
         "application/json", []),
        (b"5d41402abc4b2a76b9719d911017c592  7.csv\r\n./8.csv\nsee 9.csv\n10.txt", "text/plain",
         ["/api/8.csv", "/api/7.csv"]),
        (b"7.csv\n", "text/csv", []),
    ],
)  # fmt: skip
def test_words_that_name_data_files_are_links(body, mime_type, urls):
    """A name without a folder, and JSON or XML that may be settings, are no links."""
    assert named(body, mime_type) == urls


@pytest.mark.parametrize(
    ("body", "mime_type", "urls"),
    [
        ((b'[{"name": "a b", "type": "directory", "mtime": "x"}, {"name": "c.json", "type": "file",'
         b' "mtime": "x"}, {"name": "d.png", "type": "file", "mtime": "x"}]'), "application/json",
         ["/api/a%20b/", "/api/c.json"]),
        ((b'<?xml version="1.0"?><list><directory mtime="1">e</directory><file mtime="1" size="2">'
         b"f.csv</file></list>"), "text/xml", ["/api/e/", "/api/f.csv"]),
        (b"<ListBucketResult><Name>list</Name><Key>g.json</Key></ListBucketResult>",
         "application/xml", ["/api/list/g.json"]),
        (b"<ListBucketResult><IsTruncated>true</IsTruncated><Key>a/h.csv</Key></ListBucketResult>",
         "application/xml", ["/api/a/h.csv", "/api/list?marker=a%2Fh.csv"]),
        ((b"<ListBucketResult><Key>i.csv</Key><NextContinuationToken>j+/k=</NextContinuationToken>"
         b"<CommonPrefixes><Prefix>l/</Prefix></CommonPrefixes></ListBucketResult>"),
         "application/xml", ["/api/i.csv", "/api/list?prefix=l%2F",
         "/api/list?continuation-token=j%2B%2Fk%3D"]),
        ((b'\xef\xbb\xbf<?xml version="1.0"?><EnumerationResults ContainerName="list"><Blobs><Blob>'
         b"<Name>m.csv</Name></Blob><BlobPrefix><Name>n/</Name></BlobPrefix></Blobs><NextMarker>2!o"
         b"</NextMarker></EnumerationResults>"), "application/xml",
         ["/api/list/m.csv", "/api/list?prefix=n%2F", "/api/list?marker=2%21o"]),
        ((b'<EnumerationResults ContainerName="https://a.example/c/"><Blobs><Blob><Name>p.csv</Name>'
         b"</Blob></Blobs><NextMarker /></EnumerationResults>"), "application/xml", ["/c/p.csv"]),
    ],
)  # fmt: skip
def test_what_servers_list_of_a_folder_or_a_bucket(body, mime_type, urls):
    """Files, whatever holds data; folders; the next part."""
    assert named(body, mime_type) == urls


@pytest.mark.parametrize(
    ("body", "headers", "following"),
    [
        (b'{"next": "/api/list?page=2", "results": [{"f": "/a.csv"}]}', {}, "/api/list?page=2"),
        (b'{"value": [{"f": "/a.csv"}], "@odata.nextLink": "?$skip=2"}', {}, "/api/list?$skip=2"),
        (b'{"_links": {"next": {"href": "./list?p=2"}}, "f": "/a.csv"}', {}, "/api/list?p=2"),
        (b'[{"f": "/a.csv"}]', {"link": '<?page=2>; rel="next"'}, "/api/list?page=2"),
        (b'{"next": null, "results": [{"f": "/a.csv"}]}', {}, None),
        (b'{"next": "step 2", "results": [{"f": "/a.csv"}]}', {}, None),
        (b'{"next": "/api/list", "results": [{"f": "/a.csv"}]}', {}, None),
    ],
)
def test_a_list_of_files_in_json_goes_on(body, headers, following):
    """Where common interfaces name the next part; a list that names itself does not."""
    answered = Response(URL, 200, {"content-type": "application/json", **headers}, body, len(body))
    found = [
        link.url.removeprefix("https://a.example") for link in Readers().read(answered).further
    ]
    assert found == ["/a.csv", *([following] if following else [])]


def test_a_list_without_files_has_no_next_part():
    """Interfaces of all kinds have pages; only those that bring files are read on."""
    assert Readers().read(answer(b'{"next": "/api/list?page=2", "results": [{"id": 1}]}')) is None


def test_links_say_where_they_are_from():
    page = Readers().read(answer(b'"/a.csv"'))
    assert page.names_files
    assert [link.source for link in page.further] == [FILE_LIST]


def test_large_files_are_not_read():
    """They would be held in memory."""
    large = answer(b'"/a.csv"' + b" " * MAX_LIST_BYTES)
    assert Readers().read(large) is None
    assert not may_have_links(large)
    assert may_have_links(answer(b'"/a.csv"'))
    assert not may_have_links(Response(URL, 200, {"content-type": "application/zip"}, b"", 9))
