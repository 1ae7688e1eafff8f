"""
A message set for Slack: blocks of plain text, so that nothing in it is taken as mark-up.

Lengths are Slack's limits: a header 150 characters, a section 3,000, a field 2,000, ten fields;
a button 75, its dialog's title 100, text 300 and buttons 30; a row 25 buttons; fifty blocks.
"""

from typing import Any, Final

from reaper.notifiers.texts import Answer, Message

HEADER: Final = 150
SECTION: Final = 3000
FIELD: Final = 2000
FIELDS: Final = 10
LABEL: Final = 75
ASKED: Final = 300
ASKED_TITLE: Final = 100
ASKED_LABEL: Final = 30
BLOCKS: Final = 50
ROW: Final = 25

Block = dict[str, Any]


def blocks(message: Message, *, buttons: bool = True) -> list[Block]:
    """Return the blocks of a message; without `buttons` its answers are commands to type."""
    sections: list[Block] = [{"type": "section", "text": _plain(message.lead, SECTION)}]
    fields = [_plain(f"{label}\n{value}", FIELD) for label, value in message.facts]
    sections += [
        {"type": "section", "fields": fields[begin : begin + FIELDS]}
        for begin in range(0, len(fields), FIELDS)
    ]
    if message.next:
        sections.append({"type": "section", "text": _plain("\n".join(message.next), SECTION)})
    header = {"type": "header", "text": _plain(message.title, HEADER)}
    rows = _rows(message) if buttons else []
    return [header, *sections, *(rows or _commands(message)), *_link(message.link, message.why)][
        :BLOCKS
    ]


def fallback(message: Message) -> str:
    """Return the text of the notification, where blocks are not shown."""
    return escape(f"{message.title}. {message.lead}")[:SECTION]


def escape(text: str) -> str:
    """Escape the three characters that Slack reads as control."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _rows(message: Message) -> list[Block]:
    """Return the buttons, as many to a row as Slack takes."""
    buttons = [
        _button(answer, number, message.back)
        for number, answer in enumerate(message.answers)
        if answer.token
    ]
    rows = [buttons[begin : begin + ROW] for begin in range(0, len(buttons), ROW)]
    return [{"type": "actions", "elements": row} for row in rows]


def _button(answer: Answer, number: int, back: str) -> Block:
    """Return a button; its value is the signed right to answer, its action what is answered."""
    button: Block = {
        "type": "button",
        "action_id": f"{answer.verb}.{answer.seconds:.0f}.{number}",
        "text": _plain(answer.label, LABEL),
        "value": answer.token,
    }
    if answer.verb == "release":
        button["style"] = "danger"
    if answer.confirm:
        button["confirm"] = {
            "title": _plain(answer.label, ASKED_TITLE),
            "text": _plain(answer.confirm, ASKED),
            "confirm": _plain(answer.label, ASKED_LABEL),
            "deny": _plain(back or "✕", ASKED_LABEL),
        }
    return button


def _commands(message: Message) -> list[Block]:
    lines = [f"{answer.label}: {answer.command}" for answer in message.answers]
    return [{"type": "section", "text": _plain("\n".join(lines), SECTION)}] if lines else []


def _plain(text: str, longest: int) -> Block:
    """Set plain text; it is cut before it is escaped, so that no escape is cut in two."""
    cut = text if len(text) <= longest else f"{text[: longest - 1]}…"
    while len(escape(cut)) > longest:
        cut = f"{cut[:-2]}…"
    return {"type": "plain_text", "text": escape(cut), "emoji": False}


def _link(address: str, why: str) -> list[Block]:
    if not address.startswith(("https://", "http://")) or any(mark in address for mark in "|<> "):
        return []
    shown = f"<{address.replace('&', '&amp;')}|{why or 'Why?'}>"
    text = {"type": "mrkdwn", "text": shown, "verbatim": True}
    return [{"type": "context", "elements": [text]}]
