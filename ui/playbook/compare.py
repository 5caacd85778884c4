"""Two playbooks side by side: totals, then bullets aligned by section and text, a page of them at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

import streamlit as st

from agents.ace import TAGS, Playbook, StoredBullet, section_key
from ui.kit import paging
from ui.kit.elements import Html, element, html
from ui.playbook import markup, view_state
from ui.playbook.delta_effect import SIGNS
from ui.playbook.head import described
from ui.playbook.shown_playbook import ShownPlaybook
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import many, plain

PAGE = 20
KINDS: dict[Kind, str] = {
    "here": "Only here",
    "there": "Only there",
    "text": "Other text",
    "counters": "Other counters",
    "same": "The same",
}
SHORT: dict[Kind, str] = {
    "here": "◧ only here",
    "there": "◨ only there",
    "text": "~ other text",
    "counters": "± other counters",
    "same": "=",
}
_BESIDE, _KINDS, _LIST = "beside_choice", "beside_kinds", "beside"
ALIKE = 0.5
"""Share of common words from which on two texts of one id match."""
_WORD = re.compile(r"\w+")

Kind = Literal["same", "counters", "text", "here", "there"]


def show(found: ShownPlaybook) -> None:
    """Draws the choice of the other playbook, and the comparison."""
    others = {info.name: info for info in found.infos if info.name != found.name}
    if not others:
        st.info(
            "**There is one playbook only.** Copy this one and let both go their own ways, or import another, then compare.",
            icon=":material/compare:",
        )
        return
    beside = found.address.beside if found.address.beside in others else None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.selectbox(
            "Compare with",
            list(others),
            key=key_for(_BESIDE, beside),
            index=None,
            placeholder="Compare with …",
            format_func=lambda name: described(others[name]) if name in others else str(name),
            on_change=if_chosen(view_state.compare),
            args=(_BESIDE, list(others)),
            label_visibility="collapsed",
            width=330,
        )
        if found.address.beside and beside is None:
            st.caption(f"There is no playbook {plain(found.address.beside[:80])} to compare with.")
    if beside is not None:
        _compared(found, found.manager.playbooks(beside).playbook())


def _compared(found: ShownPlaybook, there: Playbook) -> None:
    pairs = aligned(found.shown, there)
    number = counts(pairs)
    kinds: Sequence[Kind] = st.pills(
        "Which bullets",
        list(KINDS),
        key=_KINDS,
        selection_mode="multi",
        format_func=lambda kind: f"{KINDS[kind]} ({number[kind]:,})",
        on_change=paging.back_to_first,
        args=(_LIST,),
        label_visibility="collapsed",
    )
    chosen = [pair for pair in pairs if not kinds or pair.kind in kinds]
    if not chosen:
        st.info("No bullet is of this kind." if pairs else "Both are empty.", icon=":material/compare:")
        return
    page = paging.page_of(_LIST, len(chosen), PAGE)
    rows = chosen[page.start : page.end]
    body: list[Html] = []
    for name, group in groupby(rows, key=lambda pair: pair.section):
        body += [element("tr", element("th", element("div.section", name), colspan=2, scope="rowgroup")), *map(_row, group)]
    head = element("thead", element("tr", _head(found.shown), _head(there)))
    st.html(element("table.beside", head, element("tbody", *body)))
    paging.draw(_LIST, page, len(chosen), "row")


def _head(playbook: Playbook) -> Html:
    """The head of a column: the playbook and its totals."""
    said = [
        many(len(playbook), "bullet"),
        many(len(playbook.sections), "section"),
        f"≈ {many(playbook.tokens, 'token')}",
        f"{SIGNS['helpful']} {playbook.helpful:,} helpful",
        f"{SIGNS['harmful']} {playbook.harmful:,} harmful",
    ]
    name = html(element("b", playbook.name), f", revision {playbook.revision:,}")
    return element("th", name, element("div.facts", " · ".join(said)), scope="col")


def _row(pair: Pair) -> Html:
    badge = element("span.badge", SHORT[pair.kind]) if pair.kind != "same" else ""
    left, right = (_cell(bullet, pair) for bullet in (pair.here, pair.there))
    return element(f"tr.{pair.kind}", element("td", left), element("td", right, badge))


def _cell(bullet: StoredBullet | None, pair: Pair) -> Html:
    if bullet is None:
        return element("span.none", "not there")
    text = bullet.content
    if pair.kind == "text" and bullet is pair.there and pair.here is not None:
        text = markup.difference(pair.here.content, bullet.content)
    counters = (markup.counter(bullet, name) for name in ("helpful", "harmful", "neutral"))
    archived = element("span", "archived") if bullet.archived else ""
    facts = element("div.facts", element("code", bullet.id), *counters, archived)
    return html(element("div.said", text, dir="auto"), facts)


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
