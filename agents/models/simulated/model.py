"""The simulated model: answers are computed from the request by functions, one for each agent of a pipeline.

A simulation reads what a real model would be sent, and nothing else. Every answer is labelled as simulated: by
`SimulatedLlm.simulated`, and in the answer itself.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Self

from google.genai import types
from pydantic import Field

from agents.errors import ProviderError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.answer import content_of, natural_stop, piece, words
from agents.models.simulated.client_wishes import call_for_client, fitted_to_client
from agents.models.simulated.clock import SpeechClock
from agents.models.simulated.reply import Reply, Simulation
from agents.models.simulated.request import AGENT_LABEL, SimulatedRequest
from agents.models.simulated.spec import PROVIDER, SIMULATED
from agents.models.simulated.stand_in import StandIn
from agents.models.simulated.summary import SUMMARIZER, summary

SIMULATED_MARK = "simulated"
"""The key in `custom_metadata` of every answer that a simulation computed; its value is True."""
REFUSAL_MARK = "refusal"
"""The key in `custom_metadata` of an answer that refuses; its value is {"examples": [messages that can be sent instead]}."""

_STAND_IN = StandIn()
_TOKENS_PER_WORD = 4 / 3
_TOKENS_PER_IMAGE = 258


class SimulatedLlm(BaseLlm):
    """A model whose answers are computed by simulations. It needs no key and no network, and says that it is one.

    Attributes:
        model: Its name.
        simulation: Agent name → its simulation. A `StandIn` answers for other agents.
        words_per_second: How fast it speaks, streaming or not; 0 = at once; None = as `PLAYGROUND_SIMULATED_SPEED` says.
    """

    model: str = SIMULATED
    simulation: Mapping[str, Simulation] = {}
    words_per_second: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @classmethod
    def supported_models(cls) -> list[str]:
        """Only "simulated"."""
        return PROVIDER.name_patterns

    @property
    def simulated(self) -> bool:
        """True."""
        return True

    def lacking(self, llm_request: LlmRequest) -> list[str]:
        """The built-in tools, but for those that the agent's simulation says it stands in for; see `BaseLlm`.

        A `StandIn` answers without them, and says so.
        """
        agent = (llm_request.config.labels or {}).get(AGENT_LABEL, "")
        simulation = self.simulation.get(agent, _STAND_IN)
        if isinstance(simulation, StandIn):
            return []
        stands_in_for = getattr(simulation, "stands_in_for", ())
        return [name for name in llm_request.built_in_tools if name not in stands_in_for]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Computes the answer and yields it word by word.

        `max_output_tokens` is kept to. Tokens in `usage_metadata` are an estimate: four for three words.

        Args:
            llm_request: The request; the simulation is looked up by its label `adk_agent_name`.
            stream: Whether to yield the words as they come.

        Yields:
            Words if `stream`, then the whole, which says in `custom_metadata` that it is simulated.

        Raises:
            ProviderError: The simulation raised, or answered with something else than a `Reply` or a str.
        """
        request = SimulatedRequest.of(llm_request)
        reply = call_for_client(request, llm_request) or fitted_to_client(self._reply(request), request, llm_request)
        speech = _Speech.of(reply, request.max_output_tokens)
        clock = SpeechClock(self.words_per_second)
        await clock.say_words(0)
        for thought, said in ((True, speech.thought), (False, speech.text)):
            left = deque(said)
            while left:
                text = await clock.say(left)
                if stream:
                    yield piece(text, thought=thought)
        await clock.make_calls(len(speech.reply.calls))
        yield speech.whole(model=self.model, sent=_count(request))

    def _reply(self, request: SimulatedRequest) -> Reply:
        simulation = self.simulation.get(request.agent_name) or (summary if request.agent_name == SUMMARIZER else _STAND_IN)
        try:
            reply = simulation(request)
        except Exception as error:
            raise ProviderError(
                f"The simulation of the agent {request.agent_name!r} failed with {type(error).__name__}: {error}. "
                "Mend that function in the pipeline's card, or run with a real model.",
                code="SIMULATION_FAILED",
            ) from error
        if isinstance(reply, str):
            return Reply(reply)
        if not isinstance(reply, Reply):  # pyright: ignore[reportUnnecessaryIsInstance]  anyone may write a simulation
            raise ProviderError(
                f"The simulation of the agent {request.agent_name!r} answered with {type(reply).__name__}. "
                "It must return a str or a Reply(text=…, calls=[(name, arguments)], thought=…).",
                code="SIMULATION_FAILED",
            )
        return reply


@dataclass(frozen=True, slots=True)
class _Speech:
    """A reply as it is said: cut where the tokens end."""

    reply: Reply
    thought: list[str]
    text: list[str]
    cut: bool

    @classmethod
    def of(cls, reply: Reply, max_tokens: int | None) -> Self:
        thought, text = words(reply.thought), words(reply.text)
        most = len(thought) + len(text) if max_tokens is None else int(max_tokens / _TOKENS_PER_WORD)
        kept_thought = thought[:most]
        kept_text = text[: most - len(kept_thought)]
        return cls(reply, kept_thought, kept_text, cut=len(kept_thought) + len(kept_text) < len(thought) + len(text))

    def whole(self, *, model: str, sent: int) -> LlmResponse:
        """The whole response; calls are only made by an answer that got to its end."""
        calls = [] if self.cut else [types.FunctionCall(name=name, args=dict(args)) for name, args in self.reply.calls]
        content = content_of("".join(self.text), calls, thought="".join(self.thought))
        said = len(self.text) + sum(len(str(made.args).split()) + 1 for made in calls)
        refusal = {REFUSAL_MARK: {"examples": [*self.reply.examples]}} if self.reply.examples else {}
        return LlmResponse(
            content=content,
            stop_reason="max_tokens" if self.cut else natural_stop(content.parts if content else None),
            finish_reason=types.FinishReason.MAX_TOKENS if self.cut else types.FinishReason.STOP,
            usage_metadata=_usage(sent=sent, said=_tokens(said), thought=_tokens(len(self.thought))),
            model_version=model,
            custom_metadata={SIMULATED_MARK: True, **refusal},
        )


def _tokens(word_count: int) -> int:
    return math.ceil(word_count * _TOKENS_PER_WORD)


def _usage(*, sent: int, said: int, thought: int) -> types.GenerateContentResponseUsageMetadata:
    return types.GenerateContentResponseUsageMetadata(
        prompt_token_count=sent,
        candidates_token_count=said,
        thoughts_token_count=thought or None,
        total_token_count=sent + said + thought,
    )


def _count(request: SimulatedRequest) -> int:
    """An estimate of the tokens in what was sent."""
    counted = len(request.instruction.split())
    images = 0
    for content in request.contents:
        for part in content.parts or ():
            if part.text:
                counted += len(part.text.split())
            elif part.function_call:
                counted += len(str(part.function_call.args).split()) + 1
            elif part.function_response:
                counted += len(str(part.function_response.response).split()) + 1
                images += len(part.function_response.parts or ())
            elif part.inline_data:
                images += 1
    counted += sum(len(f"{tool.name} {tool.description} {tool.parameters_json_schema}".split()) for tool in request.tools)
    return _tokens(counted) + images * _TOKENS_PER_IMAGE
