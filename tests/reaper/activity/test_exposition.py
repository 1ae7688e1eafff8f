import math

import pytest

from reaper.activity.exposition import Exposition, PageError, Samples


def parse(page: bytes) -> Samples:
    return Exposition().parse(page)


def numbers(samples: Samples) -> dict[str, float]:
    return {str(series): value for series, value in samples}


# ------------------------------------------------------------------ what is understood


def test_names_labels_and_numbers_are_read():
    page = b'# HELP a_total Things.\n# TYPE a_total counter\na_total{gpu="GPU-1",x="y"} 1.5\nb 2\n'

    assert numbers(parse(page)) == {'a_total{gpu="GPU-1",x="y"}': 1.5, "b": 2.0}


def test_the_order_of_labels_does_not_matter():
    samples = parse(b'a{y="2",x="1"} 1\n')

    assert samples.layout.series[0].labels == {"x": "1", "y": "2"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (rb"a\\b", "a\\b"),
        (rb"a\"b", 'a"b'),
        (rb"a\nb", "a\nb"),
        (rb"a\tb", r"a\tb"),
        (rb"\\n", r"\n"),
        (b"}", "}"),
        (b"a,b", "a,b"),
        (b'x=\\"1\\"} 5 #', 'x="1"} 5 #'),
        ("Größe 🙂".encode(), "Größe 🙂"),
        (b"", ""),
    ],
)
def test_a_label_value_means_what_was_written(written: bytes, meant: str):
    samples = parse(b'a{x="' + written + b'"} 1\n')

    assert samples.layout.series[0].label("x") == meant


@pytest.mark.parametrize("written", [b"Inf", b"+Inf", b"1e400"])
def test_infinity_is_a_number(written: bytes):
    assert list(parse(b"a " + written + b"\n").values) == [math.inf]


def test_nan_is_a_number():
    assert math.isnan(parse(b"a NaN\n").values[0])


@pytest.mark.parametrize(
    "page",
    [
        b"a 1\r\nb 2\r\n",
        b"\n\na 1\n \nb 2\n\n",
        b"a\t1\nb  2 \n",
        b"a{} 1\n\tb{ }2\n",
        b"# only words\na 1\n#\nb 2\n",
    ],
    ids=["CRLF", "empty lines", "tabs and spaces", "empty labels", "comments"],
)
def test_white_space_and_comments_do_not_matter(page: bytes):
    reader = Exposition()

    assert numbers(reader.parse(page)) == {"a": 1.0, "b": 2.0}
    assert numbers(reader.parse(page)) == {"a": 1.0, "b": 2.0}


def test_a_trailing_comma_among_labels_is_allowed():
    assert numbers(parse(b'a{x="1",} 1\n')) == {'a{x="1"}': 1.0}


def test_a_timestamp_of_the_text_format_is_in_milliseconds():
    samples = parse(b"a 1\nb 2 1700000000500\n")

    assert samples.times == {1: 1700000000.5}


def test_a_timestamp_of_openmetrics_is_in_seconds():
    samples = parse(b"a 1 1700000000.5\n# EOF\n")

    assert samples.times == {0: 1700000000.5}


def test_an_exemplar_is_passed_over():
    page = b'a_bucket{le="1"} 3 # {trace="x y"} 0.5 1700000000\nb 4 5 # {t="}"} 1\n'

    assert list(parse(page).values) == [3.0, 4.0]


# ------------------------------------------------------------------ what is kept


def test_a_page_of_the_same_shape_keeps_its_layout():
    reader = Exposition()
    first = reader.parse(b'# TYPE a gauge\na{x="1"} 1\nb 2\n')
    second = reader.parse(b'# TYPE a gauge\na{x="1"} 10.25\nb NaN\n')

    assert second.layout is first.layout
    assert second.values[0] == 10.25


def test_a_new_series_gets_a_new_layout():
    reader = Exposition()
    reader.parse(b"a 1\nc 3\n")

    assert numbers(reader.parse(b"a 1\nb 2\nc 4\n")) == {"a": 1, "b": 2, "c": 4}


def test_a_series_that_left_is_forgotten():
    reader = Exposition()
    for number in range(100):
        reader.parse(b'a{job="%d"} 1\n' % number)

    assert len(reader.parse(b'a{job="100"} 1\n').layout.starts) == 1


