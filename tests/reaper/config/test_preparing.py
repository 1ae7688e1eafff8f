"""What a configuration needs beyond its text is told before the reaper runs, all at once."""

import re
from pathlib import Path
from typing import get_args

import pytest

from reaper.config import ConfigError, foreseen, prepared
from reaper.config.outside import ELSEWHERE, FILES
from reaper.config.sections import FileSettings
from reaper.platforms import NAMES, builder
from reaper.schema import Settings
from tests.certificates import Authority

SECRET = "s3cret-that-must-not-be-told"


@pytest.fixture
def site(tmp_path: Path):
    """A folder with everything that a configuration of these tests names."""
    for name, text in (("word", SECRET), ("empty", ""), ("two", "a b"), ("short", "abc")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o600)
    (tmp_path / "slurm.conf").write_text("ClusterName=x\n")
    (tmp_path / "nothing.yaml").write_text("# to be written\n")
    (tmp_path / "bin").mkdir()
    return tmp_path


def mistakes(site: Path, text: str, **environ: str) -> list[str]:
    """Return what is refused of a configuration, each as its place and what is wrong."""
    path = site / "gpu-reaper.yaml"
    path.write_text(f"cluster: x\nstate_dir: {site}/state\n{text}\n")
    found = foreseen([path], environ={"HOME": str(site), **environ})
    return [f"{item.where}: {item.what}" for item in found if not item.lacking]


def test_what_is_all_there_is_no_mistake(site):
    text = """
platforms: {slurm: {conf: slurm.conf, commands: bin}}
notifiers: [{kind: slack, token: {file: word}, app_token: {env: APP}}]
"""

    assert mistakes(site, text, APP=SECRET) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "notifiers: [{kind: slack, token: {file: gone}}]",
            "notifiers[0].token: file .*gone cannot",
        ),
        ("notifiers: [{kind: slack, token: {file: empty}}]", "notifiers[0].token: file .*is empty"),
        ("notifiers: [{kind: slack, token: {file: two}}]", "more than one word"),
        ("notifiers: [{kind: slack, token: {env: GONE}}]", "variable GONE is empty or not set"),
        ("activity: {bearer: {file: gone}}", "activity.bearer: file"),
        ("activity: {basic: {username: a, password: {file: gone}}}", "activity.basic.password: "),
        ("activity: {ca: gone.pem}", "activity.ca: .*gone.pem cannot be read"),
        ("activity: {ca: word}", "activity.ca: .*word holds no certificate"),
        ("platforms: {slurm: {conf: gone.conf}}", "platforms.slurm.conf: .*gone.conf cannot"),
        ("platforms: {slurm: {commands: gone}}", "platforms.slurm.commands: .*gone is no folder"),
        ("web: {key: {file: short}}", "web.key: file .*short is no key"),
        ("web: {listen: '192.0.2.1:19450'}", "web.listen: "),
        ("web: {tls: {certificate: gone, key: word}}", "web.tls.certificate: .*gone cannot"),
        ("web: {tls: {certificate: word, key: word}}", "web.tls: .*no certificate and its key"),
        ("people: {kind: yaml, file: gone.yaml}", "gone.yaml|cannot be read"),
        ("policies: [nothing.yaml]", "holds no policy and no exemption"),
        ("store: {url: 'sqlite:////dev/null/x.sqlite'}", "store.url: /dev/null is no folder"),
    ],
)
def test_what_is_missing_is_told_with_its_key(site, text, told):
    found = mistakes(site, text)

    assert any(_fits(told, line) for line in found), found


def _fits(told: str, line: str) -> bool:
    return re.search(told.replace("[0]", r"\[0\]"), line) is not None


def test_everything_is_told_at_once(site):
    found = mistakes(
        site,
        """
activity: {ca: gone.pem, bearer: {env: GONE}}
platforms: {slurm: {conf: gone.conf}}
policies: [nothing.yaml]
""",
    )

    assert len(found) == 4


def test_an_empty_file_is_no_configuration(tmp_path):
    (tmp_path / "empty.yaml").write_text("# nothing yet\n")

    (found,) = foreseen([tmp_path / "empty.yaml"], environ={"HOME": str(tmp_path)})

    assert found.what == "is empty"


def test_the_defaults_need_nothing(tmp_path):
    assert foreseen([None], environ={"HOME": str(tmp_path)}) == ()


def test_a_secret_that_everybody_may_read_is_told_and_keeps_nothing_from_starting(site):
    (site / "word").chmod(0o644)
    path = site / "gpu-reaper.yaml"
    path.write_text("cluster: x\nnotifiers: [{kind: slack, token: {file: word}}]\n")

    (found,) = foreseen([path], environ={"HOME": str(site)})

    assert found.lacking
    assert found.where == "notifiers[0].token"
    assert found.cure == f"chmod o-rwx {site / 'word'}"


def test_no_secret_is_told(site):
    (site / "word").write_text(f"{SECRET} {SECRET}")

    assert SECRET not in str(mistakes(site, "notifiers: [{kind: slack, token: {file: word}}]"))


def test_what_is_told_is_what_starting_refuses(site):
    path = site / "gpu-reaper.yaml"
    path.write_text("cluster: x\nactivity: {ca: gone.pem}\n")

    with pytest.raises(ConfigError) as refused:
        prepared(path, environ={"HOME": str(site)})

    assert refused.value.problems == foreseen([path], environ={"HOME": str(site)})


def test_a_certificate_and_its_key_are_right(site):
    chain, key = Authority(site).sign("reaper", "DNS:localhost")

    assert mistakes(site, f"web: {{tls: {{certificate: {chain}, key: {key}}}}}") == []


# ------------------------------------------------------------------ nothing is forgotten


def paths(model: type[Settings]) -> set[str]:
    """Return the keys of all paths that a model of settings may hold, however deep."""
    found: set[str] = set()
    for name, field in model.model_fields.items():
        kinds = list(_kinds(field.annotation))
        found |= {name} if Path in kinds else set()
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, Settings) and kind is not model:
                found |= paths(kind)
    return found


def _kinds(annotation: object):
    yield annotation
    for argument in get_args(annotation):
        yield from _kinds(argument)


def test_every_path_that_can_be_written_is_looked_at_or_need_not_be():
    known = paths(FileSettings).union(*(paths(builder(name).settings) for name in NAMES))

    assert known <= {*FILES, *ELSEWHERE}
