"""What a fork's log says of the fork: its changes, which hold for its whole life, and the recorded results it may use."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agents.agent import BaseAgent
from agents.errors import ForkError
from agents.forks.changed_run import changed_tree, check_agents
from agents.forks.changes import Change, InstructionChange, ModelChange, changes_from_json
from agents.forks.effects import RecordedResults, hold_tools, recorded_results, unused
from agents.log import EVENT_KIND, LogEntry
from agents.records import Forked
from agents.tools.agent_tool import effectful_tools

FORKED = Forked.kind
"""The kind of record that makes a session a fork; see `Forks`."""

_RECORDED: TypeAdapter[list[RecordedResults]] = TypeAdapter(list[RecordedResults])


@dataclass(frozen=True, slots=True)
class StoredFork:
    """A fork as its log has it; of a fork of a fork, both.

    Attributes:
        changes: The changes that hold for later runs too, in order: instructions and models.
        recorded: The recorded results of tools with effects outside that it may use.
        since: `seq` of the record that made it a fork.
    """

    changes: tuple[Change, ...]
    recorded: tuple[RecordedResults, ...]
    since: int

    @property
    def model(self) -> str | None:
        """The model of agents that name none, if it was changed."""
        models = [change.model for change in self.changes if isinstance(change, ModelChange) and change.agent is None]
        return models[-1] if models else None

    @property
    def agent_models(self) -> dict[str, str]:
        """The changed models of single agents."""
        found = (change for change in self.changes if isinstance(change, ModelChange))
        return {change.agent: change.model for change in found if change.agent is not None}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a fork comes from.

    Attributes:
        session: The origin's id; it may have been deleted.
        seq: The origin's entry at the cut.
        what: What was changed, in words; "" for nothing.
    """

    session: str
    seq: int
    what: str


def origin_in(record: LogEntry) -> Origin:
    """What a `forked` record says of the origin."""
    fields = record.fields()
    return Origin(str(fields.get("origin", "")), int(fields.get("seq") or 0), str(fields.get("what") or ""))


def stored_fork(records: Sequence[LogEntry]) -> StoredFork | None:
    """The fork of a log's `forked` records, in order; None without one.

    Raises:
        ForkError: A record cannot be read.
    """
    if not records:
        return None
    changes: list[Change] = []
    recorded: list[RecordedResults] = []
    for record in records:
        changes += stored_changes(record)
        try:
            recorded = _RECORDED.validate_python(record.fields().get("recorded") or [])
        except ValidationError as error:
            raise _unreadable(record, error) from None
    lasting = tuple(change for change in changes if isinstance(change, InstructionChange | ModelChange))
    return StoredFork(lasting, tuple(recorded), records[-1].seq)


def stored_changes(record: LogEntry) -> tuple[Change, ...]:
    """All changes of a `forked` record, in order.

    Raises:
        ForkError: They cannot be read.
    """
    try:
        return tuple(changes_from_json(record.fields().get("changes") or []))
    except ValidationError as error:
        raise _unreadable(record, error) from None


def _unreadable(record: LogEntry, error: ValidationError) -> ForkError:
    return ForkError(
        "This session is a fork, and what it changes cannot be read: it may have been made by a newer version. "
        f"Update the playground, or fork the origin {record.fields().get('origin')!r} again. {str(error).splitlines()[0]}"
    )


def recorded_for(entries: Sequence[LogEntry], kept: Collection[int], tools: Collection[str]) -> list[dict[str, Any]]:
    """The recorded results that a new fork may use, as its `forked` record holds them.

    They are those of the origin after the cut, and, if that is a fork too, those that it may use and has not used.

    Args:
        entries: The origin's whole log.
        kept: `seq` of the entries that the new fork has.
        tools: The names of the tools with effects outside.
    """
    if not tools:
        return []
    found = recorded_results(entries, kept, tools)
    before = stored_fork([entry for entry in entries if entry.kind == FORKED])
    left = [] if before is None else unused(before.recorded, entries, after=before.since)
    return _RECORDED.dump_python([*found, *left], mode="json")


def inherited_changes(entries: Sequence[LogEntry], kept: Collection[int], at: int) -> list[Change]:
    """The lasting changes of an origin that is a fork itself, if it is cut where it was forked: its own record is left out.

    Args:
        entries: The origin's whole log.
        kept: `seq` of the entries that the new fork has.
        at: The entry at the cut.
    """
    here = [entry for entry in entries if entry.kind == FORKED and entry.seq not in kept]
    here = [record for record in here if not any(e.kind == EVENT_KIND and at < e.seq < record.seq for e in entries)]
    found = stored_fork(here)
    return [] if found is None else list(found.changes)


def tree_of_fork(agent: BaseAgent, fork: StoredFork, entries: Sequence[LogEntry] = ()) -> BaseAgent:
    """The tree that a fork's runs use: instructions as changed, and tools with effects outside held back.

    Args:
        agent: The pipeline's tree; it stays as it is.
        fork: The fork.
        entries: The fork's log; needed if it has recorded results.

    Raises:
        ForkError: The tree has no agent of a changed name any more.
    """
    check_agents(fork.changes, agent)
    tree = changed_tree(agent, fork.changes)
    if effectful_tools(agent):
        tree = agent.clone(update={"name": agent.name}) if tree is agent else tree
        hold_tools(tree, unused(fork.recorded, entries, after=fork.since))
    return tree
