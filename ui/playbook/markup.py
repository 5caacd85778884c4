"""Bullets and changes as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agents.ace import TAGS, StoredBullet
from agents.comparison import word_diff
from ui.kit.elements import Html, element, html, joined
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


def difference(before: str, after: str) -> Html:
    """Two texts as one: deletions struck through, additions underlined."""
    marks = {"gone": "del", "new": "ins"}
    return html(*(element(marks[kind], text) if kind in marks else text for kind, text in word_diff(before, after)))


def bullet(
    found: StoredBullet,
    effect: BulletEffect | None,
    *,
    gone: bool = False,
    section: bool = False,
    measured: MeasuredEffect | None = None,
) -> Html:
    """A bullet: text, counters, age, and the revision's effect on it.

    Args:
        found: The bullet.
        effect: The revision's effect on it.
        gone: Whether it was removed.
        section: Whether to name its section.
        measured: Its measured effect on answers.
    """
    kind, text = "", found.content
    if gone:
        kind, text = ".removed", element("del", text)
    elif effect is not None:
        kind = ".added" if effect.came else ".changed"
        text = text if effect.before is None else difference(effect.before, text)
    about = facts(found, effect, gone=gone, section=section, measured=measured)
    return element(f"div.bullet{kind}", element("div.said", text, dir="auto"), about)


def facts(
    found: StoredBullet,
    effect: BulletEffect | None = None,
    *,
    gone: bool = False,
    section: bool = False,
    measured: MeasuredEffect | None = None,
) -> Html:
    """The facts of a bullet besides its text; arguments as of `bullet`."""
    badges = ["− removed"] if gone else _badges(effect)
    parts = [element("span.badge", badge) for badge in badges]
    counted = effect.counted if effect else {}
    parts += [counter(found, name, counted.get(name, 0)) for name in TAGS]
    if measured is not None:
        parts.append(measured_effect(measured, found.content))
    parts.append(element("span", _age(found)))
    if section:
        parts.append(element("span", found.section))
    if found.archived:
        parts.append(element("span", "archived: left out of prompts"))
    if found.merged_from:
        parts.append(element("span", "merged from ", ids(found.merged_from)))
    return element("div.facts", *parts)


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


def counter(found: StoredBullet, name: str, change: int = 0) -> Html:
    """One of a bullet's counters, and its change."""
    count = getattr(found, name)
    lit = html(" ", element("b", f"{change:+d}")) if change else ""
    none = ".none" if not count and not change else ""
    title = f"{count:,} times {name}: {_COUNTED[name]}"
    return element(f"span.count.{name}{none}", f"{SIGNS[name]} {count:,} {name}", lit, title=title)


def measured_effect(measured: MeasuredEffect, content: str) -> Html:
    """A bullet's measured effect on answers.

    Args:
        measured: The effect.
        content: The bullet's text now.
    """
    kind, sign = ("helpful", "▲") if measured.low > 0 else ("harmful", "▼") if measured.high < 0 else ("none", "○")
    title = f"{measured.helped:,} answers better with it, {measured.harmed:,} worse; p = {measured.p:.3f}"
    earlier = "" if measured.is_of(content) else ", of an earlier text"
    return element(f"span.count.{kind}", f"{sign} effect {interval_of(measured)}{earlier}", title=title)


def interval_of(measured: MeasuredEffect) -> str:
    """An effect with its interval, e.g. "+20% (+5% to +35%)"."""
    return f"{_signed(measured.effect)} ({_signed(measured.low)} to {_signed(measured.high)})"


def _signed(share: float) -> str:
    return "0%" if not round(share * 100) else f"{share:+.0%}"


def _age(found: StoredBullet) -> str:
    if not found.created_at:
        return f"by {found.created_by}" if found.created_by else "age unknown"
    age = f"{ago(found.created_at)}{f' by {found.created_by}' if found.created_by else ''}"
    if found.updated_at > found.created_at and found.updated_by:
        age += f", text {ago(found.updated_at)} by {found.updated_by}"
    return age


def ids(bullet_ids: Iterable[str]) -> Html:
    """Ids of bullets; beyond `SHOWN_IDS` they are counted."""
    found = list(bullet_ids)
    names = joined(", ", (element("code", id_) for id_ in found[:SHOWN_IDS]))
    return html(names, f" and {len(found) - SHOWN_IDS:,} more" if len(found) > SHOWN_IDS else "")


def section_head(name: str, count: int) -> Html:
    """The heading of a section."""
    return element("div.section", name, " ", element("span", many(count, "bullet")), role="heading", aria_level=3)


