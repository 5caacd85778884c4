"""The turns of a session as constants of a file, and the functions that run them."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CodeFile
from agents.sharing.code.recorded_session import Turn

_LONG = 80
_FIELDS = ("id", "section", "content", "helpful", "harmful", "neutral", "archived")
_ANSWER = '''
def answered(events: list[Event], answers: list[tuple]) -> types.UserContent:
    """The answers to calls that wait, each to the call of its name at its place, the first if none is given."""
    done = {one.id for event in events if event.author == "user" for one in event.get_function_responses()}
    later = [(call, event.long_running_tool_ids or ()) for event in events for call in event.get_function_calls()]
    calls = [call for call, ids in later if call.id in ids and call.id not in done]
    parts = []
    for name, response, *place in answers:
        call = [call for call in calls if call.name == name][sum(place)]
        calls.remove(call)
        parts.append(types.Part(function_response=types.FunctionResponse(id=call.id, name=name, response=response)))
    return types.UserContent(parts)


'''
_RUN = '''
async def run() -> AsyncIterator[Event]:
    """Runs the session again; yields its events."""
    runner = InMemoryRunner({root}, app_name={app}{settings})
{playbook}    user = uuid.uuid4().hex  # a new one each time: agents that keep files begin with none
    await runner.session_service.create_session(app_name={app}, user_id=user, session_id=SESSION, state=STATE)
'''
_PLAYBOOK = """\
    service = runner.session_service
    store = PlaybookStore(service.tables, {name}, ledger=ledger_of(service.reducers))
    store.import_playbook(PLAYBOOK)
"""
_TURNS = '''\
    for {message}, state, config in TURNS:
{answer}        events = runner.run_async(
            user_id=user, session_id=SESSION, new_message=message, state_delta=state, run_config=config
        )
        async for event in events:
            yield event


async def main() -> None:
    """Prints who says what."""
    async for event in run():
        for part in event.content.parts or [] if event.content else []:
            if part.text:
                print(f"{{event.author}}: {{part.text}}")
            elif part.function_call:
                print(f"{{event.author}} calls {{part.function_call.name}}: {{part.function_call.args}}")
            elif part.function_response:
                print(f"{{part.function_response.name}} answers {{event.author}}: {{part.function_response.response}}")


if __name__ == "__main__":
    asyncio.run(main())
'''
_SEND = """\
        session = await runner.session_service.get_session(app_name={app}, user_id=user, session_id=SESSION)
        message = answered(session.events, sent) if isinstance(sent, list) else sent
"""


class TurnWriter(ABC):
    """Writes turns into a file."""

    def __init__(self, file: CodeFile, turns: Sequence[Turn]) -> None:
        self.file = file
        self._turns = turns
        self._playbook: str | None = None
        self._answers = any(turn.answers for turn in turns)
        for name in ("run", "main", "answered", "SESSION", "STATE", "TURNS"):
            file.claim(name, name)
        file.imported("collections.abc", "AsyncIterator")
        file.imported("google.genai", "types")

    @abstractmethod
    def config(self, turn: Turn) -> str:
        """A turn's run configuration as an expression."""

    def write(self, state: Mapping[str, Any]) -> None:
        """Writes the start state and the turns as constants."""
        self.file.statements.append(f"STATE = {literals.literal(dict(state))}")
        written = [literals.tupled([self._message(turn), self._state(turn), self._config(turn)]) for turn in self._turns]
        self.file.statements.append(f"TURNS = {literals.listed(written)}")

    def _message(self, turn: Turn) -> str:
        if turn.answers:
            return literals.listed(
                literals.tupled(
                    [
                        literals.quoted(one.name),
                        literals.literal(one.response),
                        *([literals.literal(one.place)] if one.place else []),
                    ]
                )
                for one in turn.answers
            )
        return f"types.UserContent({self._text(turn)})"

    def _text(self, turn: Turn) -> str:
        if len(turn.text) <= _LONG and "\n" not in turn.text:
            return literals.quoted(turn.text)
        local = self.file.claim("MESSAGE", f"message {turn.text}")
        statement = f"{local} = {literals.block(turn.text)}"
        if statement not in self.file.statements:
            self.file.statements.append(statement)
        return local

    def _state(self, turn: Turn) -> str:
        pairs = [
            (literals.quoted(key), self._text(turn) if value == turn.text and turn.text else literals.literal(value))
            for key, value in turn.state.items()
        ]
        return literals.mapping(pairs)

    def _config(self, turn: Turn) -> str:
        text = self.config(turn)
        local = self.file.claim("CONFIG", f"config {text}")
        statement = f"{local} = {text}"
        if statement not in self.file.statements:
            self.file.statements.append(statement)
        return local

    def write_playbook(self, name: str, playbook: Playbook) -> None:
        """Writes the playbook that the session begins with."""
        self.file.claim("PLAYBOOK", "PLAYBOOK")
        kinds = [self.file.imported("agents.ace", one) for one in ("Playbook", "PlaybookStore", "StoredBullet")]
        self.file.imported("agents.ace.store.reducer", "ledger_of")
        bullets = [literals.call(kinds[-1], _fields_of(bullet)) for bullet in playbook.bullets]
        self.file.statements.append(f"PLAYBOOK = {literals.call(kinds[0], [literals.listed(bullets)])}")
        self._playbook = name

    def main(self, app: str, session_id: str, root: str = "root_agent", settings: Mapping[str, str] | None = None) -> str:
        """The functions that run the turns, and the constants that they name.

        Args:
            app: The name of the app.
            session_id: The session.
            root: The root agent as an expression.
            settings: Further arguments of the runner, as expressions.
        """
        more = "".join(f", {name}={value}" for name, value in (settings or {}).items())
        opened = "" if self._playbook is None else _PLAYBOOK.format(name=literals.quoted(self._playbook))
        text = _RUN.format(root=root, app=literals.quoted(app), playbook=opened, settings=more)
        if self._answers:
            text = _ANSWER + text.lstrip("\n")
        message, answer = ("sent", _SEND.format(app=literals.quoted(app))) if self._answers else ("message", "")
        text += _TURNS.format(message=message, answer=answer)
        return f"SESSION = {literals.quoted(session_id)}\n\n{text}"


def _fields_of(bullet: StoredBullet) -> list[str]:
    named = [(name, getattr(bullet, name)) for name in _FIELDS]
    return [f"{name}={literals.literal(value)}" for name, value in named if value]


def assembled(file: CodeFile, about: str, notes: Sequence[str], main: str) -> str:
    """The whole text of a file."""
    comments = "".join(f"{line}\n" for note in dict.fromkeys(notes) for line in _comment(note))
    parts = [about, "from __future__ import annotations", file.imports()]
    return "\n\n".join([*parts, *([comments.rstrip()] if comments else []), f"{file.text()}\n{main}"])


def _comment(note: str) -> list[str]:
    return textwrap.wrap(literals.remark(note), width=118, initial_indent="# ", subsequent_indent="#   ")
