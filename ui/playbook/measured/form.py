"""The form that begins a measurement: which questions, how many, which bullets, which model; and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from agents import PlaygroundError
from agents.lab import Plan
from ui.access import owner
from ui.playbook.actions import action
from ui.playbook.measured import questions
from ui.state import navigation, runs
from ui.state.options import model_choices
from ui.text.labels import many, plain

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


@dataclass(frozen=True, slots=True)
class _Fields:
    """The keys of the form's fields."""

    source: str
    count: str
    bullets: str
    model: str


def show(found: ShownPlaybook, *, goes_on: bool) -> None:
    """Draws the form.

    Args:
        found: The shown playbook.
        goes_on: Whether the playbook is being measured.
    """
    answers = questions.own(found)
    active = len(found.newest.active)
    with st.container(key="effect_form", gap="small"):
        fields = _fields(found, answers, active)
        plan, problem = _plan(found, answers, fields)
        if plan is not None:
            _cost(plan)
        else:
            st.info(problem, icon=":material/rule:")
        model = st.session_state[fields.model]
        lack = model_choices.missing(model)
        if lack is not None:
            st.warning(plain(f"{model}: {lack.words}."), icon=":material/key:")
            navigation.to_settings("→ Settings: connect a model", found.address)
        locked = not owner.is_owner() or plan is None or lack is not None or goes_on
        order = (found, answers, fields)
        st.button("Measure", key="effect_begin", type="primary", disabled=locked, on_click=begin, args=order)


def most_used(playbook: Playbook, count: int) -> list[str]:
    """The ids of the bullets in prompts that were counted most often, then of those cited last; in the playbook's order."""
    active = playbook.active
    ranked = sorted(active, key=lambda one: (-(one.helpful + one.harmful + one.neutral), -one.last_cited, one.place))
    chosen = {bullet.id for bullet in ranked[:count]}
    return [bullet.id for bullet in active if bullet.id in chosen]


@action
def begin(found: ShownPlaybook, answers: Sequence[JudgedAnswer], fields: _Fields) -> None:
    """Begins the measurement that the form says now: a number may have been typed since the button was drawn."""
    plan, _ = _plan(found, answers, fields)
    if plan is not None:  # else the form says why
        runs.workspace().measurement_jobs.begin(plan)


@action
def stop(name: str) -> None:
    """Stops a measurement; what was answered is kept."""
    runs.workspace().measurement_jobs.stop(name)


def _fields(found: ShownPlaybook, answers: Sequence[JudgedAnswer], active: int) -> _Fields:
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
        count = f"{_COUNT}_{source}_{most}"
        _number("How many", most, QUESTIONS, count, "The newest of its own, the first of others")
    with which:
        most = max(1, min(MOST_BULLETS, active))
        bullets = f"{_BULLETS}_{found.name}_{most}"
        _number("Bullets", most, BULLETS, bullets, "Those that were used most")
    with who:
        at = models.index(chosen) if chosen in models else 0
        st.selectbox("Model", models, at, key=_MODEL, format_func=model_choices.shown)
    return _Fields(_SOURCE, count, bullets, _MODEL)


def _number(label: str, most: int, proposed: int, key: str, about: str) -> None:
    st.number_input(label, 1, most, min(most, proposed), key=key, help=f"{about}; 1 to {most:,}.")


def _plan(found: ShownPlaybook, answers: Sequence[JudgedAnswer], fields: _Fields) -> tuple[Plan | None, str]:
    """What the form says, or why it can say nothing, in Markdown."""
    playbook = found.newest
    if not playbook.active:
        return None, "**There is no bullet to measure.** Write one, or let the pipeline learn."
    try:
        chosen = questions.questions(st.session_state[fields.source], answers, int(st.session_state[fields.count]))
    except PlaygroundError as error:
        return None, f"**The questions cannot be read.** {plain(str(error))}"
    if not chosen.samples:
        return None, NONE_KNOWN
    pipeline = questions.pipeline_of(answers)
    plan = Plan(
        playbook=playbook,
        made_at=found.info.created_at,
        bullet_ids=most_used(playbook, int(st.session_state[fields.bullets])),
        samples=chosen.samples,
        source=chosen.source,
        scorer=chosen.scorer,
        scored_by=chosen.scored_by,
        pipeline=pipeline,
        model=st.session_state[fields.model],
        agents_dir=runs.workspace().catalog.folder_of(pipeline),
    )
    return plan, ""


def _cost(plan: Plan) -> None:
    """Says what a plan costs."""
    try:
        known = len(runs.workspace().measurements.scores(plan))
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
