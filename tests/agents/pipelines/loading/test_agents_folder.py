"""A folder of agents that gives none says what it saw and what it needs; a folder or file of one agent is that agent."""

from __future__ import annotations

import pytest

from agents.errors import PipelineNotFoundError
from agents.pipelines.catalog import Catalog
from agents.pipelines.loading.agents_folder import AgentsFolder

AGENT = "from agents import LlmAgent\nroot_agent = LlmAgent(name='Greeter', description='Says hello.')\n"


@pytest.fixture
def write(tmp_path):
    """Writes files below a folder of agents, `home`."""
    home = tmp_path / "mine"
    home.mkdir()

    def files(texts: dict[str, str]):
        for name, text in texts.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return home

    return files


@pytest.mark.parametrize(
    ("files", "seen"),
    [
        ({}, "it is empty."),
        ({"agents/greeter/agent.py": AGENT}, "the agents are one folder deeper. Give --agents {home}/agents."),
        ({"a/one/agent.py": AGENT, "b/two/agent.py": AGENT}, "Give --agents one of {home}/a, {home}/b."),
        (
            {"greeter.py": AGENT},
            "greeter.py has a root_agent, but no folder of its own: move it to {home}/greeter/agent.py.",
        ),
        ({"greeter/__init__.py": ""}, "greeter has neither an agent.py nor a root_agent in its __init__.py."),
        ({"greeter/main.py": AGENT}, "greeter has Python files, and no agent.py."),
        ({"notes.py": "x = 1"}, "it holds notes.py."),
    ],
)
def test_what_gives_no_agent_is_said_and_what_it_needs(write, files, seen):
    home = write(files)
    said = Catalog(home).empty_reason
    assert said.startswith(f"There is no agent in {home}: ")
    assert seen.format(home=home) in said
    assert str(home / "my_agent" / "agent.py") in said


def test_an_agents_own_folder_and_its_file_are_that_agent(write):
    home = write({"greeter/agent.py": AGENT})
    for given in (home, home / "greeter", home / "greeter" / "agent.py"):
        assert AgentsFolder.at(given).packages() == {"greeter": home / "greeter"}


def test_a_file_of_another_name_is_told_where_to_go(write):
    home = write({"greeter.py": AGENT})
    with pytest.raises(PipelineNotFoundError) as raised:
        AgentsFolder.at(home / "greeter.py")
    assert f"move it to {home / 'greeter' / 'agent.py'}, and give --agents {home}." in str(raised.value)


def test_a_folder_that_is_not_there_says_so(tmp_path):
    with pytest.raises(PipelineNotFoundError, match=r"There is no folder .*nowhere to take agents from"):
        AgentsFolder.at(tmp_path / "nowhere")
