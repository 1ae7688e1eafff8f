"""Rows of labels agree with the parsed answer, whatever labels hold and however it is written."""

import json

from hypothesis import given
from hypothesis import strategies as st

from reaper.activity.prometheus.queries.answer import vector

NAMES = ("A", "gpu", "instance", "signal", "value")
TEXTS = st.text(
    st.one_of(st.sampled_from('"\\{}[]:,0<é'), st.characters(codec="utf-8")),
    min_size=1,
    max_size=12,
)
LABELS = st.one_of(TEXTS, st.sampled_from(['{"metric":{', '"value":[1,"2"]', '"]},{"metric":{}']))
METRICS = st.lists(st.dictionaries(st.sampled_from((*NAMES, "other")), LABELS), max_size=5)


def written(metrics: list[dict[str, str]], *, first: bool, compact: bool, ascii_: bool) -> bytes:
    result = []
    for number, metric in enumerate(metrics):
        labels = sorted({"__name__": "lit", **metric}.items())
        if first:
            labels.sort(key=lambda pair: pair[0] != "__name__")
        result.append({"metric": dict(labels), "value": [1772442060, str(number)]})
    body = {"status": "success", "data": {"resultType": "vector", "result": result}}
    separators = (",", ":") if compact else (", ", ": ")
    return json.dumps(body, separators=separators, ensure_ascii=ascii_).encode()


@given(METRICS, st.booleans(), st.booleans(), st.booleans())
def test_rows_are_the_parsed_labels(metrics, first, compact, ascii_):
    found = vector(written(metrics, first=first, compact=compact, ascii_=ascii_), whose="engine")
    expected = [tuple(metric.get(name, "") for name in NAMES) for metric in metrics]

    assert list(found.rows(NAMES)) == expected
    assert list(found.values) == list(map(float, range(len(metrics))))
