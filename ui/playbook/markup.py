"""Bullets and changes as HTML. Every character of a bullet's text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agents.ace import TAGS, StoredBullet
from agents.comparison import word_diff
from ui.kit.html_text import escaped
from ui.playbook.delta_effect import SIGNS, BulletEffect, is_import
from ui.text.labels import ago, many

if TYPE_CHECKING:
    from agents.lab import MeasuredEffect

CAME = {"new": "+ new", "merged": "⧉ merged", "imported": "+ imported", "back": "↺ back"}
MOVED = {"archived": "▽ archived", "restored": "△ restored"}
CUT = 160
"""Characters of a bullet's text in a change's line."""
SHOWN_IDS = 12
"""Most ids in a line."""
SHORT = 5
"""Most changes in a line."""
_SIGN = {
    "ADD": "+",
    "UPDATE": "~",
    "REMOVE": "−",
    "MERGE": "⧉",
    "ADJUST": "±",
    "RESTORE": "↺",
    "ARCHIVE": "▽",
    "UNARCHIVE": "△",
}


def said(text: str, effect: BulletEffect | None = None) -> str:
    """A bullet's text, with its changes."""
    if effect is None or effect.before is None:
        return f'<div class="said" dir="auto">{escaped(text)}</div>'
    return f'<div class="said" dir="auto">{difference(effect.before, text)}</div>'


def difference(before: str, after: str) -> str:
    """Two texts as one: deletions struck through, additions underlined."""
    tags = {"same": "{}", "gone": "<del>{}</del>", "new": "<ins>{}</ins>"}
    return "".join(tags[kind].format(escaped(text)) for kind, text in word_diff(before, after))


def bullet(
    found: StoredBullet,
    effect: BulletEffect | None,
    *,
    gone: bool = False,
    section: bool = False,
    measured: MeasuredEffect | None = None,
) -> str:
    """A bullet: text, counters, age, and the revision's effect on it.

    Args:
        found: The bullet.
        effect: The revision's effect on it.
        gone: Whether it was removed.
        section: Whether to name its section.
        measured: Its measured effect on answers.
    """
    classes = ["bullet", *_classes(effect, gone=gone)]
    said_here = (
        f'<div class="said" dir="auto"><del>{escaped(found.content)}</del></div>' if gone else said(found.content, effect)
    )
    about = facts(found, effect, gone=gone, section=section, measured=measured)
    return f'<div class="{" ".join(classes)}">{said_here}{about}</div>'


def _classes(effect: BulletEffect | None, *, gone: bool) -> list[str]:
    if gone:
        return ["removed"]
    if effect is None:
        return []
    return ["added"] if effect.came else ["changed"]


def facts(
    found: StoredBullet,
    effect: BulletEffect | None = None,
    *,
    gone: bool = False,
    section: bool = False,
    measured: MeasuredEffect | None = None,
) -> str:
    """The facts of a bullet besides its text; arguments as of `bullet`."""
    badges = ["− removed"] if gone else _badges(effect)
    parts = [f'<span class="badge">{badge}</span>' for badge in badges]
    counted = effect.counted if effect else {}
    parts += [counter(found, name, counted.get(name, 0)) for name in TAGS]
    if measured is not None:
        parts.append(measured_effect(measured, found.content))
    parts.append(f"<span>{_age(found)}</span>")
    if section:
        parts.append(f"<span>{escaped(found.section)}</span>")
    if found.archived:
        parts.append("<span>archived: left out of prompts</span>")
    if found.merged_from:
        parts.append(f"<span>merged from {ids(found.merged_from)}</span>")
    return f'<div class="facts">{"".join(parts)}</div>'


def _badges(effect: BulletEffect | None) -> list[str]:
    if effect is None:
        return []
    badges = [CAME[effect.came]] if effect.came else []
    if effect.before is not None and not effect.came:
        badges.append("~ text changed")
    return [*badges, MOVED[effect.moved]] if effect.moved else badges


_COUNTED = {
    "helpful": "verified, feedback said so",
    "harmful": "verified, feedback said so",
    "neutral": "used, and not verified",
}


def counter(found: StoredBullet, name: str, change: int = 0) -> str:
    """One of a bullet's counters, and its change."""
    count = getattr(found, name)
    lit = f" <b>{change:+d}</b>" if change else ""
    none = " none" if not count and not change else ""
    title = f"{count:,} times {name}: {_COUNTED[name]}"
    return f'<span class="count {name}{none}" title="{title}">{SIGNS[name]} {count:,} {name}{lit}</span>'


def measured_effect(measured: MeasuredEffect, content: str) -> str:
    """A bullet's measured effect on answers.

    Args:
        measured: The effect.
        content: The bullet's text now.
    """
    kind, sign = ("helpful", "▲") if measured.low > 0 else ("harmful", "▼") if measured.high < 0 else ("none", "○")
    said = f"{sign} effect {interval_of(measured)}"
    title = f"{measured.helped:,} answers better with it, {measured.harmed:,} worse; p = {measured.p:.3f}"
    earlier = "" if measured.is_of(content) else ", of an earlier text"
    return f'<span class="count {kind}" title="{title}">{said}{earlier}</span>'


