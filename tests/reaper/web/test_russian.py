"""What people read who read Russian: owners, and operators as well."""

import re
from dataclasses import replace

import pytest

from reaper.domain.escalation.case import State
from reaper.domain.money.entries import Event
from reaper.web.attempts import MOST
from tests.builders_picture import HOUR, NOW, hold
from tests.visits import MIRAS, link, proxied, rewritten, visiting, words

READS = {"mira": "ru", "otto": "ru"}
KEEP = "/do/keep/slurm/4711"
ENGLISH = re.compile(r'<(\w+)[^>]* lang="en"[^>]*>.*?</\1>', re.DOTALL)
FOREIGN = {
    "gpu",
    "reaper",
    "slurm",
    "mira",
    "sim",
    "utc",
    "node",
    "lm",
    "html",
    "status",
    "mine",
    "exporters",
}


def rest(text: str) -> set[str]:
    """Return the Latin words that a page shows outside what is marked as English."""
    shown = re.findall(r"[A-Za-z]{3,}", words(ENGLISH.sub("", text)))
    return {word.lower() for word in shown if len(set(word)) > 1} - FOREIGN


async def seen(folder, path, *, user="mira", reads=READS, **headers):
    async with proxied(folder, reads=reads) as served, visiting(served, user) as somebody:
        return await somebody.get(path, **headers)


async def test_what_is_mine(tmp_path):
    page = await seen(tmp_path, "/mine")
    text = words(page.text)

    assert '<html lang="ru">' in page.text
    assert "Ваш GPU простаивает." in text
    assert "Освобождение через 20 минут , намечено на 14:52." in text
    assert '<span lang="en">No SM, tensor or memory work for 40 min' in page.text
    assert "Оставить на На сколько 1 час 2 часа 4 часа" in text
    assert "Мои задания" in text


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("keep", "Оставить? "),
        ("until_morning", "Оставить до утра следующего рабочего дня? "),
        ("release", "Освободить сейчас? "),
        ("dispute", "Это ошибка? "),
    ],
)
async def test_what_is_asked(tmp_path, verb, said):
    page = await seen(tmp_path, f"/ask/{verb}/slurm/4711")

    assert '<html lang="ru">' in page.text
    assert said in words(page.text)
    assert "простаивает" in words(page.text).lower()


@pytest.mark.parametrize(
    "path",
    ["/mine", "/ask/keep/slurm/4711", "/ask/release/slurm/4711", link()],
)
async def test_no_english_is_left_unmarked(tmp_path, path):
    page = await seen(tmp_path, path, user="" if path.startswith("/answer") else "mira")

    assert page.status == 200
    assert rest(page.text) - names() == set()


def names() -> set[str]:
    said = f"{MIRAS.name} {MIRAS.model} {' '.join(MIRAS.nodes)} {MIRAS.platform}"
    return {word.lower() for word in re.findall(r"[A-Za-z]{3,}", said)}


async def test_a_signed_link_speaks_as_whom_it_was_sent_to(tmp_path):
    page = await seen(tmp_path, link(), user="", Accept_Language="en")
    text = words(page.text)

    assert '<html lang="ru">' in page.text
    assert "Как поступить с заданием?" in text
    assert "Вы отвечаете как mira. По этой ссылке можно дать один ответ, до " in text


async def test_an_answer_by_a_link_is_told(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served) as nobody:
        word = (await nobody.get(link())).word
        await nobody.post(link(), {"form": word, "do": "keep", "hours": "2"})
        after = (await nobody.get(link())).text
        again = await nobody.post(link(), {"form": word, "do": "dispute", "reason": "x"})

    assert "Готово Оставлено до 16:32 UTC: slurm/4711." in words(after)
    assert "Спасибо" in words(after)
    assert rest(after) - names() == set()
    assert "Ответ уже был дан, а засчитывается он один раз" in words(again.text)


@pytest.mark.parametrize(
    ("action", "fields", "said"),
    [
        ("keep", {"hours": "2"}, "Оставлено до 16:32 UTC: slurm/4711."),
        ("until_morning", {}, "Оставлено до ср 10:00 UTC: slurm/4711."),
        ("release", {"confirmed": "yes"}, "slurm/4711 будет освобождено в течение нескольких"),
        ("dispute", {"reason": "x"}, "Сообщение об ошибке принято (slurm/4711); оператор"),
    ],
)
async def test_what_was_done_is_told(tmp_path, action, fields, said):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "mira") as mira:
        answer = await mira.send("/mine", f"/do/{action}/slurm/4711", **fields)
        after = await mira.get(answer.headers["Location"])

    assert said in words(after.text)
    assert '<html lang="ru">' in after.text


async def test_a_refusal_says_its_reason_too(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "mira") as mira:
        answer = await mira.send("/mine", KEEP, hours="9")

    assert (
        "Не сделано Просьба не выполнена. Причина: Не оставлено: не больше 4 ч за один раз"
    ) in words(answer.text)


async def test_what_works_must_be_confirmed(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "otto") as otto:
        page = await otto.get("/ask/release/slurm/4700")
        answer = await otto.send("/ask/release/slurm/4700", "/do/release/slurm/4700")

    assert "Сейчас оно работает." in words(page.text)
    assert "подтвердите, что его нужно завершить" in words(answer.text)


