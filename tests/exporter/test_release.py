"""Windows without the driver: granted, bounded, over by themselves."""

import os

import pytest

from exporter.release import LONGEST, DurationError, Release, duration
from exporter.release_file import ReleaseFile
from tests.exporter.fakes import StillClock


@pytest.mark.parametrize(
    ("words", "seconds"),
    [("10s", 10), ("90", 90), ("10m", 600), ("1h", 3600), (" 5m ", 300), ("5 min", 300)],
)
def test_a_duration_is_read_as_seconds(words, seconds):
    assert duration(words) == seconds


@pytest.mark.parametrize(
    "words", ["", "9s", "61m", "2h", "soon", "-5m", "1.5h", "9" * 9, "9" * 999]
)
def test_what_cannot_be_granted_is_refused(words):
    with pytest.raises(DurationError, match="write 10s to 1h"):
        duration(words)


@pytest.fixture
def release():
    return Release()


def opened(release, seconds=600.0, by="command", reason="MIG", now=0.0):
    return release.open(seconds, by=by, reason=reason, now=now)


def test_without_a_request_there_is_no_window(release):
    assert release.window(0) is None


def test_a_window_ends_by_itself(release):
    opened(release, 600)

    assert (release.window(599.9) is not None, release.window(600)) == (True, None)


def test_a_later_request_prolongs(release):
    opened(release, 600)
    opened(release, 600, now=300)

    assert release.window(899) is not None


def test_a_shorter_request_cuts_nothing(release):
    opened(release, 600, reason="upgrade")
    opened(release, 10, reason="other", now=300)

    assert release.window(599).reason == "upgrade"


def test_a_window_can_be_closed_before_its_time(release):
    opened(release)
    release.close()

    assert release.window(1) is None


def test_only_its_own_asker_closes_it_by_name(release):
    opened(release, by="command")
    release.close(by="file")

    assert release.window(1) is not None


def test_a_reason_is_cut_and_kept_on_one_line(release):
    window = opened(release, reason="a\nb\x00" + "c" * 200)

    assert (len(window.reason), window.reason.isprintable()) == (80, True)


# ------------------------------------------------------------------ a pending MIG change

CARD = frozenset({"GPU-0"})


def windows(release, pending, seconds):
    """Return the seconds at which a window was open, looking each second."""
    found = []
    for now in range(seconds):
        release.make_room(pending, now)
        if release.window(now) is not None:
            found.append(now)
    return found


def test_room_is_made_at_once_for_a_pending_change(release):
    assert windows(release, CARD, 61) == list(range(60))


def test_between_windows_the_driver_is_looked_at(release):
    assert windows(release, CARD, 180) == [*range(60), *range(120, 180)]


def test_a_change_that_stays_pending_does_not_blind_the_node(release):
    assert windows(release, CARD, 4000)[-1] < 300


def test_a_change_that_came_through_and_the_next_one_begin_anew(release):
    windows(release, CARD, 1000)
    release.make_room(frozenset(), 1000)
    release.make_room(CARD, 1001)

    assert release.window(1001).by == "mig"


def test_nothing_pending_is_no_reason(release):
    assert windows(release, frozenset(), 10) == []


# ------------------------------------------------------------------ the file


@pytest.fixture
def asked(tmp_path, release):
    return Asked(tmp_path / "release", release)


class Asked:
    """The file, the watcher of it and the window that follows."""

    def __init__(self, path, release):
        self.path = path
        self.clock = StillClock(now=0)
        self.watch = ReleaseFile(path, release, self.clock)
        self.release = release

    def write(self, text="", age=0.0):
        self.path.write_text(text)
        stamp = self.clock.wall() - age
        os.utime(self.path, (stamp, stamp))
        return self.look()

    def look(self):
        self.watch.look()
        return self.release.window(self.clock.now)


def test_an_empty_file_asks_for_ten_minutes(asked):
    window = asked.write()

    assert (window.until, window.by) == (600, "file")


def test_the_files_words_are_time_and_reason(asked):
    window = asked.write("2m driver upgrade\n")

    assert (window.until, window.reason) == (120, "driver upgrade")


def test_words_without_a_time_are_a_reason(asked):
    window = asked.write("driver upgrade")

    assert (window.until, window.reason) == (600, "driver upgrade")


def test_removing_the_file_ends_the_window(asked):
    asked.write()
    asked.path.unlink()

    assert asked.look() is None


def test_a_file_that_lay_there_for_long_asks_for_nothing(asked):
    assert asked.write("10m", age=601) is None


def test_a_restarted_exporter_grants_what_is_left(asked):
    assert asked.write("10m", age=400).until == pytest.approx(200)


def test_a_file_that_stays_is_served_once(asked):
    asked.write("10m")
    asked.clock.now = LONGEST

    assert asked.look() is None


def test_touching_the_file_asks_again(asked):
    asked.write("10m")
    asked.clock.now = 700

    assert asked.write("10m").until == 1300


def test_a_strangers_file_asks_for_nothing(asked):
    if os.geteuid() != 0:
        pytest.skip("only root can make a stranger's file")
    asked.path.write_text("10m")
    os.chown(asked.path, 12345, 12345)

    assert asked.look() is None


def link(path):
    path.with_suffix(".target").write_text("10m")
    path.symlink_to(path.with_suffix(".target"))


def lead_to_a_pipe(path):
    os.mkfifo(path.with_suffix(".pipe"))
    path.symlink_to(path.with_suffix(".pipe"))


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, link, lead_to_a_pipe])
def test_what_is_no_regular_file_asks_for_nothing_and_is_told_once(asked, caplog, make):
    make(asked.path)

    assert (asked.look(), asked.look()) == (None, None)
    assert caplog.text.count("is not followed: it is no regular file") == 1


def test_a_file_that_becomes_something_else_ends_the_window(asked):
    asked.write("10m")
    asked.path.unlink()
    os.mkfifo(asked.path)

    assert asked.look() is None


def test_of_a_large_file_the_first_words_are_read(asked):
    with asked.path.open("w") as file:
        file.write("2m upgrade ")
        file.truncate(1 << 40)
    os.utime(asked.path, (asked.clock.wall(), asked.clock.wall()))
    window = asked.look()

    assert (window.until, window.reason.startswith("upgrade")) == (120, True)
    assert len(window.reason) <= 80


def test_a_window_of_the_command_outlives_the_file(asked, release):
    opened(release, 600)
    asked.write("1m")
    asked.path.unlink()

    assert asked.look().by == "command"
