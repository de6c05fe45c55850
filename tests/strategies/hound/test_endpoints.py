"""Requests of portals' APIs: which is asked next, and when links on pages are worth more."""

import pytest

from datahound.model import ENDPOINT, Link
from datahound.strategies import make_strategy
from datahound.strategies.hound.endpoints import EndpointArms


def endpoint(number, platform="ckan", request="package_search", host="a.example"):
    url = f"https://{host}/api/{number}"
    return Link(url, f"{ENDPOINT}{platform} {request}", number=number)


def choose(arms, rate=1.0, *, is_last=False):
    found = arms.choose(rate, is_last=is_last)
    return None if found is None else found.number


def test_nothing_waits():
    arms = EndpointArms()
    assert choose(arms) is None
    assert choose(arms, is_last=True) is None
    assert not list(arms)


def test_the_richer_platform_goes_first_and_each_in_order():
    arms = EndpointArms()
    for number, platform in enumerate(["stac", "ckan", "wordpress", "ckan"]):
        arms.add(endpoint(number, platform))
    assert [choose(arms) for _ in range(4)] == [1, 3, 2, 0]


def test_an_arm_is_left_where_pages_bring_more():
    """Twice what a page brings, or nothing else is left."""
    arms = EndpointArms()
    arms.add(endpoint(1, "wordpress"))  # expects 10 files
    assert choose(arms, rate=5.1) is None
    assert choose(arms, rate=5.1, is_last=True) == 1
    arms.add(endpoint(2, "wordpress"))
    assert choose(arms, rate=4.9) == 2


@pytest.mark.parametrize("answers", [1, 3, 10])
def test_an_arm_that_brings_nothing_falls(answers):
    arms = EndpointArms()
    for number in range(answers):
        arms.learn(endpoint(number), 0, [])
    assert arms.expect_of(endpoint(99)) == pytest.approx(100 / (1 + answers))


def test_an_arm_that_brings_what_was_expected_stays():
    arms = EndpointArms()
    for number in range(20):
        arms.learn(endpoint(number), 100, [])
    assert arms.expect_of(endpoint(99)) == pytest.approx(100)


def test_arms_are_of_a_host_a_platform_and_a_request():
    arms = EndpointArms()
    arms.learn(endpoint(1), 0, [])
    assert arms.expect_of(endpoint(2)) == 50
    assert arms.expect_of(endpoint(2, host="b.example")) == 100
    assert arms.expect_of(endpoint(2, request="organization_list")) == 100
    assert arms.expect_of(endpoint(2, "socrata")) == 100


def test_marks_of_sources_are_no_part_of_an_arm():
    arms = EndpointArms()
    plain = endpoint(1)
    marked = Link(plain.url, plain.tag_path + " @sitemap", number=2)
    arms.name_group(plain, 7)
    assert arms.find_group(marked) == 7
    assert arms.find_group(endpoint(3, "stac")) is None


def test_an_unknown_platform_expects_little():
    arms = EndpointArms()
    assert arms.expect_of(endpoint(1, "unheard-of")) == 5


def test_folders_get_credit_for_what_they_name():
    """A folder brings no file itself: half of what its new requests promise counts as its own."""
    arms = EndpointArms()
    folder = endpoint(1, "pxweb", "folder")
    tables = [endpoint(n, "pxweb", "table") for n in range(2, 5)]
    arms.learn(folder, 0, [*tables, Link("https://a.example/page")])
    assert arms.expect_of(folder) == pytest.approx((10 + 0.5 * 30) / 2)
    arms.learn(folder, 0, [endpoint(n, "pxweb", "table") for n in range(100)])
    assert arms.expect_of(folder) == pytest.approx((10 + 15 + 20) / 3), "credit has a bound"


def test_arms_go_on_as_they_were():
    links = {number: endpoint(number, ["ckan", "stac"][number % 2]) for number in range(10)}
    arms = EndpointArms()
    for link in links.values():
        arms.add(link)
    arms.name_group(links[0], 3)
    taken = links[choose(arms)]
    arms.learn(taken, 7, [])
    saved = arms.snapshot()
    restored = EndpointArms()
    restored.restore(saved, links)
    assert list(restored) == list(arms)
    assert restored.find_group(links[2]) == 3
    rest = [choose(arms, is_last=True) for _ in range(9)]
    assert [choose(restored, is_last=True) for _ in range(9)] == rest
    assert sorted([taken.number, *rest]) == list(range(10))


def test_a_site_of_nothing_but_endpoints_is_asked_to_its_end():
    """The shell of an app has no link to a page: once its API is asked, nothing is left."""
    strategy = make_strategy("hound", seed=1)
    link = Link("https://x.example/wp-json/wp/v2/media?page=1", "@api wordpress media", number=1)
    strategy.add(link)
    assert strategy.choose(1, {}).link == link
    assert strategy.choose(2, {}) is None
