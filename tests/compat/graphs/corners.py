"""What graphs meet at their edges: other kinds of callables, schemas, scopes of state, mixed ends."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from pydantic import BaseModel

from tests.compat.graphs.play import Graph


class Item(BaseModel):
    name: str
    size: int = 1


def text(node_input: str):
    return node_input


def end(node_input):
    return f"end {node_input}"


def merge(node_input):
    return dict(sorted(node_input.items()))


def partial(k, notes):
    def scale(node_input: str, factor: int):
        return node_input * factor

    return k.Workflow(name="wf", edges=[("START", k.node(functools.partial(scale, factor=2), name="twice"))])


def callable_object(k, notes):
    class Shout:
        def __call__(self, node_input: str):
            return node_input.upper()

    return k.Workflow(name="wf", edges=[("START", k.node(Shout(), name="shout"))])


def unnamed(k, notes):
    return k.Workflow(name="wf", edges=[("START", lambda node_input: 1)])


def method(k, notes):
    class Desk:
        def serve(self, node_input: str):
            return f"served {node_input}"

    return k.Workflow(name="wf", edges=[("START", Desk().serve)])


def keyword(k, notes):
    def other(node_input: str, *, extra: str = "x"):
        return node_input + extra

    return k.Workflow(name="wf", edges=[("START", other)])


def node_schemas(k, notes):
    class Checked(k.BaseNode):
        input_schema: Any = Item
        output_schema: Any = Item

        async def _run_impl(self, *, ctx, node_input):
            yield {"name": node_input["name"] + "!", "size": "3"}

    def give(node_input):
        return {"name": "box"}

    return k.Workflow(name="wf", edges=[("START", give, Checked(name="checked"))])


def output_misfit(k, notes):
    class Checked(k.BaseNode):
        output_schema: Any = Item

        async def _run_impl(self, *, ctx, node_input):
            yield {"size": "no"}

    return k.Workflow(name="wf", edges=[("START", Checked(name="checked"))])


def typed_return(k, notes):
    def make(node_input) -> Item:
        return {"name": "dict", "size": 2}

    def use(node_input: Item):
        return [node_input.name, node_input.size]

    return k.Workflow(name="wf", edges=[("START", make, use)])


def lists_of_models(k, notes):
    def make(node_input):
        return [{"name": "a"}, {"name": "b", "size": 4}]

    def use(node_input: list[Item]):
        return sum(item.size for item in node_input)

    return k.Workflow(name="wf", edges=[("START", make, use)])


def scopes(k, notes):
    def write(ctx):
        ctx.state["user:lang"] = "en"
        ctx.state["app:mode"] = "fast"
        ctx.state["plain"] = 1

    def read(ctx):
        return [ctx.state["user:lang"], ctx.state["app:mode"], ctx.state.get("plain"), ctx.state.get("none", "default")]

    return k.Workflow(name="wf", edges=[("START", write, read)])


def state_of_a_list(k, notes):
    def write(ctx):
        ctx.state["log"] = [*ctx.state.get("log", []), "a"]

    def more(ctx, log: list):
        ctx.state["log"] = [*log, "b"]
        return len(log)

    return k.Workflow(name="wf", edges=[("START", write, more)])


def events_with_state(k, notes):
    def run(node_input):
        yield k.Event(state={"a": 1})
        yield k.Event(message="half", state={"b": 2})
        yield k.Event(output="whole", state={"c": 3}, route="on")

    return k.Workflow(name="wf", edges=[("START", run, {"on": end})])


def output_and_route_by_context(k, notes):
    def run(ctx):
        ctx.output = 5
        ctx.route = "on"

    return k.Workflow(name="wf", edges=[("START", run, {"on": end})])


def route_without_output(k, notes):
    def run(node_input):
        return k.Event(route="on")

    return k.Workflow(name="wf", edges=[("START", run, {"on": end, "off": text})])


def falsy_outputs(k, notes):
    def zero(node_input):
        return 0

    def empty(node_input):
        notes.append(node_input)
        return ""

    def false(node_input):
        notes.append(node_input)
        return False

    return k.Workflow(name="wf", edges=[("START", zero, empty, false, end)])


def nothing_in_a_join(k, notes):
    def silent(node_input):
        return None

    return k.Workflow(name="wf", edges=[("START", (text, silent), k.JoinNode(name="join"), merge)])


def join_then_fan_out(k, notes):
    def one(node_input):
        return 1

    def two(node_input):
        return 2

    join = k.JoinNode(name="join")
    left, right, last = k.node(merge, name="left"), k.node(merge, name="right"), k.node(merge, name="sorted")
    return k.Workflow(
        name="wf", edges=[("START", (one, two), join, (left, right), k.JoinNode(name="last"), last, k.node(end))]
    )


def chains_share_nodes(k, notes):
    shared = k.node(end, name="shared")
    return k.Workflow(name="wf", edges=[("START", text), (text, shared)])


def route_back_and_on(k, notes):
    def run(ctx, node_input):
        ctx.state["n"] = ctx.state.get("n", 0) + 1
        return k.Event(output=ctx.state["n"], route=["again", "log"] if ctx.state["n"] < 3 else "log")

    def log(node_input):
        notes.append(node_input)

    run = k.node(run)
    return k.Workflow(name="wf", edges=[("START", run, {"again": run, "log": log})])


def limited_to_two(k, notes):
    def waits(number):
        async def run(node_input):
            notes.append(f"+{number}")
            await asyncio.sleep(0.15 * (number + 1))
            notes.append(f"-{number}")
            return number

        return k.node(run, name=f"n{number}")

    nodes = tuple(waits(number) for number in range(4))
    return k.Workflow(name="wf", max_concurrency=2, edges=[("START", nodes, k.JoinNode(name="join"), merge)])


def worker_fails(k, notes):
    def give(node_input):
        return [1, 0, 2]

    @k.node(parallel_worker=True)
    async def divide(node_input):
        await asyncio.sleep(0.15 * (node_input + 1))
        return 10 / node_input

    return k.Workflow(name="wf", edges=[("START", give, divide)])


def worker_retries(k, notes):
    def give(node_input):
        return ["a", "b"]

    @k.node(parallel_worker=True, retry_config=k.RetryConfig(initial_delay=0.001, jitter=0.0))
    async def work(node_input):
        notes.append(node_input)
        if node_input == "b":
            await asyncio.sleep(0.2)
            if notes.count("b") < 2:
                raise ValueError("once")
        return node_input

    return k.Workflow(name="wf", edges=[("START", give, work, end)])


def worker_class(k, notes):
    class Double(k.Node):
        parallel_worker: bool = True

        async def run_node_impl(self, *, ctx, node_input):
            yield node_input * 2

    def give(node_input):
        return [1, 2, 3]

    return k.Workflow(name="wf", edges=[("START", give, Double(name="double"), end)])


def workers_of_graphs(k, notes):
    def give(node_input):
        return [1, 2]

    inner = k.Workflow(name="inner", edges=[("START", k.node(lambda node_input: node_input + 1, name="inc"))])
    return k.Workflow(name="wf", edges=[("START", give, k.node(inner, parallel_worker=True), end)])


def default_list_refused(k, notes):
    first, second = k.node(text), k.node(end)
    edges = [("START", first), k.Edge(from_node=first, to_node=second, route=["a", k.DEFAULT_ROUTE])]
    return k.Workflow(name="wf", edges=edges)


def empty_map_refused(k, notes):
    return k.Workflow(name="wf", edges=[("START", text, {})])


def maps_in_a_row_refused(k, notes):
    return k.Workflow(name="wf", edges=[("START", text, {"a": end}, {"b": merge})])


def no_node_refused(k, notes):
    return k.Workflow(name="wf", edges=[("START", 7)])


def name_refused(k, notes):
    return k.Workflow(name="wf", edges=[("START", k.node(text, name="not a name"))])


def into_start_refused(k, notes):
    return k.Workflow(name="wf", edges=[("START", text, "START")])


def no_edges(k, notes):
    return k.Workflow(name="wf")


def timeout_of_dynamic(k, notes):
    @k.node(timeout=0.05)
    async def slow(node_input):
        await asyncio.sleep(5)

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        try:
            return await ctx.run_node(slow)
        except Exception as error:
            return type(error).__name__

    return k.Workflow(name="wf", edges=[("START", boss)])


def retry_of_dynamic(k, notes):
    @k.node(retry_config=k.RetryConfig(initial_delay=0.001, jitter=0.0))
    async def flaky(ctx, node_input):
        notes.append(ctx.attempt_count)
        if len(notes) < 3:
            raise ValueError("not yet")
        return "worked"

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return await ctx.run_node(flaky, "x")

    return k.Workflow(name="wf", edges=[("START", boss, end)])


def dynamic_generator(k, notes):
    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        yield k.Event(message="begin")
        result = await ctx.run_node(k.node(end, name="helper"), 1)
        yield k.Event(message="done")
        yield result

    return k.Workflow(name="wf", edges=[("START", boss)])


def dynamic_question_in_loop(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id=f"q{node_input}", message="?")

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return [await ctx.run_node(ask, number) for number in range(2)]

    return k.Workflow(name="wf", edges=[("START", boss, k.node(end))])


def dynamic_graph_asks(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id="q", message="?")

    inner = k.Workflow(name="inner", edges=[("START", ask, k.node(end, name="inner_end"))])

    @k.node(rerun_on_resume=True)
    async def boss(ctx, node_input):
        return ["boss", await ctx.run_node(inner, 1)]

    return k.Workflow(name="wf", edges=[("START", boss)])


def class_node_asks(k, notes):
    class Ask(k.Node):
        rerun_on_resume: bool = True

        async def run_node_impl(self, *, ctx, node_input):
            if "q" in ctx.resume_inputs:
                yield ctx.resume_inputs["q"]
            else:
                yield k.RequestInput(interrupt_id="q", message="?")

    return k.Workflow(name="wf", edges=[("START", Ask(name="ask"), end)])


def two_questions_of_one_node(k, notes):
    def ask(node_input):
        yield k.RequestInput(interrupt_id="q1", message="first")
        yield k.RequestInput(interrupt_id="q2", message="second")

    return k.Workflow(name="wf", edges=[("START", ask, k.node(lambda node_input: node_input, name="last"))])


def question_in_one_of_two_graphs(k, notes):
    def ask(node_input):
        return k.RequestInput(interrupt_id="q", message="?")

    asking = k.Workflow(name="asking", edges=[("START", ask, k.node(end, name="asked"))])
    calm = k.Workflow(name="calm", edges=[("START", k.node(text, name="calm_step"))])
    return k.Workflow(name="wf", edges=[("START", (asking, calm), k.JoinNode(name="join"), merge)])


def predicate_confirmation(k, notes):
    def pay(node_input, amount: int):
        return f"paid {amount}"

    return k.Workflow(name="wf", edges=[("START", k.node(pay, require_confirmation=lambda amount: amount > 100))])


def tool_with_context(k, notes):
    def remember(word: str, tool_context) -> dict:
        """Remembers."""
        tool_context.state["word"] = word
        return {"kept": word}

    return k.Workflow(name="wf", edges=[("START", text, k.FunctionTool(remember))])


def tool_that_raises(k, notes):
    def fail(word: str) -> dict:
        """Fails."""
        raise ValueError(word)

    return k.Workflow(name="wf", edges=[("START", text, k.FunctionTool(fail))])


def agent_reads_state(k, notes):
    def write(ctx, node_input):
        ctx.state["topic"] = "boats"
        return "tell me"

    agent = k.LlmAgent(name="writer", model=k.model("|".join), instruction="About {topic}.")
    return k.Workflow(name="wf", edges=[("START", write, agent)])


def agent_given_a_dictionary(k, notes):
    def give(node_input):
        return {"a": [1, 2]}

    agent = k.LlmAgent(name="reader", model=k.model(lambda sent: sent[-1]))
    return k.Workflow(name="wf", edges=[("START", give, agent)])


def agents_in_parallel(k, notes):
    def agent(name):
        return k.LlmAgent(name=name, model=k.model(lambda sent: f"{name} of {len(sent)}"), output_key=name)

    return k.Workflow(name="wf", edges=[("START", text, (agent("one"), agent("two")), k.JoinNode(name="join"), merge)])


def agent_with_history(k, notes):
    def say(sent):
        return f"{len(sent)} parts"

    first = k.LlmAgent(name="first", model=k.model(say))
    second = k.LlmAgent(name="second", model=k.model(say), include_contents="default")
    return k.Workflow(name="wf", edges=[("START", first, second)])


def chat_agent(k, notes):
    agent = k.LlmAgent(name="talker", model=k.model(lambda sent: f"heard {sent[-1]}"), mode="chat")
    return k.Workflow(name="wf", edges=[("START", agent)])


def same_agent_in_a_loop(k, notes):
    def count(ctx, node_input):
        ctx.state["n"] = ctx.state.get("n", 0) + 1
        return k.Event(output=node_input, route="again" if ctx.state["n"] < 2 else "end")

    agent = k.LlmAgent(name="echo", model=k.model(lambda sent: f"<{sent[-1]}>"))
    return k.Workflow(name="wf", edges=[("START", agent, count, {"again": agent, "end": k.node(end)})])


GRAPHS: dict[str, Any] = {
    "partial": Graph(partial),
    "callable object": Graph(callable_object),
    "unnamed": Graph(unnamed),
    "method": Graph(method),
    "keyword with default": Graph(keyword),
    "schemas": Graph(node_schemas),
    "output misfit": Graph(output_misfit),
    "typed return": Graph(typed_return),
    "lists of models": Graph(lists_of_models),
    "scopes of state": Graph(scopes, ["go", "again"]),
    "state of a list": Graph(state_of_a_list, ["go", "again"]),
    "events with state": Graph(events_with_state),
    "output and route by context": Graph(output_and_route_by_context),
    "route without output": Graph(route_without_output),
    "falsy outputs": Graph(falsy_outputs),
    "nothing in a join": Graph(nothing_in_a_join),
    "join, then fan-out": Graph(join_then_fan_out),
    "chains that share nodes": Graph(chains_share_nodes),
    "route back and on": Graph(route_back_and_on),
    "limited to two": Graph(limited_to_two),
    "a worker fails": Graph(worker_fails),
    "a worker tries again": Graph(worker_retries),
    "worker class": Graph(worker_class),
    "workers of graphs": Graph(workers_of_graphs),
    "default in a list": Graph(default_list_refused),
    "empty map": Graph(empty_map_refused),
    "maps in a row": Graph(maps_in_a_row_refused),
    "no node": Graph(no_node_refused),
    "no name": Graph(name_refused),
    "into START": Graph(into_start_refused),
    "no edges": Graph(no_edges),
    "time limit of a dynamic node": Graph(timeout_of_dynamic),
    "retry of a dynamic node": Graph(retry_of_dynamic),
    "dynamic generator": Graph(dynamic_generator),
    "dynamic questions": Graph(dynamic_question_in_loop, ["go", {"q0": {"result": "a"}}, {"q1": {"result": "b"}}]),
    "dynamic graph asks": Graph(dynamic_graph_asks, ["go", {"q": {"result": "x"}}]),
    "class that asks": Graph(class_node_asks, ["go", {"q": {"result": "x"}}]),
    "two questions of one node": Graph(two_questions_of_one_node, ["go", {"q1": {"result": "a"}, "q2": {"result": "b"}}]),
    "one answer of two": Graph(two_questions_of_one_node, ["go", {"q1": {"result": "a"}}, {"q2": {"result": "b"}}]),
    "one of two graphs asks": Graph(question_in_one_of_two_graphs, ["go", {"q": {"result": "x"}}]),
    "confirmation needed": Graph(predicate_confirmation, ["go"], {"amount": 200}),
    "confirmation not needed": Graph(predicate_confirmation, ["go"], {"amount": 20}),
    "tool with context": Graph(tool_with_context),
    "tool that raises": Graph(tool_that_raises),
    "agent reads state": Graph(agent_reads_state),
    "agent given a dictionary": Graph(agent_given_a_dictionary),
    "agents in parallel": Graph(agents_in_parallel),
    "agent with history": Graph(agent_with_history),
    "chat agent": Graph(chat_agent, ["one", "two"]),
    "same agent in a loop": Graph(same_agent_in_a_loop),
}
