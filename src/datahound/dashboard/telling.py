"""A URL's story in plain sentences."""

from collections.abc import Mapping
from typing import Any

from datahound.dashboard.texts import number as said
from datahound.dashboard.texts import size

_Story = Mapping[str, Any]

_WHAT = {"page": "a page", "target": "a data file", "other": "neither a page nor a data file"}


def tell(story: _Story, standing: Mapping[str, Any]) -> list[str]:
    """What happened to a URL and why, one thought a sentence."""
    told = [_found(story), _taken_for(story), *_why_then(story, standing), *_outcome(story)]
    sentences = [sentence for sentence in told if sentence]
    return sentences or ["This crawl has never met this URL: no page that it read links to it."]


def _found(story: _Story) -> str:
    link = story["link"]
    if story["is_seed"]:
        return "The crawl began here."
    if story["redirected_from"]:
        return f"It was reached by a redirect from {story['redirected_from'][-1]['url']}."
    if link is None and story["skips"]:
        return f"It was found on {story['skips'][0]['page']}."
    if link is None:
        return "It was asked for without a link of its own." if story["requests"] else ""
    if _is_foreseen(link):
        return f"Its address follows from that of {link['page']}, as for other pages and files."
    clicks = "click" if link["depth"] == 1 else "clicks"
    return f"It was found on {link['page']}, {link['depth']} {clicks} from the start."


def _taken_for(story: _Story) -> str:
    link = story["link"]
    if link is None:
        return ""
    probed = any(request["purpose"] == "probe" for request in story["requests"])
    if link["expected"] is None:
        return "Nobody could tell what it is, and its host had to rest when it was first met."
    what = _WHAT.get(link["expected"], link["expected"])
    if probed:
        return f"Its kind was not yet known, so the server was asked (HEAD), and said: {what}."
    if _is_foreseen(link):
        return "So it was asked for before that page was read."
    if link["expected"] == "target":
        return "By its address and its link it was taken for a data file, and fetched at once."
    return "By its address and its link it was taken for a page, and had to wait for its turn."


def _is_foreseen(link: Mapping[str, Any]) -> bool:
    """Whether no page was read that links to it: then no tag path leads there."""
    return link["expected"] == "target" and not link["tag_path"]


def _why_then(story: _Story, standing: Mapping[str, Any]) -> list[str]:
    if story["skips"] and not story["target"]:
        return [f"It was left out: {story['skips'][0]['reason']}."]
    if choice := story["choice"]:
        return [_chosen(choice)]
    if story["link"] is None or _was_fetched(story):
        return []
    return [_waits(story, standing)]


def _was_fetched(story: _Story) -> bool:
    return any(request["purpose"] != "probe" for request in story["requests"])


def _chosen(choice: Mapping[str, Any]) -> str:
    when = f"It was chosen after {said(choice['number'])} requests"
    if choice["group"] is None:
        return f"{when}: the strategy makes no difference between groups of links."
    if choice["untried"]:
        return f"{when}: no page of its group {choice['group']} had been tried yet."
    if choice["score"] is None:
        return f"{when}, from group {choice['group']}."
    text = f"{when}: its group {choice['group']} had the best score, {said(choice['score'])}"
    text += _parts(choice)
    if not choice["beaten"]:
        return f"{text}; no other group had links."
    other = choice["beaten"][0]
    return f"{text}; the next best was group {other['group']} with {said(other['score'])}."


def _parts(choice: Mapping[str, Any]) -> str:
    if choice["bonus"] is None:
        return ""
    expected, bonus = said(choice["mean"]), said(abs(choice["bonus"]))
    if choice["bonus"] < 0:
        return f" ({expected} expected, less {bonus} by chance)"
    return f" ({expected} expected and {bonus} to explore)"


def _waits(story: _Story, standing: Mapping[str, Any]) -> str:
    now = story["group_now"]
    if story["group"] is None or now is None:
        place = "It waits among the other links"
    else:
        place = f"It waits in group {story['group']} with {said(max(0, now['waiting'] - 1))} others"
        if now["pages"]:
            rich = f"{said(now['mean'])} new data files a page on {said(now['pages'])} pages"
            place += f"; that group brought {rich}"
    if standing["running"]:
        return f"{place}. It is fetched once its group has the best score."
    ended = standing["ended"] or "the crawl was cut off"
    return f"{place}. It was never fetched, because the crawl ended before: {ended}."


def _outcome(story: _Story) -> list[str]:
    told = []
    fetched = [request for request in story["requests"] if request["purpose"] != "probe"]
    if fetched:
        told.append(_answered(fetched[-1]))
    if files := story["files_before"]:
        told.insert(0, f"By its address {_new(files, 'data file')} of it came without reading it.")
    if visit := story["visit"]:
        told.append(_read(visit))
    if story["target"]:
        told.append(_kept(story))
    return told


def _answered(request: Mapping[str, Any]) -> str:
    when = f"Request {said(request['number'])}"
    if request["status"] is None:
        return f"{when} got no answer: {request['reason']}."
    answer = f"{when} was answered with status {request['status']}"
    if request["status"] >= 300:
        return f"{answer}."
    was = _WHAT.get(request["kind"], request["kind"])
    surprise = request["expected"] and request["expected"] != request["kind"]
    return f"{answer}: it was {was}{', which nobody had expected' if surprise else ''}."


def _read(visit: Mapping[str, Any]) -> str:
    if visit["targets"] is None:
        return "There was no page to read."
    links, files = _new(visit["new_links"], "link"), _new(visit["targets"], "data file")
    return f"The page had {links}, and {files} came of them."


def _new(number: int, what: str) -> str:
    return f"{said(number)} new {what}{'' if number == 1 else 's'}"


def _kept(story: _Story) -> str:
    file = story["file"]
    if file is None:
        return "The file was listed and not kept."
    if file["path"]:
        return f"The file was kept ({size(file['bytes'])}, {file['state']})."
    return f"The file was not kept: {file['note'] or file['state']}."
