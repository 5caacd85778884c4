"""Teams that are written as ADK's YAML files: what they become, and what is refused before any code is imported."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from pydantic import BaseModel

from agents import (
    AgentTool,
    Condition,
    LlmAgent,
    LongRunningFunctionTool,
    LoopAgent,
    RoutedAgent,
    Rule,
    Rules,
    SequentialAgent,
)
from agents.errors import PipelineLoadError
from agents.pipelines.catalog import Catalog
from agents.runs import RunManager
from tests.documents.blocks import BLOCKS
from tests.ui.stage import finish

TOOLS = """
from pydantic import BaseModel

class Verdict(BaseModel):
    good: bool

class Checked(BaseModel):
    strict: bool = False

def roll(sides: int) -> int:
    "Rolls a die."
    return sides

def make_tool(args):
    def greet() -> str:
        "Greets."
        return args.word
    return greet

def before_model_callback(callback_context, llm_request):
    return None

def second_callback(callback_context, llm_request):
    return None

not_a_tool = 3
"""


@pytest.fixture
def write(tmp_path: Path):
    """Writes a team's files into `tmp_path/agents/team`, and gives that folder."""

    def write(**files: str) -> Path:
        folder = tmp_path / "agents" / "team"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
        for name, text in files.items():
            (folder / f"{name}.yaml").write_text(textwrap.dedent(text), encoding="utf-8")
        return folder

    return write


def load(folder: Path):
    return Catalog(folder.parent).get(folder.name)


WRITER_AND_CRITIC = {
    "root_agent": """
        # yaml-language-server: $schema=https://example.org/AgentConfig.json
        agent_class: SequentialAgent
        name: team
        description: Writes and judges.
        sub_agents:
          - config_path: writer.yaml
          - config_path: loop.yaml
        """,
    "writer": """
        agent_class: LlmAgent
        name: writer
        model: gemini-2.5-flash
        instruction: |
          Write about {topic?}.
          Two sentences.
        output_key: text
        include_contents: none
        generate_content_config:
          temperature: 0.1
        tools:
          - name: team.tools.roll
          - name: AgentTool
            args:
              agent: {config_path: helper.yaml}
              skip_summarization: true
          - name: LongRunningFunctionTool
            args: {func: team.tools.roll}
          - name: team.tools.make_tool
            args: {word: hello}
        before_model_callbacks:
          - name: team.tools.before_model_callback
          - name: team.tools.second_callback
        """,
    "helper": "name: helper\ndescription: Helps.\ninstruction: Help.\n",
    "loop": """
        agent_class: LoopAgent
        name: loop
        max_iterations: 3
        sub_agents: [{config_path: critic.yaml}]
        """,
    "critic": """
        name: critic
        instruction: Judge {text}.
        tools: [{name: exit_loop}]
        output_schema: {name: team.tools.Verdict}
        disallow_transfer_to_parent: true
        """,
}


def test_a_team_becomes_its_agents(write):
    pipeline = load(write(**WRITER_AND_CRITIC))
    root = pipeline.root_agent
    assert isinstance(root, SequentialAgent)
    writer, loop = root.sub_agents
    assert isinstance(writer, LlmAgent)
    assert isinstance(loop, LoopAgent)
    assert (writer.model, writer.output_key, writer.include_contents) == ("gemini-2.5-flash", "text", "none")
    assert writer.instruction == "Write about {topic?}.\nTwo sentences.\n"
    assert writer.generate_content_config is not None
    assert writer.generate_content_config.temperature == 0.1
    roll, helper, waiting, greet = writer.tools
    assert roll(6) == 6
    assert isinstance(helper, AgentTool)
    assert (helper.agent.name, helper.skip_summarization) == ("helper", True)
    assert isinstance(waiting, LongRunningFunctionTool)
    assert greet() == "hello"
    assert [one.__name__ for one in writer.before_model_callback] == ["before_model_callback", "second_callback"]
    (critic,) = loop.sub_agents
    assert loop.max_iterations == 3
    assert issubclass(critic.output_schema, BaseModel)
    assert critic.disallow_transfer_to_parent is True
    assert {"root_agent.yaml", "writer.yaml", "helper.yaml", "loop.yaml", "critic.yaml"} <= pipeline.sources.keys()


