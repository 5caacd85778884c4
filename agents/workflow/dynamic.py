"""Nodes that a node's code runs, see `Context.run_node`."""

from __future__ import annotations

from typing import Any

from agents.errors import DynamicNodeFailError, WorkflowConfigurationError
from agents.runtime.nodes.node_run import NodeRun, Result
from agents.workflow.context import Context, NodeInterruptedError
from agents.workflow.drive import Send, follow
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.nodes.build import build_node
from agents.workflow.resume import Standing, resumed


async def run_below(
    context: Context,
    node_like: Any,
    node_input: Any,
    *,
    use_as_output: bool,
    run_id: str | None,
    use_sub_branch: bool,
    branch: str | None,
    raise_on_wait: bool,
) -> Any:
    """Runs a node below another, see `Context.run_node`."""
    above = context.run
    send = _sender(above)
    node = build_node(node_like)
    if run_id is not None and run_id.isdigit():
        raise WorkflowConfigurationError(
            f"run_id {run_id!r} of node {node.name!r} must have another character than digits: runs are counted by default."
        )
    if use_as_output:
        _delegate(above)
    path = above.next_path(node.name, run_id)
    if use_sub_branch:
        name = path.rpartition("/")[2]
        branch = f"{branch}.{name}" if branch else name
    if node_input is not None and isinstance(node, BaseNode):
        node_input = node.check_input(node_input)
    run = NodeRun(
        node,
        path,
        node_input,
        branch or None,
        above=above,
        journal=above.journal,
        gives_output=use_as_output,
        schema=node.state_schema or above.schema,
        send=send,
        run_below=run_below,
    )
    ctx = context.get_invocation_context()
    standing = resumed(run, ctx)
    run.waits = standing is Standing.WAITS
    if standing is Standing.RUNS:
        try:
            await follow(run, ctx, send)
        except Exception as error:
            raise DynamicNodeFailError(f"Dynamic node {node.name} failed: {error}", error=error, path=path) from error
    gave_nothing = run.output is None and run.route is None
    if run.waits or (raise_on_wait and node.wait_for_output and gave_nothing):
        above.waits = True
        raise NodeInterruptedError
    run.journal.results[path] = Result(run.output, run.route)
    return run.output


def _sender(above: NodeRun) -> Send:
    """What takes the events of nodes that a node's code runs.

    Raises:
        WorkflowConfigurationError: Its code cannot run others.
    """
    if not above.agent.rerun_on_resume:
        raise WorkflowConfigurationError(
            f"Node {above.agent.name!r} runs others and needs rerun_on_resume=True: its code runs again when it resumes, "
            "and so reaches the node that waited. Write @node(rerun_on_resume=True)."
        )
    assert above.send is not None
    return above.send


def _delegate(above: NodeRun) -> None:
    if above.is_delegated:
        raise WorkflowConfigurationError(f"Node {above.path} already has a use_as_output delegate.")
    above.is_delegated = True
