"""What hosts did and servers answered is told as it was counted."""

from dataclasses import replace

from reaper.domain.facts.track import short, whole
from reaper.domain.picture import RequestLine
from reaper.web.html.evidence import host_words, request_words
from tests.builders_picture import row

STEP = 60.0


def test_what_a_host_did_is_told_with_what_was_not_seen() -> None:
    told = host_words(replace(row(), host="Q*50 B*8 ?*2"), STEP)

    assert told == "worked 8 min of the last 1 h, 2 min unseen"


def test_a_host_that_nothing_measures_is_not_told() -> None:
    assert host_words(row(), STEP) == ""


def test_requests_are_told_with_how_long_there_was_none() -> None:
    line = RequestLine(server="a", at=0.0, epoch="1", answered=1234.0, pending=1.0)

    told = request_words(replace(row(), served="R*1 .*90", requests=(line,)), STEP)

    assert told == "1,234 answered, 1 under way; none for 1 h 30 min"


def test_a_server_that_was_asked_just_now_has_no_rest() -> None:
    line = RequestLine(server="a", at=0.0, epoch="1", answered=5.0)

    assert "one in the newest minute" in request_words(
        replace(row(), served="R*1", requests=(line,)), STEP
    )


def test_letters_are_written_short_and_out_again() -> None:
    assert whole(short("QQQQB?")) == "QQQQB?"
    assert short("") == ""
