"""The port without pages: probes for everybody, metrics for scrapers, nothing else."""

import pytest

from reaper.schema import Address
from reaper.web.settings import WebSettings
from tests.builders_picture import picture
from tests.served import serving

ANYWHERE = Address("127.0.0.1", 0)
WORD = "a-word-of-scrapers"


@pytest.fixture
def word(tmp_path):
    path = tmp_path / "word"
    path.write_text(WORD)
    path.chmod(0o600)
    return {"file": path}


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_a_probe_is_answered_without_a_word_under_any_name(tmp_path, word, path):
    async with serving(tmp_path, picture(), machines=ANYWHERE, metrics_token=word) as served:
        status, _ = await served.get_machines(path, headers={"Host": "10.2.0.7:19451"})

    assert status == 200


async def test_metrics_are_for_whoever_sends_the_word(tmp_path, word):
    async with serving(tmp_path, picture(), machines=ANYWHERE, metrics_token=word) as served:
        refused, why = await served.get_machines("/metrics")
        wrong, _ = await served.get_machines("/metrics", headers={"Authorization": "Bearer no"})
        status, text = await served.get_machines(
            "/metrics", headers={"Authorization": f"Bearer {WORD}"}
        )

    assert (refused, wrong, status) == (401, 401, 200)
    assert "web.metrics_token" in why
    assert WORD not in why
    assert "gpureaper_coverage_ratio" in text


async def test_without_a_word_nobody_reads_metrics_there(tmp_path):
    async with serving(tmp_path, picture(), machines=ANYWHERE) as served:
        assert (await served.get_machines("/metrics"))[0] == 401


async def test_metrics_that_are_open_are_open_there(tmp_path):
    async with serving(tmp_path, picture(), machines=ANYWHERE, open_metrics=True) as served:
        assert (await served.get_machines("/metrics"))[0] == 200


@pytest.mark.parametrize("path", ["/", "/mine", "/api/v1/status", "/debug/board", "/answer/x"])
async def test_no_page_is_there(tmp_path, path):
    async with serving(tmp_path, picture(), machines=ANYWHERE, open_metrics=True) as served:
        assert (await served.get_machines(path))[0] == 404


async def test_it_is_nowhere_unless_it_is_asked_for(tmp_path):
    assert WebSettings().machines is None
    async with serving(tmp_path, picture()) as served:
        assert served.web.machines is None
