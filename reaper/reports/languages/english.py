"""The words of reports in English."""

from typing import Final

from reaper.domain.money.closing import SECONDS
from reaper.reports.languages.english_terminal import TERMINAL
from reaper.reports.languages.tongue import Tongue

_STORY: Final = {
    "wasted_of": "{0} of {1} held GPU-hours wasted ({2})",
    "nothing_seen_of": "Nothing was seen of {0} held GPU-hours: waste is not known",
    "at_least": "at least {0}",
    "no_price_known": "without a price",
    "of_idle_capacity": "{0} of idle capacity",
    "no_earlier": "No earlier week to compare with.",
    "share_wasted": "The share wasted is {0}.",
    "and": "{0} and {1}",
    "than_before": "{0} the week before ({1})",
    "than_mean": "{0} the mean of the last {1} ({2})",
    "as_high": "as high as in",
    "above": "{0} points above",
    "below": "{0} points below",
    "returned": "Releases returned at most {0} GPU-hours ({1}); others put at least {2} of them "
    "to work ({3}); cash saved {4}.",
    "gave_back": "Owners gave back {0} GPU-hours themselves.",
    "nothing_back": "Nothing was released, nothing given back.",
    "first_ends": "the first ends {0}",
    "endless": "{0} without an end",
    "seen_of_held": "of the held time was seen.",
    "seen_share": "Seen: {0} of the held time.",
}

_FRAME: Final = {
    "title": "GPU report {0}",
    "title_team": ", team {0}",
    "title_week": ", week {0}",
    "none": "none",
    "nothing_listed": "None.",
    "week": "Week {0}",
    "week_of": "week {0}",
    "so_far": "so far",
    "a_span": "A span",
    "from_to": "{0} to {1}",
    "closing": "closing {0},",
    "as_of": "as of {0}",
    "gpu_h": "{0} GPU-h",
    "gpu_hours": "GPU-hours",
    "unpriced": "unpriced",
    "now": "now",
    "policies_without": "without {0}",
}

_TILES: Final = {
    "wasted": "Wasted",
    "avoidable": "Avoidable by the policies",
    "reclaimed_most": "Reclaimed, at most",
    "reused_least": "Re-used, at least",
    "cash": "Cash",
    "cash_hours": "{0} GPU-h on ended nodes",
    "idle_waiting": "Idle while jobs waited",
    "asked_for": "{0} GPU-h asked for",
}

_FIRST: Final = {
    "where": "Where every GPU-hour went",
    "where_adds": "all states of a bar add up to the calendar",
    "where_team": "Where the team’s GPU-hours went",
    "held_too": ", {0} held",
    "no_hour": "No GPU-hour is in the books.",
    "by_week": "Share of held time wasted",
    "by_week_text": "week by week; the thin line is the high end of the range",
    "by_class": "Waste by class",
    "by_class_text": "in jobs at work: on some of their GPUs only",
    "class": "Class",
    "money": "Money",
    "in_jobs_at_work": "{0} in jobs at work",
    "nobody_held": "Nobody held a GPU.",
    "by_team": "By team and model",
    "by_team_text": "what idle time costs most first, GPU-hours; teams under {0} GPU-h together",
    "more_lines": "{0} more lines in the annex.",
    "proposals": "Proposals",
    "proposals_text": "from this week’s figures",
    "would_return": ": at least {0} GPU-h",
    "worth": " = {0}",
    "a_week": " a week",
    "no_proposal": "Nothing this week is worth a change.",
    "team": "Team",
    "model": "Model",
    "held": "Held",
    "idle": "Idle",
    "of_held": "of held",
    "cost_of_idle": "Cost of idle",
    "idle_change": "Idle, change",
    "seen": "Seen",
    "smaller_teams": "{0} smaller teams",
    "no_team": "no team",
    "all_models": "all models",
    "unknown": "unknown",
    "unknown_model": "unknown model",
    "all_gpus": "All GPUs",
    "mark_too_little": "seen too little to rank",
    "mark_in_part": "seen in part",
}

_ANNEX: Final = {
    "annex": "Annex",
    "veiled": "persons and allocations under pseudonyms of this report",
    "named": "for named readers only",
    "identity": "The identity, in GPU-hours",
    "state": "State",
    "sum_of_states": "sum of all states",
    "calendar": "calendar (GPUs × time)",
    "weeks": "Week by week",
    "a_week_column": "Week",
    "reclaimed": "Reclaimed",
    "reused": "Re-used",
    "quarter": "quarter so far",
    "top": "Allocations that wasted most, or may have",
    "allocation": "Allocation",
    "owner": "Owner",
    "what": "What",
    "longest": "Longest",
    "warned_outcome": "Warned, outcome",
    "no_case": "no case",
    "every_team": "Every team and model",
    "actions": "Actions and disputes",
    "owners_warned": "Owners warned",
    "kept": "Kept by their owner",
    "back_at_work": "Back at work",
    "given_back": "Given back by the owner",
    "released": "Released",
    "released_text": "{0}, reverted {1}, failed {2}",
    "would_release": "Would have been released",
    "idle_before": "Idle before the decision",
    "in_median": "{0} in the median",
    "disputed": "Disputed as wrong",
    "of_warned": ", {0} of the warned",
    "found_right": "; {0} found right",
    "to_look_at": "To be looked at",
    "to_look_text": "only kept, hung, or idle in pieces",
    "exemptions": "Exemptions in force",
    "demand": "Demand beside waste",
    "asked_by_waiting": "Asked for by waiting jobs",
    "something_waited": "Something waited",
    "of_the_time": "{0} of the time",
    "most_at_once": "Most at once",
    "wait_before": "Wait before a start",
    "free_meanwhile": "Free meanwhile",
    "in_whole_week": "{0} GPU-h in the whole week",
    "quality": "Data quality",
    "definitions": "Definitions and settings",
    "weeks_are": "weeks are ISO weeks in {0}; figures as of {1}",
    "closing_of_week": ", closing {0} of the week",
    "terms": "; terms {0}",
}

