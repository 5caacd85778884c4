"""What a lesson asks of a log, as its file says it, and the log's answer. State and agents are those of `agents.history`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, assert_never, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from agents.flows.pattern import ANY, matches
from agents.history import Moment, at
from agents.log import EVENT_KIND, LogEntry, trace_kinds
from agents.records import ModelStarted, PlaybookGiven

Line = Annotated[str, Field(min_length=1, max_length=200)]
Name = Annotated[str, Field(min_length=1, max_length=120)]
_Log = Sequence[LogEntry]
_LONGEST = 20
"""Most characters of a number."""


def _kind(value: str) -> str:
    if value != EVENT_KIND and value not in trace_kinds():
        raise ValueError(f"{value!r} is no kind of log entry: write {EVENT_KIND!r} or one of {', '.join(trace_kinds())}")
    return value


def _is_some(value: int) -> int:
    if value == 0:
        raise ValueError("number counts from 1; -1 is the last")
    return value


_Number = Annotated[int, Field(ge=-1, le=1000), AfterValidator(_is_some)]
"""Which of the entries that match: the first is 1, the last is -1."""


class Part(BaseModel):
    """A part of a file that is written by hand: an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Match(Part):
    """Which entries of a log are meant.

    Attributes:
        kind: "event" or a kind of trace record.
        body: What the entry's body contains, as nested mappings down to values; of a list one match is enough, and an empty
            mapping stands for any value. A text with `*` in it is a pattern.
    """

    kind: Annotated[str, AfterValidator(_kind)]
    body: dict[str, Any] = Field(default_factory=dict[str, Any])


class Count(Part):
    """How many entries match."""

    take: Literal["count"]
    match: Match


class Has(Part):
    """Whether enough entries match."""

    take: Literal["has"]
    match: Match
    at_least: int = Field(default=1, ge=1, le=1000)


class FieldOf(Part):
    """A field of an entry's body, by its dotted path; null if there is none."""

    take: Literal["field"]
    match: Match
    path: Line
    number: _Number = 1


class Next(Part):
    """The author of the first event after an entry."""

    take: Literal["next"]
    match: Match
    number: _Number = 1


class _OfState(Part):
    """A query about a state key, at an entry or at the end."""

    key: Name
    match: Match | None = None
    number: _Number = 1


class StateAt(_OfState):
    """The value of a state key."""

    take: Literal["state"]


class AuthorOf(_OfState):
    """Which agent set a state key; "" for the session's first state."""

    take: Literal["author"]


class Calls(Part):
    """How many model calls there were, of an agent or of all."""

    take: Literal["calls"]
    agent: str = ""


class Bullets(Part):
    """The ids of the bullets that the last answer cites."""

    take: Literal["bullets"]


Query = Annotated[Count | Has | FieldOf | Next | StateAt | AuthorOf | Calls | Bullets, Field(discriminator="take")]
"""What is asked of a log; its answer is JSON."""


def matching(match: Match, log: _Log) -> list[LogEntry]:
    """The entries that are meant, in order."""
    return [entry for entry in log if entry.kind == match.kind and contains(entry.fields(), match.body)]


def nth(match: Match, log: _Log, number: int) -> LogEntry | None:
    """The entry of that number among those that match, from 1; -1 is the last. None if there is none."""
    found = matching(match, log)
    place = number - 1 if number > 0 else len(found) + number
    return found[place] if 0 <= place < len(found) else None


def contains(found: Any, wanted: Any) -> bool:
    """Whether a JSON value has what is wanted of it, see `Match`."""
    if isinstance(wanted, list):
        return any(contains(found, one) for one in cast("list[Any]", wanted))
    if isinstance(found, list):
        return any(contains(one, wanted) for one in cast("list[Any]", found))
    if isinstance(wanted, dict):
        if not wanted:
            return found is not None
        keys = cast("dict[str, Any]", wanted)
        return isinstance(found, dict) and all(contains(found.get(key), one) for key, one in keys.items())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    if isinstance(wanted, str) and ANY in wanted:
        return isinstance(found, str) and matches(wanted, found)
    return same(found, wanted)


def same(found: Any, wanted: Any) -> bool:
    """Whether two JSON values are equal; true and 1 are not."""
    return isinstance(found, bool) == isinstance(wanted, bool) and found == wanted


def answer_of(query: Query, log: _Log) -> Any:  # noqa: PLR0911  one for each kind
    """The log's answer, as JSON."""
    match query:
        case Count():
            return len(matching(query.match, log))
        case Has():
            return len(matching(query.match, log)) >= query.at_least
        case FieldOf():
            entry = nth(query.match, log, query.number)
            return None if entry is None else _field(entry.fields(), query.path)
        case Next():
            entry = nth(query.match, log, query.number)
            return None if entry is None else _author_after(log, entry.seq)
        case StateAt() | AuthorOf():
            moment = _moment(query, log)
            found = None if moment is None else moment.state.get(query.key)
            if found is None:
                return None
            return found.value if isinstance(query, StateAt) else found.author
        case Calls():
            calls = (entry.of(ModelStarted) for entry in log)
            return sum(call is not None and query.agent in {"", call.agent} for call in calls)
        case Bullets():
            from agents.cases.evidence import evidence_in

            return evidence_in(log, {}).cited
        case _:
            assert_never(query)


def state_keys(log: _Log) -> list[str]:
    """The state keys at the end of a run."""
    return sorted(at(log, log[-1].seq).state) if log else []


def given_bullets(log: _Log) -> list[str]:
    """The ids of the bullets that agents were given, in order."""
    given = (entry.of(PlaybookGiven) for entry in log)
    return list(dict.fromkeys(id_ for one in given if one is not None for id_ in one.bullet_ids))


def filled_keys(match: Match, log: _Log) -> list[str]:
    """The state keys that filled places in the instruction of the first model call that matches."""
    entry = nth(match, log, 1)
    call = None if entry is None else entry.of(ModelStarted)
    return [] if call is None else list(dict.fromkeys(key for _, _, key in call.filled))


def entry_at(log: _Log, number: str) -> LogEntry | None:
    """The entry that an address names: "12" is the 12th event, "12.3" the third record after it, "0.1" the first of all."""
    event, _, record = number.partition(".")
    if not (event.isdecimal() and (not record or record.isdecimal())) or len(number) > _LONGEST:
        return None
    events = [place for place, entry in enumerate(log) if entry.kind == EVENT_KIND]
    if int(event) > len(events):
        return None
    place = (events[int(event) - 1] if int(event) else -1) + int(record or 0)
    return log[place] if 0 <= place < len(log) else None


def event_before(log: _Log, seq: int) -> LogEntry | None:
    """The last event up to an entry: in the list of events, a record belongs to it."""
    return next((entry for entry in reversed(log) if entry.seq <= seq and entry.kind == EVENT_KIND), None)


def _author_after(log: _Log, seq: int) -> str | None:
    entry = next((one for one in log if one.seq > seq and one.kind == EVENT_KIND), None)
    return None if entry is None else str(entry.fields().get("author") or "")


def _moment(query: StateAt | AuthorOf, log: _Log) -> Moment | None:
    if query.match is None:
        return at(log, log[-1].seq) if log else None
    entry = nth(query.match, log, query.number)
    return None if entry is None else at(log, entry.seq)


def _field(body: Any, path: str) -> Any:
    for part in path.split("."):
        if isinstance(body, list):
            items = cast("list[Any]", body)
            body = items[int(part)] if part.isdecimal() and int(part) < len(items) else None
        else:
            body = cast("Mapping[str, Any]", body).get(part) if isinstance(body, dict) else None
    return body
