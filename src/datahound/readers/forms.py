"""Forms of choices: the addresses that a browser would ask for when a user makes each choice.

Only forms that are sent by GET and that consist of selections, radio buttons, checkboxes and hidden
fields are filled in. A form in which a user could write, or that seems to change something on the
server, is counted and left alone.

First each field is varied alone, the others as the page has them. Where there are few combinations
of all fields, the rest of them follow.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from typing import NamedTuple
from urllib.parse import quote_plus

from selectolax.lexbor import LexborNode

from datahound.readers.script_state import looks_like_reference

FORM = "@form"
"""The source of links that choices of forms lead to."""
MOST_COMBINATIONS = 50
"""Combinations of a form that are all tried; with more, each field is varied alone."""
_MAX_LINKS = 200
_MAX_FORMS = 20
_MAX_CONTROLS = 200
_MAX_VALUE = 200
_MAX_BUTTONS = 8
_PLAIN_NAME = re.compile(r"[\w:.-]{1,100}")
_CONTROLS = "select, input, textarea, button"
_ADDRESS = ("/", "./", "../", "http://", "https://")
_BUTTONS = frozenset({"submit", "image", "button", "reset"})
# In the languages of sites that publish much data. A word too many loses a form, but a word too few
# may order a newspaper.
_HARMFUL = re.compile(
    r"delet|remov|log-?_?(?:in|out|on|off)\b|sign-?_?(?:in|up|out|on)\b|regist|subscri|newsletter|"
    r"cart\b|basket|checkout|payment|donat|order\b|contact|feedback|comment|password|account|vote|"
    r"poll\b|admin|edit\b|upload|cookie|consent|captcha|report[-_ ]abuse|"
    r"l[oö]schen|anmeld|abmeld|kontakt|warenkorb|panier|connexion|abonn|suscri|carrito|contatt|"
    r"iscri|inscri|\bkaufen\b|bestell|\bbuy\b|acheter|comprar|acquist",
    re.IGNORECASE,
)
# Values that are made for one visitor: the URL would be different at each visit.
_TOKENS = re.compile(r"csrf|token|nonce|sess(?:ion)?_?id|viewstate|authenticity", re.IGNORECASE)


class FilledForm(NamedTuple):
    """A form, and the queries that its choices make: an address, and the words of the choice."""

    node: LexborNode
    queries: list[tuple[str, str]]


class _Field(NamedTuple):
    """What a user can choose: pairs of a name and a value that are sent, with the words for it."""

    choices: list[tuple[tuple[str, str] | None, str]]
    """None where nothing is sent, as for a box that is not checked."""
    default: int


def fill_forms(
    forms: Sequence[LexborNode], join: Callable[[str], str | None]
) -> tuple[list[FilledForm], int]:
    """The forms of choices of a page, and the number of its other forms."""
    filled, others = [], 0
    for form in forms[:_MAX_FORMS]:
        queries = list(_list_queries(form, join))
        if queries:
            filled.append(FilledForm(form, queries))
        # The page has links to what a menu leads to, so nothing is missed.
        elif not _is_menu(form):
            others += 1
    return filled, others + len(forms[_MAX_FORMS:])


def _is_menu(form: LexborNode) -> bool:
    """Whether a form is a menu of links, whose choices are addresses that a script goes to."""
    return any(_lists_addresses(select) for select in form.css("select"))


def _lists_addresses(select: LexborNode) -> bool:
    values = [option.attributes.get("value") or "" for option in select.css("option")]
    addresses = sum(value.startswith(_ADDRESS) and looks_like_reference(value) for value in values)
    # The first option of a menu is often a title.
    return 2 * addresses > len(list(filter(None, values)))


def _list_queries(form: LexborNode, join: Callable[[str], str | None]) -> Iterator[tuple[str, str]]:
    attributes = form.attributes
    if (attributes.get("method") or "get").strip().lower() != "get":
        return
    address = join((attributes.get("action") or "").strip() or "?")
    controls = _list_controls(form)
    if address is None or len(controls) > _MAX_CONTROLS or _seems_harmful(form, controls, address):
        return
    if _is_menu(form):
        return
    fields = _read_fields(controls)
    if fields is None:
        return
    # HTML, 4.10.22.3: sending by GET replaces the query of the action.
    address = address.partition("?")[0]
    for choice in islice(_order_choices(fields), _MAX_LINKS):
        sent = [pair for pair, _ in choice if pair is not None]
        query = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in sent)
        pairs = zip(choice, fields, strict=True)
        words = [text for (_, text), field in pairs if len(field.choices) > 1]
        yield f"{address}?{query}", ", ".join(filter(None, words))


def _list_controls(form: LexborNode) -> list[LexborNode]:
    """The controls of a form: those in it, and those elsewhere on the page that name it."""
    found = form.css(_CONTROLS)
    name = form.attributes.get("id") or ""
    if not _PLAIN_NAME.fullmatch(name):
        return found
    page = form
    while page.parent is not None:
        page = page.parent
    # HTML, 4.10.18.3: the form that a control names precedes the form around it.
    named = page.css(", ".join(f'{tag}[form="{name}"]' for tag in _CONTROLS.split(", ")))
    inside = {control.mem_id for control in found}
    return found + [control for control in named if control.mem_id not in inside]


def _order_choices(
    fields: Sequence[_Field],
) -> Iterator[list[tuple[tuple[str, str] | None, str]]]:
    """Choices for all fields: as the page has them, each field varied alone, then combinations."""
    start = tuple(field.default for field in fields)
    seen = {start}
    yield [field.choices[place] for field, place in zip(fields, start, strict=True)]
    alone = (
        (*start[:i], place, *start[i + 1 :])
        for i, field in enumerate(fields)
        for place in range(len(field.choices))
    )
    combined = (
        product(*(range(len(field.choices)) for field in fields))
        # Counted before they are made: ten fields of ten choices have ten billion.
        if prod(len(field.choices) for field in fields) <= MOST_COMBINATIONS
        else iter(())
    )
    for places in (*alone, *combined):
        if places not in seen:
            seen.add(places)
            yield [field.choices[place] for field, place in zip(fields, places, strict=True)]


def _seems_harmful(form: LexborNode, controls: Sequence[LexborNode], address: str) -> bool:
    """Whether sending a form may do more than to show something."""
    attributes = form.attributes
    said = [address.split("/", 3)[-1], *(attributes.get(name) or "" for name in _NAMING)]
    for control in controls:
        about = control.attributes
        kind = _kind_of(control)
        if kind == "hidden" and _TOKENS.search(about.get("name") or ""):
            return True
        # A button may send the form in another way.
        if (about.get("formmethod") or "get").strip().lower() != "get":
            return True
        if kind in _BUTTONS:
            said.append(about.get("formaction") or "")
            said += [about.get("name") or "", about.get("value") or "", control.text()[:100]]
    return any(_HARMFUL.search(text) for text in said)


_NAMING = ("id", "class", "name", "aria-label")


def _kind_of(control: LexborNode) -> str:
    if control.tag in ("select", "textarea"):
        return control.tag or ""
    usual = "submit" if control.tag == "button" else "text"
    return (control.attributes.get("type") or usual).strip().lower()


def _read_fields(controls: Sequence[LexborNode]) -> list[_Field] | None:
    """What can be chosen; None where a user could write, or nothing is sent."""
    fields: list[_Field] = []
    radios: dict[str, list[LexborNode]] = {}
    buttons: list[tuple[tuple[str, str] | None, str]] = []
    for control in controls:
        about, kind = control.attributes, _kind_of(control)
        name, value = about.get("name") or "", about.get("value")
        # Neither sent nor to be changed by a user.
        if "disabled" in about:
            continue
        if len(name) + len(value or "") > _MAX_VALUE:
            return None
        if kind == "radio":
            radios.setdefault(name, []).append(control)
        elif kind == "submit":
            words = value or control.text()[:_MAX_VALUE]
            buttons.append(((name, value or "") if name else None, words))
        elif kind not in _BUTTONS:
            field = _read_field(control, kind)
            if field is None:
                return None
            fields.append(field)
    fields += [_read_radios(name, group) for name, group in radios.items()]
    named = [field for field in fields if field.choices]
    # Only the button that was clicked is sent: without a name, nothing is.
    choices = dict(buttons[:_MAX_BUTTONS])
    if choices and (len(choices) > 1 or None not in choices):
        named.append(_Field([*choices.items()], 0))
    return named or None


def _read_field(control: LexborNode, kind: str) -> _Field | None:
    """What a control lets users choose; None where they can write."""
    about = control.attributes
    if kind == "hidden":
        return _fixed(about.get("name") or "", about.get("value") or "")
    if kind == "checkbox":
        return _read_checkbox(about)
    return _read_select(control) if kind == "select" else None


def _fixed(name: str, value: str) -> _Field:
    return _Field([((name, value), "")] if name else [], 0)


def _read_checkbox(about: Mapping[str, str | None]) -> _Field:
    name, value = about.get("name") or "", about.get("value")
    # HTML: what a checkbox without a value sends.
    pair = (name, "on" if value is None else value)
    return _Field([(None, ""), (pair, pair[1])] if name else [], int("checked" in about))


def _read_radios(name: str, group: Sequence[LexborNode]) -> _Field:
    if not name:
        return _Field([], 0)
    values = [radio.attributes.get("value") for radio in group]
    choices = [((name, "on" if value is None else value), value or "") for value in values]
    checked = [place for place, radio in enumerate(group) if "checked" in radio.attributes]
    if checked:
        # Once one is checked, a user can't go back to none.
        return _Field([*choices], checked[0])
    return _Field([(None, ""), *choices], 0)


def _read_select(select: LexborNode) -> _Field:
    name = select.attributes.get("name") or ""
    choices: dict[tuple[str, str] | None, str] = {}
    default = None
    if "multiple" in select.attributes:
        choices[None] = ""
    for option in select.css("option"):
        about = option.attributes
        text = " ".join(option.text()[:_MAX_VALUE].split())
        value = about.get("value")
        value = text if value is None else value
        if "disabled" in about or len(value) > _MAX_VALUE:
            continue
        choices.setdefault((name, value), text)
        if "selected" in about and default is None:
            default = list(choices).index((name, value))
    if not name or not choices:
        return _Field([], 0)
    return _Field(list(choices.items()), default or 0)
