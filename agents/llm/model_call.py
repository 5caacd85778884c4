"""One model call as the log records it: what was sent, how long it took, what came back.

The request is recorded by reference: the instruction by hash, the history by the rule that selects it and the last
event in it, so that the log does not grow with the square of the conversation. `ask_model` is a whole call for agents
that are not an `LlmAgent`.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import lru_cache
from typing import Any, Self, cast

from google.genai import types
from pydantic import BaseModel, TypeAdapter

from agents.errors import EmptyResponseError, ModelNotFoundError, ModelTimeoutError, PlaygroundError
from agents.llm.contents import IncludeContents
from agents.llm.person_question import Asking, answer_of_person
from agents.log import seconds_since, text_hash
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.call import generate
from agents.models.connections import redact
from agents.models.pricing import google_searches
from agents.models.registry import LLMRegistry
from agents.runtime.confirmation import PersonAsked
from agents.runtime.fault import Fault
from agents.runtime.invocation import InvocationContext
from agents.runtime.run_config import DeadlineError, TimeLimit

CANCELLED = "cancelled"
"""The log's text for a model call that was cancelled."""

WAITED = "waited for the user"
"""The log's text for a model call whose start was stored before it turned out that the user answers it."""

_NOT_SETTINGS = {"system_instruction", "tools", "labels", "response_schema"}


