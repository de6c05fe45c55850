"""Sentences for people: what happened to a URL, and the evidence for a choice."""

from collections.abc import Mapping
from typing import Any

from datahound.events import Evidence, Ground, Level
from datahound.model import Kind, Purpose
from datahound.report.format import format_number, format_size

_Story = Mapping[str, Any]

_WHAT = {
    Kind.PAGE: "a page",
    Kind.TARGET: "a data file",
    Kind.OTHER: "neither a page nor a data file",
    Kind.UNKNOWN: "of unknown kind",
}
_LEVELS = {
    Level.SITE: "links like it on the site",
    Level.SECTION: "those in its section",
    Level.FOLDER: "those in its folder",
}
_GROUNDS = {
    Ground.UNTRIED: "No page of its group had been visited, and a group without visits was due.",
    Ground.PROVES_RULE: "The page is read to check a rule about which files belong to which pages.",
    Ground.FILES_COLLECTED: "Files of similar pages were collected before those pages were read.",
}


def explain_evidence(why: Evidence) -> str:
    """The evidence for a choice in sentences; '' if the strategy gives none.

    >>> explain_evidence(Evidence(expected=0.5, site_rate=0.4))
    '0.5 new data files are expected. Any link of the site brings 0.4 on average.'
    """
    sentences = []
    if why.expected is not None:
        sentences.append(f"{format_number(why.expected)} new data files are expected.")
    if why.experience:
        sentences.append(_describe_experience(why))
    if why.chance is not None:
        sentences.append(
            f"The address and the texts of the link give it a chance of {100 * why.chance:.0f} %."
        )
    if why.site_rate is not None:
        sentences.append(f"Any link of the site brings {format_number(why.site_rate)} on average.")
    return " ".join([*sentences, *(_GROUNDS[ground] for ground in why.grounds)])


def _describe_experience(why: Evidence) -> str:
    """Say what visits to similar links brought, from the widest level to the narrowest.

    Numbers may not be whole, since older visits may count less.
    """
    parts = [
        f"{_LEVELS[seen.level]} brought {_round(seen.targets)} on {_count_visits(seen.visits)}"
        for seen in why.experience
        if seen.visits
    ]
    if not parts:
        return "No similar link was visited before."
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _count_visits(count: float) -> str:
    return f"{_round(count)} visit{'' if count == 1 else 's'}"


def _round(count: float) -> str:
    return f"{count:,.0f}" if count >= 10 else f"{count:.2g}"


def explain_story(story: _Story, status: Mapping[str, Any]) -> list[str]:
    """What happened to a URL and why, in sentences."""
    parts = [
        _describe_origin(story),
        _describe_expectation(story),
        *_describe_fate(story, status),
        *_describe_outcome(story),
    ]
    sentences = [sentence for sentence in parts if sentence]
    return sentences or ["This crawl has never met this URL: no page that it read links to it."]


def _describe_origin(story: _Story) -> str:
    link = story["link"]
    if story["is_seed"]:
        return "The crawl began here."
    if story["redirected_from"]:
        return f"It was reached by a redirect from {story['redirected_from'][-1]['url']}."
    if foreseen := story["foreseen"]:
        return f"Its address follows from that of {foreseen['page']}, as for other pages and files."
    if link is None and story["skips"]:
        return f"It was found on {story['skips'][0]['page']}."
    if link is None:
        return "It was requested, but not because of a link." if story["requests"] else ""
    clicks = "click" if link["depth"] == 1 else "clicks"
    return f"It was found on {link['page']}, {link['depth']} {clicks} from the start."


def _describe_expectation(story: _Story) -> str:
    link = story["link"]
    if link is None:
        return ""
    if story["foreseen"]:
        return "So it was requested before that page was read."
    expected = Kind(link["expected"])
    if expected is Kind.UNKNOWN:
        return "Its kind was not known, and its host was postponed when the link was found."
    if any(request["purpose"] == Purpose.PROBE.value for request in story["requests"]):
        what = _WHAT[expected]
        return f"Its kind was not known, so the server was asked (HEAD), and said: {what}."
    if expected is Kind.TARGET:
        return "By its address and its link a data file was expected, so it was fetched at once."
    return "By its address and its link a page was expected, so it waited for its turn."


