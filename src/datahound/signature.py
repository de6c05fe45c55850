"""HTTP Message Signatures (RFC 9421) with Ed25519, in the profile of Web Bot Auth.

A server that wants to know who sends a request answers with `Accept-Signature`; from then on,
requests to its origin are signed. `Signature-Agent` names the directory with the public key.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datahound.errors import UserError, needs_extra
from datahound.web.urls import origin_and_path

DIRECTORY = "/.well-known/http-message-signatures-directory"
_TAG = "web-bot-auth"
# Long enough for clocks that differ, short enough that a copied signature is soon worth nothing.
_SECONDS = 300
_AUTHORITY = "@authority"
_AGENT = "signature-agent"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private Ed25519 key; its public half and its thumbprint name the crawler."""

    private: Any
    public: bytes

    @property
    def jwk(self) -> dict[str, str]:
        """The public key as in a key directory."""
        return {"kty": "OKP", "crv": "Ed25519", "x": _encode_url(self.public)}

    @property
    def thumbprint(self) -> str:
        """The key's name (RFC 7638)."""
        # RFC 7638, 3: the required members in alphabetical order, without blanks.
        text = json.dumps(dict(sorted(self.jwk.items())), separators=(",", ":"))
        return _encode_url(hashlib.sha256(text.encode()).digest())

    def sign(self, text: str) -> str:
        """The signature of a text, in base64."""
        return base64.b64encode(self.private.sign(text.encode("ascii"))).decode()


def read_key(path: Path) -> SigningKey:
    """Read a private key in PEM, as `datahound bot-page` or openssl writes it."""
    with needs_extra("sign"):
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 an extra
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 an extra
    try:
        private = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise UserError(f"{path}: can't be read: {error.strerror or error}") from None
    except (ValueError, TypeError):
        private = None
    # Other algorithms are valid in RFC 9421; the profile of bots has this one.
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise UserError(f"{path}: is not a private Ed25519 key in PEM")
    return SigningKey(private, private.public_key().public_bytes_raw())


def make_key() -> bytes:
    """A new private key, in PEM."""
    with needs_extra("sign"):
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 an extra
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 an extra
    return ed25519.Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def sign_components(
    key: SigningKey,
    components: Sequence[tuple[str, str]],
    parameters: Mapping[str, str | int],
    label: str,
) -> dict[str, str]:
    """The headers `Signature-Input` and `Signature` over these components."""
    names = " ".join(f'"{name}"' for name, _ in components)
    given = "".join(
        f";{name}={value}" if isinstance(value, int) else f';{name}="{value}"'
        for name, value in parameters.items()
    )
    described = f"({names}){given}"
    # RFC 9421, 2.5: one line per component, the parameters last.
    lines = [f'"{name}": {value}' for name, value in components]
    base = "\n".join([*lines, f'"@signature-params": {described}'])
    return {
        "Signature-Input": f"{label}={described}",
        "Signature": f"{label}=:{key.sign(base)}:",
    }


class Signer:
    """Signs requests to the origins that asked for it."""

    def __init__(
        self, key: SigningKey, agent: str = "", now: Callable[[], float] = time.time
    ) -> None:
        self._key = key
        self._agent = agent
        """The origin with the key directory, or ''."""
        self._now = now
        self._asked: set[str] = set()

    def heed(self, url: str, headers: Mapping[str, str]) -> bool:
        """Note an answer that asks for signatures; True if it is the first of its origin."""
        origin = origin_and_path(url)[0]
        # Only where asked: a signature makes the crawler recognizable on every site.
        if "accept-signature" not in headers or origin in self._asked:
            return False
        self._asked.add(origin)
        return True

    def headers_for(self, url: str) -> dict[str, str]:
        """The headers that sign a request; none unless its origin asked for signatures."""
        origin = origin_and_path(url)[0]
        if origin not in self._asked:
            return {}
        # RFC 9421, 2.2.3: in lower case, without a default port.
        authority = origin.partition("//")[2].lower()
        components = [(_AUTHORITY, authority)]
        named = {}
        if self._agent:
            named = {"Signature-Agent": f'"{self._agent}"'}
            components.append((_AGENT, named["Signature-Agent"]))
        created = int(self._now())
        parameters: dict[str, str | int] = {
            "created": created,
            "expires": created + _SECONDS,
            "keyid": self._key.thumbprint,
            "alg": "ed25519",
            # So that no two signatures are equal, and none can be sent again.
            "nonce": _encode_url(secrets.token_bytes(32)),
            "tag": _TAG,
        }
        return {**named, **sign_components(self._key, components, parameters, "sig1")}


def make_directory(key: SigningKey) -> str:
    """The key directory of a crawler, as JSON; serve it at `DIRECTORY` of its site."""
    return json.dumps({"keys": [{**key.jwk, "kid": key.thumbprint, "use": "sig"}]}, indent=1) + "\n"


def _encode_url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
