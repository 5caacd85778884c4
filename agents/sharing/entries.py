"""Checks the entries in the file of a session: events as events, trace records by their kind."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from agents.event import Event
from agents.log import EVENT_KIND, LogEntry
from agents.records import LAST_TIME, RECORDS, Imported, ModelStarted, Record, SessionCreated
from agents.sharing.session_file import to_line

_KIND = re.compile(r"[a-z][a-z0-9_]{0,63}")


def checked_entry(line: dict[str, Any], *, place: int) -> LogEntry:
    """The entry of a line.

    Args:
        line: The line's JSON.
        place: The entry's place in the log, from 1.

    Raises:
        ValueError: It cannot be an entry there; the message says why.
    """
    kind, body = line.get("kind"), line.get("body")
    if (
        not isinstance(kind, str)
        or not _KIND.fullmatch(kind)
        or kind == Imported.kind
        or line.keys() != {"type", "kind", "body"}
    ):
        raise ValueError('an entry has "type", "kind" and "body", and this one is another thing')
    if not isinstance(body, dict):
        raise ValueError(f"the body of {kind} is no JSON object")  # noqa: TRY004  of the file, not of the code
    if (kind == SessionCreated.kind) != (place == 1):
        raise ValueError(f"a session begins with {SessionCreated.kind}, once, and this is {kind} as entry {place}")
    text = to_line(body)
    try:
        if kind == EVENT_KIND:
            _check_event(Event.model_validate_json(text))
        else:
            _check_record(kind, text, cast("dict[str, Any]", body), place)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False)[0]
        raise ValueError(f"{kind}: {'.'.join(map(str, found['loc']))[:100]}: {found['msg'][:200]}") from None
    except (AttributeError, TypeError) as error:  # google-genai's enumerations ask a value for its letters
        raise ValueError(f"{kind}: a value is of another kind ({str(error)[:100]})") from None
    return LogEntry(place, kind, text)


def _check_event(event: Event) -> None:
    if event.partial:
        raise ValueError("a piece of an answer is not kept, and this event is one")
    if not 0 <= event.timestamp <= LAST_TIME:
        raise ValueError("the event's time is none")


def _check_record(kind: str, text: str, body: Collection[str], place: int) -> None:
    record = _reader(RECORDS.get(kind, Record)).validate_json(text, strict=True)
    if "timestamp" not in body:
        raise ValueError(f"{kind}: timestamp: Field required")
    if isinstance(record, ModelStarted) and record.contents.get("until", 0) >= place:
        raise ValueError(f"{kind} refers to an entry that comes later")


@cache
def _reader(kind: type[Record]) -> TypeAdapter[Record]:
    return TypeAdapter(kind)
