"""Tools as nodes."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any, cast

from google.genai import types
from pydantic import BaseModel

from agents.event import Event, new_uuid
from agents.tool import BaseTool
from agents.workflow.context import Context
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.nodes.confirmation import REJECTED, ask_to_confirm, confirmation_in
from agents.workflow.values import text_of


class ToolNode(BaseNode):
    """A tool as a node: its input is the arguments, its result the output.

    Arguments that the input lacks are taken from the state.
    """

    tool: Any

    @property
    def gives_one_item(self) -> bool:
        """See `BaseNode`."""
        return True

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        tool: BaseTool = self.tool
        ctx.function_call_id = call_id = new_uuid()
        ctx.tool_confirmation = confirmation_in(ctx)
        if ctx.tool_confirmation is not None and not ctx.tool_confirmation.confirmed:
            yield Event(output=REJECTED)
            return
        args = self._args(ctx, tool, node_input)
        result = await tool.run_async(args=args, tool_context=ctx)
        if (asked := ctx.actions.requested_tool_confirmations.pop(call_id, None)) is not None:
            yield ask_to_confirm(ctx, tool.name, args, asked)
            return
        yield Event() if result is None else Event(output=result)

    def _args(self, ctx: Context, tool: BaseTool, given: Any) -> dict[str, Any]:
        """The tool's arguments.

        Raises:
            TypeError: The input is none, and not the only one either.
        """
        if isinstance(given, types.Content):
            given = text_of(given)
        if isinstance(given, BaseModel):
            given = given.model_dump()
        elif isinstance(given, str):
            given = _object_in(given.strip()) or None
        declared = tool._get_declaration()  # pyright: ignore[reportPrivateUsage]  ADK's name for it
        schema: Any = declared and (declared.parameters_json_schema or declared.parameters)
        known = _listed(schema, "properties")
        required = _listed(schema, "required")
        if given is None:
            args = dict[str, Any]()
        elif isinstance(given, dict):
            args = dict(cast("dict[str, Any]", given))
        elif len(known) == 1 or len(required) == 1:
            args = {(known if len(known) == 1 else required)[0]: given}
        else:
            raise TypeError(
                f"The input of tool node {self.name!r} must be a dictionary of its arguments, "
                f"({', '.join(known) or 'none'}), not {type(given).__name__}."
            )
        return args | {name: ctx.state[name] for name in required if name not in args and name in ctx.state}


def _object_in(text: str) -> Any:
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return cast("Any", found) if isinstance(found, dict) else text


def _listed(schema: Any, field: str) -> list[str]:
    held = cast("dict[str, Any]", schema).get(field) if isinstance(schema, dict) else getattr(schema, field, None)
    return list(held or ())