async def test_a_link_that_holds_no_longer_speaks_as_the_browser_does(tmp_path):
    page = await seen(tmp_path, "/answer/old", user="", Accept_Language="ru-RU,ru;q=0.9,en;q=0.8")

    assert page.status == 410
    assert '<html lang="ru">' in page.text
    assert "Эта ссылка больше не действует Она изменена, устарела" in words(page.text)


async def test_who_guesses_links_is_told_to_wait(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, Accept_Language="ru") as nobody:
        for _ in range(MOST):
            await nobody.get("/answer/guess")
        page = await nobody.get("/answer/guess")

    assert "Слишком много попыток" in words(page.text)


async def test_what_is_anothers_does_not_exist(tmp_path):
    page = await seen(tmp_path, "/ask/keep/slurm/4700")

    assert "Такого задания нет Такого задания среди ваших нет" in words(page.text)


async def test_the_directory_is_asked_before_the_browser(tmp_path):
    english = await seen(tmp_path / "a", "/mine", reads={"mira": "en"}, Accept_Language="ru")

    assert '<html lang="en">' in english.text


async def test_whom_no_directory_knows_the_browser_speaks_for(tmp_path):
    page = await seen(tmp_path, "/mine", reads={}, Accept_Language="ru")

    assert '<html lang="ru">' in page.text


@pytest.mark.parametrize("path", ["/", "/queue", "/audit", "/allocation/slurm/4711"])
@pytest.mark.parametrize("full", [True, False])
async def test_what_operators_read_leaves_no_english_unmarked(tmp_path, path, full):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "otto") as otto:
        if full:
            await fill(served)
        page = await otto.get(path)

    assert (page.status, '<html lang="ru">' in page.text) == (200, True)
    assert rest(page.text) - names() - TYPED == set()


async def test_an_operators_page_says_what_it_is_in_russian(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "otto") as otto:
        await fill(served)
        queue = words((await otto.get("/queue")).text)
        audit = words((await otto.get("/audit")).text)
        one = words((await otto.get("/allocation/slurm/4711")).text)

    assert "1 решение ждёт оператора. возражений: 1, одобрений: 0;" in queue
    assert "Возражения случай стоит, пока вы не решите mira о задании slurm/4711" in queue
    assert "1 изменение сделали люди за последние 7 дней." in audit
    assert "Сигналы для действия нужны два свидетеля" in one
    assert "Простаивает 40 минут на 1 из 1 GPU" in one


TYPED = {
    *("computes", "pretrain", "notebooks", "quiet", "training", "otto", "root", "vision", "dev"),
    *(
        "language",
        "eur",
        "json",
        "maintenance",
        "the",
        "file",
        "system",
        "resume",
        "hold",
        "paused",
        "reason",
    ),
}
"""What people typed, what they called things, and commands, whatever they speak."""


async def fill(served):
    """Let everything happen at once that the queue, the trail and the sheet can show."""
    async with served.store.transaction(served.epoch) as books:
        (case,) = await books.cases_of(MIRAS.run_key)
        await books.keep_case(replace(case, disputed=True, disputed_at=NOW - HOUR))
        said = Event(
            at=NOW - HOUR,
            kind="dispute",
            run_key=MIRAS.run_key,
            case_id=case.id,
            by="mira",
            channel="proxy",
            text="computes",
        )
        await books.append_events([said])
    await rewritten(
        served, holds=(hold(),), rows=(replace(MIRAS, owner="", run_key="k", id="4999"), MIRAS)
    )


async def test_a_keep_is_shown(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "mira") as mira:
        await mira.send("/mine", KEEP, hours="2")
        text = words((await mira.get("/mine")).text)

    assert "Оставлено до 16:32 , затем освобождение." in text


async def ended(served):
    """End what mira held, released an hour ago."""
    async with served.store.transaction(served.epoch) as books:
        (case,) = await books.cases_of(MIRAS.run_key)
        done = {"state": State.CLOSED, "closed": NOW - HOUR, "outcome": "released"}
        await books.keep_case(replace(case, **done))
        held = await books.tenures_of(MIRAS.run_key)
        await books.keep_tenures([replace(one, end=NOW - HOUR) for one in held])
    await rewritten(served, rows=())


async def test_what_has_ended(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "mira") as mira:
        await ended(served)
        pages = {path: await mira.get(path) for path in ("/mine", link(), "/allocation/slurm/4711")}
    mine, asked, one = (words(page.text) for page in pages.values())

    assert "Сейчас вы не занимаете GPU." in mine
    assert "ваши случаи, закрытые за последние семь дней Задание Итог Когда" in mine
    assert "slurm/4711 завершено 2026-03-10 13:32 UTC. Итог: освобождено" in asked
    assert "Оператор проверит, что было сделано" in asked
    assert "Завершено 2026-03-10 13:32 UTC." in one
    assert "на node01 (продолжительность: 4 часа), с 2026-03-10 09:32 UTC." in one
    assert "Итог: освобождено" in one


async def test_a_picture_that_is_old_and_a_stop_are_told(tmp_path):
    async with proxied(tmp_path, reads=READS) as served, visiting(served, "mira") as mira:
        await rewritten(served, at=NOW - HOUR, holds=(hold(until=NOW + HOUR),))
        text = words((await mira.get("/mine")).text)

    assert "Данные устарели: последние получены 1 час назад" in text
    assert "Остановлено: maintenance of the file system" in text
    assert "(оператор); ничего не освобождается до 15:32." in text
