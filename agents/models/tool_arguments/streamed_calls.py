"""Tool calls in OpenAI's format, collected from the pieces in which they stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from google.genai import types

from agents.models.tool_arguments.exact_json import UnreadableJsonError, checked
from agents.models.tool_arguments.lenient_json import read_object
from agents.models.tool_arguments.unreadable_call import unreadable_call


@dataclass
class _Call:
    """A tool call that is being collected; its arguments come as text in pieces, or from some servers as an object."""

    id: str | None
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])
    given: dict[str, Any] | None = None

    def read(self, *, cut: bool) -> types.FunctionCall | None:
        """The call; None for one that a length limit cut off.

        Args:
            cut: Whether a length limit ended the answer. Other arguments that cannot be read are the model's to mend.
        """
        text = "".join(self.arguments)
        if cut and self.given is None and not text.strip():
            return None
        try:
            arguments = read_object(text) if self.given is None else checked(self.given)
        except UnreadableJsonError as error:
            return None if cut else unreadable_call(self.name, text or str(self.given), str(error), call_id=self.id)
        return types.FunctionCall(id=self.id, name=self.name, args=arguments)

    @property
    def is_whole(self) -> bool:
        """Whether its arguments are."""
        try:
            return self.given is not None or bool(self.arguments and read_object("".join(self.arguments)))
        except UnreadableJsonError:
            return False


class StreamedCalls:
    """The calls of one answer."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[Any, _Call] = {}
        self._by_id: dict[str, _Call] = {}

    def add(self, made: dict[str, Any]) -> None:
        """Takes a piece of a call, or a whole one: `{"index", "id", "function": {"name", "arguments"}}`, or some of it."""
        given: Any = made.get("function")
        function = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        call_id, name = made.get("id") or None, function.get("name")
        arguments: Any = function.get("arguments")
        call = self._held(made.get("index"), call_id, name, arguments)
        if call is None:
            call = _Call(id=None)
            self._calls.append(call)
            index: Any = made.get("index")
            self._by_index[index if isinstance(index, int) else f"call {len(self._calls)}"] = call
        if isinstance(call_id, str) and self._by_id.setdefault(call_id, call) is call:
            call.id = call_id
        if isinstance(name, str) and name:
            call.name = name
        if isinstance(arguments, dict):
            call.given = cast("dict[str, Any]", arguments)
        elif isinstance(arguments, str):
            call.arguments.append(arguments)

    def read(self, *, cut: bool) -> list[types.FunctionCall]:
        """The calls, in order.

        Args:
            cut: Whether a length limit ended the answer: then a call that it cut off is left out.
        """
        read = [call.read(cut=cut) for call in self._calls if call.name]
        return [call for call in read if call is not None]

    def _held(self, index: Any, call_id: Any, name: Any, arguments: Any) -> _Call | None:
        """The call that a piece goes on with; None where it begins one.

        Some servers number all parallel calls 0, others none of them; some repeat id and name in every piece.
        """
        if isinstance(call_id, str) and (known := self._by_id.get(call_id)) and not isinstance(index, int):
            return known
        last = self._calls[-1] if self._calls else None
        call = self._by_index.get(index) if isinstance(index, int) else last
        if call is None or not name or not call.name:
            return call
        if call_id or call.id:
            return call if call_id == call.id or (call_id is None and not _begins(arguments)) else None
        return None if name != call.name or (_begins(arguments) and call.is_whole) else call


def _begins(arguments: Any) -> bool:
    """Whether a piece of arguments begins an object."""
    return isinstance(arguments, dict) or (isinstance(arguments, str) and arguments.lstrip().startswith("{"))
