"""The time of a step of tres, at its published cost and at the reduced one, side by side.

    python benchmarks/speed/tres_steps.py --urls 30000

Both begin with the same tree, grown on as many visits and with as many links waiting, and make the
same steps: choose a link by Q, take it, learn its reward, try to split its leaf, score the links of
its page; the published one also looks every ten steps for waiting links that were fetched. Checks
that both choose alike. Times are CPU time; writes benchmarks/results/tres_steps.csv.
"""

import argparse
import csv
import statistics
import time
from pathlib import Path
from random import Random

from datahound.settings import TresSettings
from datahound.strategies.tres.q_network import QNetwork
from datahound.strategies.tres.relevance import SIZES, Document, train_relevance
from datahound.strategies.tres.tree_frontier import TreeFrontier, find_fetched
from datahound.strategies.tres.words import Keywords, Text

RESULTS = Path(__file__).parent.parent / "results" / "tres_steps.csv"
LINKS_PER_PAGE = 30
SITE = "https://www.a.example/statistics/"
WORDS = [f"word{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(400)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--urls", type=int, nargs="*", default=[3000, 30_000])
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    relevance = make_relevance()
    rows = []
    for urls in arguments.urls:
        state = grow(urls)
        found = {
            cost: take_steps(cost, state, urls, arguments.steps, relevance)
            for cost in ("reduced", "published")
        }
        assert found["reduced"][0] == found["published"][0], "the choices differ"
        times = {cost: statistics.fmean(seconds) for cost, (_, seconds) in found.items()}
        ratio = times["published"] / times["reduced"]
        rows.append([urls, arguments.steps, *(f"{s:.5f}" for s in times.values()), f"{ratio:.0f}"])
        print(f"{urls:,} URLs: {times['reduced']:.5f} s, published {times['published']:.5f} s,"
              f" {ratio:.0f} times", flush=True)  # fmt: skip
    with RESULTS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["urls", "steps", "reduced_seconds", "published_seconds", "ratio"])
        writer.writerows(rows)


def make_features(rng: Random) -> tuple[float, ...]:
    """Features as a crawl has them: six with few values, and a probability."""
    distance, pages = rng.randint(1, 8), rng.randint(1, 12)
    flags = (float(rng.random() < 0.3) for _ in range(3))
    share = rng.randint(0, pages) / pages
    return (float(distance == 1), 1 / distance, share, *flags, round(rng.random(), 9))


def make_reward(rng: Random, features: tuple[float, ...]) -> int:
    return int(rng.random() < 0.02 + 0.1 * features[0] * features[6])


def grow(urls: int) -> dict:
    """The state of a tree after visits of so many URLs, with as many links waiting."""
    rng, tree = Random(1), TreeFrontier(TresSettings())
    for number in range(urls):
        tree.add(number, make_features(rng))
        features = make_features(rng)
        tree.learn(features, make_reward(rng, features))
    return tree.snapshot()


def make_relevance():
    rng = Random(2)
    documents = [
        Document(Text(tuple(rng.choices(WORDS, k=40)), rng.randint(0, 4)), number % 2 == 0)
        for number in range(120)
    ]
    return train_relevance(documents, Keywords(WORDS[:5]), SIZES["small"], 1)


def take_steps(cost: str, state: dict, urls: int, steps: int, relevance) -> tuple[list, list]:
    settings = TresSettings(cost=cost)
    tree, network, rng = TreeFrontier(settings), QNetwork(settings, 0), Random(3)
    tree.restore(state)
    waiting, fetched = ([f"{SITE}{what}/{n}.html" for n in range(urls)] for what in ("w", "f"))
    chosen, seconds = [], []
    for step in range(steps):
        texts = [Text(tuple(rng.choices(WORDS, k=8))) for _ in range(LINKS_PER_PAGE)]
        features = [make_features(rng) for _ in texts]
        begun = time.process_time()
        drawn = tree.draw(rng)
        vectors = [tree.features(number) for number in drawn]
        if cost == "published":
            scores = [network.score([one])[0] for one in vectors]
            shares = [relevance.predict([text])[0] for text in texts]
        else:
            scores, shares = network.score(vectors), relevance.predict(texts)
        number = drawn[scores.index(max(scores))]
        taken = tree.take(number)
        for place, (one, share) in enumerate(zip(features, shares, strict=True)):
            tree.add(urls + step * LINKS_PER_PAGE + place, (*one[:6], share))
        split = tree.learn(taken, make_reward(rng, taken))
        if cost == "published" and step % 10 == 9:
            find_fetched(waiting, fetched)
        seconds.append(time.process_time() - begun)
        chosen.append((number, split, shares))
    return chosen, seconds


if __name__ == "__main__":
    main()
