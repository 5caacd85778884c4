"""The user as a model. The run pauses at each call; the answer, typed or chosen, is the model's when it resumes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from agents.errors import ProviderError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.call import generate
from agents.models.you.answer import PASS, response_of
from agents.models.you.spec import PROVIDER, YOU


class YouLlm(BaseLlm):
    """The user as a model.

    Attributes:
        model: Its name.
        usual: The model that answers a call which the user passes; None for none.
        seconds: After how long the usual model answers a call that the user does not; None to wait for ever.
    """

    model: str = YOU
    usual: BaseLlm | None = None
    seconds: float | None = None

    @classmethod
    def supported_models(cls) -> list[str]:
        """`you`."""
        return PROVIDER.name_patterns

    def lacking(self, llm_request: LlmRequest) -> list[str]:
        """None: the user answers without a provider's own tools."""
        return []

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Gives the user's answer.

        Args:
            llm_request: What the user is shown.
            stream: Whether the usual model is asked for pieces; what the user typed comes as a whole.

        Yields:
            The answer, or the usual model's if the user passed.

        Raises:
            PersonAsked: There is no answer yet.
            ProviderError: Nobody can be asked here, or the user passed and there is no usual model.
        """
        if llm_request.observer is None:
            raise ProviderError(
                f"The model {self.model!r} is you, and you can be asked only in a session: run a pipeline with it in the "
                "browser, or with playground run. Choose another model here.",
                code="NO_PERSON",
            )
        answer = llm_request.observer.ask_person(llm_request, seconds=self.seconds)
        if not answer.get(PASS):
            yield response_of(answer, self.model)
            return
        if self.usual is None:
            raise ProviderError(
                f"The call was passed to the usual model, and the model {self.model!r} was given none. "
                "Give one, YouLlm(usual=…), or answer yourself.",
                code="NO_USUAL_MODEL",
            )
        passed = llm_request.model_copy(update={"model": self.usual.model})
        async with aclosing(generate(self.usual, passed, stream=stream)) as responses:
            async for response in responses:
                named = response.partial or response.model_version
                yield response if named else response.model_copy(update={"model_version": self.usual.model})
