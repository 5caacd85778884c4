"""Saves files in the user's messages as artifacts."""

from __future__ import annotations

import logging

from google.genai import types

from agents.agent import BaseAgent
from agents.artifact import MAX_ARTIFACT_BYTES
from agents.errors import ArtifactError
from agents.event import EventActions
from agents.flows.plugins import BasePlugin
from agents.runtime.context import CallbackContext
from agents.runtime.invocation import InvocationContext

_log = logging.getLogger(__name__)


class SaveFilesAsArtifactsPlugin(BasePlugin):
    """Saves each file of a message as an artifact, and leaves its name in the message in its place.

    The name is the part's `display_name`, or one is made. Agents load files with the tool `load_artifacts` or with
    `load_artifact`. A file that cannot be saved stays in the message; one that is too large is replaced by the reason.

    Args:
        name: Unique in the runner.
        attach_file_reference: Has no effect: artifacts have no addresses that a model could open.
    """

    def __init__(
        self,
        name: str = "save_files_as_artifacts_plugin",
        *,
        attach_file_reference: bool = True,
    ) -> None:
        super().__init__(name)
        self._saved: dict[str, dict[str, int]] = {}

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        """Saves the message's files."""
        if invocation_context.artifact_service is None:
            _log.warning("Plugin %r saves no files: the runner has no artifact service.", self.name)
            return None
        view = CallbackContext(invocation_context, EventActions())
        parts = [await self._instead(view, place, part) for place, part in enumerate(user_message.parts or [])]
        if view.actions.artifact_delta:
            self._saved[invocation_context.invocation_id] = view.actions.artifact_delta
        return types.Content(role=user_message.role, parts=parts) if parts != user_message.parts else None

    async def before_agent_callback(self, *, agent: BaseAgent, callback_context: CallbackContext) -> None:
        """Names the saved versions in the first event of the run."""
        saved = self._saved.pop(callback_context.invocation_id, None)
        if saved:
            callback_context.actions.artifact_delta.update(saved)

    async def _instead(self, view: CallbackContext, place: int, part: types.Part) -> types.Part:
        """What stands in the message in place of a part."""
        if (blob := part.inline_data) is None:
            return part
        name = blob.display_name or f"artifact_{view.invocation_id}_{place}"
        if len(blob.data or b"") > MAX_ARTIFACT_BYTES:
            reason = f"{name} has {len(blob.data or b''):,} bytes, and a file may have {MAX_ARTIFACT_BYTES:,}"
            return types.Part(text=f"[Upload Error: {reason}. Upload a smaller file.]")
        try:
            await view.save_artifact(name, part)
        except ArtifactError:
            _log.exception("Plugin %r could not save %r.", self.name, name)
            return part
        return types.Part(text=f'[Uploaded Artifact: "{name}"]')
