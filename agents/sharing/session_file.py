"""A session as a file of JSON lines: what it holds, and how it is written.

The first line is the header, each other line one thing, named by its `type`:

- `header`: `format`, `version`, `session` (its id where it was exported), `pipeline`, `title`, `scopes` of state that went
  along, and `includes`: how many lines of each type follow.
- `entry`: `kind` and `body` of a log entry, in order. Entries refer to each other by place: the first one is 1.
- `text`: `hash` and `text` of a text that entries refer to, e.g. an instruction as it was sent.
- `artifact`: `name`, `version` and `part` of a file that an agent saved. Files that a user's sessions share stay behind.
- `playbook`: `name` and `base`, the first revision that the session read; a `delta` for each commit after it, with
  `playbook`, `revision`, `at`, `by`, `undoes`, `reasoning`, `applied`, `rejected`, `cited`; of those that the session made
  itself `invocation_id` and `entry`.

The same session always gives the same bytes, also after it was imported elsewhere.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from google.genai import types

from agents.ace.playbook import Playbook
from agents.log import EVENT_KIND, LogEntry
from agents.sharing.playbooks import SharedDelta, SharedPlaybook, base_to_json, revisions_in
from agents.sharing.references import SCOPES, keep_scopes, scope_of, state_in

FORMAT, VERSION = "agent-playground/session", 1

to_line = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
"""A JSON value in the form that the file has: one text for one value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedArtifact:
    """One version of a file that an agent saved."""

    name: str
    version: int
    part: types.Part


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """A session outside of a database.

    Attributes:
        session: Its id where it was exported.
        pipeline: The pipeline that it is of.
        title: Its title.
        scopes: The scopes of state that are in it.
        entries: Its log; `seq` is the place, from 1.
        texts: Texts that entries refer to, by hash.
        artifacts: Files that agents saved.
        playbooks: The playbooks that the log cites.
    """

    session: str
    pipeline: str
    title: str
    scopes: tuple[str, ...] = SCOPES
    entries: tuple[LogEntry, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    artifacts: tuple[SharedArtifact, ...] = ()
    playbooks: tuple[SharedPlaybook, ...] = ()

    @property
    def events(self) -> int:
        """How many events there are."""
        return sum(entry.kind == EVENT_KIND for entry in self.entries)

    def to_text(self) -> str:
        """The file's text."""
        return "".join(f"{line}\n" for line in self._lines())

    def within(self, scopes: Collection[str]) -> SessionFile:
        """The session without state of other scopes; playbooks are `app` state. Texts of messages and requests stay."""
        kept = tuple(scope for scope in self.scopes if scope in scopes)
        if kept == self.scopes:
            return self
        entries = tuple(_within(entry, kept) for entry in self.entries)
        return replace(self, scopes=kept, entries=entries, playbooks=self.playbooks if "app" in kept else ())

    def state_sizes(self) -> dict[str, dict[str, int]]:
        """What state the file holds: by scope and key, the bytes of all values that the key had."""
        sizes = {scope: Counter[str]() for scope in self.scopes}
        for entry in self.entries:
            for key, value in state_in(entry.kind, entry.fields()).items():
                sizes[scope_of(key)][key] += len(to_line(value).encode())
        return {scope: dict(sorted(found.items())) for scope, found in sizes.items()}

    def playbook_revisions(self) -> dict[str, list[tuple[Playbook, frozenset[str]]]]:
        """The revisions that the log reads or makes, by playbook, each with the ids of bullets that the log names."""
        return revisions_in(self.entries, self.playbooks)

    def _lines(self) -> Iterator[str]:
        deltas = sum(len(playbook.deltas) for playbook in self.playbooks)
        counts = len(self.entries), len(self.texts), len(self.artifacts), len(self.playbooks), deltas
        yield to_line({
            "type": "header",
            "format": FORMAT,
            "version": VERSION,
            "session": self.session,
            "pipeline": self.pipeline,
            "title": self.title,
            "scopes": self.scopes,
            "includes": dict(zip(("entry", "text", "artifact", "playbook", "delta"), counts, strict=True)),
        })  # fmt: skip
        for entry in self.entries:
            yield f'{{"type":"entry","kind":{to_line(entry.kind)},"body":{entry.body}}}'
        for name, text in self.texts.items():
            yield to_line({"type": "text", "hash": name, "text": text})
        for artifact in self.artifacts:
            part = artifact.part.model_dump(mode="json", exclude_none=True)
            yield to_line({"type": "artifact", "name": artifact.name, "version": artifact.version, "part": part})
        for playbook in self.playbooks:
            yield to_line({"type": "playbook", "name": playbook.name, "base": base_to_json(playbook.base)})
            yield from (_delta_line(playbook.name, delta) for delta in playbook.deltas)


def _delta_line(playbook: str, delta: SharedDelta) -> str:
    own: dict[str, Any] = {"invocation_id": delta.invocation_id, "entry": delta.entry} if delta.invocation_id else {}
    return to_line({
        "type": "delta",
        "playbook": playbook,
        "revision": delta.revision,
        "at": delta.at,
        "by": delta.by,
        "undoes": delta.undoes,
        "reasoning": delta.reasoning,
        "applied": delta.applied,
        "rejected": delta.rejected,
        "cited": delta.cited,
        **own,
    })  # fmt: skip


def _within(entry: LogEntry, scopes: Collection[str]) -> LogEntry:
    body = entry.fields()
    keep_scopes(entry.kind, body, scopes)
    return entry._replace(body=to_line(body))
