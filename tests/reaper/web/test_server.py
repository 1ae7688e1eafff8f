import json
import socket
import ssl
from contextlib import closing

import aiohttp
import pytest

from reaper.edge.clock import JumpingClock
from reaper.schema import Address
from reaper.web.sockets import ListenError
from tests.builders_gallery import gallery
from tests.builders_picture import MINUTE, NOW, picture, row
from tests.certificates import Authority
from tests.served import serving


async def test_the_page_says_what_is_idle_and_what_it_burns(tmp_path):
    async with serving(tmp_path, gallery()) as served:
        status, text = await served.get("/")

    assert status == 200
    assert "22 of 89 GPUs" in text
    assert "63.70 EUR" in text
    assert "Release in 12 min" in text


async def test_nothing_is_kept_by_a_browser(tmp_path):
    async with serving(tmp_path, picture()) as served:
        assert (await served.headers("/"))["Cache-Control"] == "no-store"
        assert (await served.headers("/api/v1/status"))["Cache-Control"] == "no-store"


async def test_the_page_runs_nothing_but_its_own_script(tmp_path):
    async with serving(tmp_path, picture()) as served:
        one, other = await served.headers("/"), await served.headers("/")

    assert "default-src 'none'" in one["Content-Security-Policy"]
    assert one["Content-Security-Policy"] != other["Content-Security-Policy"]


async def test_before_the_first_cycle_the_page_says_so(tmp_path):
    async with serving(tmp_path, None) as served:
        status, text = await served.get("/")

    assert status == 503
    assert "No cycle yet" in text


async def test_an_allocation_has_a_page(tmp_path):
    async with serving(tmp_path, picture()) as served:
        status, text = await served.get("/allocation/slurm/4711")

    assert status == 200
    assert "away: last input 38 min ago (tmux)" in text


async def test_an_id_with_a_slash_has_a_page(tmp_path):
    pod = row(platform="kubernetes", id="team-a/train-0")
    async with serving(tmp_path, picture(rows=(pod,))) as served:
        status, _ = await served.get("/allocation/kubernetes/team-a/train-0")

    assert status == 200


async def test_an_unknown_allocation_is_not_found(tmp_path):
    async with serving(tmp_path, picture()) as served:
        status, text = await served.get("/allocation/slurm/1")
        api_status, api_text = await served.get("/api/v1/allocations/slurm/1")

    assert (status, api_status) == (404, 404)
    assert "No such allocation" in text
    assert "gpu-reaper status" in json.loads(api_text)["error"]


async def test_metrics_are_served_as_text(tmp_path):
    async with serving(tmp_path, picture()) as served:
        status, text = await served.get("/metrics")
        headers = await served.headers("/metrics")

    assert status == 200
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "gpureaper_coverage_ratio 1.0" in text


async def test_it_is_healthy_while_the_cycle_is_alive(tmp_path):
    async with serving(tmp_path, picture()) as served:
        assert await served.get("/healthz") == (200, "ok\n")
        served.alive[0] = False
        assert (await served.get("/healthz"))[0] == 503


async def test_it_is_ready_while_a_cycle_was_written_within_three_steps(tmp_path):
    async with serving(tmp_path, picture(at=NOW)) as served:
        served.clock.jump(NOW + 3 * MINUTE)
        assert (await served.get("/readyz"))[0] == 200
        served.clock.jump(NOW + 3 * MINUTE + 1)
        assert (await served.get("/readyz"))[0] == 503


async def test_it_is_not_ready_with_a_cycle_from_the_future(tmp_path):
    async with serving(tmp_path, picture(at=NOW + 5 * MINUTE)) as served:
        status, text = await served.get("/readyz")

    assert (status, text) == (
        503,
        "the last cycle lies 300 s in the future: the clock was set back\n",
    )


async def test_its_picture_grows_old_by_the_clock_that_counts_from_the_last_turn(tmp_path):
    steady = JumpingClock(at=NOW)
    async with serving(tmp_path, picture(at=NOW), told_by=steady) as served:
        served.clock.at -= 300
        steady.jump(NOW + 40)
        ready = await served.get("/readyz")
        _, text = await served.get("/metrics")

    assert ready == (200, "ready\n")
    assert "\ngpureaper_cycle_age_seconds 40.0\n" in text


