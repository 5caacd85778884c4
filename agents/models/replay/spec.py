"""Recorded sessions as a provider."""

from __future__ import annotations

from agents.models.provider import Provider

REPLAY_PREFIX = "replay/"
"""Prefix of the names of models that answer from a record: `replay/PIPELINE/SESSION_ID`."""

PROVIDER = Provider(
    name="replay",
    label="Replay",
    about="A recorded session answers in place of models, e.g. for a demo without a network.",
    access="recordings",
    prefix=REPLAY_PREFIX,
    free=(f"{REPLAY_PREFIX}*",),
)
