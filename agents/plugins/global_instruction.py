"""One instruction for all agents of a runner."""

from __future__ import annotations

from agents.flows.plugins import BasePlugin
from agents.llm.instruction import InstructionProvider, filled_in, resolve_instruction
from agents.model import LlmRequest
from agents.runtime.context import CallbackContext


class GlobalInstructionPlugin(BasePlugin):
    """Puts an instruction before that of every agent.

    Args:
        global_instruction: The instruction, filled from state; or a function of a `ReadonlyContext`, which is not filled.
        name: Unique in the runner.
    """

    def __init__(self, global_instruction: str | InstructionProvider = "", name: str = "global_instruction") -> None:
        super().__init__(name)
        self.global_instruction = global_instruction

    async def before_model_callback(self, *, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """Changes the system instruction of the request."""
        text, is_final = await resolve_instruction(self.global_instruction, callback_context)
        if not is_final:
            text = (await filled_in(text, callback_context._invocation_context)).text  # pyright: ignore[reportPrivateUsage]  artifacts are asked of it
        llm_request.config.system_instruction = "\n\n".join(filter(None, (text, llm_request.system_instruction)))
