"""A packed picture comes back whole, and in part without the rest."""

import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.brief import FOREMOST, brief, named
from reaper.store.codec import encode, pack
from reaper.store.leaves import pack_picture, unpack_brief, unpack_named, unpack_picture
from tests.builders_picture import NOW, busy, node, picture, row

VERDICTS = st.sampled_from(("idle", "busy", "unknown", "partial"))


@st.composite
def pictures(draw):
    """Draw pictures of some leaves, in which names repeat and rows stand in any order."""
    drawn = draw(st.lists(st.tuples(VERDICTS, st.integers(0, 3)), max_size=160))
    rows = tuple(
        row(
            run_key=f"run {number}",
            id=f"{number // 2}",
            platform="slurm" if number % 2 else "kube",
            verdict=verdict,
            idle_gpus=0 if verdict == "busy" else idle,
            cost_per_hour=None if idle == 3 else float(idle),
        )
        for number, (verdict, idle) in enumerate(drawn)
    )
    nodes = (node(), node(node="node02", as_of=NOW - 600), node(node="node03", error="refused"))
    return picture(rows=rows, nodes=nodes)


@given(pictures())
def test_the_whole_comes_back_in_its_order(drawn):
    assert unpack_picture(pack_picture(drawn)) == drawn


@given(pictures())
def test_the_brief_is_that_of_the_whole(drawn):
    assert unpack_brief(pack_picture(drawn)) == brief(drawn)


@given(pictures(), st.sampled_from(("7", "kube/7", "slurm/7", "run 7", "", "no such")))
def test_a_name_finds_what_it_finds_in_the_whole(drawn, name):
    found = unpack_named(pack_picture(drawn), name)

    assert found == replace(drawn, rows=named(drawn.rows, name))


def test_a_picture_that_was_written_in_one_piece_is_read():
    whole = picture(rows=(row(), busy()))
    body = pack(whole)

    assert unpack_picture(body) == whole
    assert unpack_brief(body) == brief(whole)
    assert unpack_named(body, "4700").rows == (busy(),)


def test_leaves_that_were_written_row_by_row_are_read():
    whole = picture(rows=(row(), busy(), row(run_key="other", signs=(), devices=())))
    frame, index, _ = parts(pack_picture(whole))
    leaf = zlib.compress(f'{{"rows":[{",".join(map(encode, whole.rows))}]}}'.encode())
    order = {**json.loads(index), "sizes": [len(leaf)], "places": [0, 1, 2]}
    body = b"".join((zlib.compress(frame), zlib.compress(json.dumps(order).encode()), leaf))

    assert unpack_picture(body) == whole


def parts(body: bytes) -> list[bytes]:
    """Return the texts of which a body is made."""
    found = []
    while body:
        reader = zlib.decompressobj()
        found.append(reader.decompress(body))
        body = reader.unused_data
    return found


def test_a_damaged_body_is_an_error():
    with pytest.raises(zlib.error):
        unpack_picture(pack_picture(picture(rows=(row(),)))[:40])


def test_a_brief_lists_few_of_many_that_burn_and_keeps_their_sums():
    rows = tuple(row(run_key=str(n), idle_gpus=n, cost_per_hour=None) for n in range(1, 200))
    whole = picture(rows=rows, idle=19900)

    short = brief(whole)

    assert [one.idle_gpus for one in short.rows] == list(range(199, 199 - FOREMOST, -1))
    assert (short.idle, short.counts) == (whole.idle, whole.counts)
    assert all(one.devices for one in short.rows)


def test_a_brief_names_what_is_unknown_and_the_nodes_in_doubt():
    unknown = busy(run_key="u", verdict="unknown")
    late = node(node="late", as_of=NOW - 600)
    doubted = node(node="doubted", doubt="an index was contradicted")

    short = brief(picture(rows=(busy(), unknown), nodes=(node(), late, doubted)))

    assert short.rows == (replace(unknown, devices=()),)
    assert short.nodes == (late, doubted)
