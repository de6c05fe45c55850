"""Content-Type headers, parsed as browsers parse them (WHATWG MIME Sniffing and Fetch)."""

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(r"[-!#$%&'*+.^_`|~A-Za-z0-9]+\Z")
_QUOTABLE = re.compile(r"[\t\x20-\x7e\x80-\xff]*\Z")
_PARAMETER = re.compile(
    r';[\n\r\t ]*([^;=]*)(?:=("(?:[^"\\]|\\.)*(?:"|\\?\Z)[^;]*|[^;]*))?', re.DOTALL
)
_LIST_ITEM = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[^",])+', re.DOTALL)
_SPACE = "\n\r\t "


@dataclass(frozen=True, slots=True)
class MimeType:
    """A MIME type: its essence, such as `text/csv`, and its parameters."""

    essence: str
    parameters: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.essence + "".join(f";{k}={_written(v)}" for k, v in self.parameters.items())


def parse(value: str) -> MimeType | None:
    """Parse one MIME type; None if it is invalid.

    >>> str(parse(' Text/HTML; Charset="utf-8"'))
    'text/html;charset=utf-8'
    """
    head, semicolon, rest = value.strip(_SPACE).partition(";")
    kind, slash, subtype = head.partition("/")
    subtype = subtype.rstrip(_SPACE)
    if not (slash and _TOKEN.match(kind) and _TOKEN.match(subtype)):
        return None
    parameters: dict[str, str] = {}
    for found in _PARAMETER.finditer(semicolon + rest):
        name, text = found[1].lower(), found[2]
        if text is None or name in parameters or not _TOKEN.match(name):
            continue
        content = _unquoted(text) if text[:1] == '"' else text.rstrip(_SPACE)
        if (content or text[:1] == '"') and _QUOTABLE.match(content):
            parameters[name] = content
    return MimeType(f"{kind}/{subtype}".lower(), parameters)


def of_header(value: str) -> MimeType | None:
    """The MIME type of a Content-Type header, which servers may send several times.

    >>> str(of_header("text/html;charset=gbk, text/html"))
    'text/html;charset=gbk'
    """
    charset, known = None, None
    for item in _LIST_ITEM.findall(value):
        found = parse(item)
        if found is None or found.essence == "*/*":
            continue
        if known is None or found.essence != known.essence:
            charset = found.parameters.get("charset")
        elif "charset" in found.parameters:
            charset = found.parameters["charset"]
        elif charset is not None:
            found.parameters["charset"] = charset
        known = found
    return known


def _unquoted(text: str) -> str:
    inside = re.match(r'"((?:[^"\\]|\\.)*)(\\?\Z)?', text, re.DOTALL)
    if inside is None:
        return ""
    return re.sub(r"\\(.)", r"\1", inside[1], flags=re.DOTALL) + (inside[2] or "")


def _written(value: str) -> str:
    if _TOKEN.match(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
