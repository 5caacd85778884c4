"""Changes of a team: which agents stand where, in which files, and what is refused."""

from __future__ import annotations

import pytest

from agents.errors import TeamError
from agents.teams.edit import (
    add_agent,
    move_agent,
    outline,
    remove_agent,
    rename_agent,
    rename_code,
    set_field,
    wrap_agent,
)
from agents.teams.yaml_text import read_yaml

FILES = {
    "root_agent.yaml": """\
# the top
agent_class: SequentialAgent
name: team
sub_agents:
  # writes
  - config_path: writer.yaml  # first
  # judges
  - config_path: below/critic.yaml
  - code: my_team.agents.checker
""",
    "writer.yaml": """\
name: writer
instruction: Write.
tools:
  - name: AgentTool
    args:
      agent:
        config_path: helper.yaml
  - name: my_team.tools.roll
""",
    "below/critic.yaml": "name: critic\ninstruction: 批評する。\n",
    "helper.yaml": "name: helper\ninstruction: Help.\n",
    "tools.py": "def roll() -> int:\n    return 4\n",
}


def shape(files, node=None):
    """The tree as names: (name, children, agents that are tools)."""
    node = node or outline(files)
    return (node.name, [shape(files, one) for one in node.children], [shape(files, one) for one in node.agent_tools])


def names(files) -> list[str]:
    return [node.name for node in outline(files).walk()]


