"""Labels that several pages share: a run's status, a time, a title."""

from __future__ import annotations

import time

from agents.pipelines import escape_markdown
from ui.text.browser_time import local_time
from ui.text.visible_text import visible_directions

STATUS = {
    "idle": ("○", "not run yet"),
    "waiting": ("◷", "waiting for its turn"),
    "running": ("●", "running"),
    "completed": ("✓", "completed"),
    "stopped": ("■", "stopped"),
    "failed": ("✗", "failed"),
    "interrupted": ("↯", "interrupted"),
    "paused": ("◔", "waiting for you"),
}
"""Status → sign and word: colour never carries meaning alone."""

UNTITLED = "Untitled session"
LONGEST_CHANGE = 240
"""Characters of what a fork changed."""
MINUTE, HOUR, DAY = 60, 3600, 86400


def status_words(status: str) -> str:
    """A status as sign and word, e.g. "✓ completed"; an unknown one unchanged."""
    return " ".join(STATUS.get(status, ("·", status)))


def ago(timestamp: float, *, now: float | None = None) -> str:
    """How long ago, in words: "just now", "5 min ago", "3 h ago", "yesterday", "12 Nov"."""
    now = time.time() if now is None else now
    passed = max(0.0, now - timestamp)
    if passed < MINUTE:
        return "just now"
    if passed < HOUR:
        return f"{int(passed // MINUTE)} min ago"
    if passed < DAY:
        return f"{int(passed // HOUR)} h ago"
    if passed < 2 * DAY:
        return "yesterday"
    then, today = local_time(timestamp), local_time(now)
    day = f"{then.day} {then:%b}"
    return day if then.year == today.year else f"{day} {then.year}"


def title_of(title: str, *, length: int = 80) -> str:
    """A session's title on one line, cut at `length` characters."""
    line = " ".join(title.split()) or UNTITLED
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def fork_words(changed: str, *, of: str = "") -> str:
    """A fork in words, e.g. "fork: playbook off", "fork of “Harbours”, nothing changed".

    Args:
        changed: What it changed, in words; "" for nothing.
        of: The title of its origin, where that is not in sight.
    """
    fork = f"fork of “{title_of(of)}”" if of else "fork"
    return f"{fork}: {title_of(changed, length=LONGEST_CHANGE)}" if changed else f"{fork}, nothing changed"


def plain(text: str) -> str:
    """`text` escaped for Markdown, see `agents.pipelines.markdown.escaped`.

    Characters that would reorder the text around them are made visible.
    """
    return escape_markdown(visible_directions(text))


def many(count: int, noun: str) -> str:
    """A number of things, e.g. "1 bullet", "1,200 bullets"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