def test_a_team_runs_and_is_read_again_when_a_file_changes(write, tmp_path):
    folder = write(root_agent="name: alone\ninstruction: Answer.\n")
    manager = RunManager(database=tmp_path / "runs.db", agents_dir=folder.parent)
    session = manager.start("team", "hello").session_id
    finish(manager, "team", session)
    assert manager.catalog.get("team").root_agent.name == "alone"
    write(root_agent="name: renamed\ninstruction: Answer.\n")
    assert manager.catalog.get("team").root_agent.name == "renamed"
    manager.close()


@pytest.mark.parametrize("example", [one.code for one in BLOCKS if one.language == "yaml" and "name: " in one.code])
def test_an_example_of_the_documents(write, example):
    names = ("critic", "editor", "bills", "repairs")
    folder = write(root_agent=example, **{name: f"name: {name}\n" for name in names})
    (folder / "prices.csv").write_text("item,price\ntea,2\n", encoding="utf-8")
    root = load(folder).root_agent
    assert tuple(child.name for child in root.sub_agents) in (names[:2], names[2:], ())


def test_the_folder_of_one_team_and_its_file_can_be_given(write):
    folder = write(root_agent="name: alone\n")
    assert Catalog(folder).get("team").root_agent.name == "alone"
    assert Catalog(folder / "root_agent.yaml").get("team").root_agent.name == "alone"


def test_an_agent_in_python_can_be_a_sub_agent_and_a_class(write):
    folder = write(
        root_agent="name: top\nsub_agents:\n  - code: team.more.python_agent\n  - config_path: own.yaml\n",
        own="name: own\nagent_class: team.more.Own\nword: hello\n",
    )
    (folder / "more.py").write_text(
        "from agents import BaseAgent, LlmAgent\npython_agent = LlmAgent(name='python_agent')\n"
        "class Own(BaseAgent):\n    word: str\n",
        encoding="utf-8",
    )
    first, second = load(folder).root_agent.sub_agents
    assert first.name == "python_agent"
    assert second.word == "hello"


