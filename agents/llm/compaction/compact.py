"""Sums up the events of a run's session when that is due."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from agents.errors import ModelNotFoundError
from agents.event import Event
from agents.history.branches import is_in_tool
from agents.llm.compaction.config import EventsCompactionConfig
from agents.llm.compaction.due import due_by_runs, due_by_tokens
from agents.llm.compaction.summarizer import LlmEventSummarizer
from agents.llm.settings import LlmAgentSettings
from agents.model import BaseLlm
from agents.runtime.invocation import InvocationContext

_log = logging.getLogger(__name__)


async def compact_before_call(context: InvocationContext) -> None:
    """Sums up events before an agent calls its model, if the agent's last prompt had too many tokens.

    Agents called as tools and nodes of a graph have a history of their own, which is not summed up.
    """
    config: EventsCompactionConfig | None = context.events_compaction_config
    if config is None or is_in_tool(context.branch) or context.node_run is not None:
        return
    due = due_by_tokens(context.session.events, config, agent_name=context.agent_name, branch=context.branch)
    await _sum_up(context, config, due)


async def compact_after_run(context: InvocationContext) -> None:
    """Sums up events after a run, if they are too many."""
    config: EventsCompactionConfig | None = context.events_compaction_config
    if config is None:
        return
    events = context.session.events
    if not await _sum_up(context, config, due_by_tokens(events, config)):
        await _sum_up(context, config, due_by_runs(events, config))


async def _sum_up(context: InvocationContext, config: EventsCompactionConfig, due: Sequence[Event]) -> bool:
    """Stores the event of the summary. Without one, models are sent the events as they are."""
    if not due:
        return False
    try:
        summarizer = config.summarizer or LlmEventSummarizer(_model(context))
        if isinstance(summarizer, LlmEventSummarizer):
            made = await summarizer.maybe_summarize_events(events=due, invocation_context=context)
        else:
            made = await summarizer.maybe_summarize_events(events=due)
    except Exception:  # noqa: BLE001  whatever a summarizer raises: the history is whole without it
        _log.warning("The events of session %r could not be summed up.", context.session.id, exc_info=True)
        return False
    if made is None or made.actions.compaction is None:
        return False
    made.content = None
    made.author, made.invocation_id, made.branch = "user", context.invocation_id, None
    await context.store(made)
    return True


def _model(context: InvocationContext) -> BaseLlm:
    """The agent's model; where it is no `LlmAgent`, the run's."""
    agent = context.agent
    if isinstance(agent, LlmAgentSettings):
        return agent.model_for(context)
    if (model := context.run_config.model) is None:
        raise ModelNotFoundError("EventsCompactionConfig has no summarizer, and the root agent no model to sum events up.")
    return model