class ModelCall:
    """Records a model call's start now, and its end once: at the end of its block at the latest, as cancelled.

    Args:
        context: The agent's context.
        request: What is sent.
        stream: Whether pieces were asked for.
        select: The rule that selected the history; None if a callback may have changed the contents since.
        chosen_from: The rule of the history of which a callback left messages out; None if it left out none.
        turn: Which call of the agent's turn it is, from 1.
        label: The sender that the request names, if it is not the agent.
        is_aside: Whether it is a call of `ask_model`, beside the agent's turn.

    Raises:
        LlmCallsLimitExceededError: The run has made all its calls.
    """

    def __init__(
        self,
        context: InvocationContext,
        request: LlmRequest,
        *,
        stream: bool,
        select: IncludeContents | None,
        chosen_from: IncludeContents | None = None,
        turn: int = 1,
        label: str | None = None,
        is_aside: bool = False,
    ) -> None:
        # Not the request itself: it refers to this call, and a cycle would wait for the garbage collector.
        self._context = context
        config, contents, instruction = request.config, request.contents, request.system_instruction
        self._model = request.model
        self._last = contents[-1] if contents else None
        self._call = context.count_llm_call()
        self._started = time.perf_counter_ns()
        self._first: float | None = None
        self._finished = False
        self._answered_by: str | None = None
        self._searches = 0
        self._limits: dict[str, int] = {}
        self._turn, self._is_aside = turn, is_aside
        self._select: IncludeContents | None = select
        self._silence = TimeLimit(context.usage.timer, context.run_config.model_timeout, is_of_each=True)
        request.observer = self
        sent: dict[str, Any] = {
            "call": self._call,
            "turn": turn,
            "model": self._model,
            "instruction": self._by_hash(instruction),
            "contents": self._contents(contents, select),
            "tools": list(request.tools_dict),
            "config": self._settings(config),
            "stream": stream,
        }
        if request.filled is not None and instruction.startswith(request.filled.text):
            sent["filled"] = request.filled.values
        if chosen_from is not None:
            sent["contents"] |= {"chosen_from": chosen_from, "until": self._until}
        if select is not None or chosen_from is not None:
            sent["quoted"] = sent["joined"] = True  # older records were sent history by other rules: see `history_for`
        self._add_declared(sent, config)
        if label:
            sent["label"] = label
        context.add_record("model_started", sent)

    def note(self, kind: str, **data: Any) -> None:
        """See `CallObserver`: a trace record from the model, e.g. which of several models it chose."""
        self._context.record(kind, call=self._call, **data)
        self._context.flush_soon()  # watchers see it while the model is waited for

    def limit_answer(self, limits: Mapping[str, int]) -> None:
        """See `CallObserver`: it is in the record of the call's end, since only the server tells that it needs them."""
        self._limits = dict(limits)

    def fault_for(self, model: str) -> Fault | None:
        """See `CallObserver`. For models inside the one that the agent calls, only faults for their own names apply."""
        if not self._context.run_config.faults:
            return None
        return self._context.fault_for(model, is_inside=model != self._model)

    def ask_person(self, request: LlmRequest, *, seconds: float | None = None) -> Mapping[str, Any]:
        """See `CallObserver`."""
        asking = Asking(self._turn, self._select, is_aside=self._is_aside)
        return answer_of_person(self._context, asking, request, seconds)

    @property
    def run_model(self) -> BaseLlm | None:
        """See `CallObserver`."""
        return self._context.run_config.model

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        self._silence.close()
        if isinstance(error, PersonAsked):  # the call is made again, with the answer
            self._finished = self._context.take_back_call(self._call)
        self.finish(error=WAITED if isinstance(error, PersonAsked) else CANCELLED)

    def _by_hash(self, text: str) -> str | None:
        if not text:
            return None
        name = text_hash(text)
        self._context.refer_to(name, text)
        return name

    @property
    def _until(self) -> int:
        events = self._context.session.events
        return (events[-1].seq if events else None) or 0

    def _contents(self, contents: Sequence[types.Content], select: IncludeContents | None) -> dict[str, Any]:
        if select is not None:
            return {"select": select, "until": self._until, "count": len(contents)}
        text = json.dumps([content.model_dump(mode="json", exclude_none=True) for content in contents], ensure_ascii=False)
        return {"text": self._by_hash(text), "count": len(contents)}

    def _add_declared(self, sent: dict[str, Any], config: types.GenerateContentConfig) -> None:
        """Adds what else a request declares, if anything: tools, and the answer's schema."""
        if tools := cast("Any", config).tools:
            sent["declarations"] = self._by_hash(f"[{','.join(map(_declaration, tools))}]")
        if config.response_schema is not None:
            sent["schema"] = self._by_hash(_schema_text(config.response_schema))

    def _settings(self, config: types.GenerateContentConfig) -> str | None:
        if config.__pydantic_fields_set__ <= _NOT_SETTINGS:  # `model_fields_set` is a property
            return None
        text = config.model_dump_json(exclude_defaults=True, exclude=_NOT_SETTINGS)
        return self._by_hash(text) if text != "{}" else None

    async def next_of(self, responses: AsyncGenerator[LlmResponse, None], *, keep: bool = False) -> LlmResponse | None:
        """The model's next response, recorded; None after the last. The whole answer ends the call.

        Args:
            responses: What the model says.
            keep: Whether the record holds the whole answer, because it becomes no event.

        Raises:
            ModelTimeoutError: The model was silent for longer than `RunConfig.model_timeout`.
            EmptyResponseError: It said nothing, or its whole answer is empty and does not follow a tool result.
        """
        try:
            with self._silence:
                response = await anext(responses, None)
        except DeadlineError as error:
            raise ModelTimeoutError(
                f"The model {self._model!r} was silent for {self._context.run_config.model_timeout:g} s. It may be "
                "overloaded or hanging: run again, choose another model, or allow more with RunConfig(model_timeout=…).",
                retryable=True,
            ) from error
        if response is None:
            self._has_ended()
        else:
            self._note(response, keep=keep)
        return response

    def _note(self, response: LlmResponse, *, keep: bool) -> None:
        """Records a piece, or the whole answer."""
        if self._first is None:
            self._first = seconds_since(self._started)
        if response.partial:
            return
        self._answered_by = response.model_version
        self._searches = google_searches(response.grounding_metadata)
        tokens = _tokens_of(response.usage_metadata)
        self._context.count_tokens(sent=tokens["input"], received=tokens["output"] + tokens.get("thoughts", 0))
        self._refuse_nothing(response)
        answer = self._by_hash(redact(_as_text(response))) if keep else None
        self.finish(error=response.error_message, stop_reason=response.stop_reason, usage=tokens, answer=answer)

    def failed(self, error: Exception) -> None:
        """Records that the call ended with `error`."""
        name = type(error).__name__
        self.finish(error=f"{name}: {error}", error_code=error.code if isinstance(error, PlaygroundError) else name)

    def _refuse_nothing(self, response: LlmResponse) -> None:
        for part in response.parts:
            if part.text != "" and not part.thought:  # without text it holds another part; a thought alone is no answer
                return
        if response.error_code or response.stop_reason not in (None, "end_turn"):
            return
        if self._last is None or not any(part.function_response for part in self._last.parts or ()):
            raise self._empty("without saying anything")

    def _has_ended(self) -> None:
        if not self._finished:
            raise self._empty("without saying anything" if self._first is None else "after some pieces, without the whole")

    def _empty(self, how: str) -> EmptyResponseError:
        return EmptyResponseError(
            f"The model {self._model!r} ended its answer to agent {self._context.agent.name!r} {how}. "
            "Run again; if it happens every time, check the agent's instruction or choose another model.",
            retryable=True,
        )

    def finish(
        self,
        *,
        error: str | None = None,
        error_code: str | None = None,
        stop_reason: str | None = None,
        usage: dict[str, int] | None = None,
        answer: str | None = None,
    ) -> None:
        """Records the end; only the first time counts."""
        if self._finished:
            return
        self._finished = True
        outcome: dict[str, Any] = {
            "call": self._call,
            "model": self._model,
            "duration": seconds_since(self._started),
            "stop_reason": stop_reason or ("error" if error else None),
            "usage": usage or {},
        }
        if self._first is not None:
            outcome["first_token"] = self._first
        if self._answered_by is not None and self._answered_by != self._model:
            outcome["answered_by"] = self._answered_by
        if self._searches:
            outcome["searches"] = self._searches
        if self._limits:
            outcome["limits"] = self._limits
        if answer is not None:
            outcome["answer"] = answer
        if error:
            outcome["error"] = redact(error)
        if error_code:
            outcome["error_code"] = error_code
        self._context.add_record("model_finished", outcome)


