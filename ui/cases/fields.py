"""The fields of an expectation as texts that a user edits, and back. Pure functions; draws nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter, ValidationError

from agents import StateInputError
from agents.cases import Expectation
from ui.text.json_text import read_json

Reads = Literal["text", "number", "names", "json"]


class Field(NamedTuple):
    """A field of an expectation.

    Attributes:
        name: Its name in the case.
        label: A few words.
        reads: How its text is read: as it is, as a number, as names with commas between, or as JSON.
    """

    name: str
    label: str
    reads: Reads = "text"


_AGENT = Field("agent", "Of agent, if not the last")
KINDS: dict[str, tuple[str, tuple[Field, ...]]] = {
    "answer_contains": ("The answer contains", (Field("text", "Text"), _AGENT)),
    "answer_equals": ("The answer is", (Field("text", "Text"), _AGENT)),
    "answer_number": (
        "The answer has the number",
        (Field("value", "Number", "number"), Field("tolerance", "Give or take", "number"), _AGENT),
    ),
    "answer_matches": ("The answer matches", (Field("pattern", "Pattern; * stands for any text"), _AGENT)),
    "agents_in_order": ("Agents in this order", (Field("agents", "Names, with commas between", "names"),)),
    "tool_called": (
        "A tool is called",
        (Field("tool", "Tool"), Field("args", "Arguments, as JSON", "json"), Field("agent", "By agent")),
    ),
    "loop_ended": (
        "A loop ends",
        (Field("loop", "Loop"), Field("by", "By agent, or why"), Field("within", "Most passes", "number")),
    ),
    "state_equals": ("State at the end", (Field("key", "Key"), Field("value", "Value, as JSON", "json"))),
    "judge": (
        "A judge says yes",
        (Field("rubric", "What the answer has to fulfil"), Field("model", "Model; empty for the run's"), _AGENT),
    ),
    "at_most": (
        "At most",
        (Field("calls", "Calls", "number"), Field("cost", "US dollars", "number"), Field("seconds", "Seconds", "number")),
    ),
}
"""Each kind of expectation: its words, and its fields."""

_EXPECTATION: TypeAdapter[Any] = TypeAdapter(Expectation)


def texts_of(expectation: Any) -> dict[str, str]:
    """The fields of an expectation as texts, by name; of one that is not set, ""."""
    values: Mapping[str, Any] = expectation.model_dump(mode="json")
    return {field.name: _text(field, values.get(field.name)) for field in KINDS[expectation.kind][1]}


def expectation_of(kind: str, texts: Mapping[str, str]) -> Any:
    """The expectation with those fields.

    Raises:
        StateInputError: A text cannot be read; the message names the field and the cure.
    """
    title, fields = KINDS[kind]
    values: dict[str, Any] = {"kind": kind}
    for field in fields:
        text = texts.get(field.name, "")
        if text.strip() or (field.reads == "text" and field.name == "text"):
            values[field.name] = _value(title, field, text)
    try:
        return _EXPECTATION.validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        named = {field.name: field.label for field in fields}
        label = next((named[str(part)] for part in first["loc"] if str(part) in named), "")
        told = first["msg"].removeprefix("Value error, ")
        problem = "Type something there." if first["type"] in {"missing", "string_too_short"} else f"{told}."
        raise StateInputError(f"“{title}”{f', {label}' if label else ''}: {problem}") from None


def _text(field: Field, value: Any) -> str:
    if value is None and field.name != "value":
        return ""
    match field.reads:
        case "names":
            return ", ".join(map(str, value or ()))
        case "json":
            return "" if field.name == "args" and not value else json.dumps(value, ensure_ascii=False)
        case "number":
            return f"{value:.12g}"
        case "text":
            return str(value)


def _value(title: str, field: Field, text: str) -> Any:
    match field.reads:
        case "text":
            return text if field.name == "text" else text.strip()
        case "names":
            return [name.strip() for name in text.split(",") if name.strip()]
        case "number":
            return _number(title, field, text)
        case "json":
            return read_json(text, what=f"“{title}”, {field.label}: this", cure='Text needs quotation marks, e.g. "Oslo".')


def _number(title: str, field: Field, text: str) -> int | float:
    try:
        number = float(text.replace(",", "."))
        return int(number) if number.is_integer() else number
    except (ValueError, OverflowError):
        raise StateInputError(f"“{title}”, {field.label}: {text[:40]!r} is no number. Write e.g. 1.5.") from None
