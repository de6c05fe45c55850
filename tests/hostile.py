"""Hostile answers by seed: HTML, JSON, XML, headers and encodings, made by a grammar.

    Hostile(7).answer()    # always the same one

A production is a method that gives a piece of bytes. What makes pages hostile is `pump`: it repeats
one piece up to a length, since readers that are slower than linear show it at lengths only.
"""

import gzip
import zlib
from dataclasses import dataclass
from random import Random

KINDS = ("html", "json", "xml", "robots", "script")
LENGTHS = (100, 3_000, 30_000, 300_000, 2_000_000)
LENGTH_WEIGHTS = (20, 40, 28, 10, 2)
TAGS = (
    "a area b base blockquote body br button caption center code col colgroup dd details div dl dt "
    "em embed fieldset font form frame frameset h1 h6 head hr html i iframe img input li link main "
    "marquee math meta nobr noembed noframes noscript object ol optgroup option p param plaintext "
    "pre ruby rb rt rp s script select source small span strike strong style summary sup svg table "
    "tbody td template textarea tfoot th thead title tr track tt u ul video wbr xmp image keygen "
    "foreignObject desc annotation-xml mi mtext dir listing dialog isindex a:b x-y search"
).split()
ATTRIBUTES = (
    "href src id class name style onclick data-href data-url data-file data-src value content rel "
    "type charset http-equiv xlink:href xml:lang title alt aria-label action target lang = ' \" < /"
).split()
SCHEMES = (
    "http:// https:// // / ../ ./ ? # ; http: https:/ HTTP:\\\\ javascript: data:, mailto: ftp:// "
    "file:/// blob: about: view-source: ws:// http://[ http://[::1]/ http://user:pw@ http://1.2.3. "
    "http://0x7f.1/ http://２/ http://xn--a/ http://%00/ http://a%2f/ \t\nhttp://a/ http://a:99999/"
).split(" ")
LETTERS = [*"abz09 -_.~%&=?#+/\\\"'<>{}[]()|^`;:,!$*@\t\n\r\0\x0b\x1b\x7f", "é", "\u202e"]
LETTERS += ["\ufeff", "\u0130", "\ud7ff", "\U0010ffff", "İ", "ﬃ", "\u2028", "%00", "%ff", "&#0;"]
ENTITIES = ("&amp;", "&", "&#", "&#x110000;", "&#xD800;", "&notin", "&CounterClockwise", "&lt")
ODD = (
    *("<!--", "-->", "<!-->", "<![CDATA[", "]]>", "<!doctype html>", "<?x", "</", "<", ">", "<!"),
    *("</p>", "</br>", "</html>", "</table>", "<html a=N>", "<body b=N>", "\0"),
)
CHARSETS = (
    "utf-8 utf-16 utf-16le utf-7 utf-32 iso-2022-jp gb18030 big5 euc-kr windows-1252 x-user-defined"
    " replacement none hz-gb-2312 shift_jis us-ascii unicode ibm866 punycode base64 zlib"
).split()
TYPES = (
    "text/html",
    "text/html; charset={}",
    "text/html;charset={};charset={}",
    "application/xhtml+xml",
    "TEXT/HTML",
    'text/html; charset="{}',
    "text/html, text/html; charset={}",
    "html",
    "text/html; =;;;",
)
CODINGS = ("gzip", "x-gzip", "deflate", "br", "zstd", "identity", "compress", "gzip, gzip", "a, b")


@dataclass(frozen=True)
class HostileAnswer:
    """A status, the header fields as they are on the wire, and a payload."""

    kind: str
    status: int
    fields: list[tuple[bytes, bytes]]
    payload: bytes