TOP = "name: a\nagent_class: agents.RoutedAgent\nsub_agents:\n"
ROUTER = "name: a\nagent_class: agents.RoutedAgent\nsub_agents: [{config_path: b.yaml}]\n"
BAD = [
    ("name: a\ninstruktion: x\n", "line 2: LlmAgent has no field 'instruktion'. Is it instruction?"),
    ("name: a\nparent_agent: x\n", "line 2: LlmAgent has no field 'parent_agent'"),
    ("instruction: x\n", "line 1: the agent has no name"),
    ("name: a b\n", "line 1: name: 'a b' cannot name an agent"),
    ("name: user\n", "line 1: name: An agent cannot be named 'user'"),
    ("name: a\nagent_class: NoAgent\n", "line 2: there is no class of agents 'NoAgent'. There are: LlmAgent"),
    ("name: a\nagent_class: os.system\n", "line 2: there is no class of agents 'os.system'"),
    ("name: a\nagent_class: team.tools.Verdict\n", "line 2: 'team.tools.Verdict' is no class of agents"),
    ("name: a\nagent_class: LoopAgent\nmax_iterations: many\n", "line 3: max_iterations: Input should be a valid integer"),
    ("name: a\nagent_class: LoopAgent\ntools: [{name: exit_loop}]\n", "line 3: LoopAgent has no field 'tools'"),
    ("name: a\ntools:\n  - name: os.system\n", "line 3: 'os.system' is neither the runtime's nor this team's"),
    ("name: a\ntools:\n  - name: agents.runs.RunManager\n", "line 3: 'agents.runs.RunManager' is neither"),
    ("name: a\ntools:\n  - name: google_serch\n", "line 3: 'google_serch' is neither the runtime's"),
    ("name: a\ntools:\n  - name: team.tools.nothing\n", "line 3: team.tools has no 'nothing'"),
    ("name: a\ntools:\n  - name: team.nothing.roll\n", "line 3: 'team.nothing.roll' cannot be imported"),
    ("name: a\ntools: exit_loop\n", "line 2: tools is a list"),
    ("name: a\ntools: [exit_loop]\n", "line 2: an entry of tools has the keys name and args"),
    ("name: a\ntools: [{nam: exit_loop}]\n", "line 2: 'nam' is no key of an entry of tools"),
    ("name: a\ntools: [{name: 3}]\n", "line 2: a tool has a name"),
    ("name: a\ntools: [{name: AgentTool}]\n", "line 2: AgentTool needs `args:` with `agent:`"),
    ("name: a\ntools: [{name: FunctionTool, args: {}}]\n", "line 2: FunctionTool needs `args:` with `func:`"),
    ("name: a\ntools: [{name: FunctionTool, args: {func: os.system}}]\n", "line 2: 'os.system' is neither"),
    ("name: a\ntools: [{name: FunctionTool, args: {func: team.tools.roll, x: 1}}]\n", "line 2: FunctionTool cannot be made"),
    ("name: a\ntools: [{name: exit_loop, args: {x: 1}}]\n", "line 2: exit_loop takes no args"),
    ("name: a\nbefore_model_callbacks: [{name: os.system}]\n", "line 2: 'os.system' is neither"),
    ("name: a\nbefore_model_callback: os.system\n", "line 2: 'os.system' is neither"),
    ("name: a\nbefore_agent_callbacks: [{}]\n", "line 2: before_agent_callbacks names something in Python"),
    ("name: a\noutput_schema: {name: subprocess.run}\n", "line 2: 'subprocess.run' is neither"),
    ("name: a\nmodel_code: {name: os.system}\n", "line 2: 'os.system' is neither"),
    ("name: a\nsub_agents:\n  - code: os.system\n", "line 3: 'os.system' is neither"),
    ("name: a\nsub_agents:\n  - code: team.tools.not_a_tool\n", "line 3: 'team.tools.not_a_tool' is no agent"),
    (
        "name: a\nsub_agents:\n  - config_path: ../../other.yaml\n",
        "line 3: '../../other.yaml' is outside of the team's folder",
    ),
    ("name: a\nsub_agents:\n  - config_path: /etc/hostname\n", "line 3: '/etc/hostname' is outside"),
    ("name: a\nsub_agents:\n  - config_path: none.yaml\n", "line 3: there is no file 'none.yaml'"),
    ('name: a\nsub_agents:\n  - config_path: "a\\0"\n', "line 3: there is no file"),
    (f"name: a\nsub_agents:\n  - config_path: {'x' * 5000}\n", "line 3: there is no file"),
    (
        "name: a\nsub_agents:\n  - config_path: root_agent.yaml\n",
        "line 3: 'root_agent.yaml' has a place in this team already",
    ),
    ("name: a\nsub_agents:\n  - config_path: b.yaml\n  - config_path: b.yaml\n", "line 4: 'b.yaml' has a place"),
    ("name: a\nsub_agents:\n  - {config_path: b.yaml, code: team.x}\n", "line 3: a sub-agent is named by"),
    ("name: b\nsub_agents:\n  - config_path: b.yaml\n", "names an agent 'b', too"),
    ("name: a\nname: b\n", "line 2: 'name' stands here for the second time"),
    ("- a\n", "it has no fields such as"),
    ("", "it has no fields such as"),
    ("just words", "it has no fields such as"),
    ("name: [a]\n", "line 1: name: Input should be a valid string"),
    ("name: a\ngenerate_content_config: {temprature: 1}\n", "line 2: generate_content_config"),
    ("name: a\ngenerate_content_config: {tools: [{}]}\n", "line 2: generate_content_config"),
    (
        "name: a\nagent_class: LoopAgent\nuntil:\n  agent: b\n  contans: x\n",
        "line 5: until.contans: Extra inputs are not permitted",
    ),
    (
        "name: a\nagent_class: LoopAgent\nuntil:\n  - contains: x\n  - at_least: many\n",
        "line 5: until.1.at_least: Input should be a valid number",
    ),
    ("name: a\nagent_class: LoopAgent\nuntil: {agent: b}\n", "line 3: until: a loop ends at a test"),
    ("name: a\nuntil: {contains: x}\n", "line 2: LlmAgent has no field 'until'"),
    (f"{ROUTER}router:\n  - contains: x\n    to: c\n", "line 6: there is no agent 'c' to choose from. There are: b"),
    (f"{ROUTER}router:\n  - contains: x\n", "line 5: router.0: a rule says which agent runs"),
    (f"{ROUTER}router: b\n", "line 4: router: Input should be a valid list"),
    (ROUTER, "router: Field required"),
    (
        f"{TOP}  - {{config_path: b.yaml, key: x}}\n  - {{config_path: c.yaml, key: x}}\n",
        "line 5: two of the agents have the key 'x'",
    ),
    ("name: a\nsub_agents:\n  - {config_path: b.yaml, key: x}\n", "line 3: only the agents below an agents.RoutedAgent"),
    ("name: a\ntools: [{name: agents.TableTool}]\n", "line 2: TableTool needs `args:` with `file:`"),
    ("name: a\ntools: [{name: TableTool, args: {file: /etc/passwd}}]\n", "line 2: '/etc/passwd' is outside"),
    ("name: a\ntools: [{name: TableTool, args: {file: none.csv}}]\n", "line 2: there is no file 'none.csv'"),
    ("name: a\ntools:\n  - name: TableTool\n    args: {file: b.yaml}\n", "line 3: The table b.yaml has no rows"),
]