def interval_of(measured: MeasuredEffect) -> str:
    """An effect with its interval, e.g. "+20% (+5% to +35%)"."""
    return f"{_signed(measured.effect)} ({_signed(measured.low)} to {_signed(measured.high)})"


def _signed(share: float) -> str:
    return "0%" if not round(share * 100) else f"{share:+.0%}"


def _age(found: StoredBullet) -> str:
    if not found.created_at:
        return f"by {escaped(found.created_by)}" if found.created_by else "age unknown"
    age = f"{ago(found.created_at)}{f' by {escaped(found.created_by)}' if found.created_by else ''}"
    if found.updated_at > found.created_at and found.updated_by:
        age += f", text {ago(found.updated_at)} by {escaped(found.updated_by)}"
    return age


def ids(bullet_ids: Iterable[str]) -> str:
    """Ids of bullets; beyond `SHOWN_IDS` they are counted."""
    found = list(bullet_ids)
    names = ", ".join(f"<code>{escaped(id_)}</code>" for id_ in found[:SHOWN_IDS])
    return names + (f" and {len(found) - SHOWN_IDS:,} more" if len(found) > SHOWN_IDS else "")


def section_head(name: str, count: int) -> str:
    """The heading of a section."""
    return f'<div class="section" role="heading" aria-level="3">{escaped(name)} <span>{many(count, "bullet")}</span></div>'


def changes(applied: Sequence[Mapping[str, Any]]) -> str:
    """Changes as a list, one line each."""
    return f'<ul class="changes">{"".join(map(change_line, applied))}</ul>'


def in_short(applied: Sequence[Mapping[str, Any]]) -> str:
    """Changes in one line, a sign and an id each; beyond `SHORT` they are counted."""
    parts = [f"{_sign(change)} {_id(change)}" for change in applied if "bullet_id" in change]
    more = f" and {len(parts) - SHORT:,} more" if len(parts) > SHORT else ""
    return ", ".join(parts[:SHORT]) + more


def _sign(change: Mapping[str, Any]) -> str:
    kind = "ADD" if is_import(change) else change["type"]
    return _SIGN.get(kind) or SIGNS[change["tag"]]


def change_line(change: Mapping[str, Any]) -> str:
    """One change."""
    kind, text = _WORDS[change["type"]](change)
    why = f'<span class="why">{_why(change)}</span>' if change.get("by") or change.get("reason") else ""
    return f'<li class="{kind}">{text}{why}</li>'


def _why(change: Mapping[str, Any]) -> str:
    return ": ".join(escaped(str(change[name])) for name in ("by", "reason") if change.get(name))


def rejection_line(rejection: Mapping[str, Any]) -> str:
    """One rejected operation, with the reason."""
    operation: Mapping[str, Any] = rejection.get("operation") or {}
    about = operation.get("bullet_id") or ", ".join(map(str, operation.get("bullet_ids") or ()))
    asked = f"{operation.get('type', 'operation')} {about}".strip()
    content = f": {_cut(str(operation['content']))}" if operation.get("content") else ""
    reason = escaped(str(rejection.get("reason", "")))
    return f'<li class="refused">✕ {escaped(asked)}{content}<span class="why">{reason}</span></li>'


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return f"“<bdi>{escaped(line if len(line) <= CUT else line[: CUT - 1].rstrip() + '…')}</bdi>”"


def _id(change: Mapping[str, Any]) -> str:
    return f"<code>{escaped(change['bullet_id'])}</code>"


def _tagged(change: Mapping[str, Any]) -> tuple[str, str]:
    return change["tag"], f"{SIGNS[change['tag']]} {_id(change)} {change['tag']} <b>+1</b>"


def _adjusted(change: Mapping[str, Any]) -> tuple[str, str]:
    counted = ", ".join(f"{SIGNS[name]} {name} <b>{change[name]:+d}</b>" for name in TAGS if change.get(name))
    return "changed", f"{_id(change)} {counted}"


def _cited(change: Mapping[str, Any]) -> tuple[str, str]:
    cited = f"cited {ids(change['bullet_ids'])}" if change["bullet_ids"] else "cited nothing"
    return "noted", f"? Query {change['query']:,} {cited}"


def _restored(change: Mapping[str, Any]) -> tuple[str, str]:
    was = f" (was <code>{escaped(change['was'])}</code>)" if change.get("was") else ""
    return "added", f"{_sign(change)} {_id(change)}{was} {_cut(change['bullet']['content'])}"


_WORDS: dict[str, Any] = {
    "ADD": lambda change: ("added", f"+ {_id(change)} {_cut(change['content'])}"),
    "UPDATE": lambda change: ("changed", f"~ {_id(change)} {difference(change['before'], change['content'])}"),
    "REMOVE": lambda change: ("removed", f"− {_id(change)} <del>{_cut(change['bullet']['content'])}</del>"),
    "MERGE": lambda change: (
        "added",
        f"⧉ {_id(change)} made of {ids(change['bullet_ids'])}: {_cut(change['content'])}",
    ),
    "TAG": _tagged,
    "CITE": _cited,
    "ADJUST": _adjusted,
    "RESTORE": _restored,
    "ARCHIVE": lambda change: ("changed", f"▽ {_id(change)} archived"),
    "UNARCHIVE": lambda change: ("changed", f"△ {_id(change)} back from the archive"),
}
