"""The prompts of the three roles: files, filled from state so that no text can break out of its tags."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from agents.ace.operations import MAX_OPERATIONS
from agents.ace.playbook import Playbook
from agents.ace.roles.feedback import NO_FEEDBACK
from agents.ace.roles.judgement import is_right, said_of
from agents.ace.roles.schemas import GeneratorOutput, role_output
from agents.ace.roles.settings import AceSettings
from agents.ace.store.reducer import PLAYBOOK_KEY
from agents.llm.instruction import fill_template
from agents.runtime.context import ReadonlyContext

Role = Literal["generator", "reflector", "curator"]

QUERY_KEY, TRUTH_KEY, FEEDBACK_KEY = "user_query", "ground_truth", "feedback"
ANSWER_KEY, REFLECTION_KEY, CURATION_KEY = "generator_output", "reflector_output", "curator_output"
SECOND_KEY = "second_answer"
VERDICT_KEY = "verdict"
COUNTED_KEY = "query_counted"
GIVEN_KEY, GIVEN_IDS_KEY = "temp:given_playbook", "given_bullets"
JUDGED_KEY, JUDGED_SEQ_KEY = "judged", "judged_seq"
ROUND_KEY, BEFORE_KEY = "reflection_round", "previous_reflection"

EMPTY_PLAYBOOK = "(0 bullets)"
"""What stands for a playbook without bullets: no sentence that a model could give back as something learned."""

_FOLDER = Path(__file__).parent / "prompts"
_TAG = re.compile(
    r"<(?=/?\s*(?:playbook|question|previous_reflection|answer|feedback|verdict|round|reflection|limits|rubric)\s*/?>)",
    re.IGNORECASE,
)


@cache
def prompt(role: Role) -> str:
    """The prompt of a role, with `{names}` where it is filled."""
    return (_FOLDER / f"{role}.md").read_text(encoding="utf-8")


def instruction_for(role: Role, defaults: AceSettings) -> Callable[[ReadonlyContext], str]:
    """The instruction of a role's agent: its prompt, filled when a model is called.

    Args:
        role: The role.
        defaults: The cycle's settings; the session's controls override them.
    """

    def instruction(context: ReadonlyContext) -> str:
        return fill_template(prompt(role), _values(role, context.state, defaults), agent_name=context.agent_name)

    return instruction


def playbook_in(state: Mapping[str, Any]) -> Playbook:
    """The playbook in a session's state; an empty one if there is none."""
    found = state.get(PLAYBOOK_KEY)
    return found if isinstance(found, Playbook) else Playbook()


def verdict_in(state: Mapping[str, Any]) -> str:
    """What code knows of the answer in a session's state, as a sentence."""
    return said_of(*_answered(state))


def is_answer_right(state: Mapping[str, Any]) -> bool | None:
    """Whether the answer in a session's state is right by its feedback; None if that does not say."""
    return is_right(*_answered(state))


def _answered(state: Mapping[str, Any]) -> tuple[str, str]:
    answer = role_output(state.get(ANSWER_KEY), GeneratorOutput)
    return "" if answer is None else answer.final_answer, str(state.get(FEEDBACK_KEY) or NO_FEEDBACK)


def as_material(text: str) -> str:
    """A text to stand between a prompt's tags: it can neither close nor open one."""
    return _TAG.sub("‹", text)


def _shown_text(role: Role, state: Mapping[str, Any]) -> str:
    """The bullets for a prompt: the reflector's has those that the answer cites, the others have all that were given.

    A resumed run has lost the text that was given, and reads it again from the playbook.
    """
    playbook, given = playbook_in(state), state.get(GIVEN_IDS_KEY)
    if role != "reflector":
        return str(state.get(GIVEN_KEY) or playbook.as_prompt(given) or EMPTY_PLAYBOOK)
    answer = role_output(state.get(ANSWER_KEY), GeneratorOutput)
    cited = [] if answer is None else [id_ for id_ in answer.bullet_ids if given is None or id_ in given]
    return playbook.as_prompt(cited) or EMPTY_PLAYBOOK


def _values(role: Role, state: Mapping[str, Any], defaults: AceSettings) -> dict[str, str]:
    values = {
        "playbook": _shown_text(role, state),
        "question": as_material(str(state.get(QUERY_KEY) or "")),
        "answer": _as_json(state.get(ANSWER_KEY)),
        "feedback": as_material(str(state.get(FEEDBACK_KEY) or NO_FEEDBACK)),
        "verdict": verdict_in(state),
        "round": str(state.get(ROUND_KEY) or 1),
        "reflection": _as_json(state.get(REFLECTION_KEY)),
        "previous_reflection": _as_json(state.get(BEFORE_KEY)),
    }
    if role == "curator":  # it alone is shown the limits, for which all bullets are counted
        values["limits"] = _limits(playbook_in(state), AceSettings.from_state(state, defaults))
    return values


def _as_json(value: Any) -> str:
    return as_material(json.dumps(value, ensure_ascii=False, default=str)) if value else ""


def _counted(playbook: Playbook) -> str:
    helped = sum(bullet.helpful > bullet.harmful for bullet in playbook.bullets)
    harmed = sum(bullet.harmful > bullet.helpful for bullet in playbook.bullets)
    return f"{helped} helped, {harmed} harmed, {len(playbook) - helped - harmed} neither"


def _limits(playbook: Playbook, settings: AceSettings) -> str:
    budget = f"{settings.token_budget}" if settings.token_budget else "none"
    return (
        f"Token budget: {budget} (the playbook has {playbook.tokens} tokens)\n"
        f"Number of bullets: {len(playbook)} ({_counted(playbook)})\n"
        f"Most operations: {MAX_OPERATIONS}"
    )
