"""What is known of where a bullet comes from, in sentences: the commits that made and changed it."""

from __future__ import annotations

from datetime import UTC, datetime

from agents.ace.bullet import StoredBullet
from agents.ace.store.playbook_store import PlaybookStore

_MOST = 20
"""Most commits that are told of a bullet."""
_KINDS = {
    "add": "Added",
    "update": "Changed",
    "merge": "Merged",
    "tag": "Judged",
    "archive": "Archived",
    "restore": "Restored",
}


def evidence_of(store: PlaybookStore, bullet: StoredBullet) -> str:
    """The commits of a bullet, oldest first, each with its reason and its session."""
    told: list[str] = []
    for record in store.lineage(bullet.id)[:_MOST]:
        at = datetime.fromtimestamp(record.committed_at, UTC).strftime("%Y-%m-%d")
        kinds = dict.fromkeys(_KINDS.get(str(change["kind"]), str(change["kind"])) for change in record.applied)
        where = f", in session {record.session_id} of {record.app_name}" if record.session_id else ""
        reason = " ".join(record.reasoning.split())
        what = f"{', '.join(kinds) or 'Changed'} in revision {record.revision} on {at} by {record.by}{where}."
        told.append(f"- {what} {reason}".rstrip())
    helpful, harmful = bullet.tagged
    head = f"Its text was judged helpful {helpful} and harmful {harmful} times."
    return "\n".join([head, "", *told])
