"""
An OpenID provider: where it is asked, how its answer is proven, whom it names.

The only place that reads tokens.  Its keys are read again when a token names one that is new.
"""

import base64
import hashlib
import json
import secrets
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import aiohttp

from reaper.ports import Clock, ReaperError
from reaper.web.roles import OidcSignIn, user_named

#: How an answer may be signed: by a key of the provider's own, never by a shared secret.
ALGORITHMS: Final = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
)  # fmt: skip

_PATIENCE: Final = aiohttp.ClientTimeout(total=10)
_LARGEST: Final = 1 << 20

#: Seconds for which what the provider says of itself is believed, and between two looks for a key.
_FRESH: Final = 3600.0
_KEYS: Final = 60.0

#: Seconds by which the provider's clock may differ.
_LEEWAY: Final = 60


class SignInError(ReaperError):
    """Somebody could not be signed in; the message says why, and names no token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A sign-in that was begun: what its answer must fit."""

    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Whom the provider named."""

    user: str
    groups: tuple[str, ...]


def begun() -> Begun:
    """Return the secrets of a new sign-in."""
    return Begun(
        state=secrets.token_urlsafe(24),
        nonce=secrets.token_urlsafe(24),
        verifier=secrets.token_urlsafe(48),
    )


@dataclass(slots=True, kw_only=True)
class Provider:
    """One OpenID provider; `redirect` is where it sends people back to."""

    settings: OidcSignIn
    secret: str
    clock: Clock
    redirect: str
    _told: tuple[float, Mapping[str, Any]] | None = field(default=None, repr=False)
    _keys: tuple[float, Mapping[str, Any]] | None = field(default=None, repr=False)

    async def address(self, start: Begun) -> str:
        """Return where a person goes to sign in; raise SignInError."""
        digest = hashlib.sha256(start.verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": self.redirect,
            "scope": " ".join(dict.fromkeys(("openid", *self.settings.scopes))),
            "state": start.state,
            "nonce": start.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        endpoint = await self._endpoint("authorization_endpoint")
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    async def named(self, code: str, start: Begun) -> Named:
        """Exchange a code for whom it names; raise SignInError."""
        answer = await self._exchange(code, start)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise SignInError("the provider gave no ID token: ask for the scope openid")
        claims = await self._claims(token, start.nonce)
        wanted = [claim for claim in (self.settings.user, self.settings.groups) if claim]
        if any(_claim(claims, name) is None for name in wanted):
            claims = {**await self._asked(answer, claims), **claims}
        user = _claim(claims, self.settings.user)
        name = user_named(user, self.settings.domain) if isinstance(user, str) else ""
        if not name:
            what = f"the claim {self.settings.user!r} names no user of {self.settings.domain}"
            raise SignInError(f"{what.removesuffix(' of ')}: set `web.sign_in.user` and `domain`")
        return Named(user=name, groups=_groups(_claim(claims, self.settings.groups)))

    # -------------------------------------------------------------- what it says of itself

    async def _endpoint(self, name: str) -> str:
        endpoint = (await self._discovered()).get(name)
        if not isinstance(endpoint, str) or not self._safe(endpoint):
            raise SignInError(f"the provider names no safe {name}")
        return endpoint

    def _safe(self, endpoint: str) -> bool:
        scheme = urlsplit(endpoint).scheme
        return scheme == "https" or scheme == urlsplit(self.settings.issuer).scheme

    async def _discovered(self) -> Mapping[str, Any]:
        now = self.clock.elapsed()
        if self._told is None or now - self._told[0] > _FRESH:
            issuer = self.settings.issuer
            told = await self._read(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            if told.get("issuer") != issuer:
                raise SignInError(f"the provider does not call itself {issuer}: set `issuer`")
            self._told = now, told
        return self._told[1]

    async def _key_set(self, *, again: bool) -> Mapping[str, Any]:
        now = self.clock.elapsed()
        if self._keys is None or (again and now - self._keys[0] > _KEYS):
            self._keys = now, await self._read(await self._endpoint("jwks_uri"))
        return self._keys[1]

    # -------------------------------------------------------------- tokens

    async def _exchange(self, code: str, start: Begun) -> Mapping[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect,
            "code_verifier": start.verifier,
        }
        headers = {}
        methods = (await self._discovered()).get("token_endpoint_auth_methods_supported")
        if not self.secret:
            form["client_id"] = self.settings.client_id
        elif isinstance(methods, list) and "client_secret_basic" not in methods:
            form |= {"client_id": self.settings.client_id, "client_secret": self.secret}
        else:
            pair = f"{quote(self.settings.client_id, safe='')}:{quote(self.secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        return await self._read(await self._endpoint("token_endpoint"), form=form, headers=headers)

    async def _claims(self, token: str, nonce: str) -> Mapping[str, Any]:
        """Return what a proven token says; keys that the provider has changed are read again."""
        try:
            return self._proven(token, nonce, await self._key_set(again=False))
        except _UnknownKeyError:
            try:
                return self._proven(token, nonce, await self._key_set(again=True))
            except _UnknownKeyError:
                raise SignInError("the answer is not signed by a key of the provider") from None

    def _proven(self, token: str, nonce: str, keys: Mapping[str, Any]) -> Mapping[str, Any]:
        from joserfc import jwt
        from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError, MissingKeyError
        from joserfc.jwk import KeySet

        rules = jwt.JWTClaimsRegistry(
            now=int(self.clock.now()),
            leeway=_LEEWAY,
            iss={"essential": True, "value": self.settings.issuer},
            sub={"essential": True},
            aud={"essential": True, "value": self.settings.client_id},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            known = KeySet.import_key_set(dict(keys))  # type: ignore[arg-type]
            decoded = jwt.decode(token, known, algorithms=list(ALGORITHMS))
            claims = dict(decoded.claims)
            rules.validate(claims)
        except (InvalidKeyIdError, MissingKeyError, BadSignatureError) as error:
            raise _UnknownKeyError from error
        except (JoseError, ValueError, TypeError, KeyError) as error:
            what = f"the provider's answer does not hold: {type(error).__name__}"
            raise SignInError(what) from None
        audience = claims.get("aud")
        several = isinstance(audience, list) and len(audience) > 1
        if claims.get("azp", self.settings.client_id) != self.settings.client_id or (
            several and "azp" not in claims
        ):
            raise SignInError("the provider's answer is for another client")
        return claims

    async def _asked(self, answer: Mapping[str, Any], claims: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the provider says of a person elsewhere; nothing where it says no more."""
        access = answer.get("access_token")
        if "userinfo_endpoint" not in await self._discovered() or not isinstance(access, str):
            return {}
        headers = {"Authorization": f"Bearer {access}"}
        told = await self._read(await self._endpoint("userinfo_endpoint"), headers=headers)
        return dict(told) if told.get("sub") == claims["sub"] else {}

    async def _read(
        self,
        url: str,
        *,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Mapping[str, Any]:
        """Return a JSON object that the provider answers with; raise SignInError."""
        trusted = ssl.create_default_context(cafile=self.settings.ca) if self.settings.ca else True
        connector = aiohttp.TCPConnector(ssl=trusted, force_close=True)
        try:
            async with (
                aiohttp.ClientSession(connector=connector, timeout=_PATIENCE) as session,
                session.request(
                    "GET" if form is None else "POST",
                    url,
                    data=form,
                    headers={"Accept": "application/json", **(headers or {})},
                    allow_redirects=False,
                ) as response,
            ):
                body = await _body(response)
                status = response.status
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            what = f"the provider does not answer ({type(error).__name__}); try again"
            raise SignInError(what) from None
        return _object(status, body)


class _UnknownKeyError(Exception):
    """No key that is known has signed this."""


async def _body(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for part in response.content.iter_chunked(1 << 16):
        body += part
        if len(body) > _LARGEST:
            raise SignInError("the provider's answer is too long")
    return bytes(body)


def _object(status: int, body: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    if status == 200 and isinstance(value, dict):
        return value
    code = value.get("error") if isinstance(value, dict) else None
    said = f" ({code[:40]!a})" if isinstance(code, str) else ""
    raise SignInError(f"the provider answered {status}{said}; sign in again")


def _claim(claims: Mapping[str, Any], name: str) -> object:
    """Return a claim by its name; dots lead into objects."""
    if name in claims:
        return claims[name]
    value: object = claims
    for step in name.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _groups(value: object) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(item for item in items if isinstance(item, str))
