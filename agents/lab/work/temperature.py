"""A model at a temperature that a lab run chooses."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from agents.model import BaseLlm, LlmRequest, LlmResponse


class WithTemperature(BaseLlm):
    """Passes requests on to a model, with a temperature.

    Attributes:
        asked: The model.
        temperature: How freely it chooses its words.
    """

    asked: BaseLlm
    temperature: float

    @property
    def pairs_calls_by_id(self) -> bool:
        """As the model does."""
        return self.asked.pairs_calls_by_id

    def lacking(self, llm_request: LlmRequest) -> list[str]:
        """What the model lacks."""
        return self.asked.lacking(llm_request)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """See `BaseLlm`."""
        config = llm_request.config.model_copy(update={"temperature": self.temperature})
        sent = llm_request.model_copy(update={"config": config})
        async with aclosing(self.asked.generate_content_async(sent, stream)) as responses:
            async for response in responses:
                yield response
