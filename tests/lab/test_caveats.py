"""What limits the value of results."""

from made_results import make_run, make_site, make_view

from datahound.lab.report.page import list_caveats

LARGE = make_site(requests=50_000, targets=5_000)


def caveats(*runs, sites=(LARGE,), installed="1.2.3", **changes):
    return list(list_caveats(make_view(*runs, sites=sites, **changes), installed))


def test_good_results_have_none():
    """Several runs on a large site need no word of caution."""
    assert caveats(*(make_run(seed=seed) for seed in range(3)), make_run("bfs")) == []


def test_another_version_is_named():
    """Results and report by two versions."""
    said = caveats(make_run(), make_run(seed=1), installed="9.9")
    assert said == ["These results were made by datahound 1.2.3; this report by 9.9."]


def test_one_run_of_random_crawlers():
    """Without a second run chance may decide; a crawler that is not random needs no second run."""
    assert caveats(make_run()) == [
        "One run of each random crawler: without a standard deviation, chance may decide."
    ]
    assert caveats(make_run("bfs")) == []


def test_further_runs_of_tres_make_no_others_missing():
    """It runs where it is named, and as often as is asked there."""
    runs = [make_run(), *(make_run("tres", seed=seed) for seed in range(3))]
    assert not [line for line in caveats(*runs) if "missing" in line]


def test_missing_runs_are_counted():
    """Per site, against the crawler with the most seeds; and sites that are behind are named."""
    two = make_site("two", requests=50_000, targets=5_000)
    runs = [make_run(seed=seed) for seed in range(4)]
    runs += [make_run("hound", seed=seed) for seed in range(2)]
    runs += [make_run(site="two", seed=seed) for seed in range(2)]
    assert caveats(*runs, sites=(LARGE, two)) == [
        "Fewer runs than on the other sites: two.",
        "4 runs are missing: the same lab run command again makes them.",
    ]


def test_few_targets():
    """Below 50 targets a single one shows in percent."""
    runs = [make_run(seed=0), make_run(seed=1)]
    few = make_site(requests=50_000, targets=49)
    assert caveats(*runs, sites=(few,)) == [
        "one: only 49 targets, so that one more or less shows in percent."
    ]
    assert caveats(*runs, sites=(make_site(requests=50_000, targets=50),)) == []


def test_no_target_within_a_limit():
    """Shares of nothing are no figures."""
    runs = [make_run(seed=0), make_run(seed=1)]
    assert caveats(*runs, sites=(make_site(requests=50_000, targets=0),)) == [
        "one: bfs finds no target within the limit: there is nothing to compare."
    ]


def test_what_tres_is_given_and_where_it_was_ended():
    """Its gifts, and the runs that a slow step ended; fewer runs of it are no missing ones."""
    runs = [make_run(seed=seed) for seed in range(3)]
    runs += [make_run("tres", seed=0, stopped="step over 60 s"), make_run("tres", seed=1)]
    given, ended = caveats(*runs)
    assert given.startswith("tres knows which URLs are pages")
    assert ended == "one: tres, 1 of 2 runs ended by a step over 60 s."


def test_tp_off_on_a_small_site():
    """Where a site takes no more requests than the training, it never ends."""
    run = make_run("tp-off")
    (said,) = caveats(run, sites=(make_site(requests=3000, targets=100),))
    assert said == (
        "tp-off is bfs where a site takes no more requests than the 3,000 of its training: one."
    )
    assert caveats(run, sites=(make_site(requests=3001, targets=100),)) == []


def test_early_stopping_on_a_small_site():
    """It can't stop before window times patience requests."""
    runs = [make_run(seed=0), make_run(seed=1)]
    (said,) = caveats(*runs, sites=(make_site(requests=14_999),))
    assert said.startswith("Early stopping takes 15,000 requests at least")
    assert said.endswith("have: one.")
    assert caveats(*runs, sites=(make_site(requests=15_000),)) == []


def test_failures_are_named():
    """Which runs failed, and why: one line for all of a crawler with one reason."""
    failures = {("one", "dfs", "", seed): "RuntimeError: no way" for seed in (2, 3)}
    failures["one", "dfs", "ngram=3", 3] = "RuntimeError: no way"
    runs = [make_run(seed=0), make_run(seed=1)]
    assert caveats(*runs, failures=failures) == [
        "one: dfs, 2 runs failed: RuntimeError: no way",
        "one: dfs ngram=3, run 3 failed: RuntimeError: no way",
    ]