@pytest.mark.parametrize(("root", "why"), BAD)
def test_what_cannot_be_used_says_the_file_the_line_and_why(write, root, why):
    folder = write(root_agent=root, b="name: b\n", c="name: c\n")
    with pytest.raises(PipelineLoadError) as caught:
        load(folder)
    assert why in str(caught.value)
    assert ".yaml" in str(caught.value)


@pytest.mark.parametrize(
    "root", [text for text, why in BAD if "is neither" in why or "outside" in why or "no class of agents 'os" in why]
)
def test_nothing_of_a_refused_team_is_imported(write, root, tmp_path):
    folder = write(root_agent=root)
    (folder / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')", encoding="utf-8")
    with pytest.raises(PipelineLoadError):
        load(folder)
    assert not (tmp_path / "ran").exists()


def test_a_link_out_of_the_folder_is_not_followed(write, tmp_path):
    folder = write(root_agent="name: a\nsub_agents:\n  - config_path: b.yaml\n")
    (tmp_path / "secret.yaml").write_text("name: secret\n", encoding="utf-8")
    (folder / "b.yaml").symlink_to(tmp_path / "secret.yaml")
    with pytest.raises(PipelineLoadError, match="outside of the team's folder"):
        load(folder)


def test_files_in_a_circle_are_refused(write):
    folder = write(
        root_agent="name: a\nsub_agents: [{config_path: b.yaml}]\n",
        b="name: b\nsub_agents: [{config_path: root_agent.yaml}]\n",
    )
    with pytest.raises(PipelineLoadError, match=r"b\.yaml, line 2: 'root_agent\.yaml' has a place in this team already"):
        load(folder)


def test_very_many_agents_are_refused(write):
    listed = "".join(f"  - config_path: a{number}.yaml\n" for number in range(201))
    folder = write(
        root_agent=f"name: a\nsub_agents:\n{listed}", **{f"a{number}": f"name: a{number}\n" for number in range(201)}
    )
    with pytest.raises(PipelineLoadError, match="more than 200 agents"):
        load(folder)


def test_a_router_and_a_loop_with_conditions(write):
    root = load(
        write(
            root_agent="""
            agent_class: agents.RoutedAgent
            name: router
            sub_agents:
              - {config_path: loop.yaml, key: long}
              - config_path: quick.yaml
            router:
              - {contains: essay, to: long, reason: It is much.}
              - {to: quick}
            """,
            quick="name: quick\n",
            loop="""
            agent_class: LoopAgent
            name: loop
            sub_agents: [{config_path: writer.yaml}]
            until: {agent: writer, contains: the end}
            """,
            writer="name: writer\n",
        )
    ).root_agent
    assert isinstance(root, RoutedAgent)
    assert {key: agent.name for key, agent in root.routes.items()} == {"long": "loop", "quick": "quick"}
    assert root.router == Rules([Rule(contains="essay", to="long", reason="It is much."), Rule(to="quick")])
    (loop,) = [agent for agent in root.sub_agents if isinstance(agent, LoopAgent)]
    assert loop.until == [Condition(agent="writer", contains="the end")]


def test_a_table_and_a_question_to_the_user_need_no_code(write):
    folder = write(
        root_agent="""
        name: shop
        tools:
          - name: agents.TableTool
            args: {file: prices.csv, name: price_of, description: What things cost.}
          - name: get_user_choice
          - name: FunctionTool
            args: {func: .tools.roll, require_confirmation: true}
        """
    )
    (folder / "prices.csv").write_text("item;price\ntea;2\n", encoding="utf-8")
    catalog = Catalog(folder.parent)
    table, choice, roll = catalog.get("team").root_agent.tools
    assert (table.name, table.func("TEA")) == ("price_of", {"found": 1, "rows": [{"item": "tea", "price": "2"}]})
    assert (choice.name, roll.require_confirmation) == ("get_user_choice", True)
    (folder / "prices.csv").write_text("item;price\ntea;30\n", encoding="utf-8")
    assert catalog.get("team").root_agent.tools[0].func("tea")["rows"][0]["price"] == "30"