def test_the_outline_has_all_agents_as_they_are_written():
    assert shape(FILES) == (
        "team",
        [("writer", [], [("helper", [], [])]), ("critic", [], []), ("my_team.agents.checker", [], [])],
        [],
    )
    writer = outline(FILES).children[0]
    assert (writer.file, writer.agent_class, writer.problem) == ("writer.yaml", "LlmAgent", "")
    assert writer.fields == {"name": "writer", "instruction": "Write."}
    assert [tool["name"] for tool in writer.tools] == ["AgentTool", "my_team.tools.roll"]


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("writer.yaml", "name: [", "is no file of an agent: line"),
        ("writer.yaml", "just words", "no fields"),
        ("writer.yaml", "name: w\ntools: 3\n", "tools is a list"),
        ("writer.yaml", "name: w\nsub_agents:\n  - config_path: root_agent.yaml\n", "has a place"),
        ("writer.yaml", "name: w\nsub_agents:\n  - config_path: nowhere.yaml\n", "no file 'nowhere.yaml'"),
        ("writer.yaml", "name: w\nsub_agents:\n  - 3\n", "config_path: FILE.yaml"),
        ("writer.yaml", "name: !!python/object:os.system x\n", "tag"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_and_hides_no_other(file, text, problem):
    nodes = list(outline({**FILES, file: text}).walk())
    assert [node.problem for node in nodes if problem in node.problem]
    assert "critic" in [node.name for node in nodes]


def test_a_team_without_its_first_file_has_a_problem():
    assert "root_agent.yaml" in outline({}).problem


def test_a_field_is_set_in_its_file_before_tools_and_children():
    changed = set_field(FILES, "writer", "output_key", "下書き")
    assert changed["writer.yaml"].startswith("name: writer\ninstruction: Write.\noutput_key: 下書き\ntools:\n")
    assert {name for name in changed if changed[name] != FILES[name]} == {"writer.yaml"}
    assert set_field(changed, "writer", "output_key", None) == FILES
    assert set_field(FILES, "helper", "model", None) == FILES


def test_setting_the_name_renames():
    assert "redactor" in names(set_field(FILES, "writer", "name", "redactor"))
    assert rename_agent(FILES, "writer", "writer") == FILES


ROUTED = {
    "root_agent.yaml": """\
agent_class: agents.RoutedAgent
name: desk
router:
  - {contains: invoice, to: bills}  # money
  - {to: long}
sub_agents:
  - config_path: bills.yaml
  - {config_path: loop.yaml, key: long}
""",
    "bills.yaml": "name: bills\ninstruction: Answer.\n",
    "loop.yaml": """\
agent_class: LoopAgent
name: loop
until: {agent: critic, contains: good}
sub_agents: [{config_path: critic.yaml}]
""",
    "critic.yaml": "name: critic\ninstruction: Judge.\n",
}


def test_rules_and_conditions_follow_a_new_name():
    files = rename_agent(rename_agent(rename_agent(ROUTED, "bills", "money"), "critic", "judge"), "loop", "work")
    assert "- {contains: invoice, to: money}  # money\n  - {to: long}" in files["root_agent.yaml"]
    assert "until: {agent: judge, contains: good}" in files["loop.yaml"]


def test_a_key_of_that_name_is_not_the_agent():
    files = {**ROUTED, "root_agent.yaml": ROUTED["root_agent.yaml"].replace("long", "critic")}
    assert rename_agent(files, "critic", "judge")["root_agent.yaml"] == files["root_agent.yaml"]


@pytest.mark.parametrize(("agent", "key"), [("bills", "bills"), ("loop", "long")])
def test_a_candidate_of_a_router_is_wrapped_where_its_rules_lead(agent, key):
    data = read_yaml(wrap_agent(ROUTED, agent, "LoopAgent", "wrapper")["root_agent.yaml"]).data
    assert {"config_path": "wrapper.yaml", "key": key} in data["sub_agents"]


def test_an_agent_is_added_at_the_end_or_at_a_position_in_a_file_of_its_own():
    assert shape(add_agent(FILES, "team", "LlmAgent", "last"))[1][-1][0] == "last"
    changed = add_agent(FILES, "team", "LoopAgent", "writer_2", position=0)
    assert shape(changed)[1][0][0] == "writer_2"
    assert changed["writer_2.yaml"] == "agent_class: LoopAgent\nname: writer_2\nmax_iterations: 3\n"
    assert "below/fourth.yaml" in add_agent(FILES, "critic", "LlmAgent", "fourth")
    taken = {**FILES, "New.yaml": ""}
    assert "new_2.yaml" in add_agent(taken, "team", "LlmAgent", "new"), "systems that take N for n keep one file"


def test_an_agent_is_removed_with_what_is_below_it_and_their_files():
    changed = remove_agent(FILES, "writer")
    assert set(FILES) - set(changed) == {"writer.yaml", "helper.yaml"}
    assert changed["root_agent.yaml"] == FILES["root_agent.yaml"].replace(
        "  # writes\n  - config_path: writer.yaml  # first\n", ""
    )
    without_tool = remove_agent(FILES, "helper")
    assert "AgentTool" not in without_tool["writer.yaml"]
    assert "my_team.tools.roll" in without_tool["writer.yaml"]
    assert names(remove_agent(FILES, "my_team.agents.checker")) == ["team", "writer", "helper", "critic"]


def test_an_agent_moves_with_its_comments_among_its_siblings():
    changed = move_agent(FILES, "critic", "team", 0)
    assert changed["root_agent.yaml"].endswith(
        "  # judges\n  - config_path: below/critic.yaml\n  # writes\n  - config_path: writer.yaml  # first\n"
        "  - code: my_team.agents.checker\n"
    )


def test_an_agent_moves_below_another_one_and_its_path_follows():
    changed = move_agent(FILES, "writer", "critic", 0)
    assert shape(changed)[1][0] == ("critic", [("writer", [], [("helper", [], [])])], [])
    assert "config_path: ../writer.yaml" in changed["below/critic.yaml"]
    assert shape(move_agent(changed, "writer", "team", 0)) == shape(FILES)
    assert "sub_agents" not in move_agent(changed, "writer", "team", 0)["below/critic.yaml"]


def test_the_key_that_a_router_knows_an_agent_by_does_not_move_with_it():
    root = "agent_class: agents.RoutedAgent\nname: desk\nsub_agents:\n{}  - config_path: writer.yaml\n"
    files = {**FILES, "root_agent.yaml": root.format("  - {code: my_team.agents.checker, key: check}\n")}
    assert (
        "sub_agents:\n  - code: my_team.agents.checker\n"
        in move_agent(files, "my_team.agents.checker", "writer", 0)["writer.yaml"]
    )
    assert "key: check" in move_agent(files, "my_team.agents.checker", "desk", 1)["root_agent.yaml"]


@pytest.mark.parametrize("agent", ["critic", "my_team.agents.checker", "writer"])
def test_an_agent_is_wrapped_where_it_stands(agent):
    changed = wrap_agent(FILES, agent, "LoopAgent", "again")
    place = [child[0] for child in shape(FILES)[1]].index(agent)
    assert shape(changed)[1][place][0] == "again"
    assert [child[0] for child in shape(changed)[1][place][1]] == [agent]


def test_a_tool_and_the_first_agent_are_wrapped_too():
    assert shape(wrap_agent(FILES, "helper", "LoopAgent", "again"))[1][0][2] == [("again", [("helper", [], [])], [])]
    changed = wrap_agent(FILES, "team", "LoopAgent", "again")
    assert shape(changed) == ("again", [shape(FILES)], [])
    assert changed["team.yaml"] == FILES["root_agent.yaml"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda: set_field(FILES, "nobody", "model", "x"), "no agent 'nobody'. There are: team, writer"),
        (lambda: set_field(FILES, "my_team.agents.checker", "model", "x"), "written in Python"),
        (lambda: add_agent(FILES, "my_team.agents.checker", "LlmAgent", "x"), "written in Python"),
        (lambda: set_field(FILES, "critic", "model", object()), "below/critic.yaml cannot be changed so"),
        (lambda: rename_agent(FILES, "critic", "writer"), "agent writer in this team already"),
        (lambda: rename_agent(FILES, "critic", "two words"), "letters, digits"),
        (lambda: rename_agent(FILES, "critic", "字" * 101), "at most 100 letters"),
        (lambda: rename_agent(FILES, "critic", "user"), "not the word user"),
        (lambda: set_field(FILES, "critic", "name", None), "cannot name an agent"),
        (lambda: add_agent(FILES, "team", "LlmAgent", "1st"), "letters, digits"),
        (lambda: remove_agent(FILES, "team"), "cannot be removed"),
        (lambda: move_agent(FILES, "team", "critic", 0), "Wrap it"),
        (lambda: move_agent(FILES, "writer", "helper", 0), "below itself"),
        (lambda: move_agent(FILES, "helper", "critic", 0), "is a tool of writer"),
        (
            lambda: set_field({**FILES, "helper.yaml": "name: critic\n"}, "critic", "model", "x"),
            "2 agents are called critic",
        ),
        (
            lambda: set_field({**FILES, "helper.yaml": "name: ["}, "helper", "model", "x"),
            "helper.yaml is no file of an agent",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(change, says):
    with pytest.raises(TeamError, match=says):
        change()


def test_names_of_the_teams_own_code_follow_the_name_of_its_folder_and_texts_do_not():
    told = set_field(FILES, "critic", "instruction", "my_team.tools.roll is a tool.")
    changed = rename_code(told, "my_team", "other")
    assert "code: other.agents.checker" in changed["root_agent.yaml"]
    assert "name: other.tools.roll" in changed["writer.yaml"]
    assert changed["below/critic.yaml"] == told["below/critic.yaml"]
    assert rename_code({**FILES, "broken.yaml": "a: ["}, "my_team", "other")["broken.yaml"] == "a: ["


def test_sixty_agents_are_changed_one_by_one():
    files = {"root_agent.yaml": "agent_class: SequentialAgent\nname: all\n"}
    for number in range(59):
        files = add_agent(files, "all", "LlmAgent", f"agent_{number}")
    files = wrap_agent(move_agent(files, "agent_58", "all", 0), "agent_7", "LoopAgent", "loop")
    assert len(names(files)) == 61
    assert shape(files)[1][0][0] == "agent_58"
