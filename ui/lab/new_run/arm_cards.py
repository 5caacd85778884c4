"""The ways of answering that a run compares: a card for each arm, to be switched on and off, with its few options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from agents import LabError
from ui.lab.new_run import description, drafts
from ui.lab.new_run.description import Table
from ui.lab.new_run.fields import Fields, choices_of, field, offered
from ui.state import notices, runs
from ui.state.notices import action
from ui.state.quick_input import chosen_now, key_for
from ui.text.glossary import help_on, meanings
from ui.text.labels import plain

_IN_A_ROW = 3
_NO_PLAYBOOK = "There is no playbook yet. Run a pipeline that learns, or import one on the Playbook page."


class Card(NamedTuple):
    """The card of an arm.

    Attributes:
        title: What the arm is called in results.
        arm: Its table.
        is_on: Whether it is part of the run.
    """

    title: str
    arm: Table
    is_on: bool


def draw(table: Table, fields: Fields, *, locked: bool) -> None:
    """Draws the cards.

    Args:
        table: The description.
        fields: Draws their options.
        locked: Whether nothing can be changed.
    """
    playbooks = [info.name for info in runs.manager().playbooks("default").names()]
    cards = _cards(table)
    for begin in range(0, len(cards), _IN_A_ROW):
        row = cards[begin : begin + _IN_A_ROW]
        for column, card in zip(st.columns(_IN_A_ROW, gap="small"), row, strict=False):
            with column, st.container(border=True, gap="xsmall", height="stretch", key=f"lab_arm_{card.title}"):
                _card(card, fields, playbooks, locked=locked)


def _card(card: Card, fields: Fields, playbooks: list[str], *, locked: bool) -> None:
    kind, path = card.arm["kind"], ("arms", card.title)
    of = offered().get(kind, {"title": kind, "about": "", "fields": []})
    lacks_playbook = kind == "frozen" and not card.is_on and not playbooks
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.toggle(
            plain(card.arm.get("name", of["title"])),
            key=key_for(_switch_of(card.title), card.is_on),
            help=_NO_PLAYBOOK if lacks_playbook else _term(kind),
            disabled=locked or lacks_playbook,
            on_change=switch,
            args=(card.title, playbooks),
        )
        if card.is_on:
            st.space("stretch")
            with st.popover("Options", type="tertiary", key=f"lab_options_{card.title}"):
                fields.draw("title", *path, "name")
                if kind == "frozen":
                    names = [*playbooks, card.arm["playbook"].get("name")]
                    fields.draw("playbook", *path, "playbook", "name", choices={name: name for name in names if name})
                for name in of["fields"]:
                    fields.draw(name, *path, name)
                st.button("Add another one like this", key=f"lab_copy_{card.title}", on_click=copy, args=(card.title,))
    hidden = description.others(card.arm, {*fields.shown, f"{'.'.join(path)}.kind"}, f"{'.'.join(path)}.")
    st.caption(" ".join([*_said(card.arm, of), hidden if card.is_on else ""]))


def _said(arm: Table, of: Mapping[str, Any]) -> list[str]:
    """What an arm does, and where it differs from others of its kind."""
    found = [f"{of['title']}." if "name" in arm else of["about"]]
    for name in of["fields"]:
        default = field(name).get("default")
        if (value := arm.get(name, default)) != default:
            words = {one: label for label, one in choices_of(name).items()}
            said = ("yes" if value else "no") if isinstance(value, bool) else words.get(value, value)
            found.append(f"*{field(name)['label']}*: {said}.")
    return found


@notices.said_in("form")
@action
def switch(title: str, playbooks: list[str]) -> None:
    """Switches an arm on or off, as its toggle says."""
    cards = _cards(description.read().table)
    card = next((card for card in cards if card.title == title), None)
    is_on = chosen_now(_switch_of(title))
    if card is None or is_on is None or is_on == card.is_on:  # the description was changed after the page was drawn
        return

    def edit(table: Table) -> None:
        if is_on:
            more = {"playbook": {"name": playbooks[0]}} if card.arm == {"kind": "frozen"} else {}
            place = [one.title for one in cards if one.is_on or one.title == title].index(title)
            table["arms"].insert(place, {**card.arm, **more})
        elif len(table["arms"]) == 1:
            raise LabError("A run needs at least one way of answering. Switch another one on first.")
        else:
            drafts.draft().off[title] = card.arm
            del table["arms"][[description.title(arm) for arm in table["arms"]].index(title)]

    description.change(edit)


@notices.said_in("form")
@action
def copy(title: str) -> None:
    """Adds an arm like another one, under a name of its own."""

    def edit(table: Table) -> None:
        titles, order = [description.title(arm) for arm in table["arms"]], drafts.draft().order
        if title not in titles:  # as in `switch`
            return
        place = titles.index(title)
        name = next(f"{title} {number}" for number in range(2, len(order) + 3) if f"{title} {number}" not in order)
        table["arms"].insert(place + 1, {**table["arms"][place], "name": name})
        order.insert(order.index(title) + 1, name)

    description.change(edit)


def _cards(table: Table) -> list[Card]:
    """All cards: those of arms that are on in the order of the description, and each where it was before."""
    draft = drafts.draft()
    on = {description.title(arm): arm for arm in table["arms"]}
    off = {title: arm for title, arm in draft.off.items() if title not in on}
    kinds = {arm["kind"] for arm in (*on.values(), *off.values())}
    off |= {kind: {"kind": kind} for kind in offered() if kind not in {*kinds, *on}}
    found, titles = on | off, iter(on)
    order = [title for title in dict.fromkeys([*draft.order, *on, *off]) if title in found]
    draft.order = [next(titles) if title in on else title for title in order]
    return [Card(title, found[title], title in on) for title in draft.order]


def _switch_of(title: str) -> str:
    return f"lab_on_{title}"


def _term(kind: str) -> str:
    """The field's word for a kind of arm, and what it means."""
    return help_on(kind) if kind in meanings() else f"An **arm** of the kind **{plain(kind)}**. {help_on('arm')}"
