"""A crawl talked through: a site as a dict, and every event it leads to."""

from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.model import Failure, Kind, Response
from datahound.settings import CrawlSettings
from datahound.strategies import make_strategy

SEED = "http://e.org/"


class Dictionary:
    """An archive made of a dict from paths to answers; it notes what it was asked for."""

    name = "dictionary"
    seed = SEED

    def __init__(self, answers):
        self.answers = {_url(path): answer for path, answer in answers.items()}
        self.asked = []

    def get(self, fetch):
        self.asked.append((fetch.method, fetch.url.removeprefix(SEED)))
        answer = self.answers.get(fetch.url)
        answer = answer(fetch) if callable(answer) else answer
        if isinstance(answer, Response):
            body = b"" if fetch.method == "HEAD" else answer.body
            return Response(fetch.url, answer.status, answer.headers, body, len(answer.body))
        return answer


def html(*links):
    """A page with links; a link may be a pair of URL and class."""
    items = [link if isinstance(link, tuple) else (link, "x") for link in links]
    body = "".join(f'<p class="{name}"><a href="{url}">{url}</a></p>' for url, name in items)
    return Response("", 200, {"content-type": "text/html"}, f"<title>t</title>{body}".encode())


def csv(size=10):
    return Response("", 200, {"content-type": "text/csv"}, b"x" * size)


def moved(to, status=301):
    return Response("", status, {"location": to, "content-type": "text/html"}, b"")


def error(status=404):
    return Response("", status, {"content-type": "text/html"}, b"")


def nothing(reason="connection refused"):
    return Failure("", reason)


class Knowing:
    """An oracle that goes by extension."""

    def kind_of(self, url):
        return Kind.TARGET if url.endswith(".csv") else Kind.PAGE

    def targets(self):
        return ()


def crawl_all(answers, strategy="bfs", *, settings=None, seed=0, **more):
    """Crawl a dict to the end: the crawl, its events, and what was asked for."""
    archive = Dictionary(answers)
    made = strategy if not isinstance(strategy, str) else make(strategy, seed)
    crawl = Crawl(SEED, made, settings=settings or CrawlSettings(), **more)
    events = []
    replay(crawl, archive, events.extend)
    return crawl, events, archive.asked


def make(name, seed=0):
    return make_strategy(name, seed=seed, oracle=Knowing())


def _url(path):
    return path if "://" in path else SEED + path.removeprefix("/")
