"""Errors, retries and time limits."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.compat.graphs.play import Graph


def end(node_input):
    return f"end {node_input}"


def flaky(k, notes, fails, error=ValueError, **config):
    def run(ctx, node_input):
        notes.append(ctx.attempt_count)
        if len(notes) <= fails:
            raise error("not yet")
        return "worked"

    retry = k.RetryConfig(**{"initial_delay": 0.001, "jitter": 0.0, **config})
    return k.node(run, name="flaky", retry_config=retry)


def error(k, notes):
    def fail(node_input):
        raise RuntimeError("broken")

    return k.Workflow(name="wf", edges=[("START", fail, end)])


def error_cancels_others(k, notes):
    async def slow(node_input):
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            notes.append("cancelled")
            raise

    async def fail(node_input):
        await asyncio.sleep(0.02)
        raise KeyError("broken")

    return k.Workflow(name="wf", edges=[("START", (slow, fail), k.JoinNode(name="join"))])


def retry_works(k, notes):
    return k.Workflow(name="wf", edges=[("START", flaky(k, notes, 2), end)])


def retry_gives_up(k, notes):
    return k.Workflow(name="wf", edges=[("START", flaky(k, notes, 9, max_attempts=3), end)])


def retry_default(k, notes):
    return k.Workflow(name="wf", edges=[("START", flaky(k, notes, 9), end)])


def retry_once(k, notes):
    return k.Workflow(name="wf", edges=[("START", flaky(k, notes, 9, max_attempts=1), end)])


def retry_of_named(k, notes):
    return k.Workflow(name="wf", edges=[("START", flaky(k, notes, 1, exceptions=["ValueError"]), end)])


def retry_of_parent_class(k, notes):
    return k.Workflow(name="wf", edges=[("START", flaky(k, notes, 1, KeyError, exceptions=[LookupError]), end)])


def retry_of_others(k, notes):
    return k.Workflow(name="wf", edges=[("START", flaky(k, notes, 1, exceptions=[KeyError]), end)])


def retry_beside_others(k, notes):
    def calm(node_input):
        return "calm"

    def sink(node_input):
        return dict(sorted(node_input.items()))

    return k.Workflow(name="wf", edges=[("START", (flaky(k, notes, 2), calm), k.JoinNode(name="join"), sink)])


def timeout(k, notes):
    @k.node(timeout=0.03)
    async def slow(node_input):
        await asyncio.sleep(5)

    return k.Workflow(name="wf", edges=[("START", slow, end)])


def timeout_kept(k, notes):
    @k.node(timeout=5)
    async def fast(node_input):
        return "in time"

    return k.Workflow(name="wf", edges=[("START", fast, end)])


def timeout_retried(k, notes):
    @k.node(timeout=0.5, retry_config=k.RetryConfig(initial_delay=0.001, jitter=0.0))
    async def sometimes(ctx, node_input):
        notes.append(ctx.attempt_count)
        if len(notes) < 3:
            await asyncio.sleep(5)
        return "at last"

    return k.Workflow(name="wf", edges=[("START", sometimes, end)])


def graph_times_out(k, notes):
    async def slow(node_input):
        await asyncio.sleep(5)

    inner = k.Workflow(name="inner", timeout=0.05, edges=[("START", slow)])
    return k.Workflow(name="wf", edges=[("START", inner, end)])


def graph_retried(k, notes):
    def first(node_input):
        notes.append("first")
        return "first"

    def second(node_input):
        notes.append("second")
        if notes.count("second") < 2:
            raise ValueError("once")
        return f"second of {node_input}"

    retry = k.RetryConfig(initial_delay=0.001, jitter=0.0)
    inner = k.Workflow(name="inner", retry_config=retry, edges=[("START", first, second)])
    return k.Workflow(name="wf", edges=[("START", inner, end)])


def events_before_an_error(k, notes):
    def run(node_input):
        yield k.Event(message="before")
        raise ValueError("then")

    return k.Workflow(name="wf", edges=[("START", run)])


def state_before_an_error(k, notes):
    def run(ctx, node_input):
        ctx.state["half"] = True
        raise ValueError("then")

    return k.Workflow(name="wf", edges=[("START", run)])


GRAPHS: dict[str, Any] = {
    "error": Graph(error),
    "error cancels others": Graph(error_cancels_others),
    "retry works": Graph(retry_works),
    "retry gives up": Graph(retry_gives_up),
    "retry by default": Graph(retry_default),
    "no retry": Graph(retry_once),
    "retry of a named error": Graph(retry_of_named),
    "retry of a parent class": Graph(retry_of_parent_class),
    "no retry of others": Graph(retry_of_others),
    "retry beside others": Graph(retry_beside_others),
    "time limit": Graph(timeout),
    "time limit kept": Graph(timeout_kept),
    "time limit with retry": Graph(timeout_retried),
    "time limit of a graph": Graph(graph_times_out),
    "retry of a graph": Graph(graph_retried),
    "events before an error": Graph(events_before_an_error),
    "state before an error": Graph(state_before_an_error),
}
