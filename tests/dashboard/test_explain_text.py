"""Choices in bars and in words, and their evidence in sentences."""

import pytest

from datahound.dashboard.choices import add_bars
from datahound.dashboard.explain_text import _describe_choice, explain_evidence
from datahound.events import Evidence, Experience, Ground, Level


@pytest.mark.parametrize(
    ("score", "bonus", "bars", "said"),
    [
        (0.5, 0.3, (40, 60), "0.5 (0.2 expected and 0.3 to explore)"),
        (0.2, -0.3, (40, 60), "0.2 (0.5 expected, less 0.3 by chance)"),
        (8e-11, -0.001, (0, 100), "≈0 (0.001 expected, less 0.001 by chance)"),
        (0.5, None, (100, 0), "0.5; no other"),
    ],
)
def test_a_score_in_parts(score, bonus, bars, said):
    """What was expected and what the draw added or took off, in bars that fit and in words."""
    mean = None if bonus is None else score - bonus
    made = {"number": 7, "group": 3, "score": score, "bonus": bonus, "mean": mean}
    choice = add_bars({**made, "grounds": [], "beaten": []})
    assert (choice["mean_percent"], choice["bonus_percent"]) == pytest.approx(bars, abs=0.01)
    assert said in _describe_choice(choice)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (Evidence(), ""),
        (
            Evidence(0.9, 0.25, (Experience(Level.SITE, 4, 1.0),)),
            "0.25 new data files are expected. Links like it on the site brought 1 on 4 visits.",
        ),
        (
            Evidence(
                None,
                0.5,
                (
                    Experience(Level.SITE, 120.4, 31.5),
                    Experience(Level.SECTION, 2.25, 1.5),
                    Experience(Level.FOLDER, 0, 0),
                ),
                0.421,
                0.3,
                (Ground.PROVES_RULE, Ground.FILES_COLLECTED),
            ),
            (
                "0.5 new data files are expected. Links like it on the site brought 32 on 120 "
                "visits, those in its section brought 1.5 on 2.2 visits. The address and the texts "
                "of the link give it a chance of 42 %. Any link of the site brings 0.3 on average. "
                "The page is read to check a rule about which files belong to which pages. Files "
                "of similar pages were collected before those pages were read."
            ),
        ),
        (
            Evidence(expected=0.0, experience=(Experience(Level.SITE, 0, 0),)),
            "0 new data files are expected. No similar link was visited before.",
        ),
    ],
)
def test_evidence_in_words(why, said):
    assert explain_evidence(why) == said