async def test_it_is_not_ready_before_the_first_cycle(tmp_path):
    async with serving(tmp_path, None) as served:
        assert (await served.get("/readyz"))[0] == 503


async def test_the_board_is_shown_for_debugging(tmp_path):
    async with serving(tmp_path, picture()) as served:
        _, text = await served.get("/debug/board")

    assert json.loads(text) == {"sources": {"slurm": {"as_of": NOW}}}


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "[::2]", "[x"])
async def test_a_foreign_name_is_refused(tmp_path, host):
    async with serving(tmp_path, picture()) as served:
        status, _ = await served.get("/", headers={"Host": host})

    assert status in {400, 421}


@pytest.mark.parametrize("host", ["localhost:1234", "127.0.0.1", "[::1]:80", "gpu.example"])
async def test_a_name_of_this_machine_or_of_its_proxy_is_answered(tmp_path, host):
    async with serving(tmp_path, picture(), hosts=("gpu.example",)) as served:
        status, _ = await served.get("/", headers={"Host": host})

    assert status == 200


async def test_names_that_are_no_text_break_no_answer(tmp_path):
    odd = row(id="a\udcffb", name="x\n<b>\x1b[31m\udcff", owner="\u202emira", team="\x00")
    async with serving(tmp_path, picture(rows=(odd,)), owners_on_metrics=True) as served:
        answers = {
            path: await served.get(path)
            for path in ("/", "/metrics", "/api/v1/status", "/?q=\x1b", "/api/v1/explain?name=x")
        }

    assert [status for status, _ in answers.values()] == [200, 200, 200, 200, 404]
    assert "<b>\x1b" not in answers["/"][1]
    assert "\u202e" not in answers["/"][1]


async def test_an_address_beyond_loopback_is_refused(tmp_path):
    beyond = Address("192.0.2.1", 80)

    with pytest.raises(ListenError, match=r"web\.listen: 192\.0\.2\.1:80 is not loopback"):
        async with serving(tmp_path, picture(), listen=beyond):
            pass


async def test_https_is_served_with_a_certificate(tmp_path):
    authority = Authority(tmp_path)
    certificate, key = authority.sign("gpus", "IP:127.0.0.1")
    trusted = ssl.create_default_context(cafile=authority.certificate)
    tls = {"certificate": certificate, "key": key}
    async with serving(tmp_path, picture(), tls=tls) as served:
        connector = aiohttp.TCPConnector(ssl=trusted)
        async with (
            aiohttp.ClientSession(connector=connector) as client,
            client.get(f"https://{served.web.address}/healthz") as response,
        ):
            assert await response.text() == "ok\n"
            assert response.headers["Strict-Transport-Security"] == "max-age=2592000"


async def test_a_certificate_that_cannot_be_used_is_named(tmp_path):
    tls = {"certificate": tmp_path / "no.pem", "key": tmp_path / "no.key"}

    with pytest.raises(ListenError, match=r"web\.tls: .*no\.pem and its key cannot be used"):
        async with serving(tmp_path, picture(), tls=tls):
            pass

    assert not (tmp_path / "reaper.sock").exists()


async def test_a_port_in_use_is_named_with_its_cure(tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        busy = Address("127.0.0.1", taken.getsockname()[1])

        with pytest.raises(ListenError, match=r"cannot listen on .* set `web.listen`"):
            async with serving(tmp_path, picture(), listen=busy):
                pass

    assert not (tmp_path / "reaper.sock").exists()


async def test_only_the_socket_says_where_the_configuration_lies(tmp_path):
    async with serving(tmp_path, picture(), configuration="/srv/gpu-reaper.yaml") as served:
        told = await served.ask_socket("/debug/configuration")
        status, _ = await served.get("/debug/configuration")

    assert (told, status) == ((200, '{"path": "/srv/gpu-reaper.yaml"}'), 404)
