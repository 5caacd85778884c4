"""Playbooks as memory: their changes and what agents were given of them as spans of memory operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from agents.ace.changes import changed_ids
from agents.state import REDUCED
from agents.telemetry.content import to_json
from agents.telemetry.span import short
from agents.telemetry.span_tree import SpanTree, branch_of

_OPERATIONS = {"ADD": "create_memory", "RESTORE": "create_memory", "REMOVE": "delete_memory"}
"""Changes of a playbook that make or remove bullets; all others change some."""


class MemoryOperations:
    """The memory operations of a run. The log has one time for each, so their spans take none.

    Args:
        tree: The run's spans.
        content: Whether the text of bullets is wanted.
    """

    def __init__(self, tree: SpanTree, *, content: bool) -> None:
        self._tree = tree
        self._content = content

    def given(self, seq: int, body: dict[str, Any]) -> None:
        """Takes in a `playbook_given` record: bullets were looked up for an agent."""
        span = self._tree.begin(seq, "search_memory", below=self._tree.parent(branch_of(body)))
        span.set({"gen_ai.operation.name": "search_memory"})
        ids = [short(id_) for id_ in cast("list[Any]", body.get("bullet_ids") or [])]
        span.set(_attributes(body, ids, body.get("bullets")))
        self._tree.end(span)

    def changed(self, seq: int, body: dict[str, Any]) -> None:
        """Takes in an event: the changes that it made, if it carries a playbook's commit."""
        delta = cast("dict[str, Any]", cast("dict[str, Any]", body.get("actions") or {}).get("state_delta") or {})
        for key in sorted(REDUCED & delta.keys()):
            if isinstance(delta[key], dict):
                self._commit(seq, branch_of(body), cast("dict[str, Any]", delta[key]))

    def _commit(self, seq: int, branch: str, commit: dict[str, Any]) -> None:
        for operation, changes in _by_operation(commit).items():
            ids = list(dict.fromkeys(short(id_) for change in changes for id_ in _ids(change)))
            span = self._tree.begin(seq, operation, below=self._tree.parent(branch))
            span.set({"gen_ai.operation.name": operation, "playground.playbook.changed_by": short(commit.get("by"))})
            span.set(_attributes(commit, ids, len(ids)))
            if self._content:
                span.set({"gen_ai.memory.records": to_json([_record(change) for change in changes])})
            self._tree.end(span)


def _by_operation(commit: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """A commit's changes of bullets by memory operation, in the order of the first of each."""
    changes: dict[str, list[dict[str, Any]]] = {}
    for change in cast("list[dict[str, Any]]", commit.get("applied") or []):
        if _ids(change):  # one without any counts a query
            changes.setdefault(_OPERATIONS.get(str(change.get("type")), "update_memory"), []).append(change)
    return changes


def _attributes(body: Mapping[str, Any], ids: Sequence[str], count: Any) -> dict[str, Any]:
    return {
        "gen_ai.memory.store.id": short(body.get("playbook")),
        "gen_ai.memory.record.id": ids[0] if len(ids) == 1 else None,
        "gen_ai.memory.record.count": count,
        "playground.playbook.bullets": ids or None,
        "playground.playbook.revision": body.get("revision"),
    }


def _ids(change: dict[str, Any]) -> list[str]:
    restored = cast("dict[str, Any]", change.get("bullet") or {}).get("id")
    return [restored] if restored else changed_ids(change)


def _record(change: Mapping[str, Any]) -> dict[str, Any]:
    bullet = cast("dict[str, Any]", change.get("bullet") or change)
    return {"id": bullet.get("bullet_id") or bullet.get("id"), "content": bullet.get("content")}
