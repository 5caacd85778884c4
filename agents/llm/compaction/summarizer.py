"""A model that sums events up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import aclosing

from google.genai import types

from agents.event import Event, EventActions, EventCompaction
from agents.llm.compaction.config import BaseEventsSummarizer
from agents.llm.model_call import ask_model
from agents.model import BaseLlm, LlmRequest, LlmResponse, copy_with
from agents.models.call import generate
from agents.models.simulated.request import AGENT_LABEL
from agents.models.simulated.summary import SUMMARIZER
from agents.runtime.confirmation import QUESTIONS
from agents.runtime.invocation import InvocationContext

MOST_CHARACTERS = 2000
"""Of the arguments of a call, and of a result, that the model is shown."""

_PROMPT = """\
Below is the conversation so far between a user and agents. It may begin with a summary of what came before. Sum it up for \
the agents, who will read your summary in its place. First name the language in which the user writes, such as \
"Language: English". Then say what the user wants, what was decided and found out, and what is still open. Name each tool \
that was called, by its exact name. Be short, and add nothing.

{conversation_history}"""


class LlmEventSummarizer(BaseEventsSummarizer):
    """Asks a model for the summary.

    Args:
        llm: The model.
        prompt_template: What it is told; `{conversation_history}` stands for the events.
    """

    def __init__(self, llm: BaseLlm, prompt_template: str | None = None) -> None:
        self._llm = llm
        self._prompt = prompt_template or _PROMPT

    async def maybe_summarize_events(
        self, *, events: Sequence[Event], invocation_context: InvocationContext | None = None
    ) -> Event | None:
        """See `BaseEventsSummarizer`.

        Args:
            events: Those to sum up.
            invocation_context: The run that asks; the call is in its log then.
        """
        if not events:
            return None
        prompt = self._prompt.format(conversation_history="\n".join(_lines(events)))
        request = LlmRequest(
            model=self._llm.model,
            contents=[types.Content(role="user", parts=[types.Part(text=prompt)])],
            config=types.GenerateContentConfig(labels={AGENT_LABEL: SUMMARIZER}),
        )
        if invocation_context is not None:
            answer = await ask_model(invocation_context, request, self._llm)
        else:
            answer = await _answer(self._llm, request)
        if answer is None or answer.content is None or not answer.text:
            return None
        made = EventCompaction(
            start_timestamp=events[0].timestamp,
            end_timestamp=events[-1].timestamp,
            compacted_content=copy_with(answer.content, role="model"),
        )
        return Event(author="user", actions=EventActions(compaction=made), usage_metadata=answer.usage_metadata)


async def _answer(llm: BaseLlm, request: LlmRequest) -> LlmResponse | None:
    async with aclosing(generate(llm, request, stream=False)) as responses:
        return await anext(responses, None)


def _lines(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        for part in event.parts:
            if part.text:
                yield f"{event.author}{' (thought)' if part.thought else ''}: {part.text}"
            elif (call := part.function_call) is not None and call.name not in QUESTIONS:
                yield f"{event.author} called tool: {call.name}({_cut(str(call.args))})"
            elif (response := part.function_response) is not None and response.name not in QUESTIONS:
                yield f"Tool response from {response.name}: {_cut(str(response.response))}"


def _cut(text: str) -> str:
    left = len(text) - MOST_CHARACTERS
    return text if left <= 0 else f"{text[:MOST_CHARACTERS]}… [{left} more characters]"
