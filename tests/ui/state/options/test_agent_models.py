"""Models of single agents, as an address writes them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents import LlmAgent, LoopAgent, SequentialAgent
from agents.tools.agent_tool import AgentTool
from ui.state.options.agent_models import RUNS_MODEL, count, in_force, llm_agents, own_models, read_all, write

NAMES = ("Critic", "Writer")


def test_only_agents_that_ask_a_model_are_there_those_used_as_tools_too():
    tree = SequentialAgent(
        name="All",
        sub_agents=[
            LoopAgent(name="Loop", sub_agents=[LlmAgent(name="Critic")]),
            LlmAgent(name="Writer", model="gemini-pro-latest", tools=[AgentTool(LlmAgent(name="Expert"))]),
        ],
    )
    assert llm_agents(tree) == {"Critic": "", "Writer": "gemini-pro-latest", "Expert": ""}


def test_what_cannot_be_read_is_said():
    found = read_all(["Critic:ollama/a:8b", "Nobody:x", "Critic", "Writer:"], NAMES)
    assert found.readable == {"Critic": "ollama/a:8b", "Writer": RUNS_MODEL}
    assert len(found.problems) == 2
    assert "“Nobody”" in found.problems[0]
    assert "AGENT:MODEL" in found.problems[1]


def test_the_page_goes_before_the_preferences_and_can_go_back_to_the_runs_model():
    assert in_force({"Critic": "a", "Writer": "b"}, {"Critic": RUNS_MODEL, "Other": "c"}) == {"Writer": "b", "Other": "c"}


@given(st.dictionaries(st.sampled_from(NAMES), st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]))))
def test_what_is_written_is_read_again(chosen):
    assert read_all(write(chosen), NAMES) == (chosen, ())


def test_counts():
    assert [count(1), count(2)] == ["1 agent", "2 agents"]


def test_agents_that_ask_a_model_of_their_own_whatever_is_chosen_are_told():
    def named(name: str, model: str = "") -> LlmAgent:
        return LlmAgent(name=name, model=model)

    root = SequentialAgent(name="r", sub_agents=[named("a", "gemini-flash-latest"), named("b"), named("c", "simulated")])

    assert own_models(root, {}) == {"a": "gemini-flash-latest"}
    assert own_models(root, {"a": "simulated"}) == {}
