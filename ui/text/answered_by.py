"""What answered: models, simulations or a recording, in words. Pure functions over the fields of records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agents.models import REPLAY_PREFIX
from agents.runs import SIMULATED


def where_from(record: Mapping[str, Any]) -> list[str]:
    """Where a run's answers come from, of its `run_started` record; nothing where one model says them all."""
    told: list[str] = []
    if (session := replayed_session(record)) is not None:
        told.append(
            f"replayed from session {session}" + (", whose answers were simulated" if record.get("simulated") else "")
        )
    elif is_mixed(record):
        told.append("partly simulated: answers are computed by a simulation where it says (simulated)")
    elif record.get("simulated"):
        told.append("simulated: answers are computed by the pipeline's simulation, not by a language model")
    by_agent: Mapping[str, Any] = record.get("agent_models") or {}
    if others := ", ".join(f"{agent} {name}" for agent, name in by_agent.items() if name != record.get("model")):
        told.append(f"models of their own: {others}")
    return told


def kind_of_model(model: str, *, simulated: bool) -> str:
    """What answered a session last, in a word or two; "" where nothing has."""
    if model.startswith(REPLAY_PREFIX):
        return "replayed, simulated" if simulated else "replayed"
    if simulated:
        return "simulated" if model == SIMULATED else ", ".join(filter(None, ("partly simulated", model)))
    return "the agents' own models" if model == SIMULATED else model


def models_of(asked: Iterable[str], *, model: str, simulated: bool) -> str:
    """What answered a session, in words, from the models that its calls asked.

    Args:
        asked: The models of its calls, as its log has them; "" for turns without one.
        model: The model of its last run.
        simulated: Whether that was simulated.
    """
    names = [name for name in dict.fromkeys(asked) if name]
    if not names or any(name.startswith(REPLAY_PREFIX) for name in (*names, model)):
        return kind_of_model(model, simulated=simulated)
    return ", ".join("simulated" if name == SIMULATED else name for name in names)


def replayed_session(record: Mapping[str, Any]) -> str | None:
    """The recorded session that a run replays, from its `run_started` record; None if it replays none."""
    model = str(record.get("model") or "")
    return model.removeprefix(REPLAY_PREFIX).partition("/")[2] if model.startswith(REPLAY_PREFIX) else None


def is_mixed(record: Mapping[str, Any]) -> bool:
    """Whether only a part of a run's answers is simulated, from its `run_started` record."""
    names = {record.get("model"), *(record.get("agent_models") or {}).values()}
    others = {name for name in names if name and name != SIMULATED and not str(name).startswith(REPLAY_PREFIX)}
    return bool(record.get("simulated")) and bool(others)
