"""Access to the dashboard: from this machine or with the token, and never by another website."""

import hmac
import ipaddress
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from html import escape

from aiohttp import web

from datahound.errors import UserError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

# A shorter token could be found by trying.
_MIN_TOKEN_LENGTH = 16
HEALTH = "/health"
"""The path of health checks, such as those of containers, which have no token."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Pages may have data that a login protects.
    "Cache-Control": "no-store",
}


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class AccessRules:
    """The access rules of one server."""

    host: str
    token: str = ""
    """Secret that every request must have; '' if only this machine can connect."""
    form_token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """Secret in each form of the dashboard, which other websites can't read."""

    @classmethod
    def create(cls, host: str, token: str | None) -> "AccessRules":
        """Make the rules for an address, with a new token if one is needed and none was given."""
        if token is not None and len(token) < _MIN_TOKEN_LENGTH:
            raise UserError(f"--token: give at least {_MIN_TOKEN_LENGTH} characters")
        if token is None and not is_loopback(host):
            token = secrets.token_urlsafe(24)
        return cls(host, token or "")

    @property
    def cookie(self) -> str:
        return "datahound"

    def knows(self, given: str) -> bool:
        # In constant time: the duration must not show how much of a guess is right.
        return hmac.compare_digest(given.encode(), self.token.encode())


@web.middleware
async def refuse_other_hosts(request: web.Request, handler: Handler) -> web.StreamResponse:
    """On loopback, refuse other host names: DNS rebinding makes a foreign name point here."""
    guard = request.app[GUARD]
    name = request.headers.get("Host", "")
    bare = name.rpartition(":")[0] if name.rpartition(":")[2].isdigit() else name
    if is_loopback(guard.host) and not is_loopback(bare):
        raise web.HTTPMisdirectedRequest(text="this server answers to localhost only\n")
    return await handler(request)


@web.middleware
async def require_token(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests without the token; a URL with the token sets the cookie."""
    guard = request.app[GUARD]
    # A health check says that the server answers, and nothing else.
    if not guard.token or request.path == HEALTH:
        return await handler(request)
    if "token" in request.query and request.method == "GET":
        return _set_cookie(request, guard)
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if guard.knows(request.cookies.get(guard.cookie, "")) or guard.knows(bearer):
        return await handler(request)
    raise web.HTTPUnauthorized(
        text="the token is missing: open the address that `datahound serve` has printed\n"
    )


@web.middleware
async def refuse_foreign_forms(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Accept forms only from pages of the dashboard."""
    if request.method in ("GET", "HEAD"):
        return await handler(request)
    if request.method != "POST":
        raise web.HTTPMethodNotAllowed(request.method, ["GET", "HEAD", "POST"])
    if not _comes_from_here(request):
        raise web.HTTPForbidden(text="forms from other websites are not accepted\n")
    form = await request.post()
    given = form.get("form_token", "")
    if not isinstance(given, str) or not hmac.compare_digest(
        given.encode(), request.app[GUARD].form_token.encode()
    ):
        raise web.HTTPForbidden(text="this form is out of date: load its page again\n")
    return await handler(request)


def _comes_from_here(request: web.Request) -> bool:
    """Whether the browser names the dashboard as origin; other programs name no origin."""
    # With `Referrer-Policy: no-referrer`, browsers send the origin `null`, but also this header.
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    origin = request.headers.get("Origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("Host")


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Forbid the browser to run scripts of others, on every answer."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Content-Security-Policy", _POLICY)
    response.headers.popall("Server", None)


def _set_cookie(request: web.Request, guard: AccessRules) -> web.Response:
    if not guard.knows(request.query["token"]):
        raise web.HTTPUnauthorized(text="wrong token\n")
    # A page instead of a redirect: browsers send a strict cookie only from a page of this site.
    address = escape(request.path or "/", quote=True)
    text = (
        f'<!doctype html><html lang="en"><meta http-equiv="refresh" content="0; url={address}">'
        f'<title>Datahound</title><p><a href="{address}">Continue</a>'
    )
    response = web.Response(text=text, content_type="text/html")
    response.set_cookie(guard.cookie, guard.token, httponly=True, samesite="Strict", path="/")
    return response


GUARD = web.AppKey("guard", AccessRules)
MIDDLEWARES = (refuse_other_hosts, require_token, refuse_foreign_forms)
