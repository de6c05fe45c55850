"""Fetches of one URL each: the name that is requested, and the redirects from there."""

from collections.abc import Iterable
from dataclasses import replace

from datahound.crawl.errands import Ending, Errand, Name, Outcome, is_page_in_place, make_fetched
from datahound.crawl.event_log import EventLog
from datahound.crawl.portals import Portals
from datahound.crawl.stopping import EarlyStop, Tally
from datahound.crawl.strategy import CompleteStrategy, State
from datahound.crawl.url_names import EqualPages, RedirectRules
from datahound.events import Fetched, FileElsewhere, SiteMoved, Skipped, TargetFound
from datahound.model import (
    Answer,
    Failure,
    Kind,
    Link,
    Page,
    Postponed,
    Purpose,
    Response,
    Skip,
    name_query,
    split_query,
)
from datahound.settings import MAX_URL_LENGTH, CrawlSettings
from datahound.web.messages import is_redirect
from datahound.web.site import Site, Traps
from datahound.web.targets import (
    ACCEPTED,
    find_wanted,
    has_blocked_extension,
    is_blocked_type,
    kind_of,
    last_segment,
    mime_type_of,
)
from datahound.web.urls import extension_of, host_of, join

# A server that answers a HEAD with one of these may still answer a GET.
_HEAD_UNSUPPORTED = (405, 501)
_CHOICES = 300
_AS_NAMED = (Purpose.PROBE, Purpose.REVISIT, Purpose.CHECK)
"""Purposes whose URL is requested as it is: no better name is predicted for it."""


