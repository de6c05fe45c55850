"""Focused crawling: what it learns, and what learning costs."""

from datahound.crawl.strategy import CompleteStrategy, Expectation
from datahound.model import Kind, Link
from datahound.settings import ClassifierSettings
from datahound.strategies.focused import FocusedStrategy, LinkScorer, Ranking

SITE = "https://www.a.example"


def link(number, path=None, anchor=""):
    return Link(f"{SITE}{path or f'/page/{number}'}", "html body a", anchor, depth=2, number=number)


def taught(strategy, examples=200):
    """A strategy that has seen files under /files/ and pages elsewhere."""
    for number in range(examples // 2):
        strategy.learn_kind(link(0, f"/files/{number}.csv", "Download"), Kind.TARGET)
        strategy.learn_kind(link(0, f"/page/{number}", "Read more"), Kind.PAGE)
    return strategy


def choose(strategy):
    return strategy.choose(0, {})


def test_first_in_first_out_before_a_target_was_met():
    """As long as there is nothing to prefer, links are visited as they came."""
    strategy = FocusedStrategy(ClassifierSettings())
    for number in range(1, 300):
        strategy.add(link(number))
        strategy.learn_kind(link(number), Kind.PAGE)
    assert [strategy.choose(0, {}).link.number for _ in range(299)] == list(range(1, 300))
    assert strategy.choose(0, {}) is None


def score_of_a_file(answers, later=0):
    """What a file is worth to the paper's form, if it is met after some answers."""
    strategy = taught(FocusedStrategy(ClassifierSettings(), "paper"), answers)
    strategy.add(link(1, "/files/new.csv", "Download"))
    return strategy.explain(choose(taught(strategy, later))).score


def test_the_paper_form_scores_each_link_once():
    """Links that wait are scored at the hundredth answer, later ones when met; none again."""
    then = score_of_a_file(100)
    assert score_of_a_file(0, later=100) == then > 0
    assert score_of_a_file(100, later=100) == then != score_of_a_file(200)


def test_the_paper_form_scores_without_a_target():
    """Where a hundred answers were pages, what is unlike them comes first."""
    strategy = FocusedStrategy(ClassifierSettings(), "paper")
    strategy.add(link(1))
    strategy.add(link(2, "/files/new.csv", "Download"))
    for number in range(100):
        strategy.learn_kind(link(0, f"/page/{number}", "Read more"), Kind.PAGE)
    assert choose(strategy).link.number == 2


def test_the_paper_form_learns_every_ten_answers():
    """Ours waits for a hundred; both prefer nothing before a hundred answers."""
    early, late = (taught(FocusedStrategy(ClassifierSettings(), "paper"), n) for n in (98, 110))
    file = link(1, "/files/new.csv", "Download")
    for strategy, learned in ((early, False), (late, True)):
        strategy.add(file)
        choice = strategy.choose(0, {})
        assert (strategy.explain(choice).score > 0) is learned


def test_what_looks_like_a_target_comes_first():
    """Once it has met targets, links like them come before links like pages."""
    strategy = taught(FocusedStrategy(ClassifierSettings()))
    for number in range(1, 50):
        strategy.add(link(number, anchor="Read more"))
    strategy.add(link(99, "/files/new.csv", "Download"))
    choice = strategy.choose(0, {})
    assert choice.link.number == 99
    assert strategy.explain(choice).score > 0


def test_waiting_links_are_scored_again():
    """A link that waited since before the first target rises when targets prove to be like it."""
    strategy = FocusedStrategy(ClassifierSettings())
    for number in range(1, 5000):
        strategy.add(link(number))
    strategy.add(link(5000, "/files/old.csv", "Download"))
    taught(strategy, 600)
    assert strategy.choose(0, {}).link.number == 5000


def test_it_expects_pages_and_asks_nothing():
    """Every link is expected to be a page, whatever it looks like."""
    strategy = taught(FocusedStrategy(ClassifierSettings()))
    assert CompleteStrategy(strategy).expect(link(1, "/files/a.csv")) == Expectation(Kind.PAGE)


def test_as_many_are_due_however_many_wait():
    """A training rescores the same number of links when fifty thousand wait, and in time all."""
    ranking = Ranking()
    for number in range(50_000):
        ranking.put(number, float(number % 10))
    met = set()
    for _ in range(50):
        due = ranking.due(1000, 1000)
        assert len(due) <= 2000
        met.update(due)
    assert met == set(range(50_000))


def test_a_ranking_survives_many_changes():
    """Scores can be changed for ever: the highest comes first, the older of equals, none twice."""
    ranking = Ranking()
    for turn in range(50):
        for number in range(100):
            ranking.put(number, float((number * 7 + turn) % 10))
    last = {number: (number * 7 + 49) % 10 for number in range(100)}
    taken = [ranking.take()[0] for _ in range(100)]
    assert taken == sorted(last, key=lambda number: (-last[number], number))
    assert len(ranking) == 0


def test_a_snapshot_goes_on_alike():
    """Restored, it chooses and learns as the original does."""
    one = taught(FocusedStrategy(ClassifierSettings()), 250)
    links = {n: link(n, f"/files/{n}.csv" if n % 3 else None) for n in range(1, 3000)}
    for waiting in links.values():
        one.add(waiting)
    taught(one, 150)
    two = FocusedStrategy(ClassifierSettings())
    two.restore(one.snapshot(), links)
    for strategy in (one, two):
        taught(strategy, 300)
    assert [one.choose(0, {}) for _ in range(2999)] == [two.choose(0, {}) for _ in range(2999)]


def test_depth_anchor_and_url_all_count():
    """Each of the three features alone can tell targets from pages."""
    ways = [
        (Link(SITE, depth=9), Link(SITE, depth=1)),
        (Link(SITE, anchor="Download"), Link(SITE, anchor="About us")),
        (Link(f"{SITE}/a.csv"), Link(f"{SITE}/b/")),
    ]
    for target, page in ways:
        scorer = LinkScorer(ClassifierSettings())
        for _ in range(200):
            scorer.learn(target, is_target=True)
            scorer.learn(page, is_target=False)
        assert scorer.score(target) > scorer.score(page)
