"""The copies of teams that learners change: one for each step that has something changed or made.

The owner's are teams like any other, so that they can be opened in Build. Those of others are kept apart, and have no code
but what they began with: nobody else's program is run for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, cast

from pydantic import JsonValue

from agents.errors import LessonError, TeamError
from agents.lessons.lesson import Make, Modify
from agents.models.simulated.spec import SIMULATED
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.teams import STARTS, TeamDraft, TeamStore, outline, read_yaml, set_field, team_of
from agents.teams.edit import AgentNode
from agents.teams.team import CLASSES, TOOLS, WRAPPERS

COPIES_FOLDER = "lesson_copies"
_YAML = (".yaml", ".yml")
_OWN_NAME = "name"
_MOST_STEM = 40
_HASH = 8

_Files = Mapping[str, str]


class Copies:
    """A learner's copies.

    Args:
        store: Where they are kept.
        catalog: Has them, so that they can be run.
        owner: Whose they are, as a part of their names; "" where they are among the owner's teams.
    """

    def __init__(self, store: TeamStore, catalog: Callable[[], Catalog], owner: str = "") -> None:
        self._store, self._catalog, self._owner = store, catalog, owner

    @property
    def catalog(self) -> Catalog:
        """Has the copies."""
        return self._catalog()

    @property
    def are_teams(self) -> bool:
        """Whether they are among the teams of Build."""
        return not self._owner

    def name(self, pipeline: Pipeline, step: Modify | Make) -> str:
        """What the copy of a step is called."""
        suffix = f"_{hashlib.sha256(self._owner.encode()).hexdigest()[:_HASH]}" if self._owner else ""
        return f"{pipeline.name[:_MOST_STEM]}_{step.id}"[: 60 - len(suffix)] + suffix

    def open(self, pipeline: Pipeline, step: Modify | Make) -> TeamDraft:
        """The copy of a step as it is now; made anew if it is not there."""
        name = self.name(pipeline, step)
        if name in self._store.names():
            return self._store.read(name)
        return self._store.create(name, original(pipeline, step), note="For a lesson")

    def set_field(self, pipeline: Pipeline, step: Modify | Make, agent: str, field: str, value: Any) -> TeamDraft:
        """Changes a field of an agent in the copy.

        Raises:
            LessonError: It would bring code along.
            TeamError: It cannot be changed so.
        """
        draft = self.open(pipeline, step)
        return self._saved(pipeline, step, draft, set_field(draft.files, agent, field, value))

    def set_text(self, pipeline: Pipeline, step: Modify | Make, file: str, text: str) -> TeamDraft:
        """Changes a YAML file of the copy; errors as of `set_field`."""
        draft = self.open(pipeline, step)
        return self._saved(pipeline, step, draft, {**draft.files, file: text})

    def reset(self, pipeline: Pipeline, step: Modify | Make) -> TeamDraft:
        """Gives the copy the files that it began with; what it was is among its revisions."""
        draft = self.open(pipeline, step)
        return self._store.save(draft, original(pipeline, step), note="As it began")

    def _saved(self, pipeline: Pipeline, step: Modify | Make, draft: TeamDraft, files: _Files) -> TeamDraft:
        if self._owner:
            check_no_new_code(original(pipeline, step), files)
        return self._store.save(draft, files, note="Changed in a lesson")


def has_copy(step: Modify | Make) -> bool:
    """Whether a step is done on a copy of a team; else on controls of the pipeline."""
    return isinstance(step, Make) or step.has_copy


def changed_controls(pipeline: Pipeline, step: Modify | Make, controls: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Of controls with their values, those that have another value in the step's run.

    Raises:
        LessonError: The step does not offer one.
    """
    offered = {one.control for one in step.edit}
    if unknown := next((name for name in controls if name not in offered), ""):
        raise LessonError(f"This step offers no control {unknown[:60]!r}.")
    usual = {**pipeline.card.first_state, **step.run.settings}
    return {name: value for name, value in controls.items() if usual.get(name) != value}


def original(pipeline: Pipeline, step: Modify | Make) -> dict[str, str]:
    """The files that the copy of a step begins with.

    Raises:
        LessonError: There is no such start.
    """
    if isinstance(step, Modify):
        return team_of(pipeline)[0]
    start = next((one for one in STARTS if one.name == step.start), None)
    if start is None:
        names = ", ".join(one.name for one in STARTS)
        raise LessonError(f"The step {step.id} of {pipeline.name} begins with {step.start!r}, which is none of: {names}.")
    return dict(start.files)


def changed_agents(before: _Files, after: _Files) -> set[str]:
    """The names of agents that differ between two versions of a team: changed, added or gone.

    An agent whose code was changed differs, too: code is that of all agents that name a part of it.
    """
    old, new = _agents(before), _agents(after)
    changed = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    code = {path for path in before.keys() | after.keys() if path.endswith(".py") and before.get(path) != after.get(path)}
    return changed | ({name for name, node in old.items() if code and "'." in repr(node)} if code else set[str]())


def check_no_new_code(before: _Files, after: _Files) -> None:
    """Checks that files have no code, and name none, that was not there before.

    Raises:
        LessonError: They have; the message names the file.
    """
    known = {SIMULATED, *TOOLS, *WRAPPERS, *CLASSES, *(f"agents.{name}" for name in (*TOOLS, *WRAPPERS, *CLASSES))}
    known |= {name for path, text in before.items() if path.endswith(_YAML) for name in _code_names(text)}
    for path, text in after.items():
        if path.endswith(_YAML):
            try:
                strange = [name for name in _code_names(text) if name not in known]
            except ValueError:  # it cannot be read, and so not be run
                continue
            if strange:
                raise LessonError(
                    f"{path} names {strange[0][:60]!r}, which does not come with this step. Use what is there: tools, "
                    "functions and models are named as the step's files name them."
                )
        elif before.get(path) != text:
            raise LessonError(f"{path} is no YAML file of an agent, and is to stay as it is in this step.")


def _agents(files: _Files) -> dict[str, Any]:
    """What each agent is, without what stands below it but with its order."""
    try:
        root = outline(files)
    except TeamError:
        return {}
    return {node.name: _own(node) for node in root.walk()}


def _own(node: AgentNode) -> tuple[Any, ...]:
    below = tuple(one.name for one in (*node.children, *node.agent_tools))
    return node.agent_class, dict(node.fields), [str(tool) for tool in node.tools], below, node.problem


_NAMED = ("agent_class", "model", "tools", "sub_agents")
_NAMING = ("_code", "_callback", "_callbacks", "_schema")
"""Fields that name code, or a model, which another program may bill for."""


def _code_names(text: str) -> set[str]:
    """The names in an agent's file that may stand for something in Python."""
    data = read_yaml(text).data
    if not isinstance(data, dict):
        return set()
    fields = cast("dict[str, Any]", data)
    found: set[str] = set()
    for key, value in fields.items():
        if key in _NAMED or key.endswith(_NAMING):
            found |= _names_below(value)
    return found


def _names_below(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, list):
        return {name for one in cast("list[Any]", value) for name in _names_below(one)}
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        return {
            name
            for key, one in named.items()
            if key in {_OWN_NAME, "code", "func"} or isinstance(one, (dict, list))
            for name in _names_below(one)
        }
    return set()