def _declaration(tool: Any) -> str:
    return tool.model_dump_json(exclude_none=True) if isinstance(tool, types.Tool) else json.dumps(str(tool))


def _schema_text(schema: Any) -> str:
    try:
        return _known_schema_text(schema)
    except TypeError:  # a dictionary, which has no hash
        return json.dumps(schema, ensure_ascii=False, default=str)


@lru_cache(maxsize=64)
def _known_schema_text(schema: Any) -> str:
    if isinstance(schema, BaseModel):  # a `types.Schema`
        return schema.model_dump_json(exclude_none=True)
    return json.dumps(TypeAdapter(schema).json_schema(), ensure_ascii=False)


def _tokens_of(usage: types.GenerateContentResponseUsageMetadata | None) -> dict[str, int]:
    """Tokens of a call: "input", "output", and if there are any, "thoughts" (extra) and "cached" (part of the input).

    The input includes the results of the provider's own tools.
    """
    if usage is None:
        return {"input": 0, "output": 0}
    sent = (usage.prompt_token_count or 0) + (usage.tool_use_prompt_token_count or 0)
    tokens = {"input": sent, "output": usage.candidates_token_count or 0}
    if usage.thoughts_token_count:
        tokens["thoughts"] = usage.thoughts_token_count
    if usage.cached_content_token_count:
        tokens["cached"] = usage.cached_content_token_count
    return tokens


def _as_text(response: LlmResponse) -> str:
    return json.dumps(response.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False, default=repr)


async def ask_model(context: InvocationContext, request: LlmRequest, model: str | BaseLlm | None = None) -> LlmResponse:
    """Asks a model for one whole answer, as an `LlmAgent` does: logged, counted and with a timeout.

    For custom routers and agents. The answer does not become an event.

    Args:
        context: The context of the agent that asks, or that the router routes for.
        request: The request; not changed. Its label `adk_agent_name`, which selects a simulation, defaults to the agent
            of `context`.
        model: A name in `LLMRegistry`, or a model object; None for the one that the run has for the agent, else the run's.

    Raises:
        ModelNotFoundError: No model is given, and the run has none; or no provider has one of that name.
        LlmCallsLimitExceededError: The run has made all its calls.
        LimitReachedError: The user has used up a limit of the day.
        ModelTimeoutError: The model was silent for longer than `RunConfig.model_timeout`.
        ProviderError: The model failed.
    """
    asked = _model_to_ask(context, model)
    labels = {"adk_agent_name": context.agent.name, **(request.config.labels or {})}
    config = request.config.model_copy(update={"labels": labels})
    sent = request.model_copy(update={"model": asked.model, "config": config})
    # A router's request has a label of its own, which selects its simulation and its recorded answers.
    label = labels["adk_agent_name"] if labels["adk_agent_name"] != context.agent.name else None
    await context.allow_call()
    context.asides += 1
    with ModelCall(context, sent, stream=False, select=None, turn=context.asides, label=label, is_aside=True) as call:
        context.flush_soon()
        try:
            async with aclosing(generate(asked, sent, stream=False)) as responses:
                while True:
                    response = await call.next_of(responses, keep=True)  # raises at the end if there was no whole answer
                    if response is not None and not response.partial:
                        return response
        except Exception as error:
            call.failed(error)
            raise


def _model_to_ask(context: InvocationContext, model: str | BaseLlm | None) -> BaseLlm:
    config = context.run_config
    chosen: str | BaseLlm | None = model or config.agent_models.get(context.agent.name) or config.model
    if not chosen:
        raise ModelNotFoundError(
            f"Agent {context.agent.name!r} wants to ask a model and there is none. "
            "Name one, ask_model(context, request, model=…), or choose one for the run: RunConfig(model=…)."
        )
    return LLMRegistry.new_llm(chosen) if isinstance(chosen, str) else chosen
