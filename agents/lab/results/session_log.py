"""The stored form of a sample's log: compressed, and without the playbook, which the run has already.

A prompt with a thousand bullets is 100 kB of text, and a sample has three of them. The part of a prompt that is the playbook
is left out, and put back from the playbook's revision when the log is read.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any, cast

from agents.ace.playbook import Playbook
from agents.ace.store.reducer import PLAYBOOK_KEY
from agents.lab.task import SampleLog
from agents.log import EVENT_KIND, LogEntry
from agents.sharing.playbooks import SharedDelta, SharedPlaybook
from agents.sharing.session_file import SessionFile

_LEVEL = 1
_SHORTEST = 100
"""A playbook's text that is shorter is stored with the prompt."""


def packed(log: SampleLog, playbook: Playbook) -> bytes:
    """A log as it is stored.

    Args:
        log: The log.
        playbook: The playbook that the sample was worked on with.
    """
    prompt = playbook.as_prompt()
    texts = {name: _split(text, prompt) for name, text in log.texts.items()}
    body = json.dumps({"entries": log.entries, "texts": texts}, ensure_ascii=False)
    return zlib.compress(body.encode("utf-8", "replace"), _LEVEL)


def unpacked(body: bytes, playbook: Playbook) -> SampleLog:
    """What `packed` has made; the playbook must be the same."""
    found: dict[str, Any] = json.loads(zlib.decompress(body))
    prompt = playbook.as_prompt()
    entries = tuple((str(kind), str(text)) for kind, text in found["entries"])
    return SampleLog(entries=entries, texts={name: prompt.join(parts) for name, parts in found["texts"].items()})


def _split(text: str, prompt: str) -> list[str]:
    return text.split(prompt) if len(prompt) >= _SHORTEST else [text]


def session_file(log: SampleLog, playbook: Playbook, *, pipeline: str, session: str, title: str) -> SessionFile:
    """A log as a file that the playground imports, with the playbook as the sample had it.

    Args:
        log: The log.
        playbook: The playbook that the sample was worked on with.
        pipeline: The pipeline.
        session: An id for the session.
        title: Its title.
    """
    entries = tuple(LogEntry(number, kind, text) for number, (kind, text) in enumerate(log.entries, start=1))
    shared = SharedPlaybook(name=playbook.name, base=playbook.replace(name=""), deltas=tuple(_deltas(entries)))
    return SessionFile(
        session=session, pipeline=pipeline, title=title, entries=entries, texts=log.texts, playbooks=(shared,)
    )


def _deltas(entries: Sequence[LogEntry]) -> list[SharedDelta]:
    """What the sample's own commits were, before they came together with those of others."""
    found: list[SharedDelta] = []
    for entry in entries:
        if entry.kind != EVENT_KIND or PLAYBOOK_KEY not in entry.body:
            continue
        body = entry.fields()
        commit = cast("dict[str, Any]", body.get("actions", {}).get("state_delta", {}).get(PLAYBOOK_KEY) or {})
        if commit.get("applied") or commit.get("rejected"):
            found.append(
                SharedDelta(
                    revision=commit["revision"],
                    at=float(body["timestamp"]),
                    by=commit["by"],
                    undoes=None,
                    reasoning=commit["reasoning"],
                    applied=commit["applied"],
                    rejected=commit["rejected"],
                    cited=commit.get("cited"),
                    invocation_id=str(body.get("invocation_id") or ""),
                    entry=entry.seq,
                )
            )
    return found
