"""Instructions: templates filled from session state and artifacts, or functions of the context."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from google.genai import types

from agents.artifact import BaseArtifactService, problem_of
from agents.errors import MissingArtifactError, MissingStateKeyError, known
from agents.runtime.context import InvocationContext, ReadonlyContext

InstructionProvider = Callable[[ReadonlyContext], str | Awaitable[str]]

_PLACEHOLDER = re.compile(r"(?:[$\\]|(?<!\{))\{++[^{}]*+\}++")
_SCOPES = ("app", "user", "temp")
_ARTIFACT = "artifact."
_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/yaml")
"""Beginnings of the MIME types whose data a model can read."""


@dataclass(slots=True)
class _Placeholder:
    name: str
    optional: bool
    is_artifact: bool
    title: str


@dataclass(slots=True)
class Filled:
    """A template that was filled.

    Attributes:
        text: What came of it.
        values: Where a value stands in it: the characters from the first number to before the second, and the state key,
            or the artifact as "artifact.NAME".
    """

    text: str
    values: tuple[tuple[int, int, str], ...] = ()

    def at_the_end_of(self, text: str) -> Filled:
        """The same at the end of a longer text."""
        by = len(text) - len(self.text)
        return Filled(text, tuple([(start + by, end + by, name) for start, end, name in self.values]))


def join_filled(parts: Iterable[Filled], *, between: str) -> Filled:
    """Several filled templates as one; empty ones are left out."""
    whole = Filled("")
    for part in parts:
        if part.text:
            text = f"{whole.text}{between}{part.text}" if whole.text else part.text
            whole = Filled(text, (*whole.values, *part.at_the_end_of(text).values))
    return whole


def fill_template(
    template: str, state: Mapping[str, Any], *, agent_name: str, artifacts: Mapping[str, str] | None = None
) -> str:
    """A template with its values, as text; see `filled_template`."""
    return filled_template(template, state, agent_name=agent_name, artifacts=artifacts).text


def filled_template(
    template: str, state: Mapping[str, Any], *, agent_name: str, artifacts: Mapping[str, str] | None = None
) -> Filled:
    r"""Replaces `{key}` by the value of that state key, and `{artifact.notes.txt}` by that artifact.

    `{{key}}` is the same; `{app:key}`, `{user:key}` and `{temp:key}` name a scope; `{key?}` may be missing and is
    then empty, as may `{artifact.notes.txt?}`; None is empty; a value with an `as_prompt()` is shown by it. `${x}`,
    `\{x}` and anything in braces that is not an identifier stay as they are, so JSON is safe.

    Args:
        template: The instruction.
        state: Live state.
        agent_name: Whose instruction it is, for errors.
        artifacts: The session's artifacts by name, as `artifact_texts` gives them; None if there is no service.

    Returns:
        The text, and where the values stand in it.

    Raises:
        MissingStateKeyError: A key without `?` is not in `state`.
        MissingArtifactError: An artifact without `?` is not in `artifacts`.
    """
    if "{" not in template:
        return Filled(template)
    texts: list[str] = []
    values: list[tuple[int, int, str]] = []
    at = 0
    for piece in _pieces(template):
        if isinstance(piece, str):
            text = piece
        elif text := _value_of(piece, state, artifacts, agent_name):
            values.append((at, at + len(text), piece.title))
        texts.append(text)
        at += len(text)
    return Filled("".join(texts), tuple(values))


async def filled_in(template: str, context: InvocationContext) -> Filled:
    """A template filled from the state and the artifacts of a context's session; see `filled_template`."""
    names = artifact_names(template)
    artifacts = await artifact_texts(names, context) if names else None
    return filled_template(template, context.session.state, agent_name=context.agent_name, artifacts=artifacts)


def _value_of(wanted: _Placeholder, state: Mapping[str, Any], artifacts: Mapping[str, str] | None, agent_name: str) -> str:
    if not wanted.is_artifact and wanted.name in state:
        return _as_text(state[wanted.name])
    if wanted.is_artifact and artifacts is not None and wanted.name in artifacts:
        return artifacts[wanted.name]
    if wanted.optional:
        return ""
    if wanted.is_artifact:
        raise _missing_artifact(wanted.name, artifacts, agent_name)
    raise _missing_key(wanted.name, state, agent_name)


def artifact_names(template: str) -> tuple[str, ...]:
    """The artifacts that a template names, each once, in order; costs almost nothing if there are none."""
    if _ARTIFACT not in template:
        return ()
    found = (piece.name for piece in _pieces(template) if isinstance(piece, _Placeholder) and piece.is_artifact)
    return tuple(dict.fromkeys(found))


