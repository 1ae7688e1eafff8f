"""The page of the whole cluster as an operator reads it who reads Russian."""

from tests.builders_picture import HOUR, NOW
from tests.visits import proxied, rewritten, visiting, words

READS = {"otto": "ru"}


async def test_the_cluster_in_russian(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "otto") as otto:
        text = words((await otto.get("/")).text)

    assert "1 из 4 GPU занят и простаивает, это стоит 2.50 EUR в час." in text
    assert "простаивают: 1" in text
    assert "Простаивают сейчас сначала самые дорогие; дорожки показывают, что было за 1 час" in text
    assert "Источники кого спрашивали и как давно ответили" in text
    assert "slurm кто их занимает" in text


async def test_a_blind_cluster_says_so_in_russian(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "otto") as otto:
        await rewritten(served, at=NOW - HOUR)
        text = words((await otto.get("/")).text)

    assert "Сейчас ничего нельзя сказать: циклов не было уже 1 час." in text
    assert "Последнее, что известно: 1 из 4 GPU занят и простаивает" in text
