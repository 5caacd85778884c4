"""Pipelines that are copied into teams: the copy has the same agents, and says the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.models.simulated.stand_in import StandIn
from agents.pipeline import describe_tree
from agents.pipelines.catalog import BUILT_IN, Catalog
from agents.teams.copying import team_of
from agents.teams.extract import extract
from agents.teams.team_files import ROOT
from tests.agents.pipelines.rehearsal import CATALOG, Rehearsal, rehearse_async


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def said(rehearsal: Rehearsal) -> list[tuple[str, str, list[str | None]]]:
    """Who said and called what; the events of branches that run at the same time one branch after the other."""
    events = sorted(rehearsal.events, key=lambda event: event.branch or "")
    return [(event.author, event.text, [call.name for call in event.get_function_calls()]) for event in events]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_copy_has_the_same_agents_and_says_the_same(name, tmp_path):
    pipeline = CATALOG.get(name)
    files, notes = team_of(pipeline)
    assert (ROOT in files) == (name != "ace")
    assert "lesson.toml" not in files, "a copy shows no solutions"
    assert all(note.endswith(".") for note in notes)
    catalog = Catalog(write(tmp_path / "copied", files).parent)
    copy = catalog.get("copied")
    assert describe_tree(copy.root_agent) == describe_tree(pipeline.root_agent)
    assert copy.card.first_state == pipeline.card.first_state
    assert copy.card.limits == pipeline.card.limits
    assert copy.card.simulation.keys() == pipeline.card.simulation.keys()
    message = pipeline.card.samples[0]
    of_copy = asyncio.run(rehearse_async("copied", message, catalog=catalog))
    of_original = said(asyncio.run(rehearse_async(name, message)))
    assert said(of_copy) == [(by, text.replace(f"“{name}”", "“copied”"), calls) for by, text, calls in of_original]
    assert any(text for _, text, _ in said(of_copy))


TASKS = """from agents import LlmAgent, Workflow

def begin(node_input: str) -> str:
    return node_input

intake = LlmAgent(name="intake", mode="task", output_key="person", instruction="Ask for the name.")
lookup = LlmAgent(name="lookup", mode="single_turn", description="Looks it up.")
desk = LlmAgent(name="desk", sub_agents=[lookup])
root_agent = Workflow(name="front", edges=[("START", begin, intake, desk)])
"""


def test_agents_with_a_task_are_copied_as_agents(tmp_path):
    original = Catalog(write(tmp_path / "one" / "front", {"agent.py": TASKS, "__init__.py": ""}).parent).get("front")
    files, notes = team_of(original)
    assert "mode: task" in files["intake.yaml"]
    assert "agent_class: LlmAgent" in files["intake.yaml"]
    assert not [note for note in notes if "Python" in note]
    copy = Catalog(write(tmp_path / "two" / "copied", files).parent).get("copied")
    assert describe_tree(copy.root_agent) == describe_tree(original.root_agent)
    assert [type(node).__name__ for node in copy.root_agent.sub_agents] == ["FunctionNode", "TaskNode", "LlmAgent"]
    assert team_of(copy)[0] == files


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name != "ace"])
def test_a_copy_can_be_copied(name, tmp_path):
    files, _ = team_of(CATALOG.get(name))
    copy = Catalog(write(tmp_path / "copied", files).parent).get("copied")
    again, _ = team_of(copy)
    assert again == files


def test_a_changed_agent_gets_a_stand_in_that_says_so_and_a_renamed_one_keeps_its_simulation(tmp_path):
    files, _ = team_of(CATALOG.get("iterative_writing"))
    files["CriticAgent.yaml"] = files["CriticAgent.yaml"].replace("at least 5 sentences", "at least 9 sentences")
    files["RefinerAgent.yaml"] = files["RefinerAgent.yaml"].replace("name: RefinerAgent", "name: mender")
    card = Catalog(write(tmp_path / "copied", files).parent).get("copied").card
    known = CATALOG.get("iterative_writing").card.simulation
    assert card.simulation == {
        "InitialWriterAgent": known["InitialWriterAgent"],
        "CriticAgent": StandIn(copy_of="iterative_writing"),
        "mender": known["RefinerAgent"],
    }


OWN = {
    "__init__.py": "",
    "agent.py": """
import json
from pathlib import Path

from agents import AgentTool, Condition, FunctionTool, LlmAgent, LoopAgent, RoutedAgent, Rule, Rules, exit_loop
from google.genai import types
from own.more import roll
from . import more
from .checks import check

# how many
MOST = 3
WORDS = json.loads((Path(__file__).parent / "words.json").read_text())


def unused():
    return MOST


def count(text: str) -> int:
    "Counts."
    return min(len(WORDS), MOST)


