"""What a run says of itself in the log: the record of its start, and how it failed."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from agents.access import shares_app_state
from agents.agent import BaseAgent
from agents.errors import PlaygroundError
from agents.event import Event
from agents.models.connections import redact
from agents.pipeline import asks_run_model
from agents.runtime.invocation import InvocationContext
from agents.tools.tracebacks import failure_marks, log_failure


def record_start(context: InvocationContext, *, is_new: bool) -> None:
    """Records that a run starts or resumes, with what it runs on."""
    config, model = context.run_config, context.run_config.model
    more: dict[str, Any] = {} if is_new else {"resumed": True}
    if told := [str(fault) for fault in config.faults if not fault.hidden]:
        more["faults"] = told
    if config.agent_models:
        more["agent_models"] = {agent: getattr(chosen, "model", None) for agent, chosen in config.agent_models.items()}
    if config.team_revision:
        more["team_revision"] = config.team_revision
    more |= {name: True for name in ("needs_approval", "owns_playbook", "asked_by_client") if getattr(config, name)}
    if not shares_app_state(context.session.user_id):
        more["app_state"] = "session"  # what this run writes there stays in its session
    context.record(
        "run_started",
        model=getattr(model, "model", None),
        simulated=any(map(_is_simulated, config.agent_models.values()))
        or _has_simulated_model(context.agent)
        or (_is_simulated(model) and asks_run_model(context.agent, config.agent_models)),
        shared={key: _noted(value) for key, value in context.session.state.items() if key.startswith(("app:", "user:"))},
        max_llm_calls=config.max_llm_calls,
        **more,
    )


def _noted(value: Any) -> Any:
    """A state value as the log keeps it: a copy, or a reference for a value that is kept elsewhere."""
    return value.as_reference() if hasattr(value, "as_reference") else deepcopy(value)


def _is_simulated(model: Any) -> bool:
    return bool(getattr(model, "simulated", False))


def _has_simulated_model(agent: BaseAgent) -> bool:
    """Whether an agent of the tree has a simulated model of its own; the run is then labelled so."""
    if _is_simulated(getattr(agent, "model", None)):
        return True
    below = agent.sub_agents
    return bool(below) and any(map(_has_simulated_model, below))


def failed(event: Event) -> dict[str, Any]:
    """What `run_finished` says of a run whose last event is an error."""
    return {"status": "failed", "error_code": event.error_code, "error_message": event.error_message}


def error_event(context: InvocationContext, error: Exception) -> Event:
    """The event that ends a run which `error` ended, from the innermost agent that failed."""
    code = error.code if isinstance(error, PlaygroundError) else type(error).__name__
    message = str(error) if isinstance(error, PlaygroundError) else f"{type(error).__name__}: {error}"
    author, branch = context.place_of(error)
    if not isinstance(error, PlaygroundError):
        log_failure(f"Agent {author!r} failed in session {context.session.id!r}.", error)
    return Event(
        invocation_id=context.invocation_id,
        author=author,
        branch=branch,
        error_code=code,
        error_message=redact(message),
        stop_reason="error",
        custom_metadata=failure_marks(error) or None,
    )