def test_a_name_that_begins_with_another_is_not_taken_for_it():
    reader = Exposition()
    reader.parse(b"a 1\n")

    assert numbers(reader.parse(b"a1 2\n")) == {"a1": 2.0}


def test_a_sample_in_place_of_an_empty_line_is_seen():
    reader = Exposition()
    reader.parse(b"a 1\n\nb 2\n")

    assert numbers(reader.parse(b"a 1\nc 9\nb 2\n")) == {"a": 1, "c": 9, "b": 2}


def test_a_sample_in_place_of_a_comment_is_seen():
    reader = Exposition()
    reader.parse(b"# said\na 1\n")

    assert numbers(reader.parse(b"b 2\na 1\n")) == {"b": 2, "a": 1}


def test_a_timestamp_on_a_known_page_is_read():
    reader = Exposition()
    reader.parse(b"a 1\n")

    assert reader.parse(b"a 2 3000\n").times == {0: 3.0}


def test_a_refused_page_leaves_the_reader_as_it_was():
    reader = Exposition()
    layout = reader.parse(b"a 1\nb 2\n").layout
    with pytest.raises(PageError):
        reader.parse(b"a 1\nb x\n")

    assert reader.parse(b"a 3\nb 4\n").layout is layout


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (b"", "line 1"),
        (b"a 1\nb 2", "line 2: the page breaks off"),
        (b"a 1\nb{x=\n", "line 2: 'b{x=' is no sample"),
        (b"a 1\nb\n", "line 2: 'b' is no sample"),
        (b"a 1\nb \n", "line 2: 'b ' is no sample"),
        (b"a 1\nb one\n", "line 2: 'b one' has 'one' for a number"),
        (b"a 1_000\n", "line 1: 'a 1_000' has '1_000' for a number"),
        (b"a 1 2 3\n", "line 1"),
        (b"a 1 later\n", "line 1: 'a 1 later' has 'later' for a number"),
        (b"1a 1\n", "line 1"),
        (b"12\n", "line 1"),
        (b'a{x="1} 1\n', "line 1"),
        (b'a{x="1"y="2"} 1\n', "line 1"),
        (b"a{x=1} 1\n", "line 1"),
        (b'a{,x="1"} 1\n', "line 1"),
        (b'a{x="1",x="2"} 1\n', "has the label x twice"),
        (b"a 1\nb 2\na 1\n", "line 3: 'a 1' repeats the series of line 1"),
        (b'a{x="1",y="2"} 1\na{y="2",x="1"} 1\n', "repeats the series of line 1"),
        (b'a 1\na{x="\xff\xfe"} 1\n', "line 2"),
        (b"a 1\n# EOF\nb 2\n", "line 3: 'b 2' stands after # EOF"),
        (b"<!DOCTYPE html>\n<html></html>\n", "line 1: '<!DOCTYPE html>' is no sample"),
        (b"\x00\x01\x02\n", "line 1"),
    ],
)
def test_a_wrong_line_refuses_the_page_and_is_named(page: bytes, message: str):
    with pytest.raises(PageError) as caught:
        parse(page)

    assert message in str(caught.value)


@pytest.mark.parametrize("line", [b"12", b"nan", b"b 1", b'a{x="1" 5', b"a_1", b"a 1_0", b""])
def test_a_wrong_line_on_a_known_page_is_never_taken_for_a_number(line: bytes):
    reader = Exposition()
    reader.parse(b'a{x="1"} 1\nb 2\n')
    page = line + b"\nb 3\n"
    try:
        expected = numbers(parse(page))
    except PageError:
        with pytest.raises(PageError):
            reader.parse(page)
    else:
        assert numbers(reader.parse(page)) == expected


def test_openmetrics_without_its_end_is_truncated():
    with pytest.raises(PageError, match="before its # EOF"):
        Exposition().parse(b"a 1\nb 2\n", openmetrics=True)


def test_a_long_line_is_named_by_its_beginning():
    with pytest.raises(PageError) as caught:
        parse(b"x" * 100_000 + b"\n")

    assert len(str(caught.value)) < 200
