"""The words of the page of the whole cluster in English, and of its headline."""

from typing import Final

_HEADLINE: Final = {
    "head_nothing": "Nothing",
    "head_now": "Nothing",
    "head_no_cycle": "can be said of now: no cycle was written for {0}",
    "head_then": "Then: {0}",
    "head_who_holds": "Who holds the GPUs",
    "head_not_known": "is not known",
    "head_no_gpu": "No GPU",
    "head_none": "No GPU",
    "head_is_held": "is held",
    "head_idle": "is held and idle",
    "head_seen_idle": "that is seen is held and idle",
    "head_burning": ", burning {0} an hour",
    "head_of_either": "can be said of either of the 2 held GPUs",
    "why_unseen": "it was not seen in the last step",
    "why_no_platform": "no platform is configured that says so",
    "why_no_answer": "no answer yet",
    "why_answered": "answered {0}",
    "why_answered_never": "answered never",
    "why_seen": "last seen {0}",
    "why_seen_never": "no page yet",
    "why_more": ", and {0} more",
}

_CLUSTER: Final = {
    "count_of": "{0} {1}",
    "nothing_known": "Nothing known",
    "of_owner": "of {0}",
    "nothing_due": "Nothing is due.",
    "wanted": "wanted by jobs that wait.",
    "seen_in_step": "of the held GPUs seen in the last step.",
    "without_price": "without a price.",
    "no_price": "no price",
    "all_by_state": "All GPUs by state",
    "idle_now": "Idle now",
    "idle_now_text": "what burns most first; tracks show the last {0}, newest at the right",
    "none_holds": "No allocation holds a GPU.",
    "none_holds_known": "No allocation holds a GPU as far as it is known.",
    "every_works": "Every GPU that is held works, or is too young to be judged.",
    "every_other_works": "Every other GPU that is held works, or is too young to be judged.",
    "whether_idle": "Whether a held GPU idles is not known.",
    "all_allocations": "All allocations",
    "find_label": "Find by owner, id, name, node",
    "find_hint": "owner, id, name, node",
    "find": "Find",
    "verdict": "Verdict",
    "in_partition": "in {0}",
    "none_matches": "Nothing matches “{0}”.",
    "show_all": "Show all",
    "more_rows": "{0} more: find by owner, id, name or node above, or ask",
    "sources": "Sources",
    "sources_text": "what was asked, and how old the answers are",
    "source": "Source",
    "says": "says",
    "answered": "answered",
    "took": "took",
    "took_seconds": "{0} s",
    "no_source": "No source has been asked yet.",
    "nodes": "Nodes",
    "nodes_seen": "{0} of {1} seen",
    "node": "Node",
    "wrong_how": "is wrong how",
    "last_seen": "last seen",
    "nothing_new": "nothing new from it",
    "and_more_nodes": "And more:",
    "all_nodes_seen": "Every node's GPUs are seen, and it is known who holds them.",
    "no_node": "No node is known.",
}

_STATES: Final = {
    f"state_{state}": f"{{0}} {state}"
    for state in ("idle", "unknown", "working", "free", "free slices", "unusable")
}

CLUSTER: Final = {**_HEADLINE, **_CLUSTER, **_STATES}

CLUSTER_FORMS: Final = {
    "head_of_any": (
        "can be said of the held GPU",
        "can be said of any of the {0} held GPUs",
    ),
    "head_of_some": (
        "Of {1} of {0} held GPU nothing can be said",
        "Of {1} of {0} held GPUs nothing can be said",
    ),
    "head_are_idle": ("is held and idle", "are held and idle"),
    "title_idle": ("{1} of {0} GPU idle", "{1} of {0} GPUs idle"),
    "times": ("{0} time", "{0} times"),
}
