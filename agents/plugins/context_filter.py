"""Leaves old invocations out of what models are sent."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from google.genai import types

from agents.flows.plugins import BasePlugin
from agents.model import LlmRequest
from agents.runtime.context import CallbackContext

_log = logging.getLogger(__name__)


class ContextFilterPlugin(BasePlugin):
    """Sends models only the last invocations of a session. The session itself keeps all of them.

    An invocation begins with a message of the user, or with several in a row. A function response is never sent without
    its call: then the cut is earlier.

    Args:
        num_invocations_to_keep: How many invocations are sent; None or 0 for all.
        custom_filter: Takes the contents that are left and returns those to send. If it raises, all contents are sent.
        name: Unique in the runner.
        remove_amount: Nothing is left out before there are so many invocations more than are kept. Larger numbers cut less
            often, so that providers' caches hit more often.

    Raises:
        ValueError: `remove_amount` is less than 1.
    """

    def __init__(
        self,
        num_invocations_to_keep: int | None = None,
        custom_filter: Callable[[list[types.Content]], list[types.Content]] | None = None,
        name: str = "context_filter_plugin",
        remove_amount: int = 1,
    ) -> None:
        if remove_amount < 1:
            raise ValueError(f"remove_amount must be at least 1, and is {remove_amount}.")
        super().__init__(name)
        self._kept = num_invocations_to_keep or 0
        self._custom_filter = custom_filter
        self._remove_amount = remove_amount

    async def before_model_callback(self, *, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """Cuts the contents of the request."""
        contents = llm_request.contents
        starts = _starts(contents)
        if self._kept > 0 and len(starts) >= self._kept + self._remove_amount:
            contents = contents[_before_calls(contents, starts[-self._kept]) :]
        if self._custom_filter is not None:
            try:
                contents = self._custom_filter(contents)
            except Exception:  # noqa: BLE001  a broken filter must not end the run
                _log.exception("The filter of plugin %r failed; the model is sent all contents.", self.name)
                return
        llm_request.contents = contents


def _starts(contents: Sequence[types.Content]) -> list[int]:
    """Where invocations begin."""
    of_user = [
        content.role == "user" and not any(part.function_response for part in content.parts or ()) for content in contents
    ]
    return [place for place, (before, here) in enumerate(pairwise([False, *of_user])) if here and not before]


def _before_calls(contents: Sequence[types.Content], place: int) -> int:
    """The last place, not after `place`, from which every function response comes after its call."""
    unanswered: Counter[str] = Counter()
    for index in reversed(range(len(contents))):
        for part in reversed(contents[index].parts or []):
            if response := part.function_response:
                unanswered[response.id or response.name or ""] += 1
            elif call := part.function_call:
                unanswered[call.id or call.name or ""] -= 1
        if index <= place and not any(count > 0 for count in unanswered.values()):
            return index
    return 0