_MAIL: Final = {
    "subject": "{0}: {1} GPU-h wasted ({2})",
    "had_waited": "; jobs that began had waited {0} in the median",
    "costs_most": "Idle time that costs most",
    "held_gpu_h": "Held GPU-h",
    "wasted_gpu_h": "Wasted GPU-h",
    "small_teams": "{0} small teams",
    "attached": "The whole report with its charts and definitions is attached.",
    "pseudonyms": " Persons and allocations go by pseudonyms of this report.",
    "running_figures": " The running figures: {0}",
    "coverage": "coverage {0}",
    "idle_of_team": "{0} on {1}: {2} GPU-h idle ({3}) = {4}",
}

_CHARTS: Final = {
    "bar_part": "{0} {1} GPU-hours ({2})",
    "chart_week": "week",
    "chart_seen": "seen",
    "chart_policies": "policies",
    "chart_said": "{0}: {1} wasted, {2} seen",
    "chart_title": "Share wasted by week. {0}",
    "state_active": "active",
    "state_low": "low",
    "state_startup": "start-up",
    "state_pause": "idle, short pauses",
    "state_too_long": "idle too long",
    "state_unknown": "unseen",
    "state_reserved": "reserved",
    "state_drained": "drained",
    "state_down": "down",
    "state_stranded": "stranded",
    "state_unallocated": "free",
}

_CLASSES: Final = {
    f"class_{name}": name for name in ("interactive", "training", "inference", "deferred", "other")
}

_QUALITY: Final = {
    "unseen": "Unseen: {0} of {1} held GPU-h ({2}).",
    "joined": "Seen idle in stretches that unseen minutes cut too short: {0} GPU-h; in the high "
    "end, beside the unseen, and in no other figure.",
    "without_price": "Without a price: {0} GPU-h of {1}; in no sum of money.",
    "one_witness": "Idle by one witness only, not counted as wasted: {0} GPU-h.",
    "engine_only": "Engine busy without any work, inside low: {0} GPU-h.",
    "books_begin": "The books begin on {0}.",
    "identity_holds": "Identity: all states add up to {0} GPU-h, the calendar has {1}; "
    "difference {2}.",
    "finding": "{0}: {1} ({2} GPU-h).",
    "more_findings": "{0} more contradictions of this kind.",
    "look": "{0}; {1}.",
    "look_of": "{0}: {1}",
    "more_looks": "{0} more; {1}.",
    "look_suspect": "it looks as if it only kept its GPU",
    "look_hung": "it hung for an hour or more",
    "look_split": "it looks like idleness in small pieces",
    "not_reconciled": "Not reconciled with {0}: {1}.",
    "reconciled": "Reconciled with the books of {0}: {1} GPU-h here, {2} there{3}.",
    "difference_of": ", a difference of {0} %",
    "restated": "{0} was restated{1} (version {2}): {3}.",
    "restated_terms": " under new prices or thresholds",
    "money_only": "money only",
    "moved": "{0} {1}",
    **{f"moved_{name}": name.replace("_", " ") for name in SECONDS},
}

_DEFINITIONS: Final = {
    "or": "{0} or {1}",
    "waits": "{0} ({1})",
    "means_wasted": "wasted: idle in unbroken stretches of at least {0}; shorter idle is pause",
    "means_range": "range: its high end takes what was unseen for idle, so that idle stretches "
    "which unseen minutes cut too short join and count; unseen is never idle below that",
    "means_low": "low: some work, too little to count as active; it is never waste",
    "means_reclaimed": "reclaimed: from release to the run's own limit, at most 24 h",
    "means_reused": "re-used: work of other owners on those GPUs while no other was free",
    "means_cash": "cash: only on nodes paid by the hour, after they ended; what is owned saves "
    "no cash",
    "means_settings": "rate card {0}; policies {1}",
    "no_rates": "none: every hour is unpriced",
    "fast_pace": "PACE NOT NORMAL: a minute of the grid lasts {0}, start-up {1}; these are no real "
    "figures",
}


def as_it_came(text: str) -> str:
    """Return a line as it is."""
    return text


ENGLISH: Final = Tongue(
    code="en",
    texts={
        **_STORY,
        **_FRAME,
        **_TILES,
        **_FIRST,
        **_ANNEX,
        **_MAIL,
        **_CHARTS,
        **_CLASSES,
        **_QUALITY,
        **_DEFINITIONS,
        **TERMINAL,
    },
    forms={
        "cases": ("{0} case", "{0} cases"),
        "findings": ("{0} finding", "{0} findings"),
        "gpus": ("{0} GPU", "{0} GPUs"),
    },
    form=lambda number: 0 if number == 1 else 1,
    line=as_it_came,
    days=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    span=("{0} h {1} min", "{0} min"),
)
