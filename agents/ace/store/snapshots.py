"""Snapshots: a playbook at a revision, in a form that is fast to read.

A line is a run of bullets, a bullet the list of its fields. A snapshot never leaves its database; `formats` has the JSON
for export.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pydantic_core import from_json

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.playbook import StoredSnapshot

_RUN = 100
"""Bullets of a line."""
_MERGED_FROM = StoredBullet._fields.index("merged_from")


def text_of(playbook: Playbook) -> str:
    """The text of a snapshot."""
    # Run by run, here and in `_bullets`: other threads stand still while a JSON text is written or read.
    starts = range(0, len(playbook), _RUN)
    runs = (json.dumps(playbook.bullets[at : at + _RUN], ensure_ascii=False, separators=(",", ":")) for at in starts)
    return "\n".join([json.dumps([playbook.next_number, playbook.queries]), *runs])


def playbook_of(snapshot: StoredSnapshot) -> Playbook:
    """The playbook of a snapshot, without its name."""
    head, *runs = snapshot.text.split("\n")
    next_number, queries = json.loads(head)
    revision, tokens = snapshot.revision, snapshot.tokens
    return Playbook(_bullets(runs), revision=revision, next_number=next_number, queries=queries, tokens=tokens)


def _bullets(runs: Iterable[str]) -> Iterator[StoredBullet]:
    for run in runs:
        for fields in from_json(run, cache_strings="none"):
            fields[_MERGED_FROM] = tuple(fields[_MERGED_FROM])
            yield StoredBullet(*fields)
