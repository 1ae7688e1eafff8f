"""
A message set for Slack: blocks of plain text, so that nothing in it is taken as mark-up.

Lengths are Slack's limits: a header 150 characters, a section 3,000, a field 2,000, ten fields.
"""

from typing import Any, Final

from reaper.notifiers.texts import Message

HEADER: Final = 150
SECTION: Final = 3000
FIELD: Final = 2000
FIELDS: Final = 10

Block = dict[str, Any]


def blocks(message: Message) -> list[Block]:
    """Return the blocks of a message."""
    sections: list[Block] = [{"type": "section", "text": _plain(message.lead, SECTION)}]
    if message.facts:
        fields = [_plain(f"{label}\n{value}", FIELD) for label, value in message.facts[:FIELDS]]
        sections.append({"type": "section", "fields": fields})
    if message.next:
        sections.append({"type": "section", "text": _plain("\n".join(message.next), SECTION)})
    header = {"type": "header", "text": _plain(message.title, HEADER)}
    return [header, *sections, *_link(message.link)]


def fallback(message: Message) -> str:
    """Return the text of the notification, where blocks are not shown."""
    return escape(f"{message.title}. {message.lead}")[:SECTION]


def escape(text: str) -> str:
    """Escape the three characters that Slack reads as control."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str, longest: int) -> Block:
    """Set plain text; it is cut before it is escaped, so that no escape is cut in two."""
    cut = text if len(text) <= longest else f"{text[: longest - 1]}…"
    while len(escape(cut)) > longest:
        cut = f"{cut[:-2]}…"
    return {"type": "plain_text", "text": escape(cut), "emoji": False}


def _link(address: str) -> list[Block]:
    if not address.startswith(("https://", "http://")) or any(mark in address for mark in "|<> "):
        return []
    text = {"type": "mrkdwn", "text": f"<{address.replace('&', '&amp;')}|Why?>", "verbatim": True}
    return [{"type": "context", "elements": [text]}]
