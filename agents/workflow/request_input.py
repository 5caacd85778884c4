"""Questions of a node to the user."""

from __future__ import annotations

from typing import Any

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from agents.event import REQUEST_INPUT, Event, new_uuid


class RequestInput(BaseModel):
    """A question to the user: a node yields or returns it, and the run pauses until it is answered.

    Attributes:
        interrupt_id: Names the question; the answer names it too.
        payload: JSON that is shown with the question.
        message: The question.
        response_schema: The type of the answer, or its JSON schema; None for any.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, alias_generator=to_camel, validate_by_name=True)

    interrupt_id: str = Field(default_factory=new_uuid)
    payload: Any = None
    message: str | None = None
    response_schema: Any = None

    def event(self) -> Event:
        """The event that asks: a function call that is answered later."""
        args = self.model_dump(exclude={"response_schema"}, by_alias=True)
        schema = self.response_schema
        args["response_schema"] = schema if schema is None or isinstance(schema, dict) else TypeAdapter(schema).json_schema()
        call = types.FunctionCall(id=self.interrupt_id, name=REQUEST_INPUT, args=args)
        content = types.Content(role="model", parts=[types.Part(function_call=call)])
        return Event(content=content, long_running_tool_ids={self.interrupt_id})
