"""Forms of choices: which are filled in, with what, and which are left alone."""

import pytest

from datahound.model import Response
from datahound.readers import Readers
from datahound.readers.job import BodyReading, ReadingJob, ResultReader, pack_result
from datahound.settings import PageSettings

SITE = "https://x.example"


def read(body, url=f"{SITE}/search/?page=2"):
    return Readers().read(Response(url, 200, {"content-type": "text/html"}, body.encode()))


def choices(body):
    return [link.url.removeprefix(SITE) for link in read(body).form_links]


def select(name, *values):
    return f"<select name={name}>{''.join(f'<option>{v}</option>' for v in values)}</select>"


def test_all_combinations_of_a_small_form():
    """First as the page has it, then each field alone, then the rest; with words for people."""
    form = f"""<form action="/find?old=1"><input type=hidden name=lang value="en us">
        {select("year", 2023, 2024)}
        <select name=kind><option value="">All kinds<option value=c>Tables</select>
        <input type=submit name=go value=Show></form>"""
    page = read(form)
    assert choices(form) == [
        "/find?lang=en+us&year=2023&kind=&go=Show",
        "/find?lang=en+us&year=2024&kind=&go=Show",
        "/find?lang=en+us&year=2023&kind=c&go=Show",
        "/find?lang=en+us&year=2024&kind=c&go=Show",
    ]
    assert [link.anchor for link in page.form_links][-1] == "2024, Tables"
    assert {link.source for link in page.form_links} == {"@form"}
    assert page.forms == 0


def test_a_large_form_varies_each_field_alone():
    """With more than 50 combinations, each value is tried with the others as the page has them."""
    form = f"<form>{''.join(select(name, *range(10)) for name in 'abc')}</form>"
    found = choices(form)
    assert len(found) == 1 + 3 * 9
    assert found[0] == "/search/?a=0&b=0&c=0"
    assert found[-1] == "/search/?a=0&b=0&c=9"


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("<input type=radio name=r value=1><input type=radio name=r value=2 checked>", "r=2 r=1"),
        ("<input type=radio name=r value=1><input type=radio name=r>", " r=1 r=on"),
        ("<input type=checkbox name=c>", " c=on"),
        ("<input type=checkbox name=c value=7 checked>", "c=7 "),
        ("<select name=s><option value=1><option value=2 selected></select>", "s=2 s=1"),
        ("<select name=s><option disabled>no<option>yes</select>", "s=yes"),
        ("<select name=s multiple><option>a<option>b</select>", " s=a s=b"),
        ("<select name=s><option>é &amp; =</select>", "s=%C3%A9+%26+%3D"),
        ("<input type=text name=t disabled>" + select("s", 1), "s=1"),
        ("<input type=hidden name=format value=csv><button>Download</button>", "format=csv"),
    ],
)
def test_what_fields_send(field, sent):
    """As browsers send them, the preset value first."""
    assert choices(f"<form action=/f>{field}</form>") == [
        f"/f?{query}" for query in sent.split(" ")
    ]


def test_fields_outside_a_form_that_name_it():
    """A field belongs to the form that it names, wherever it stands on the page."""
    form = "<form id=f action=/f><input type=submit></form><select name=s form=f><option>a<option>b"
    assert choices(form) == ["/f?s=a", "/f?s=b"]


def test_a_menu_of_links_is_no_form():
    """Choices that are addresses are links already; a form of other values is filled in."""
    menu = """<form><select name=go><option>Topic<option value=/blog/a>A
        <option value=/blog/b>B</select><input type=submit></form>"""
    page = read(menu)
    assert (page.form_links, page.forms) == ((), 0)
    assert [link.url for link in page.further] == [f"{SITE}/blog/a", f"{SITE}/blog/b"]
    files = "<form><select name=f><option>a.csv<option>b.csv<option>/c.csv</select></form>"
    assert choices(files) == ["/search/?f=a.csv", "/search/?f=b.csv", "/search/?f=%2Fc.csv"]


@pytest.mark.parametrize(
    "form",
    [
        f"<form method=post>{select('a', 1, 2)}</form>",
        f"<form method=dialog>{select('a', 1, 2)}</form>",
        f"<form><input name=q>{select('a', 1, 2)}</form>",
        f"<form><input type=search name=q>{select('a', 1, 2)}</form>",
        f"<form><input type=date name=q>{select('a', 1, 2)}</form>",
        f"<form><input type=unheard-of name=q>{select('a', 1, 2)}</form>",
        f"<form><textarea name=q></textarea>{select('a', 1, 2)}</form>",
        f"<form action=/login>{select('a', 1, 2)}</form>",
        f"<form action=/items/7/delete>{select('a', 1, 2)}</form>",
        f"<form action=/cart>{select('a', 1, 2)}</form>",
        f"<form id=newsletter-form>{select('a', 1, 2)}</form>",
        f"<form class=contact>{select('a', 1, 2)}</form>",
        f"<form>{select('a', 1, 2)}<button>Unsubscribe</button></form>",
        f"<form>{select('a', 1, 2)}<input type=submit value='Remove it'></form>",
        f"<form>{select('a', 1, 2)}<input type=hidden name=csrf_token value=7></form>",
        f"<form>{select('a', 1, 2)}<input type=hidden name=x value={'y' * 300}></form>",
        f"<form>{select('a', 1, 2)}<button formmethod=post>Show</button></form>",
        f"<form>{select('a', 1, 2)}<button formaction=/cart>Show</button></form>",
        f"<form>{select('a', 1, 2)}<button>Jetzt kaufen</button></form>",
        f"<form id=x>{select('a', 1, 2)}</form><input form=x name=q>",
        f"<form action='javascript:go()'>{select('a', 1, 2)}</form>",
        "<form></form>",
        "<form><button>Press</button></form>",
        f"<form>{'<input type=checkbox name=c>' * 300}</form>",
    ],
)
def test_forms_that_are_left_alone(form):
    """Forms that a user writes in, or that may change something, are counted."""
    page = read(form)
    assert page.form_links == ()
    assert page.forms == 1


def test_forms_without_end_are_bounded():
    """Neither many forms, nor many fields, nor many values make many links."""
    many = f"<form>{''.join(select(f'f{n}', *range(2000)) for n in range(150))}</form>"
    assert len(read(many).form_links) <= 200
    page = read(f"<form>{select('a', 1, 2)}</form>" * 1000)
    assert len(page.form_links) <= 20 * 2
    assert page.forms == 980


def test_forms_come_back_from_a_worker():
    """A page that was read in another process has its choices too."""
    body = f"<form>{select('a', 1, 2)}</form>".encode()
    job = ReadingJob(f"{SITE}/", {"content-type": "text/html"}, body, 1 << 20, PageSettings())
    reader = ResultReader(job)
    result = BodyReading().read(job)
    for record in pack_result(job, result):
        reader.take(record)
    assert reader.result.page == result.page
    assert len(reader.result.page.form_links) == 2
