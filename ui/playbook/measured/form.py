"""The form that begins a measurement: which questions, how many, which bullets, which model; and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from agents import PlaygroundError
from agents.lab import Plan
from ui.playbook.actions import action
from ui.playbook.delta_effect import many
from ui.playbook.measured import questions, running
from ui.state import model_choices, navigation, runs
from ui.text.labels import plain
from ui.web import owner

if TYPE_CHECKING:
    from agents.ace import JudgedAnswer, Playbook
    from ui.playbook.shown_playbook import ShownPlaybook

MOST_QUESTIONS, MOST_BULLETS = 200, 500
QUESTIONS, BULLETS = 20, 50
"""Proposed."""
FEW = 10
"""Questions below which the form says that they are few."""
_SOURCE, _COUNT, _BULLETS, _MODEL = "effect_source", "effect_questions", "effect_bullets", "effect_model"
NONE_KNOWN = (
    "**None of its answers has a known right answer, or their sessions were deleted.** End a question with a line "
    "`Answer: …`, or choose drawn questions or a file."
)


def show(found: ShownPlaybook, *, goes_on: bool) -> None:
    """Draws the form.

    Args:
        found: The shown playbook.
        goes_on: Whether the playbook is being measured.
    """
    answers = questions.own(found)
    active = len(found.newest.active)
    with st.container(key="effect_form", gap="small"):
        source, count, bullets, model = _choices(found, answers, active)
        plan, problem = _plan(found, answers, source, count, bullets, model)
        if plan is not None:
            _cost(plan)
        else:
            st.info(problem, icon=":material/rule:")
        lack = model_choices.missing(model)
        if lack is not None:
            st.warning(plain(f"{model}: {lack.words}."), icon=":material/key:")
            navigation.to_settings("→ Settings: connect a model", found.address)
        locked = not owner.is_owner() or plan is None or lack is not None or goes_on
        st.button("Measure", key="effect_begin", type="primary", disabled=locked, on_click=begin, args=(plan,))


def most_used(playbook: Playbook, count: int) -> list[str]:
    """The ids of the bullets in prompts that were counted most often, then of those cited last; in the playbook's order."""
    active = playbook.active
    ranked = sorted(active, key=lambda one: (-(one.helpful + one.harmful + one.neutral), -one.last_cited, one.place))
    chosen = {bullet.id for bullet in ranked[:count]}
    return [bullet.id for bullet in active if bullet.id in chosen]


@action
def begin(plan: Plan) -> None:
    """Begins a measurement."""
    running.begin(plan)


@action
def stop(name: str) -> None:
    """Stops a measurement; what was answered is kept."""
    running.stop(name)


def _choices(found: ShownPlaybook, answers: Sequence[JudgedAnswer], active: int) -> tuple[str, int, int, str]:
    offered = questions.sources(answers)
    preferences = found.manager.models.preferences
    chosen = found.address.model or preferences.model
    models = [name for name in model_choices.offered(preferences, chosen) if not model_choices.is_replay(name)]
    what, how_many, which, who = st.columns([4, 2, 2, 3], gap="small")
    with what:
        source = st.selectbox(
            "Questions",
            list(offered),
            0 if answers else 1,
            key=_SOURCE,
            format_func=offered.__getitem__,
            help="Data files are uploaded on the Lab page.",
        )
    with how_many:
        most = min(MOST_QUESTIONS, len(answers)) if source == questions.OWN and answers else MOST_QUESTIONS
        count = _number(
            "How many", most, QUESTIONS, f"{_COUNT}_{source}_{most}", "The newest of its own, the first of others"
        )
    with which:
        most = max(1, min(MOST_BULLETS, active))
        bullets = _number("Bullets", most, BULLETS, f"{_BULLETS}_{found.name}_{most}", "Those that were used most")
    with who:
        at = models.index(chosen) if chosen in models else 0
        model = st.selectbox("Model", models, at, key=_MODEL, format_func=model_choices.shown)
    return source or questions.OWN, count, bullets, model or models[0]


def _number(label: str, most: int, proposed: int, key: str, about: str) -> int:
    return int(st.number_input(label, 1, most, min(most, proposed), key=key, help=f"{about}; 1 to {most:,}."))


def _plan(
    found: ShownPlaybook, answers: Sequence[JudgedAnswer], source: str, count: int, bullets: int, model: str
) -> tuple[Plan | None, str]:
    """What the form says, or why it can say nothing, in Markdown."""
    playbook = found.newest
    if not playbook.active:
        return None, "**There is no bullet to measure.** Write one, or let the pipeline learn."
    try:
        chosen = questions.questions(source, answers, count)
    except PlaygroundError as error:
        return None, f"**The questions cannot be read.** {plain(str(error))}"
    if not chosen.samples:
        return None, NONE_KNOWN
    plan = Plan(
        playbook=playbook,
        made_at=found.info.created_at,
        bullet_ids=most_used(playbook, bullets),
        samples=chosen.samples,
        source=chosen.source,
        scorer=chosen.scorer,
        scored_by=chosen.scored_by,
        pipeline=questions.pipeline_of(answers),
        model=model,
        agents_dir=runs.agents_dir(),
    )
    return plan, ""


def _cost(plan: Plan) -> None:
    """Says what a plan costs."""
    try:
        known = len(running.measurements().scores(plan))
    except PlaygroundError as error:
        st.warning(plain(str(error)), icon=":material/database_off:")
        known = 0
    left_out = len(plan.playbook.active) - len(plan.bullet_ids)
    product = f"{many(len(plan.samples), 'question')} × ({many(len(plan.bullet_ids), 'bullet')} + 1)"
    said = [f"**{plan.answers - known:,} answers** by {plain(model_choices.shown(plan.model))}: {product}."]
    if known:
        said.append(f"{known:,} of {plan.answers:,} are known already.")
    if len(plan.samples) < FEW:
        said.append("So few questions can show little.")
    if left_out:
        said.append(f"{many(left_out, 'bullet')} used less {'is' if left_out == 1 else 'are'} not measured.")
    if not model_choices.is_simulated(plan.model):
        said.append(f":orange[⚠ Each answer is at least one call of {plain(plan.model)}, which may cost money.]")
    st.markdown(" ".join(said))