def lines(found: Sequence[Any], line: Callable[[Any], Html], most: int, more: str = "more") -> Iterator[Html]:
    """The first `most` items, a line each, and a line with the number of the others."""
    yield from map(line, found[:most])
    if len(found) > most:
        yield element("li.noted", f"… and {len(found) - most:,} {more}")


def changes(applied: Sequence[Mapping[str, Any]]) -> Html:
    """Changes as a list, one line each."""
    return element("ul.changes", *map(change_line, applied))


def in_short(applied: Sequence[Mapping[str, Any]]) -> Html:
    """Changes in one line, a sign and an id each; beyond `SHORT` they are counted."""
    parts = [html(_sign(change), " ", _id(change)) for change in applied if "bullet_id" in change]
    return html(joined(", ", parts[:SHORT]), f" and {len(parts) - SHORT:,} more" if len(parts) > SHORT else "")


def _sign(change: Mapping[str, Any]) -> str:
    kind = "ADD" if is_import(change) else change["type"]
    return _SIGN.get(kind) or SIGNS[change["tag"]]


def change_line(change: Mapping[str, Any]) -> Html:
    """One change."""
    kind, *parts = _WORDS[change["type"]](change)
    why = ": ".join(str(change[name]) for name in ("by", "reason") if change.get(name))
    return element(f"li.{kind}", *parts, element("span.why", why) if why else "")


def rejection_line(rejection: Mapping[str, Any]) -> Html:
    """One rejected operation, with the reason."""
    operation: Mapping[str, Any] = rejection.get("operation") or {}
    about = operation.get("bullet_id") or ", ".join(map(str, operation.get("bullet_ids") or ()))
    asked = f"{operation.get('type', 'operation')} {about}".strip()
    content = html(": ", _cut(str(operation["content"]))) if operation.get("content") else ""
    return element("li.refused", f"✕ {asked}", content, element("span.why", str(rejection.get("reason", ""))))


def _cut(text: str) -> Html:
    line = " ".join(text.split())
    return html("“", element("bdi", line if len(line) <= CUT else line[: CUT - 1].rstrip() + "…"), "”")


def _id(change: Mapping[str, Any]) -> Html:
    return element("code", change["bullet_id"])


def _merged(change: Mapping[str, Any]) -> Sequence[str]:
    return "added", "⧉ ", _id(change), " made of ", ids(change["bullet_ids"]), ": ", _cut(change["content"])


def _updated(change: Mapping[str, Any]) -> Sequence[str]:
    counted = change.get("counted") or {}
    old = [html(f"{SIGNS[name]} {counted[name]:,} {name}") for name in TAGS if counted.get(name)]
    anew = element("span.why", "The counters start anew; the old text had ", joined(", ", old), ".") if old else ""
    return "changed", "~ ", _id(change), " ", difference(change["before"], change["content"]), anew


def _adjusted(change: Mapping[str, Any]) -> Sequence[str]:
    counted = [html(f"{SIGNS[name]} {name} ", element("b", f"{change[name]:+d}")) for name in TAGS if change.get(name)]
    return "changed", _id(change), " ", joined(", ", counted)


def _cited(change: Mapping[str, Any]) -> Sequence[str]:
    return "noted", f"? Query {change['query']:,} cited ", ids(change["bullet_ids"]) if change["bullet_ids"] else "nothing"


def _restored(change: Mapping[str, Any]) -> Sequence[str]:
    was = html(" (was ", element("code", change["was"]), ")") if change.get("was") else ""
    return "added", f"{_sign(change)} ", _id(change), was, " ", _cut(change["bullet"]["content"])


_WORDS: dict[str, Callable[[Mapping[str, Any]], Sequence[str]]] = {
    "ADD": lambda change: ("added", "+ ", _id(change), " ", _cut(change["content"])),
    "UPDATE": _updated,
    "REMOVE": lambda change: ("removed", "− ", _id(change), " ", element("del", _cut(change["bullet"]["content"]))),
    "MERGE": _merged,
    "TAG": lambda change: (change["tag"], f"{_sign(change)} ", _id(change), f" {change['tag']} ", element("b", "+1")),
    "CITE": _cited,
    "ADJUST": _adjusted,
    "RESTORE": _restored,
    "ARCHIVE": lambda change: ("changed", "▽ ", _id(change), " archived"),
    "UNARCHIVE": lambda change: ("changed", "△ ", _id(change), " back from the archive"),
}
"""Kind of change → the class of its line, and what the line says."""