class Fetches:
    """Turns errands into outcomes; keeps the tally and the known URLs."""

    def __init__(
        self,
        seed: str,
        strategy: CompleteStrategy,
        settings: CrawlSettings,
        log: EventLog,
        portals: Portals,
        *,
        with_url_names: tuple[bool, bool],
    ) -> None:
        self.site = Site(seed, settings.site)
        self.tally = Tally()
        self.early_stop = EarlyStop(settings.early_stop) if settings.early_stop else None
        # A dict for its order: a snapshot lists what was met in the order of meeting.
        self.known: dict[str, None] = {seed: None}
        self.under_way: set[str] = set()
        """The URLs of errands that wait for an answer, or for their turn."""
        aliases, equal_pages = with_url_names
        self._strategy = strategy
        self._settings = settings
        self.wanted = find_wanted(settings.targets)
        self._traps = Traps(settings.traps) if settings.traps else None
        self._portals = portals
        self._redirect_rules = RedirectRules() if aliases else None
        self._equal_pages = EqualPages() if equal_pages else None
        self._log = log

    def begin(self, errand: Errand) -> Outcome | None:
        """Decide which name of a URL to request; returns an outcome if no request is needed."""
        errand.own_url = errand.link.url
        if errand.own_url in self.under_way:
            # It is being requested as the better name of another link.
            self.skip(errand.link, Skip.ALIAS)
            return Outcome(Ending.ALIAS, errand.link)
        if errand.purpose is Purpose.LIST and self._portals.has_ended(errand.link):
            self.skip(errand.link, Skip.PORTAL_ENDED)
            return Outcome(Ending.ALIAS, errand.link)
        if errand.purpose in _AS_NAMED or split_query(errand.own_url)[1]:
            self.under_way.add(errand.link.url)
            return None
        alias = self._better_name(errand.link.url)
        url = alias or errand.link.url
        pages = self._equal_pages if errand.purpose is Purpose.VISIT else None
        if self._is_taken(alias) or (pages and pages.was_read(url)):
            self.skip(errand.link, Skip.ALIAS)
            return Outcome(Ending.ALIAS, errand.link)
        if pages and not errand.patient and pages.may_postpone(url):
            return Outcome(Ending.POSTPONED, errand.link)
        if alias is not None:
            errand.link = replace(errand.link, url=alias)
            errand.better_url, errand.name = alias, Name.BETTER
        self.under_way.add(url)
        return None

    def receive(self, errand: Errand, answer: Answer) -> Outcome | None:
        """What an answer means; None if the errand goes on, with another URL."""
        self.under_way.discard(errand.link.url)
        if isinstance(answer, Postponed):
            outcome = self._postpone(errand)
        else:
            self._record(errand, answer)
            if errand.purpose is Purpose.PROBE:
                outcome = self._receive_probe(errand, answer)
            else:
                outcome = self._receive_get(errand, answer)
        if outcome is None:
            self.under_way.add(errand.link.url)
        return outcome

    @property
    def room(self) -> int | None:
        """How many more URLs may be known; None for any number."""
        most = self._settings.max_known
        return None if most is None else max(0, most - len(self.known))

    def change_settings(self, settings: CrawlSettings) -> None:
        """Use other settings of the site from now on."""
        self._settings = settings
        self.site = Site(self.site.seed, settings.site)

    def objection(self, url: str) -> Skip | None:
        """Why a new URL is left out; None if it is not."""
        if reason := self.site.objection(url):
            return reason
        if self._settings.block_extensions and has_blocked_extension(url):
            return Skip.BLOCKED_EXTENSION
        if self._is_taken(self._better_name(url)):
            return Skip.ALIAS
        return self._traps.objection(url) if self._traps else None

    def declares_file(self, link: Link) -> bool:
        """Whether a list declares that a link is a file of the wanted types."""
        return link.declared_extension in self.wanted.extensions

    def is_named_file(self, link: Link) -> bool:
        """Whether a link is a file by its extension, or by what a list declares."""
        return not link.is_endpoint and (
            self.wanted.names_file(link.url, link.hint) or self.declares_file(link)
        )

    def is_linked_file(self, url: str) -> bool:
        """Whether a URL is off the site, and may be collected if it is a file."""
        return self._settings.linked_files and self.site.objection(url) is Skip.OTHER_SITE

    def wants_linked(self, link: Link) -> bool:
        """Whether a link off the site is collected, going by its name or by what a list says."""
        is_file = self.is_named_file(link) or self.wanted.offers_file(link.url)
        is_wanted = self.is_linked_file(link.url) and is_file
        return is_wanted and not self.site.excludes(link.url)

    def may_ask(self, link: Link) -> bool:
        """Whether a link is of an API on another host of the site's own domain."""
        is_own = link.is_endpoint and self.site.is_sibling(link.url)
        return is_own and not self.site.excludes(link.url)

    def note_elsewhere(self, link: Link) -> None:
        """Report a link to a file on a host outside the site, which is left out."""
        self._log.add(FileElsewhere(link, host_of(link.url), extension_of(link.url)))

    def is_unready(self, response: Response | None) -> bool:
        """Whether an answer says that a file is still being made."""
        return self.wanted.by_name and response is not None and response.status == ACCEPTED

    def note_page(self, url: str, page: Page) -> None:
        """Learn that a page was read under a URL."""
        if self._equal_pages and page.listing is None:
            self._equal_pages.learn_page(replace(page, url=url))

    def skip(self, link: Link, reason: Skip, *, redirected: bool = False) -> None:
        """Leave a link out, and say why."""
        if self._log.wants(Skipped):
            self._log.add(Skipped(link, reason, redirected))

    def snapshot(self) -> State:
        return {
            "site": self.site.seed,
            "tally": self.tally.snapshot(),
            "early_stop": self.early_stop.snapshot() if self.early_stop else None,
            "aliases": self._redirect_rules.snapshot() if self._redirect_rules else None,
            "twins": self._equal_pages.snapshot() if self._equal_pages else None,
        }

    def restore(self, state: State, known: Iterable[str], under_way: Iterable[str]) -> None:
        self.site = self.site.moved(state["site"])
        self.known = dict.fromkeys(known)
        self.under_way = set(under_way)
        if self._traps:
            # The traps learn from the known URLs, so a snapshot does not repeat what they know.
            for url in self.known:
                self._traps.note(url)
        self.tally = Tally(**state["tally"])
        if self.early_stop and state["early_stop"]:
            self.early_stop.restore(state["early_stop"])
        if self._redirect_rules and state["aliases"]:
            self._redirect_rules.restore(state["aliases"])
        if self._equal_pages and state["twins"]:
            self._equal_pages.restore(state["twins"])

    def _is_taken(self, alias: str | None) -> bool:
        """Whether a better name is known, or is being requested now."""
        return alias is not None and (alias in self.known or alias in self.under_way)

    def _better_name(self, url: str) -> str | None:
        """Where a URL would be redirected to, as far as the site's redirects tell."""
        alias = self._redirect_rules.predict_name(url) if self._redirect_rules else url
        return None if alias == url or self.site.objection(alias) else alias

    def _postpone(self, errand: Errand) -> Outcome | None:
        if errand.patient:
            return self._end(errand, Outcome(Ending.NOTHING, errand.link))
        link = errand.link
        if errand.name is Name.BETTER:
            link = replace(link, url=errand.own_url)
        return Outcome(Ending.POSTPONED, link)

    def _receive_get(self, errand: Errand, answer: Response | Failure) -> Outcome | None:
        link = errand.link
        if isinstance(answer, Failure):
            return self._end(errand, Outcome(Ending.NOTHING, link, is_missing=True))
        if errand.purpose is Purpose.CHECK and errand.link.url == errand.own_url:
            return self._receive_check(errand, answer)
        if not self._leads_on(answer):
            if errand.purpose is not Purpose.LIST:
                return self._end(errand, self._judge_final(link, answer))
            kind = self._kind_of(errand, answer)
            return self._end(errand, Outcome(Ending.ANSWERED, link, kind, answer))
        if self._follow(errand, answer):
            return None
        return self._end(errand, Outcome(Ending.NOTHING, errand.link))

    def _leads_on(self, answer: Response) -> bool:
        """Whether an answer leads to another URL; with the paper's targets, by its status alone."""
        if not self.wanted.by_name:
            return is_redirect(answer.status)
        has_place = bool(answer.headers.get("location"))
        return has_place and (answer.status == _CHOICES or is_redirect(answer.status))

    def _receive_check(self, errand: Errand, answer: Response) -> Outcome | None:
        """What an answer says of a file that is known; a redirect may lead to a new one."""
        link = errand.link
        if not is_redirect(answer.status):
            return Outcome(Ending.ANSWERED, link, self._judge(link, answer), answer)
        if self._follow(errand, answer):
            return None
        return Outcome(Ending.NOTHING, errand.link, response=answer)

    def _receive_probe(self, errand: Errand, answer: Response | Failure) -> Outcome | None:
        """What a HEAD says; without a clear answer the link is taken for a page."""
        link = errand.link
        if isinstance(answer, Failure):
            # A failed HEAD says nothing of the GET; without a request, a rule of ours forbids both.
            kind = Kind.PAGE if answer.requests else Kind.OTHER
            return Outcome(Ending.ANSWERED, link, kind)
        if answer.status in _HEAD_UNSUPPORTED:
            return Outcome(Ending.ANSWERED, link, Kind.PAGE)
        if is_redirect(answer.status):
            return None if self._follow(errand, answer) else Outcome(Ending.NOTHING, errand.link)
        # The answer to a HEAD is an example for the URL classifier like that to a GET.
        kind = self._judge(link, answer)
        self._strategy.learn_kind(link, kind)
        if kind is Kind.OTHER:
            self.skip(link, Skip.NEITHER)
        return Outcome(Ending.ANSWERED, link, kind)

    def _end(self, errand: Errand, outcome: Outcome) -> Outcome | None:
        """End an errand, or go on with its own name where the better one has nothing."""
        if self._redirect_rules is None or errand.name is Name.OWN:
            return outcome
        answer = outcome.response
        # Some servers have a page for every name, also for files that have not moved.
        has_page = answer and is_page_in_place(errand, answer, outcome.kind, self.wanted)
        is_nothing = outcome.is_missing or has_page
        if errand.name is Name.OWN_AFTER_BETTER:
            helped = answer is not None and not is_nothing
            self._redirect_rules.learn_own_name(errand.own_url, helped=helped)
            return outcome
        # No other link is to request this name again, whatever the answer was.
        self.known[errand.better_url] = None
        if not is_nothing or not self._redirect_rules.should_try_own_name(errand.own_url):
            return outcome
        errand.name, errand.hops, errand.redirected_from = Name.OWN_AFTER_BETTER, 0, None
        errand.link = replace(errand.link, url=errand.own_url)
        return None

    def _follow(self, errand: Errand, response: Response) -> bool:
        """Point the errand at where a redirect leads; False if it is not to be followed."""
        errand.got_cookie |= "set-cookie" in response.headers
        url = self._return_with_cookie(errand, response) or self._destination(errand.link, response)
        if url is None:
            return False
        errand.redirected_from = errand.link.url
        # A short link that names its file may lead to a URL that does not.
        hint = errand.link.hint or (self.wanted.by_name and last_segment(errand.link.url)) or ""
        errand.link = replace(errand.link, url=url, hint=hint)
        errand.hops += 1
        return errand.hops <= self._settings.max_redirects

    def _return_with_cookie(self, errand: Errand, response: Response) -> str | None:
        """The URL that a redirect leads back to after a cookie was set: it is requested again."""
        url = join(errand.link.url, response.headers.get("location", ""))
        is_back = url in (errand.link.url, errand.own_url) and url not in self.under_way
        if errand.is_again or not errand.got_cookie or not is_back:
            return None
        errand.is_again = True
        return url

    def _destination(self, link: Link, response: Response) -> str | None:
        """Where a redirect leads, if it is on the site and new; it is known from now on."""
        address, query = split_query(link.url)
        url = join(address, response.headers.get("location", ""))
        if url is not None and len(url) > MAX_URL_LENGTH:
            self.skip(link, Skip.TOO_LONG, redirected=True)
            return None
        if url is not None and query:
            # A query only reads, so it is posted to the new URL, whichever redirect status it was.
            url = name_query(url, query)
        elif url is not None and self._redirect_rules:
            self._redirect_rules.learn_redirect(link.url, url)
        if url is None or url in self.known or url in self.under_way:
            return None
        objection = self.site.objection(url)
        goes_on = self._leads_to_linked(link, url) or self.may_ask(replace(link, url=url))
        if objection and link.number and not goes_on:
            self.skip(replace(link, url=url), objection, redirected=True)
            if objection is Skip.OTHER_SITE and self.wanted.names_file(url):
                self.known[url] = None
                self.note_elsewhere(replace(link, url=url))
            return None
        # Only the seed has the number 0: the user meant the site that it redirects to.
        if objection is Skip.OTHER_SITE and not link.number:
            self._move_site(url)
        self.known[url] = None
        return url

    def _move_site(self, seed: str) -> None:
        before, self.site = self.site, self.site.moved(seed)
        # URLs on the new host that were left out may be requested now.
        for url in [u for u in self.known if before.objection(u) is Skip.OTHER_SITE]:
            if not self.site.objection(url) and not self.is_linked_file(url):
                del self.known[url]
        self._log.add(SiteMoved(seed))

    def _leads_to_linked(self, link: Link, url: str) -> bool:
        """Whether a redirect goes to a file on another host, or on from one that was linked to."""
        return self.wants_linked(Link(url)) or (
            self.is_linked_file(link.url) and self.is_linked_file(url)
        )

    def _judge_final(self, link: Link, response: Response) -> Outcome:
        """Find the kind of an answer that is not a redirect, and teach it to the strategy."""
        kind = self._judge(link, response)
        self._strategy.learn_kind(link, kind)
        if self._redirect_rules and kind is not Kind.OTHER and not split_query(link.url)[1]:
            self._redirect_rules.learn_in_place(link.url)
        if kind is Kind.TARGET:
            self.tally.targets += 1
            mime_type = mime_type_of(response)
            self._log.add(TargetFound(self.tally.requests, link, mime_type, response.size))
        return Outcome(Ending.ANSWERED, link, kind, response, is_missing=response.status >= 400)

    def _judge(self, link: Link, answer: Response) -> Kind:
        return kind_of(answer, self.wanted, link.hint)

    def _record(self, errand: Errand, answer: Response | Failure) -> None:
        """Add what an answer cost to the tally, and log it."""
        if isinstance(answer, Failure) and answer.refusal:
            self.skip(errand.link, answer.refusal)
        tally = self.tally
        # The body of a picture, a sound or a film is not read.
        is_cut = (
            isinstance(answer, Response)
            and is_blocked_type(mime_type_of(answer))
            and self._kind_of(errand, answer) is Kind.OTHER
        )
        size = 0 if is_cut else answer.size
        tally.requests += answer.requests
        tally.bytes += size
        # Early stopping and the bandit of the paper count GETs; a HEAD is a request for budgets.
        if errand.purpose is not Purpose.PROBE:
            tally.gets += answer.requests
        if self.early_stop:
            self.early_stop.observe(tally.gets, tally.targets)
        if self._log.wants(Fetched):
            kind = Kind.OTHER if isinstance(answer, Failure) else self._kind_of(errand, answer)
            self._log.add(make_fetched(tally.requests, errand, answer, kind, self.wanted, size))

    def _kind_of(self, errand: Errand, answer: Response) -> Kind:
        """The kind of an answer; an endpoint's list is not a file, whatever its type."""
        if errand.purpose is not Purpose.LIST:
            return self._judge(errand.link, answer)
        return Kind.PAGE if 200 <= answer.status < 300 else Kind.OTHER
