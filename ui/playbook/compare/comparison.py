"""Aligns two playbooks: by section, and within a section by the bullets' texts.

Two bullets match if their texts are equal but for white space, else if they have the same id and share most of their words,
as in a copy that was changed later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from agents.ace import TAGS, Playbook, StoredBullet, section_key

ALIKE = 0.5
"""Share of common words from which on two texts of one id match."""
_WORD = re.compile(r"\w+")

Kind = Literal["same", "counters", "text", "here", "there"]


class Pair(NamedTuple):
    """Two bullets that match, or a bullet without a match.

    Attributes:
        kind: "same", other "counters", another "text", only "here", only "there".
        section: The section's name.
        here: The bullet here, if there is one.
        there: The bullet there, if there is one.
    """

    kind: Kind
    section: str
    here: StoredBullet | None
    there: StoredBullet | None


def aligned(here: Playbook, there: Playbook) -> list[Pair]:
    """All bullets of both, by section: sections of the first playbook, then those that only the second has."""
    other = _by_key(there)
    pairs: list[Pair] = []
    for key, (name, bullets) in _by_key(here).items():
        pairs += _section(name, bullets, other.pop(key, (name, []))[1])
    for name, bullets in other.values():
        pairs += [Pair("there", name, None, bullet) for bullet in bullets]
    return pairs


def counts(pairs: Iterable[Pair]) -> dict[Kind, int]:
    """The number of pairs of each kind."""
    found: dict[Kind, int] = {"same": 0, "counters": 0, "text": 0, "here": 0, "there": 0}
    for pair in pairs:
        found[pair.kind] += 1
    return found


def _by_key(playbook: Playbook) -> dict[str, tuple[str, list[StoredBullet]]]:
    found: dict[str, tuple[str, list[StoredBullet]]] = {}
    for name, bullets in playbook.sections.items():
        found.setdefault(section_key(name), (name, []))[1].extend(bullets)
    return found


def _section(name: str, here: list[StoredBullet], there: list[StoredBullet]) -> list[Pair]:
    """Aligns one section: first by equal text, then by equal id."""
    saying: dict[str, list[StoredBullet]] = {}
    for bullet in there:
        saying.setdefault(_said(bullet), []).append(bullet)
    partner: dict[str, StoredBullet] = {}
    for bullet in here:
        if same := saying.get(_said(bullet)):
            partner[bullet.id] = same.pop(next((n for n, other in enumerate(same) if other.id == bullet.id), 0))
    left = {bullet.id: bullet for bullets in saying.values() for bullet in bullets}
    for bullet in here:
        if bullet.id not in partner and bullet.id in left and _alike(bullet, left[bullet.id]):
            partner[bullet.id] = left.pop(bullet.id)
    pairs = [_pair(name, bullet, partner.get(bullet.id)) for bullet in here]
    return pairs + [Pair("there", name, None, bullet) for bullet in there if bullet.id in left]


def _pair(name: str, here: StoredBullet, there: StoredBullet | None) -> Pair:
    if there is None:
        return Pair("here", name, here, None)
    if _said(here) != _said(there):
        return Pair("text", name, here, there)
    same = all(getattr(here, tag) == getattr(there, tag) for tag in TAGS) and here.archived == there.archived
    return Pair("same" if same else "counters", name, here, there)


def _said(bullet: StoredBullet) -> str:
    return " ".join(bullet.content.split())


def _alike(one: StoredBullet, other: StoredBullet) -> bool:
    a, b = (set(_WORD.findall(bullet.content.casefold())) for bullet in (one, other))
    return bool(a | b) and len(a & b) / len(a | b) >= ALIKE