def state_keys(template: str) -> dict[str, bool]:
    """The state keys that a template names, each with whether it must be set: `{key?}` may be missing."""
    found: dict[str, bool] = {}
    for piece in _pieces(template):
        if isinstance(piece, _Placeholder) and not piece.is_artifact:
            found[piece.name] = found.get(piece.name, False) or not piece.optional
    return found


async def artifact_texts(names: Collection[str], context: InvocationContext) -> dict[str, str] | None:
    """The artifacts of a context's session, for `fill_template`.

    Returns:
        All artifacts by name: those in `names` as a model reads them, the others, which are not loaded, as "".
        None if the context has no artifact service.
    """
    service: BaseArtifactService | None = context.artifact_service
    if service is None:
        return None
    app_name, user_id, session_id = context.app_name, context.user_id, context.session.id
    there = await service.list_artifact_keys(app_name=app_name, user_id=user_id, session_id=session_id)
    texts = dict.fromkeys(there, "")
    for name in names:
        part = await service.load_artifact(app_name=app_name, user_id=user_id, session_id=session_id, filename=name)
        if part is not None:
            texts[name] = as_read(name, part)
    return texts


def as_read(name: str, part: types.Part) -> str:
    """An artifact in an instruction: its text, or a note of its kind if it has none."""
    if part.text is not None:
        return part.text
    if (blob := part.inline_data) is not None:
        data, kind = blob.data or b"", blob.mime_type or "data"
        try:
            return data.decode() if kind.startswith(_TEXT_TYPES) else f"[{name}: {kind}, {len(data):,} bytes]"
        except UnicodeDecodeError:
            return f"[{name}: {kind}, {len(data):,} bytes]"
    file = part.file_data or types.FileData()
    return f"[{name}: {file.mime_type or 'a file'} at {file.file_uri}]"


def _missing_key(key: str, state: Mapping[str, Any], agent_name: str) -> MissingStateKeyError:
    return MissingStateKeyError(
        f"The instruction of agent {agent_name!r} needs the state key {key!r}, which is not set. "
        f"State has: {known(sorted(state))}. Set it in the start state, let an earlier agent write it with "
        f"output_key={key!r}, or write {{{key}?}} if it may be missing.",
        key=key,
        agent=agent_name,
    )


def _missing_artifact(name: str, artifacts: Mapping[str, str] | None, agent_name: str) -> MissingArtifactError:
    needs = f"The instruction of agent {agent_name!r} needs the artifact {name!r}"
    if artifacts is None:
        return MissingArtifactError(
            f"{needs}, but this run keeps no artifacts. Give its runner a service: Runner(artifact_service=…)."
        )
    return MissingArtifactError(
        f"{needs}, which is not there. There are: {known(sorted(artifacts))}. Let an earlier agent's tool save it with "
        f"tool_context.save_artifact({name!r}, …), or write {{{_ARTIFACT}{name}?}} if it may be missing."
    )


@lru_cache(maxsize=256)
def _pieces(template: str) -> tuple[str | _Placeholder, ...]:
    """A template as literal texts and placeholders."""
    pieces: list[str | _Placeholder] = []
    end = 0
    for match in _PLACEHOLDER.finditer(template):
        text = match.group()
        name = text.strip("{}").strip()
        key = name.removesuffix("?")
        file = key.removeprefix(_ARTIFACT)
        is_artifact = file != key and problem_of(file) is None
        if text[0] not in "$\\" and (is_artifact or _names_state(key)):
            placeholder = _Placeholder(file if is_artifact else key, name.endswith("?"), is_artifact, key)
            pieces += [template[end : match.start()], placeholder]
            end = match.end()
    return (*pieces, template[end:])


async def resolve_instruction(source: str | InstructionProvider, context: ReadonlyContext) -> tuple[str, bool]:
    """An instruction's text, and whether a function wrote it: such a text is not a template."""
    if isinstance(source, str):
        return source, False
    text = source(context)
    return (await text if inspect.isawaitable(text) else text), True


def _names_state(key: str) -> bool:
    scope, colon, rest = key.partition(":")
    return rest.isidentifier() and scope in _SCOPES if colon else key.isidentifier()


def _as_text(value: Any) -> str:
    if type(value) is str:
        return value
    if value is None:
        return ""
    return value.as_prompt() if hasattr(value, "as_prompt") else str(value)
