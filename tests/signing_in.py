"""People who sign in at a provider: a served site, the provider, and a browser that goes there."""

from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from reaper.web.roles import OidcSignIn
from tests.fake_provider import CLIENT, SECRET, provider
from tests.visits import proxied, visiting


@asynccontextmanager
async def signing(folder, **settings):
    """Serve with a provider; give what is served, the provider and a browser."""
    store = settings.pop("store", None)
    (folder / "secret").write_text(SECRET)
    async with provider() as made:
        way = OidcSignIn(
            issuer=made.issuer,
            client_id=CLIENT,
            client_secret={"file": folder / "secret"},
            **settings,
        )
        async with (
            proxied(folder, sign_in=way, address="http://gpus.example.org/", store=store) as served,
            visiting(served) as browser,
        ):
            yield served, made, browser


async def begun(browser, to="/mine"):
    """Ask for a page, and follow to where the provider asks."""
    first = await browser.get(to, Accept="text/html")
    assert first.status == 303
    second = await browser.get(first.headers["Location"])
    return second.headers["Location"]


async def back(browser, made, address):
    """Come back from the provider, to this browser's own idea of the site."""
    parts = urlsplit(made.allow(address))
    return await browser.get(f"{parts.path}?{parts.query}")


async def signed_in(browser, made, to="/mine"):
    return await back(browser, made, await begun(browser, to))