def _describe_fate(story: _Story, status: Mapping[str, Any]) -> list[str]:
    if story["skips"] and not story["target"]:
        return [f"It was left out: {story['skips'][0]['why']}."]
    if choice := story["choice"]:
        return [_describe_choice(choice)]
    if story["link"] is None or _list_fetches(story):
        return []
    return [_describe_waiting(story, status)]


def _list_fetches(story: _Story) -> list[Mapping[str, Any]]:
    """The requests for a URL without probes, which only ask for its kind."""
    return [request for request in story["requests"] if request["purpose"] != Purpose.PROBE.value]


def _describe_choice(choice: Mapping[str, Any]) -> str:
    when = f"It was chosen after {format_number(choice['number'])} requests"
    grounds = [Ground(ground) for ground in choice["grounds"]]
    if choice["group"] is None:
        return f"{when}: the strategy does not form groups of links."
    if Ground.PROVES_RULE in grounds:
        return f"{when}, to check a rule about which files belong to which pages."
    if Ground.UNTRIED in grounds:
        return f"{when}: no page of its group {choice['group']} had been visited yet."
    if choice["score"] is None:
        return f"{when}, from group {choice['group']}."
    text = (
        f"{when}: its group {choice['group']} had the best score, {format_number(choice['score'])}"
    )
    text += _describe_score(choice)
    if not choice["beaten"]:
        return f"{text}; no other group had links."
    other = choice["beaten"][0]
    theirs = "none yet" if other["score"] is None else format_number(other["score"])
    return f"{text}; the next best was group {other['group']} with {theirs}."


def _describe_score(choice: Mapping[str, Any]) -> str:
    if choice["bonus"] is None:
        return ""
    expected, bonus = format_number(choice["mean"]), format_number(abs(choice["bonus"]))
    if choice["bonus"] < 0:
        return f" ({expected} expected, less {bonus} by chance)"
    return f" ({expected} expected and {bonus} to explore)"


def _describe_waiting(story: _Story, status: Mapping[str, Any]) -> str:
    now = story["group_now"]
    if story["group"] is None or now is None:
        place = "It waits among the other links"
    else:
        others = format_number(max(0, now["waiting"] - 1))
        place = f"It waits in group {story['group']} with {others} others"
        if now["pages"]:
            mean, pages = format_number(now["mean"]), format_number(now["pages"])
            place += f"; that group brought {mean} new data files per page on {pages} pages"
    if status["running"]:
        return f"{place}. It is fetched once its group has the best score."
    ended = status["ended"] if status["cause"] else "the crawl was cut off"
    return f"{place}. It was never fetched, because the crawl ended before: {ended}."


def _describe_outcome(story: _Story) -> list[str]:
    sentences = []
    if fetched := _list_fetches(story):
        sentences.append(_describe_answer(fetched[-1]))
    if files := story["files_before"]:
        sentences.insert(
            0, f"Its address led to {_count_new(files, 'data file')}, without reading the page."
        )
    if visit := story["visit"]:
        sentences.append(_describe_visit(visit))
    if story["target"]:
        sentences.append(_describe_file(story))
    return sentences


def _describe_answer(request: Mapping[str, Any]) -> str:
    when = f"Request {format_number(request['number'])}"
    if request["status"] is None:
        return f"{when} got no answer: {request['failure']}."
    answer = f"{when} was answered with status {request['status']}"
    if request["status"] >= 300:
        return f"{answer}."
    kind, expected = Kind(request["kind"]), Kind(request["expected"])
    surprise = expected not in (Kind.UNKNOWN, kind)
    return f"{answer}: it was {_WHAT[kind]}{', which was not expected' if surprise else ''}."


def _describe_visit(visit: Mapping[str, Any]) -> str:
    links, files = _count_new(visit["new_links"], "link"), _count_new(visit["targets"], "data file")
    return f"The page had {links}, which led to {files}."


def _count_new(number: int, what: str) -> str:
    return f"{format_number(number)} new {what}{'' if number == 1 else 's'}"


def _describe_file(story: _Story) -> str:
    file = story["file"]
    if file is None:
        return "The file was listed and not kept."
    if file["path"]:
        return f"The file was kept ({format_size(file['bytes'])}, {file['state']})."
    return f"The file was not kept: {file['note'] or file['state']}."
