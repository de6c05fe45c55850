"""Sites: their order, their pauses after failures, and their records."""

from dataclasses import replace

from datahound.fleet.records import MOST_FAILURES, FleetSite, Group, decode_group


def make(slug, **fields):
    return FleetSite(f"https://{slug}/", slug, **fields)


def test_sites_are_ordered_by_priority_then_deadline_then_yield():
    """A fleet with too little time spends it where data appears."""
    sites = [
        make("poor", files=1, requests=900),
        make("rich", files=500, requests=900),
        make("late", deadline=2e9),
        make("soon", deadline=1e9),
        make("first", priority=5),
        make("last", priority=-1, deadline=1.0),
    ]
    ordered = [site.slug for site in sorted(sites, key=lambda site: site.order(5.0))]
    assert ordered == ["first", "soon", "late", "rich", "poor", "last"]
    group = Group("g", (), tuple(sites))
    assert group.find_due(5.0).slug == "first"


def test_a_failing_site_waits_twice_as_long_each_time_and_is_given_up():
    """The pause doubles from a minute; after six failures in a row there is no further try."""
    site, pauses = make("down"), []
    for _ in range(MOST_FAILURES):
        site = site.postpone(1000.0, "no answer")
        pauses.append(site.due - 1000.0 if site.due else None)
    assert pauses == [60, 120, 240, 480, 960, None]
    again = replace(site, due=0.0).finish(cause="exhausted", reason="", requests=5, files=1)
    assert again.failures == 0


def test_a_site_that_waits_is_not_due():
    """Another site of the group is crawled meanwhile."""
    waits, other = make("a", priority=9, due=50.0), make("b")
    group = Group("g", (), (waits, other))
    assert group.find_due(49.0) == other
    assert group.find_due(50.0) == waits
    assert group.next_due == 0.0
    done = group.put(replace(other, due=None)).put(replace(waits, due=None))
    assert done.next_due is None


def test_a_record_is_read_as_it_was_written():
    """Options and all."""
    group = Group("g", ("::1",), (make("a", options={"target": ["csv"]}, deadline=5.0),), "w", 3)
    assert decode_group(group.encode(), "g") == group
