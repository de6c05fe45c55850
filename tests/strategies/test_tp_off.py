"""Tag paths learned offline."""

from datahound.crawl.strategy import Visit
from datahound.model import Choice, Kind, Link
from datahound.settings import ActionSettings, OfflineSettings
from datahound.strategies.tp_off import TagPathsOfflineStrategy

SITE = "https://www.a.example/"
RICH, POOR, NEW = "html body ul#data li a", "html body nav.menu a", "html footer div.legal p b a"


def kind_of(url):
    return Kind.TARGET if url.endswith(".csv") else Kind.PAGE


def link(number, tag_path, url=None):
    return Link(url or f"{SITE}{number}", tag_path, number=number)


def visit(*names):
    return Visit(Kind.PAGE, tuple(Link(SITE + name) for name in names))


def train_for(requests, told=kind_of, **settings):
    """A strategy that trains until so many URLs were crawled."""
    offline = OfflineSettings(training_requests=requests, **settings)
    return TagPathsOfflineStrategy(ActionSettings(), told, offline)


def trained(**settings):
    """Two pages of training: one under the rich path, one under the poor one."""
    strategy = train_for(2, **settings)
    strategy.add(link(1, POOR))
    strategy.add(link(2, RICH))
    for number in range(3, 6):
        strategy.add(link(number, POOR))
        strategy.add(link(number + 10, RICH))
    strategy.learn_visit(strategy.choose(0, {}), visit("a", "b"))
    strategy.learn_visit(strategy.choose(1, {}), visit("a.csv", "b.csv", "b.csv", "c"))
    return strategy


def numbers(strategy, gets=2):
    found = []
    while (choice := strategy.choose(gets, {})) is not None:
        found.append(choice.link.number)
    return found


def test_training_is_breadth_first():
    """While it trains, links are visited as they came, whatever their group."""
    strategy = train_for(3)
    for number in range(1, 6):
        strategy.add(link(number, RICH if number % 2 else POOR))
    assert numbers(strategy) == [1, 2, 3, 4, 5]


def test_training_ends_after_urls_of_any_kind():
    """Files, errors and redirects count as well as pages: what counts is the number of GETs."""
    strategy = train_for(4)
    for number in range(1, 8):
        strategy.add(link(number, RICH if number % 2 else POOR))
    strategy.learn_visit(strategy.choose(0, {}), visit("a.csv"))
    strategy.learn_visit(strategy.choose(1, {}), Visit(Kind.OTHER))
    strategy.learn_visit(strategy.choose(3, {}), Visit(Kind.OTHER))
    assert [strategy.choose(4, {}).link.number for _ in range(4)] == [5, 7, 4, 6]


def test_then_the_groups_of_highest_benefit_come_first():
    """After it, links of the group whose pages linked to most targets come first, as they came."""
    assert numbers(trained()) == [13, 14, 15, 3, 4, 5]


def test_new_groups_have_no_benefit():
    """A group met after the training comes last among equals, whatever its pages bring."""
    strategy = trained()
    assert strategy.choose(2, {}).link.number == 13, "training has ended"
    strategy.add(link(20, NEW))
    choice = Choice(link(21, NEW), strategy.add(link(22, NEW)))
    strategy.learn_visit(choice, visit("a.csv", "b.csv", "c.csv", "d.csv"))
    assert numbers(strategy) == [14, 15, 3, 4, 5, 20, 22]


def test_unknown_groups_can_be_ignored():
    """With ACEBot's rule, links of groups that training has not visited wait for ever."""
    strategy = trained(unknown="ignore")
    strategy.add(link(20, NEW))
    assert numbers(strategy) == [13, 14, 15, 3, 4, 5]
    assert [waiting.number for waiting in strategy.waiting()] == [20]


def test_a_link_that_is_a_target_brings_one():
    """In training, a link that turns out to be a target counts one for its group."""
    strategy = train_for(2)
    strategy.add(link(1, POOR))
    strategy.add(link(2, RICH, SITE + "x.csv"))
    strategy.add(link(3, POOR))
    strategy.add(link(4, RICH))
    strategy.learn_visit(strategy.choose(0, {}), visit())
    strategy.learn_visit(strategy.choose(1, {}), Visit(Kind.OTHER))
    assert numbers(strategy) == [4, 3], "not the older of equal groups"


def test_the_oracle_is_asked_in_training_only():
    """Beyond its training it is told nothing."""
    asked = []

    def telling(url):
        asked.append(url)
        return kind_of(url)

    strategy = train_for(1, telling)
    strategy.learn_visit(Choice(link(1, RICH), strategy.add(link(2, RICH))), visit("a.csv"))
    assert asked == [SITE + "a.csv"]
    strategy.learn_visit(strategy.choose(1, {}), visit("b.csv"))
    assert asked == [SITE + "a.csv"]


def test_a_snapshot_goes_on_alike():
    """Restored in training or after it, it chooses as the original does."""
    half = train_for(2)
    links = {n: link(n, RICH if n % 2 else POOR) for n in range(1, 9)}
    for waiting in links.values():
        half.add(waiting)
    half.learn_visit(half.choose(0, {}), visit("a.csv"))
    after = trained()
    links |= {waiting.number: waiting for waiting in after.waiting()}
    for one in (half, after):
        two = train_for(2)
        two.restore(one.snapshot(), links | {k.number: k for k in one.waiting()})
        for strategy in (one, two):
            strategy.learn_visit(strategy.choose(1, {}), visit())
        assert numbers(one) == numbers(two)
