"""Chains of nodes: what is passed on, state, schemas, and what can be a node."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from tests.compat.graphs.play import Graph


class Point(BaseModel):
    x: int
    y: int = 0


class Seen(BaseModel):
    count: int = 0
    name: str = ""


def upper(node_input: str):
    return node_input.upper()


def mark(node_input):
    return f"{node_input}!"


def nothing(node_input):
    return None


def show(node_input):
    return [type(node_input).__name__, node_input if not hasattr(node_input, "parts") else "content"]


def functions(k, notes):
    return k.Workflow(name="wf", edges=[("START", upper, mark)])


def five(k, notes):
    nodes = [k.node(lambda node_input, n=n: f"{node_input}{n}", name=f"n{n}") for n in range(5)]
    first = k.node(lambda node_input: "", name="first")
    return k.Workflow(name="wf", edges=[("START", first, *nodes)])


def none_goes_on(k, notes):
    return k.Workflow(name="wf", edges=[("START", nothing, show)])


def content_untyped(k, notes):
    return k.Workflow(name="wf", edges=[("START", show)])


def json_message(k, notes):
    def add(node_input: dict):
        return sum(node_input.values())

    return k.Workflow(name="wf", edges=[("START", add)])


def number_message(k, notes):
    def double(node_input: int):
        return node_input * 2

    return k.Workflow(name="wf", edges=[("START", double, mark)])


def state_parameters(k, notes):
    def read(node_input, count: int, name: str = "nobody"):
        return f"{name} {count + 1}"

    return k.Workflow(name="wf", edges=[("START", read)])


def state_missing(k, notes):
    def read(node_input, absent):
        return absent

    return k.Workflow(name="wf", edges=[("START", read)])


def state_written(k, notes):
    def write(node_input, ctx):
        ctx.state["a"] = 1

    def more(ctx, a):
        ctx.state["b"] = a + 1
        return a

    return k.Workflow(name="wf", edges=[("START", write, more)])


def state_by_event(k, notes):
    def write(node_input):
        return k.Event(output="done", state={"color": "red"})

    def read(color):
        return color

    return k.Workflow(name="wf", edges=[("START", write, read)])


def model_in_and_out(k, notes):
    def make(node_input) -> Point:
        return Point(x=3)

    def use(node_input: Point):
        return node_input.x + node_input.y

    return k.Workflow(name="wf", edges=[("START", make, use)])


def model_misfit(k, notes):
    def make(node_input):
        return {"x": "no number"}

    def use(node_input: Point):
        return node_input.x

    return k.Workflow(name="wf", edges=[("START", make, use)])


def output_by_context(k, notes):
    def give(ctx):
        ctx.output = {"by": "context"}

    return k.Workflow(name="wf", edges=[("START", give, show)])


def messages(k, notes):
    def tell(node_input):
        yield k.Event(message="first")
        yield k.Event(message="second")
        yield "result"

    return k.Workflow(name="wf", edges=[("START", tell, mark)])


def two_outputs(k, notes):
    def give(node_input):
        yield 1
        yield 2

    return k.Workflow(name="wf", edges=[("START", give)])


def asynchronous(k, notes):
    async def wait(node_input: str):
        return f"waited for {node_input}"

    async def several(node_input):
        yield k.Event(message=node_input)
        yield "end"

    return k.Workflow(name="wf", edges=[("START", wait, several)])


def node_class(k, notes):
    class Counter(k.Node):
        step: int = 1

        async def run_node_impl(self, *, ctx, node_input):
            ctx.state["n"] = ctx.state.get("n", 0) + self.step
            yield ctx.state["n"]

    first = Counter(name="first", step=2)
    return k.Workflow(name="wf", edges=[("START", first, Counter(name="second", step=5))])


def base_node(k, notes):
    class Echo(k.BaseNode):
        async def _run_impl(self, *, ctx, node_input):
            yield k.Event(message="hello")
            yield k.Event(output=[1, 2])

    return k.Workflow(name="wf", edges=[("START", Echo(name="echo"), show)])


def tool(k, notes):
    def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    def give(node_input):
        return {"a": 2, "b": 3}

    return k.Workflow(name="wf", edges=[("START", give, k.FunctionTool(add), mark)])


def tool_with_one_argument(k, notes):
    def length(text: str) -> dict:
        """Measures."""
        return {"length": len(text)}

    return k.Workflow(name="wf", edges=[("START", upper, k.FunctionTool(length))])


def agent(k, notes):
    writer = k.LlmAgent(name="writer", model=k.model(lambda sent: f"heard {sent[-1]}"), instruction="Write.")
    return k.Workflow(name="wf", edges=[("START", upper, writer, mark)])


def agents_in_a_row(k, notes):
    first = k.LlmAgent(name="first", model=k.model(lambda sent: f"one({len(sent)})"), output_key="said")
    second = k.LlmAgent(name="second", model=k.model(lambda sent: f"two of {sent[-1]} ({len(sent)})"))
    return k.Workflow(name="wf", edges=[("START", first, second)])


def agent_with_schema(k, notes):
    agent = k.LlmAgent(name="finder", model=k.model(lambda sent: '{"x": 4, "y": 5}'), output_schema=Point)

    def use(node_input: Point):
        return node_input.x * node_input.y

    return k.Workflow(name="wf", edges=[("START", agent, use)])


def agent_with_tool(k, notes):
    def weather(place: str) -> dict:
        """Weather."""
        return {"sun": place}

    def say(sent):
        if notes:
            return "sunny"
        notes.append("asked")
        return k.types.Part(function_call=k.types.FunctionCall(name="weather", args={"place": "Rome"}))

    agent = k.LlmAgent(name="reporter", model=k.model(say), tools=[weather])
    return k.Workflow(name="wf", edges=[("START", agent, mark)])


def custom_agent(k, notes):
    class Custom(k.BaseAgent):
        async def _run_async_impl(self, ctx):
            yield k.Event(author=self.name, message="custom")

    return k.Workflow(name="wf", edges=[("START", Custom(name="custom"), show)])


def state_schema(k, notes):
    def good(node_input, ctx):
        ctx.state["count"] = 2

    def bad(node_input, ctx):
        ctx.state["other"] = 2

    return k.Workflow(name="wf", state_schema=Seen, edges=[("START", good, bad)])


def renamed(k, notes):
    @k.node(name="renamed")
    def original(node_input: str):
        return node_input

    return k.Workflow(name="wf", edges=[("START", original, k.node(mark, name="marked"))])


def edges_as_objects(k, notes):
    first, second = k.node(upper), k.node(mark)
    edges = [k.Edge(from_node=k.START, to_node=first), k.Edge(from_node=first, to_node=second)]
    return k.Workflow(name="wf", edges=edges)


def input_checked_by_name(k, notes):
    @k.node(parameter_binding="node_input")
    def add(a: int, b: int = 10):
        return a + b

    def give(node_input):
        return {"a": "5"}

    return k.Workflow(name="wf", edges=[("START", give, add)])


GRAPHS: dict[str, Any] = {
    "functions": Graph(functions),
    "five": Graph(five),
    "none goes on": Graph(none_goes_on),
    "untyped message": Graph(content_untyped),
    "JSON message": Graph(json_message, ['{"a": 1, "b": 2}']),
    "number message": Graph(number_message, ["21"]),
    "two messages": Graph(functions, ["one", "two"]),
    "state parameters": Graph(state_parameters, state={"count": 4}),
    "state missing": Graph(state_missing),
    "state written": Graph(state_written),
    "state by event": Graph(state_by_event),
    "model in and out": Graph(model_in_and_out),
    "model misfit": Graph(model_misfit),
    "output by context": Graph(output_by_context),
    "messages": Graph(messages),
    "two outputs": Graph(two_outputs),
    "asynchronous": Graph(asynchronous),
    "node class": Graph(node_class),
    "base node": Graph(base_node),
    "tool": Graph(tool),
    "tool with one argument": Graph(tool_with_one_argument),
    "agent": Graph(agent),
    "agents in a row": Graph(agents_in_a_row),
    "agent with schema": Graph(agent_with_schema),
    "agent with tool": Graph(agent_with_tool),
    "custom agent": Graph(custom_agent),
    "state schema": Graph(state_schema),
    "renamed": Graph(renamed),
    "edges as objects": Graph(edges_as_objects),
    "parameters from the input": Graph(input_checked_by_name),
}
