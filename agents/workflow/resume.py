"""What a log says of the node runs of an invocation that is resumed: those that have ended are not run again."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import Any

from agents.agent import BaseAgent
from agents.event import REQUEST_INPUT, Event
from agents.runtime.invocation import InvocationContext
from agents.runtime.nodes.answer import answer_in
from agents.runtime.nodes.node_run import Journal, NodeRun, Result
from agents.runtime.position import Frame
from agents.workflow.nodes.base_node import BaseNode


class Standing(enum.Enum):
    """What is to be done with a node's run."""

    RUNS = "runs"
    WAITS = "waits"
    ENDED = "ended"


def resumed(run: NodeRun, ctx: InvocationContext) -> Standing:
    """Where a run stands. One that has ended, or whose question was answered, is given its output."""
    journal, node = run.journal, run.agent
    if (result := journal.results.get(run.path)) is not None:
        run.output, run.route = result
        return Standing.ENDED
    run.frame = journal.frames.get(run.path)
    if run.frame is None or not isinstance(node, BaseNode):
        return Standing.RUNS
    told = journal.told.get(run.path)
    if told is not None and run.path in journal.returned and run.frame.is_cut and not node.keeps_its_place:
        return _end(run, ctx, told)
    asked, answers = journal.asked.get(run.path, []), journal.answers.get(run.path, {})
    if not asked or (node.rerun_on_resume and answers):
        run.resume_inputs = answers
        return Standing.RUNS
    if any(question not in answers for question in asked):
        _record(run, ctx, "paused")
        return Standing.WAITS
    answer = next(iter(answers.values())) if len(answers) == 1 else answers
    return _end(run, ctx, Result(answer, told.route if told is not None else None))


def _end(run: NodeRun, ctx: InvocationContext, result: Result) -> Standing:
    """Ends a run of which nothing is left but its end."""
    _record(run, ctx, "ok")
    run.output, run.route = run.journal.results[run.path] = result
    return Standing.ENDED


def _record(run: NodeRun, ctx: InvocationContext, outcome: str) -> None:
    """Records that a run was resumed and has ended, or waits on; its code was not run."""
    context, name = ctx.for_node(run), run.agent.name
    context.record("agent_started", agent=name, type=type(run.agent).__name__, resumed=True, node=run.path)
    context.record("agent_finished", agent=name, outcome=outcome, node=run.path)


def read_journal(frame: Frame, ctx: InvocationContext) -> Journal:
    """What is known of the runs below a graph that is resumed.

    Args:
        frame: Where the graph stood.
        ctx: Its context.
    """
    journal = Journal()
    ended: list[Frame] = []
    for below in _nodes_below(frame):
        if below.is_done:
            ended.append(below)
        elif below.is_paused or below.is_open:
            journal.frames[below.node] = below
        else:
            journal.attempts[below.node] = journal.attempts.get(below.node, 0) + 1
    delegated = {each.node: each.output for each in ended if each.is_delegated}
    outputs, routes = _read_events(journal, ctx, delegated, since=frame.since)
    journal.told = {path: Result(outputs.get(path), routes.get(path)) for path in journal.frames}
    for each in sorted(ended, key=lambda one: one.until or 0):
        output = outputs.get(each.node)
        answers = journal.answers.get(each.node)
        if output is None and answers and not _is_rerun(ctx.agent, each.agent):
            output = next(iter(answers.values())) if len(answers) == 1 else answers
        journal.results[each.node] = Result(output, routes.get(each.node))
    return journal


def _nodes_below(frame: Frame) -> Iterator[Frame]:
    for child in frame.children:
        if child.node:
            yield child
        yield from _nodes_below(child)


def _read_events(
    journal: Journal, ctx: InvocationContext, delegated: Mapping[str, Any], *, since: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Outputs and routes by path; questions and their answers go to the journal.

    Args:
        journal: What is known but for the events.
        ctx: The context of the graph.
        delegated: What the runs gave whose output an event of another run tells.
        since: `seq` of the start of the graph.
    """
    outputs: dict[str, Any] = {}
    routes: dict[str, Any] = {}
    asked: dict[str, tuple[str, Any]] = {}
    for event in ctx.session.events:
        if event.invocation_id != ctx.invocation_id or (event.seq or 0) <= since:
            continue
        info = event.node_info
        if info.path:
            outputs.update(_outputs_in(event, journal, delegated))
            if event.actions.route is not None:
                routes[info.path] = event.actions.route
            asked.update(_take_words(journal, event))
        elif event.author == "user":
            for response in event.get_function_responses():
                if (question := response.id or "") in asked:
                    path, schema = asked[question]
                    journal.answers.setdefault(path, {})[question] = answer_in(response.response, schema)
    return outputs, routes


def _outputs_in(event: Event, journal: Journal, delegated: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The outputs that an event tells, by path: of its node, and of those that end with that one."""
    info = event.node_info
    output = event.text if info.message_as_output else event.output
    if output is None:
        return
    for path in info.output_for or [info.path]:
        if path != info.path and path in journal.frames:
            return  # its code has not come to its end, and may give something else
        output = delegated.get(path, output)
        yield path, output


def _take_words(journal: Journal, event: Event) -> dict[str, tuple[str, Any]]:
    """Takes what a node has said and asked; returns the path of its run, and the schema of the answer, by question."""
    path = event.node_info.path
    frame = journal.frames.get(path)
    if frame is not None and frame.is_cut and (event.seq or 0) > frame.since:  # not of an earlier try
        journal.said.setdefault(path, []).append(event)
        if event.node_info.is_last or (event.output is not None and event.node_info.is_last is None):
            journal.returned.add(path)
    calls = {call.id: call for call in event.get_function_calls()} if event.long_running_tool_ids else {}
    schemas = {
        each: (call.args or {}).get("response_schema") if call.name == REQUEST_INPUT else None
        for each, call in calls.items()
        if each is not None and each in (event.long_running_tool_ids or ())
    }
    if schemas:
        journal.asked.setdefault(path, []).extend(schemas)
    return {question: (path, schema) for question, schema in schemas.items()}


def _is_rerun(graph: BaseAgent, name: str) -> bool:
    node = graph.find_sub_agent(name)
    return node is not None and node.rerun_on_resume
