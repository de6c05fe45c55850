"""Forms of choices in a crawl: one choice after the other, while answers bring something new."""

from conversation import crawl_all, csv, html

from datahound.events import Discovered, TargetFound, Visited
from datahound.model import Response
from datahound.settings import CrawlSettings


def page(body):
    return Response("", 200, {"content-type": "text/html"}, body.encode())


def form(name, values, action="find", more=""):
    options = "".join(f"<option>{value}</option>" for value in values)
    return f"<form action={action}>{more}<select name={name}>{options}</select></form>"


def site(years, answer):
    """A start page with a form; what a year brings."""
    found = {f"find?year={year}": answer(year) for year in years}
    return {"": page(form("year", years)), **found}


def asked_by_form(asked):
    return [url for _, url in asked if "find?" in url]


def test_every_choice_is_made_while_it_brings_files():
    """The files behind a form are found, and each choice is asked for once."""
    years = range(2000, 2030)
    pages = site(years, lambda year: html(f"{year}.csv")) | {f"{y}.csv": csv() for y in years}
    for strategy in ("hound", "bfs"):
        _, events, asked = crawl_all(pages, strategy, settings=CrawlSettings(forms="yes"))
        if strategy == "hound":
            assert sum(isinstance(event, TargetFound) for event in events) == 30
            assert len(asked_by_form(asked)) == len(set(asked_by_form(asked))) == 30


def test_a_form_that_brings_nothing_new_ends():
    """Three answers in a row without anything new are the last ones."""
    pages = site(range(40), lambda _: html("a.csv")) | {"a.csv": csv()}
    _, _, asked = crawl_all(pages, "hound")
    assert len(asked_by_form(asked)) == 4


def test_answers_that_are_files_count():
    """A form that leads to files at once goes on; errors are barren."""
    _, events, asked = crawl_all(site(range(25), lambda _: csv()), "hound")
    assert sum(isinstance(event, TargetFound) for event in events) == 25
    _, _, asked = crawl_all(
        site(range(25), lambda _: Response("", 404, {"content-type": "text/html"})), "hound"
    )
    assert len(asked_by_form(asked)) == 2


def test_errors_end_all_forms_of_a_site():
    """Two errors, whatever forms they come from, where no form was ever answered well."""
    forms = "".join(form(f"f{n}", range(5), f"find{n}") for n in range(10))
    _, _, asked = crawl_all({"": page(forms)}, "hound")
    assert len([url for _, url in asked if "find" in url]) == 2


def test_one_form_on_many_pages_is_one_series():
    """The same form on each page is filled in once."""
    pages = {"": html(*(f"p{n}" for n in range(20)))} | {
        f"p{n}": page(form("year", range(30), "/find")) for n in range(20)
    }
    pages |= {f"find?year={year}": html() for year in range(30)}
    _, _, asked = crawl_all(pages, "hound")
    assert len(asked_by_form(asked)) == 3


def test_forms_wait_until_they_have_paid():
    """Links come first; a choice that brought a file makes the others compete with them."""
    years = range(10)
    pages = site(years, lambda year: html(f"{year}.csv")) | {f"{y}.csv": csv() for y in years}
    pages[""] = page(form("year", years) + '<a href="p0">x</a><a href="p1">y</a>')
    pages |= {"p0": html(), "p1": html()}
    _, _, asked = crawl_all(pages, "hound")
    order = [url for _, url in asked]
    assert {*order[1:3]} == {"p0", "p1"}
    assert len(asked_by_form(asked)) == 10


def test_forms_can_be_turned_off():
    """Then they are counted as not filled in; so they are in the paper's strategies."""
    pages = site(range(5), lambda _: csv())
    for strategy, settings in (
        ("hound", CrawlSettings(forms="no")),
        ("sb-classifier", None),
        ("bfs", None),
    ):
        _, events, asked = crawl_all(pages, strategy, settings=settings)
        if strategy == "hound":
            assert asked_by_form(asked) == []
            (visited,) = (event for event in events if isinstance(event, Visited))
            assert visited.not_followed.forms == 1


def test_choices_are_a_group_of_their_own():
    """Links with similar tag paths do not share the group of a form."""
    pages = site(range(5), lambda _: html("x.csv")) | {"x.csv": csv()}
    _, events, _ = crawl_all(pages, "hound")
    groups = {
        event.link.source: event.group
        for event in events
        if isinstance(event, Discovered) and event.group is not None
    }
    assert groups["@form"] not in [group for source, group in groups.items() if source != "@form"]
