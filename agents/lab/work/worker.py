"""`run_sample`: answers one sample with a playbook, scores the answer, and learns from it. The only entry to a worker."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from google.genai import types

from agents.ace.roles.instructions import ANSWER_KEY, TRUTH_KEY
from agents.ace.roles.schemas import GeneratorOutput, role_output
from agents.ace.store.reducer import NAME_KEY
from agents.cases.check import model_for
from agents.history.texts import texts_in
from agents.lab.scorer import Score
from agents.lab.task import Outcome, Said, SampleLog, Task, Usage
from agents.lab.work.playbook_value import PlaybookValue, ValueReducers
from agents.lab.work.rewriter import REWRITER, rewrite
from agents.lab.work.temperature import WithTemperature
from agents.lab.work.transcript import batches_after
from agents.log import LogEntry
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.answer import content_of
from agents.models.connections import redact
from agents.models.pricing import call_cost, list_prices, recorded_cost
from agents.models.provider import Price
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.records import ModelFinished, ModelStarted
from agents.runner import Runner
from agents.runtime.run_config import RunConfig, StreamingMode
from agents.scope import current_scope
from agents.storage.artifacts.memory import InMemoryArtifactService
from agents.storage.sessions.memory import InMemorySessionService

REFLECTOR = "ReflectorModel"
_USER, _SESSION = "lab", "sample"
_NO_ROOM = "Nothing was learned: the limit of model calls is reached."
_WAITS_FOR_USER = {"feedback_from": "person"}
_FEEDBACK = {"truth": "ground truth", "execution": "execution", "none": "nothing"}
_CHECKED = {True: "Outcome: exit code 0, the check passed", False: "Outcome: exit code 1, the check failed"}
PLAIN = "no-reflector"


async def run_sample(task: Task, *, tell: Callable[[Said], None] | None = None) -> Outcome:
    """Works on one sample. Nothing is stored; whatever goes wrong is in the outcome.

    Args:
        task: The sample, and how to work on it.
        tell: Called when the work begins, and with each piece of text that the pipeline's models say.
    """
    if tell is not None:
        tell(Said(task.sample))
    began = time.perf_counter()
    try:
        work = _Work(task, _pipeline(task), tell)
        await work.run()
    except Exception as error:  # noqa: BLE001  e.g. a pipeline that cannot be loaded: the sample fails, the run goes on
        return Outcome(sample=task.sample.id, error=_said(error), seconds=time.perf_counter() - began)
    return replace(work.outcome, seconds=time.perf_counter() - began)


def model_of(task: Task, agent: str = "") -> BaseLlm:
    """The model that works on a task, or that of an agent."""
    model = task.models.get(agent, task.model)
    found = model_for(_pipeline(task), model) if isinstance(model, str) else model
    if task.temperature is None or found.simulated:
        return found
    return WithTemperature(model=found.model, asked=found, temperature=task.temperature)


def priced(model: BaseLlm, usage: Usage, answered_by: str | None) -> Usage:
    """What a call used, with its cost.

    Args:
        model: The model that was called.
        usage: What was used.
        answered_by: The model that answered, if it says so.
    """
    tokens = {"input": usage.input, "output": usage.output}
    return replace(usage, cost=call_cost(model.model, answered_by, tokens, 0, _prices()))


class _Pipelines(dict[tuple[str, Path | None, str], Pipeline]):
    """The pipelines of tasks, by name, folder and version: each is loaded once in a workspace."""


def _pipeline(task: Task) -> Pipeline:
    loaded, key = current_scope().part(_Pipelines), (task.pipeline, task.agents_dir, task.version)
    if key not in loaded:
        loaded[key] = Catalog(task.agents_dir).get(task.pipeline)
    return loaded[key]


@cache
def _prices() -> Mapping[str, Price]:
    return list_prices()


def _said(error: BaseException) -> str:
    return redact(str(error)) or type(error).__name__


@dataclass(slots=True)
class _Work:
    """One sample in the making."""

    task: Task
    pipeline: Pipeline
    tell: Callable[[Said], None] | None = None
    outcome: Outcome = field(init=False)
    _playbook: PlaybookValue = field(init=False)
    _service: InMemorySessionService = field(init=False)
    _model: BaseLlm = field(init=False)

    def __post_init__(self) -> None:
        task = self.task
        self.outcome = Outcome(sample=task.sample.id)
        named = task.playbook if task.playbook.name else task.playbook.replace(name=self.pipeline.name)
        self._playbook = PlaybookValue(named)
        self._service = InMemorySessionService(reducers=ValueReducers(self._playbook))
        self._model = model_of(task)

    async def run(self) -> None:
        """Answers, scores, learns; then gathers what it took."""
        task = self.task
        if task.answerer is not None:
            await self._answer_by(task.answerer)
            return
        learns, waits = task.learner == "cycle", task.feedback == "execution" or task.learner != "cycle"
        state = {**self.pipeline.card.first_state, **task.settings, NAME_KEY: self._playbook.playbook.name}
        state |= _WAITS_FOR_USER if waits else {"feedback_from": _FEEDBACK[task.feedback]}
        if learns and task.feedback == "truth" and (truth := task.told or task.sample.truth) is not None:
            state[TRUTH_KEY] = truth
        await self._service.create_session(app_name=self.pipeline.name, user_id=_USER, session_id=_SESSION, state=state)
        await self._send(task.sample.question)
        await self._score()
        if task.learner == "rewriting" or (task.learner == "edits" and not self.outcome.is_right):
            await self._rewrite()
        elif task.learner == "transcript":
            self.outcome = replace(self.outcome, batches=tuple(batches_after(task, self._playbook.playbook)))
        elif learns and waits and self.outcome.score is not None:
            await self._send(_CHECKED[self.outcome.score.is_right])
        await self._gather()

    async def _room(self) -> int | None:
        """How many model calls may still be made; None for the usual limit."""
        if (most := self.task.most_calls) is None:
            return self.pipeline.card.max_llm_calls
        return most - len(await self._read(kind=ModelFinished.kind))

    async def _send(self, text: str) -> None:
        """Runs the pipeline on a message; the answer is taken from its first run."""
        task, answers, most = self.task, not self.outcome.answer, await self._room()
        if most is not None and most < 1:
            self.outcome = replace(self.outcome, error=_NO_ROOM)
            return
        runner = Runner(
            app_name=self.pipeline.name,
            agent=self.pipeline.root_agent,
            **self.pipeline.of_app,
            session_service=self._service,
            artifact_service=InMemoryArtifactService(),
        )
        agent_models: dict[str, BaseLlm] = {agent: model_of(task, agent) for agent in task.models}
        agent_models |= {} if task.reflects else {REFLECTOR: PlainFeedback()}
        mode = StreamingMode.NONE if self.tell is None else StreamingMode.SSE
        config = RunConfig(model=self._model, agent_models=agent_models, owns_playbook=True, streaming_mode=mode)
        config = config if most is None else config.model_copy(update={"max_llm_calls": most})
        message = types.Content(role="user", parts=[types.Part(text=text)])
        key = self.pipeline.card.message_key
        events = runner.run_async(
            user_id=_USER,
            session_id=_SESSION,
            new_message=message,
            state_delta={key: text} if key else None,
            run_config=config,
        )
        said, answered = "", None
        try:
            async with aclosing(events):
                async for event in events:
                    if event.partial and self.tell is not None:
                        self.tell(Said(task.sample, event.author, event.text))
                    answered = role_output(event.actions.state_delta.get(ANSWER_KEY), GeneratorOutput) or answered
                    said = event.text if event.text and not event.error_code and not event.partial else said
        except Exception as error:  # noqa: BLE001  whatever an agent raises is this sample's error
            self.outcome = replace(self.outcome, error=_said(error))
        if answers and answered is not None:
            self.outcome = replace(self.outcome, answer=answered.final_answer, cited=tuple(answered.bullet_ids))
        elif answers and not self.outcome.error:
            self.outcome = replace(self.outcome, answer=said)

    async def _answer_by(self, answerer: Any) -> None:
        try:
            self.outcome = replace(self.outcome, answer=str(await answerer(self.task.sample)))
        except Exception as error:  # noqa: BLE001  a callable may raise anything
            self.outcome = replace(self.outcome, error=_said(error))
        await self._score()

    async def _score(self) -> None:
        """Scores the answer. Without one, because of an error, the sample has failed."""
        if self.outcome.error and not self.outcome.answer:
            return
        try:
            score: Score = await self.task.scorer.score(self.outcome.answer, self.task.sample)
        except Exception as error:  # noqa: BLE001  a scorer may raise anything
            self.outcome = replace(self.outcome, error=f"The answer cannot be scored: {_said(error)}")
        else:
            self.outcome = replace(self.outcome, score=score)

    async def _rewrite(self) -> None:
        if self.task.most_calls is not None and (await self._room() or 0) < 1:
            self.outcome = replace(self.outcome, error=_NO_ROOM)
            return
        model = model_of(self.task, REWRITER)
        rewritten = await rewrite(model, self.task, self.outcome, self._playbook.playbook)
        usage = {**self.outcome.usage, REWRITER: priced(model, rewritten.usage, rewritten.answered_by)}
        error = self.outcome.error or rewritten.error
        self.outcome = replace(self.outcome, batches=rewritten.batches, usage=usage, error=error)

    async def _gather(self) -> None:
        """Reads from the session's log what model calls used; and the log itself, if it is to be kept."""
        usage = dict(self.outcome.usage)
        for entry in await self._read(kind=ModelFinished.kind):
            if (call := entry.of(ModelFinished)) is not None and call.model != PLAIN:
                usage[call.agent] = usage.get(call.agent, Usage()) + _usage_of(call)
        batches = (*self._playbook.submitted, *self.outcome.batches)
        self.outcome = replace(self.outcome, usage=usage, batches=batches)
        keep = self.task.keep
        if keep == "all" or (keep == "wrong" and not self.outcome.is_right):
            self.outcome = replace(self.outcome, log=await self._log())

    async def _log(self) -> SampleLog:
        entries = await self._read()
        models = (entry for entry in entries if entry.kind in (ModelStarted.kind, ModelFinished.kind))
        hashes = dict.fromkeys(name for entry in models for name in texts_in(entry.kind, entry.fields()))
        texts = await self._service.read_texts(list(hashes))
        return SampleLog(entries=tuple((entry.kind, entry.body) for entry in entries), texts=texts)

    async def _read(self, *, kind: str | None = None) -> list[LogEntry]:
        return await self._service.read_log(app_name=self.pipeline.name, user_id=_USER, session_id=_SESSION, kind=kind)


def _usage_of(call: ModelFinished) -> Usage:
    return Usage(
        calls=1,
        input=call.usage.get("input", 0),
        output=call.received,
        cost=recorded_cost(call, _prices()),
        seconds=call.duration,
    )


class PlainFeedback(BaseLlm):
    """Passes the feedback in a reflector's prompt on as a reflection without any analysis. No model is called."""

    model: str = PLAIN

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """See `BaseLlm`."""
        _, _, rest = llm_request.system_instruction.rpartition("<feedback>")
        feedback = rest.partition("</feedback>")[0].strip()
        reflection: dict[str, Any] = {
            "reasoning": [],
            "error_identification": "Not analysed: there is no reflector.",
            "root_cause_analysis": "",
            "correct_approach": feedback,
            "key_insight": feedback,
            "bullet_tags": [],
        }
        yield LlmResponse(content=content_of(json.dumps(reflection, ensure_ascii=False)), stop_reason="end_turn")