helper = LlmAgent(name="helper", description="Helps.", instruction="Help.\\nWell.")
writer = LlmAgent(
    name="writer",
    model="gemini-2.5-flash",
    instruction="  Write about {topic}.\\n",
    generate_content_config=types.GenerateContentConfig(temperature=0.5),
    tools=[
        *(count, roll, exit_loop, AgentTool(helper, skip_summarization=True)),
        FunctionTool(count, require_confirmation=True),
        *(more.draw, more.deck.shuffle),
    ],
    before_model_callback=[check],
    output_key="text",
)
loop = LoopAgent(
    name="loop", sub_agents=[writer], max_iterations=MOST, until=[Condition(agent="writer", contains="the end")]
)
quick = LlmAgent(name="quick", instruction="Write.")
root_agent = RoutedAgent(
    name="router",
    agents={"long": loop, "quick": quick},
    router=Rules([Rule(contains="essay", to="long"), Rule(error=True, to="quick"), Rule(to="quick", reason="It is short.")]),
)
""",
    "checks.py": "def check(callback_context, llm_request):\n    return None\n",
    "more.py": """
def roll(sides: int) -> int:
    "Rolls."
    return sides


def draw() -> int:
    "Draws."
    return 7


class Deck:
    def shuffle(self) -> str:
        "Shuffles."
        return "shuffled"


deck = Deck()
""",
    "words.json": '["a", "b"]',
}


def test_a_pipeline_of_ones_own_with_conditions(tmp_path):
    original = Catalog(write(tmp_path / "first" / "own", OWN).parent).get("own")
    files, notes = team_of(original)
    assert files.keys() == {
        *("__init__.py", "checks.py", "more.py", "tools.py", "words.json"),
        *("root_agent.yaml", "loop.yaml", "writer.yaml", "helper.yaml", "quick.yaml"),
    }
    assert "unused" not in files["tools.py"]
    assert "# how many\nMOST = 3\n" in files["tools.py"]
    assert "LoopAgent" not in files["tools.py"]
    assert any("router is a router" in note for note in notes)
    assert any("loop has until" in note for note in notes)
    copy = Catalog(write(tmp_path / "second" / "other", files).parent).get("other")
    router, of_original = copy.root_agent, original.root_agent
    assert describe_tree(router) == describe_tree(of_original)
    assert router.router == of_original.router
    loop, first = router.sub_agents[0], of_original.sub_agents[0]
    assert loop.until == first.until
    writer, of_first = loop.sub_agents[0], first.sub_agents[0]
    assert writer.generate_content_config == of_first.generate_content_config
    assert (writer.instruction, writer.model) == (of_first.instruction, of_first.model)
    assert writer.tools[0]("x") == 2
    assert (writer.tools[3].skip_summarization, writer.tools[4].require_confirmation) == (True, True)
    assert (writer.tools[5](), writer.tools[6]()) == (7, "shuffled")
    assert writer.before_model_callback.__name__ == "check"


@pytest.mark.parametrize(
    "agent",
    [
        "LlmAgent(name='a', tools=[lambda text: text])",
        "LlmAgent(name='a', tools=[AgentTool(LlmAgent(name='b')), AgentTool(LlmAgent(name='b', description='x'))])",
        "LlmAgent(name='a', instruction=lambda context: 'Go.')",
    ],
)
def test_what_yaml_cannot_say_is_copied_as_python(agent, tmp_path):
    own = {"agent.py": f"from agents import AgentTool, LlmAgent\nroot_agent = {agent}\n"}
    original = Catalog(write(tmp_path / "first" / "own", own).parent).get("own")
    files, (note, told) = team_of(original)
    assert files == own
    assert "because YAML cannot say" in note
    assert told.startswith("agent.py imports from this playground")


def test_a_card_that_cannot_be_used_says_why(tmp_path):
    for card, why in (
        ("title = ", "Invalid value"),
        ('title = "T"\nsumary = "x"\n', "sumary: Unexpected keyword argument"),
        ("title = 3\n", "title: Input should be a valid string"),
        ('title = "T"\nsimulation = "nothing"\n', "there is no 'nothing'"),
        ('title = "T"\nsimulation = "../ace"\n', "there is no '../ace'"),
        ('title = "T"\n[[controls]]\nkey = "k"\nlabel = "L"\nkind = "wheel"\ndefault = 1\n', "controls.0.kind"),
    ):
        folder = write(tmp_path / "team", {"root_agent.yaml": "name: a\n", "card.toml": card})
        problem = Catalog(folder.parent).broken["team"].text
        assert "card.toml" in problem
        assert why in problem


def test_a_card_says_what_it_leaves_out_of_the_agents(tmp_path):
    card = 'title = "Mine"\nmessage_key = "topic"\n'
    folder = write(tmp_path / "team", {"root_agent.yaml": "name: a\ndescription: Answers.\n", "card.toml": card})
    found = Catalog(folder.parent).get("team").card
    assert (found.title, found.message_key, found.summary, found.simulation) == ("Mine", "topic", "Answers.", {})


def test_characters_that_end_lines_elsewhere_end_none_in_a_copy():
    source = 'def toss():\n    text = "a\x0cb\u2028c\x85d"\n    return text\n'
    assert extract(source, {"toss"}) == source