class Hostile:
    """Makes one hostile answer after the other."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)

    def answer(self, kind: str = "") -> HostileAnswer:
        kind = kind or self.rng.choices(KINDS, (60, 10, 12, 8, 10))[0]
        length = self.rng.choices(LENGTHS, LENGTH_WEIGHTS)[0]
        body = getattr(self, kind)(length)
        if self.rng.random() < 0.2:
            body = self.damage(body)
        if self.rng.random() < 0.15:
            body = self.charset(body)
        coding, payload = self.encode(body)
        fields = self.fields(kind)
        if coding:
            fields.append((b"Content-Encoding", coding.encode()))
        return HostileAnswer(kind, self.rng.choice((200, 200, 200, 203, 206, 299)), fields, payload)

    # Pieces.

    def pump(self, piece: bytes, length: int) -> bytes:
        """A piece again and again; numbered in places, since equal ones may be cheap."""
        if not piece:
            return b""
        count = max(1, length // len(piece))
        if self.rng.random() < 0.4:
            return b"".join(piece.replace(b"N", b"%d" % number) for number in range(count))
        return piece * count

    def text(self, most: int = 40) -> str:
        return "".join(self.rng.choice(LETTERS) for _ in range(self.rng.randrange(most)))

    def word(self) -> str:
        if self.rng.random() < 0.1:
            return self.rng.choice(ENTITIES) * self.rng.choice((1, 1, 500))
        return self.rng.choice(("N", "x", "data", "page N", self.text(), "year", "calendar/2031"))

    def url(self) -> str:
        parts = [self.rng.choice(SCHEMES)]
        parts += (self.rng.choice((self.word(), "../", "a/", "?N=", "x.csv", "%2e%2e/", ";sid="))
                  for _ in range(self.rng.randrange(6)))  # fmt: skip
        url = "".join(parts)
        return url * self.rng.choice((1, 1, 1, 1, 1, 30, 700))

    def attribute(self) -> str:
        name = self.rng.choice(ATTRIBUTES)
        value = self.url() if self.rng.random() < 0.4 else self.word()
        quote = self.rng.choice(('"', '"', "'", "", "`"))
        missing = self.rng.random() < 0.05
        return f" {name}{self.rng.choice(('=', '=', '=', ' = ', '', '=='))}{quote}{value}" + (
            "" if missing else quote
        )

    def tag(self) -> str:
        name = self.rng.choice(TAGS)
        attributes = "".join(self.attribute() for _ in range(self.rng.choice((0, 1, 1, 2, 4))))
        end = self.rng.choice((">",) * 12 + ("/>", "", " ", ">>", "<"))
        return f"<{name}{attributes}{end}"

    def element(self, depth: int = 0) -> str:
        if depth > 6 or self.rng.random() < 0.2:
            return self.word()
        rare = self.rng.random()
        if rare < 0.06:
            return self.rng.choice(ODD)
        if rare < 0.1:
            kind = self.rng.choice(("ld+", ""))
            return f"<script type='application/{kind}json'>{self.value()}</script>"
        begin = self.tag()
        inner = "".join(self.element(depth + 1) for _ in range(self.rng.randrange(3)))
        name = begin[1:].split(" ")[0].split(">")[0]
        closing = self.rng.choice((f"</{name}>",) * 5 + ("", "</b>", f"</{self.rng.choice(TAGS)}>"))
        return begin + inner + closing

    def value(self, depth: int = 0) -> str:
        """JSON, more or less."""
        kind = self.rng.randrange(8 if depth < 5 else 5)
        if kind < 2:
            return f'"{self.rng.choice((self.url(), self.word(), chr(92) + "ud800"))}"'
        if kind < 5:
            return self.rng.choice(
                ("1e999", "-0", "9" * 4000, "null", "NaN", "true", "{", "]", '"')
            )
        keys = ("@graph", "distribution", "contentUrl", "name", "@id", "@value", "url", self.word())
        inner = [self.value(depth + 1) for _ in range(self.rng.randrange(4))]
        if kind == 5:
            return "[" + ",".join(inner) + self.rng.choice(("]", "]", ""))
        rows = (f'"{self.rng.choice(keys)}":{value}' for value in inner)
        return "{" + ",".join(rows) + self.rng.choice(("}", "}", ""))

    def bytes_of(self, text: str) -> bytes:
        return text.encode("utf-8", "surrogatepass")

    # Bodies.

    def html(self, length: int) -> bytes:
        parts, left = [], length
        while left > 0:
            part = self.bytes_of("".join(self.element() for _ in range(self.rng.randrange(1, 4))))
            if self.rng.random() < 0.5:
                part = self.pump(part, self.rng.randrange(1, left + 1))
            parts.append(part or b" ")
            left -= len(parts[-1])
        return b"".join(parts)

    def json(self, length: int) -> bytes:
        piece = self.rng.choice(
            ("[", '{"a":', "[[],", '{"distribution":[', self.value(), "9", '"\\')
        )
        return self.bytes_of(self.value()) + self.pump(self.bytes_of(piece), length)

    def xml(self, length: int) -> bytes:
        heads = (
            "<?xml version='1.0'?><urlset>",
            "<!DOCTYPE x [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><rss>",
            '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><sitemapindex>&e;',
            "<feed xmlns='http://www.w3.org/2005/Atom'>",
            "",
        )
        pieces = (
            f"<url><loc>{self.url()}</loc></url>",
            f"<item><link>{self.url()}</link><enclosure url='{self.url()}'/></item>",
            "<a>",
            "&b;",
            f"<!ENTITY {self.word()} '&a;'>",
            f"<x xmlns:nN='{self.word()}'{self.attribute()}>",
            self.element(),
        )
        return self.bytes_of(self.rng.choice(heads)) + self.pump(
            self.bytes_of(self.rng.choice(pieces)), length
        )

    def robots(self, length: int) -> bytes:
        rules = ("User-agent: *\n", "User-agent: N\n", "Disallow: /", "Allow: *", "Crawl-delay: ")
        wild = "".join(self.rng.choice(("*", "$", "a", "%", "/", "**")) for _ in range(20))
        piece = self.rng.choice(rules) + self.rng.choice(
            (wild, self.word(), self.url(), "N", "1e9")
        )
        piece += self.rng.choice(("\n", "\r", "\n\n", "", "\0\n"))
        return b"User-agent: *\nDisallow: /*a*b\n" + self.pump(self.bytes_of(piece), length)

    def script(self, length: int) -> bytes:
        """A page whose script has the state of an app."""
        state = self.bytes_of(self.value())
        piece = self.rng.choice((state, b'"\\', b"'", b'"/a"', b"\\u002f", b'"http://N/x.csv",'))
        return b"<script>window.__S=" + state + self.pump(piece, length) + b"</script><a href=/a>"

    # What is around them.

    def damage(self, body: bytes) -> bytes:
        """Some bytes changed, cut, doubled or moved."""
        data = bytearray(body)
        for _ in range(self.rng.randrange(1, 20)):
            at = self.rng.randrange(len(data) + 1)
            match self.rng.randrange(4):
                case 0:
                    data[at : at + 1] = bytes([self.rng.randrange(256)])
                case 1:
                    del data[at : at + self.rng.randrange(50)]
                case 2:
                    data[at:at] = data[at : at + self.rng.randrange(200)]
                case 3:
                    data[at:at] = self.rng.choice(
                        (b"\0", b"\xff\xfe", b"<", b'"', b"\xf0\x9f", b"-->")
                    )
        return bytes(data)

    def charset(self, body: bytes) -> bytes:
        mark = self.rng.choice(
            (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0\0\xfe\xff", b"+/v8")
        )
        label = f"<meta charset={self.rng.choice(CHARSETS)}>".encode()
        return self.rng.choice((mark + body, label + body, body.replace(b"<", b"<\0"), label * 500))

    def encode(self, body: bytes) -> tuple[str, bytes]:
        """A Content-Encoding and a payload, which may have nothing to do with each other."""
        chance = self.rng.random()
        if chance < 0.7:
            return "", body
        if chance < 0.8:
            return self.rng.choice(CODINGS), body
        payload, layers = body, []
        for _ in range(self.rng.randrange(1, 5)):
            if self.rng.random() < 0.7:
                packed = gzip.compress(payload, 1, mtime=0)
                payload = packed * self.rng.choice((1, 1, 2)) if len(packed) < 1e6 else packed
                layers.append("gzip")
            else:
                payload, layers = zlib.compress(payload, 1), [*layers, "deflate"]
        if self.rng.random() < 0.3:
            empty = gzip.compress(b"", mtime=0)
            payload, layers = gzip.compress(empty * 20_000, mtime=0) * 5, ["gzip", "gzip"]
        if self.rng.random() < 0.2:
            payload = self.damage(payload)
        return ", ".join(layers), payload

    def fields(self, kind: str) -> list[tuple[bytes, bytes]]:
        kinds = {"json": "application/json", "xml": "application/xml", "robots": "text/plain"}
        label = self.rng.choice(CHARSETS)
        said = kinds.get(kind) or self.rng.choice(TYPES).replace("{}", label)
        fields = [(b"Content-Type", self.bytes_of(said))]
        length = self.rng.choice((20, 20, 500, 60_000))
        values = {
            b"Link": f"<{self.url()}>; rel=next, <N>; rel=\"{self.word()}\" ",
            b"Refresh": f"0; url={self.url()}",
            b"Content-Disposition": f'attachment; filename="{self.text(200)}{self.url()}"',
            b"Set-Cookie": f"{self.word()}={self.text()}; Domain={self.word()}; Path={self.url()}",
            b"Retry-After": self.rng.choice(("9" * 30, "-1", "NaN", "Thu, 99 Abc", self.text())),
            b"Content-Length": self.rng.choice(("-1", "9" * 40, "0x10", "5, 5", self.text())),
            b"Content-Range": f"bytes {self.rng.choice(('0-', '5-1/2', '*/*', '-', '0-0/9e9'))}",
            b"Location": self.url(),
            b"ETag": f'W/"{self.text()}',
            b"Last-Modified": self.text(),
            b"X-" + b"N" * 50: self.text(500),
        }  # fmt: skip
        for name, value in self.rng.sample(sorted(values.items()), self.rng.randrange(5)):
            data = self.bytes_of(value)
            if self.rng.random() < 0.2:
                data = self.pump(data, length)
            fields.append((name, data.replace(b"\r", b" ").replace(b"\n", b" ")))
        return fields
