"""The API does what its description says, whatever it is asked: fuzzed by schemathesis."""

import asyncio
import json
from asyncio import to_thread
from contextlib import suppress

import hypothesis
import pytest
import requests
from aiohttp import web

from reaper.web.json_api import openapi
from reaper.web.json_api.openapi import CHANGES, READS, description
from reaper.web.json_api.routes import Api
from tests.unix_session import unix_session
from tests.visits import proxied

schemathesis = pytest.importorskip("schemathesis")
pytestmark = pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")

SETTINGS = hypothesis.settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)


def checks():
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    return [
        not_a_server_error,
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    ]


def fuzzed(session: requests.Session, address: str, *, methods: set[str]) -> int:
    """Ask everything rightly and wrongly; return how many requests it took."""
    schema = schemathesis.openapi.from_dict(json.loads(json.dumps(description("0"))))
    asked = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.method.upper() not in methods:
            continue
        for mode in schemathesis.GenerationMode:

            @SETTINGS
            @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
            def ask(case):
                nonlocal asked
                asked += 1
                case.call_and_validate(base_url=address, session=session, checks=checks())

            # What takes nothing cannot be asked wrongly.
            with suppress(hypothesis.errors.Unsatisfiable):
                ask()
    return asked


async def reported(ask) -> str:
    return "a report"


async def test_the_socket_answers_as_described_whatever_it_is_asked(tmp_path):
    async with proxied(tmp_path, report=reported) as served:
        session = unix_session(served.socket)
        asked = await to_thread(fuzzed, session, "http://localhost", methods={"GET", "POST"})
        session.close()

    assert asked > 300


@pytest.mark.parametrize("user", ["mira", "otto", ""])
async def test_the_port_answers_as_described_whoever_asks(tmp_path, user):
    async with proxied(tmp_path, report=reported) as served:
        session = requests.Session()
        session.trust_env = False
        session.headers.update({"X-Forwarded-User": user} if user else {})
        address = f"http://{served.web.address}"
        asked = await to_thread(fuzzed, session, address, methods={"GET"})
        session.close()
        await asyncio.sleep(0)  # noqa: TID251 - lets closed connections end

    assert asked > 100


def test_every_route_is_described_and_every_description_has_a_route():
    router = web.UrlDispatcher()
    api = Api(questions=None, requests=None, clock=None, operators=None, told_by=None)
    api.read(router)
    api.change(router)
    routes = {
        (route.method, route.resource.canonical)
        for route in router.routes()
        if route.method != "HEAD"
    }

    described = {("GET", read.path) for read in READS} | {("POST", one.path) for one in CHANGES}
    assert routes == described | {("GET", openapi.PATH)}


def test_the_description_is_as_it_was(golden):
    golden("openapi.json", json.dumps(description("0"), indent=1, sort_keys=True) + "\n")
