"""RDF/XML: the things that it describes, nested or in flat blocks that refer to each other."""

from typing import Any

from datahound.readers.linked_data import Node
from datahound.readers.xml_tree import Element


def read_rdf(root: Element) -> list[Node]:
    """Every described thing as a node."""
    nodes: dict[str, Node] = {}
    # Things, and properties, alternate by depth.
    waiting = list(root.children)
    while waiting:
        thing = waiting.pop()
        node = nodes.setdefault(_name_of(thing), {"@id": _name_of(thing)})
        if thing.name != "description":
            node.setdefault("@type", []).append(thing.name)
        for part in thing.children:
            node.setdefault("@type" if part.name == "type" else part.name, []).append(
                _value_of(part)
            )
            waiting += part.children
    return list(nodes.values())


def _name_of(thing: Element) -> str:
    name = thing.get("about") or thing.get("nodeid") or thing.get("id")
    return name or f"_:{id(thing)}"


def _value_of(part: Element) -> Any:
    reference = part.get("resource") or part.get("nodeid")
    if reference:
        return reference if part.name == "type" else {"@id": reference}
    if part.children:
        return {"@id": _name_of(part.children[0])}
    return part.text
