"""An OpenID provider on loopback that answers as a real one does, and lies when it is told to."""

import base64
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import parse_qs, urlsplit

from aiohttp import web
from aiohttp.test_utils import TestServer
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, RSAKey

from tests.builders_picture import NOW

CLIENT = "gpu-reaper"
SECRET = "s3cret-of-the-client"


@cache
def rsa_key(name: str) -> RSAKey:
    """Return the key of a name."""
    return RSAKey.generate_key(2048, {"kid": name})


@dataclass
class Provider:
    """What it says, and what it was asked; `claims` are added to every ID token."""

    claims: dict = field(default_factory=lambda: {"preferred_username": "mira", "groups": []})
    lies: dict = field(default_factory=dict)
    """Fields of the ID token that are wrong."""
    userinfo: dict = field(default_factory=dict)
    algorithm: str = "RS256"
    token_answer: web.Response | None = None
    issuer: str = ""
    named: str = ""
    """What it calls itself, if that is not what it is."""
    methods: tuple[str, ...] = ("client_secret_basic",)
    asked: list[str] = field(default_factory=list)
    key: RSAKey | ECKey = field(default_factory=lambda: rsa_key("one"))
    published: list = field(default_factory=list)
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def rotate(self) -> None:
        """Sign with a new key from now on, and publish it alone."""
        self.key = rsa_key("two")
        self.published = [self.key]

    def allow(self, address: str) -> str:
        """Sign a person in who was sent to an address; return where they are sent back to."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = f"code-{len(self._codes)}"
        self._codes[code] = query
        return f"{query['redirect_uri']}?code={code}&state={query['state']}"

    def application(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/.well-known/openid-configuration", self._discovered)
        app.router.add_get("/keys", self._keys)
        app.router.add_post("/token", self._token)
        app.router.add_get("/userinfo", self._userinfo)
        return app

    async def _discovered(self, _request: web.Request) -> web.Response:
        self.asked.append("discovery")
        return web.json_response(
            {
                "issuer": self.named or self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "token_endpoint_auth_methods_supported": list(self.methods),
            }
        )

    async def _keys(self, _request: web.Request) -> web.Response:
        self.asked.append("keys")
        keys = self.published or [self.key]
        return web.json_response(KeySet(keys).as_dict(private=False))

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.post()
        query = self._codes.pop(str(form["code"]), None)
        if self.token_answer is not None:
            return self.token_answer
        if query is None or not self._authenticated(request, form):
            return web.json_response({"error": "invalid_grant"}, status=400)
        digest = hashlib.sha256(str(form["code_verifier"]).encode()).digest()
        if base64.urlsafe_b64encode(digest).decode().rstrip("=") != query["code_challenge"]:
            return web.json_response({"error": "invalid_grant"}, status=400)
        claims = {
            "iss": self.issuer,
            "sub": "1234",
            "aud": CLIENT,
            "exp": int(NOW) + 300,
            "iat": int(NOW),
            "nonce": query["nonce"],
            **self.claims,
            **self.lies,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": self.algorithm, "kid": self.key.kid}
        token = jwt.encode(header, claims, self.key, algorithms=[self.algorithm])
        return web.json_response({"id_token": token, "access_token": "an-access-token"})

    def _authenticated(self, request: web.Request, form) -> bool:
        if "client_secret_basic" in self.methods:
            pair = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
            return request.headers.get("Authorization") == f"Basic {pair}"
        return (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)

    async def _userinfo(self, request: web.Request) -> web.Response:
        self.asked.append("userinfo")
        if request.headers.get("Authorization") != "Bearer an-access-token":
            return web.json_response({"error": "invalid_token"}, status=401)
        return web.json_response({"sub": "1234", **self.userinfo})


@asynccontextmanager
async def provider() -> AsyncIterator[Provider]:
    """Run one until the end of the block."""
    made = Provider()
    server = TestServer(made.application())
    await server.start_server()
    made.issuer = str(server.make_url("")).rstrip("/")
    try:
        yield made
    finally:
        await server.close()
