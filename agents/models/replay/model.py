"""A model that answers from a recorded session, so it needs no key and no network.

It answers one run. Each request is compared with the recorded one, and differences are reported. Tools are not replayed:
they run. `agents.runs.recordings.recording` makes the record from a log.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from pydantic import Field, InstanceOf, PrivateAttr

from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.answer import piece, words
from agents.models.replay.errors import failure_again, no_answer, no_more_answers, no_such_run
from agents.models.replay.record import REPLAY_MARK, REPLAYED, RecordedCall, Recording
from agents.models.replay.request import SentRequest, drift
from agents.models.simulated.clock import SpeechClock
from agents.models.simulated.request import AGENT_LABEL

_BROKEN_OFF_SECONDS = 0.5
"""Seconds of silence for a call that was cancelled in the record: time for it to be cancelled again."""


class ReplayLlm(BaseLlm):
    """Answers the requests of one run from a recorded run.

    A request of an agent is answered with that agent's first recorded answer that was not used yet and was an answer to the
    same request; if there is none, with the next that was not used, and then the request has drifted: that is a trace
    record `replay_drifted` and stands in the answer's `custom_metadata["replay"]`, {"session", "run", "position",
    "drifted"}. A recorded failure is raised again. What the model told on its way then, e.g. which model a router chose, is
    told again, as a trace record with `replayed`.

    Which answers were used is kept here: a run wants an object of its own. Two runs at once do not disturb each other then,
    and a run that is begun again begins at the first answer.

    Attributes:
        model: Its name; made of the record's, if none is given.
        recording: The record.
        run: Which of its runs is replayed, from 1.
        used: Positions of the answers that were given already, by agent: for a run that goes on after a pause.
        words_per_second: How fast it speaks, streaming or not; 0 = at once; None = as `PLAYGROUND_SIMULATED_SPEED` says.
    """

    model: str = ""
    recording: InstanceOf[Recording] = Field(repr=False)
    run: int = Field(default=1, ge=1)
    used: Mapping[str, AbstractSet[int]] = {}
    words_per_second: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    _used: dict[str, set[int]] = PrivateAttr(default_factory=dict[str, set[int]])

    def model_post_init(self, context: Any, /) -> None:
        """Sets the default name."""
        super().model_post_init(context)
        self._used = {agent: set(positions) for agent, positions in self.used.items()}
        if not self.model:
            self.model = self.recording.model

    @property
    def simulated(self) -> bool:
        """Whether every recorded answer was simulated: the replay of a simulation is one."""
        return self.recording.is_simulated

    def lacking(self, llm_request: LlmRequest) -> list[str]:
        """None: the results of tools are in the record."""
        return []

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Gives the agent's next answer of the record, with its usage; see `BaseLlm`.

        The request's label `adk_agent_name` names the agent. Streamed pieces are the words of the recorded texts.

        Raises:
            ProviderError: The record has no answer, code "REPLAY_ENDED"; or the recorded call failed, with its code.
        """
        agent = (llm_request.config.labels or {}).get(AGENT_LABEL, "")
        recorded, drifted = self._take(agent, llm_request)
        if (observer := llm_request.observer) is not None:
            for kind, data in recorded.notes:
                observer.note(kind, **{**data, REPLAYED: True})
        clock = SpeechClock(self.words_per_second)
        await clock.say_words(0)
        if recorded.failure is not None:
            raise failure_again(recorded.failure)
        if (answer := recorded.answer) is None:
            await self._fall_silent()
            raise no_answer(self.recording, self.run, agent, recorded.position)
        for part in answer.parts:
            left = deque(words(part.text or ""))
            while left:
                text = await clock.say(left)
                if stream:
                    yield piece(text, thought=bool(part.thought))
        await clock.make_calls(len(answer.get_function_calls()))
        yield self._whole(answer, recorded, drifted)

    def _take(self, agent: str, request: LlmRequest) -> tuple[RecordedCall, tuple[str, ...]]:
        """The recorded call to replay, now marked as used, and how the request differs from it."""
        if (run := self.recording.run(self.run)) is None:
            raise no_such_run(self.recording, self.run)
        used = self._used.setdefault(agent, set())
        left = [call for call in run.calls_of(agent) if call.position not in used]
        if not left:
            raise no_more_answers(self.recording, self.run, agent)
        sent = SentRequest.of(request)
        recorded = next((call for call in left if call.request == sent.as_sent_beside(call.request)), left[0])
        used.add(recorded.position)
        drifted, detail = drift(recorded.request, sent)
        if drifted and request.observer is not None:
            request.observer.note(
                "replay_drifted",
                model=self.model,
                agent=agent,
                position=recorded.position,
                drifted=list(drifted),
                detail=detail,
            )
        return recorded, drifted

    async def _fall_silent(self) -> None:
        run = self.recording.run(self.run)
        if run is not None and run.status not in ("stopped", "interrupted"):
            await asyncio.sleep(_BROKEN_OFF_SECONDS)

    def _whole(self, answer: LlmResponse, recorded: RecordedCall, drifted: tuple[str, ...]) -> LlmResponse:
        """The recorded answer as a response of its own."""
        about = {
            "session": self.recording.session_id,
            "run": self.run,
            "position": recorded.position,
            "drifted": list(drifted),
        }
        marks = {**(answer.custom_metadata or {}), REPLAY_MARK: about}
        content = answer.content and answer.content.model_copy(deep=True)  # the caller may change it
        return answer.model_copy(update={"content": content, "custom_metadata": marks})
