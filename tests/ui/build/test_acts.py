"""What the editor asks for: read as from anybody, and what it makes of the files."""

from __future__ import annotations

import pytest

from agents import TeamError
from agents.teams import STARTS, outline
from ui.build.acts import MOST_ACTS, Add, Move, Remove, Set, Wrap, changed, read_acts

FILES = next(start for start in STARTS if start.name == "writer_and_critic").files
SELECT = {"number": 1, "kind": "select", "agent": "writer"}


def tree(files: dict[str, str]) -> list[str]:
    return [node.name for node in outline(files).walk()]


def field(files: dict[str, str], agent: str, name: str) -> object:
    return next(node for node in outline(files).walk() if node.name == agent).fields.get(name)


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "select",
        {"acts": []},
        [SELECT | {"kind": "drop"}],
        [SELECT | {"number": "x"}],
        [SELECT | {"more": 1}],
        [{"number": 1, "kind": "move", "agent": "a", "parent": "b", "position": -1}],
        [SELECT] * (MOST_ACTS + 1),
    ],
)
def test_what_is_not_well_formed_is_nothing(sent):
    assert read_acts(sent) == []


def test_acts_are_read_in_their_order():
    undo = {"number": 2, "kind": "undo"}
    assert [act.kind for act in read_acts([SELECT, undo])] == ["select", "undo"]


def test_a_field_is_set_and_named_in_the_note():
    made = changed(FILES, Set(number=1, kind="set", agent="critic", field="output_key", value="notes"))
    assert (field(made.files, "critic", "output_key"), made.note, made.agent) == ("notes", "critic: output key", "critic")


def test_a_new_name_is_shown_afterwards():
    made = changed(FILES, Set(number=1, kind="set", agent="writer", field="name", value="author"))
    assert (tree(made.files), made.agent) == (["writing", "author", "critic"], "author")


def test_an_agent_is_added_as_a_tool_and_removed():
    sent = {"number": 1, "kind": "add", "agent_class": "LlmAgent", "parent": "critic", "as_tool": True}
    [act] = read_acts([sent])
    made = changed(FILES, act)
    [critic] = [node for node in outline(made.files).walk() if node.name == "critic"]
    assert [tool["name"] for tool in critic.tools] == ["exit_loop", "AgentTool"]
    assert [(node.name, node.problem) for node in critic.agent_tools] == [("agent", "")]
    gone = changed(made.files, Remove(number=2, kind="remove", agent="agent"))
    assert (gone.files, gone.agent) == (FILES, "critic")


def test_new_agents_get_a_name_that_is_free():
    first = changed(FILES, Add(number=1, kind="add", agent_class="LlmAgent", parent="writing", position=1))
    second = changed(first.files, Add(number=2, kind="add", agent_class="LlmAgent", parent="writing", position=1))
    assert tree(second.files) == ["writing", "writer", "agent_2", "agent", "critic"]
    assert (second.agent, second.note) == ("agent_2", "agent_2 added")


def test_an_agent_is_wrapped_moved_and_removed():
    wrapped = changed(FILES, Wrap(number=1, kind="wrap", agent="critic", agent_class="SequentialAgent"))
    moved = changed(wrapped.files, Move(number=2, kind="move", agent="writer", parent="in_order", position=0))
    assert tree(moved.files) == ["writing", "in_order", "writer", "critic"]
    removed = changed(moved.files, Remove(number=3, kind="remove", agent="writer"))
    assert (tree(removed.files), removed.agent) == (["writing", "in_order", "critic"], "in_order")


def test_structure_is_typed_as_yaml():
    rule = Set(number=1, kind="set", agent="router", field="router", value="- to: writer")
    routed = changed(FILES, Add(number=1, kind="add", agent_class="agents.RoutedAgent", parent="writing", position=0)).files
    assert field(changed(routed, rule).files, "router", "router") == [{"to": "writer"}]
    with pytest.raises(TeamError, match="router cannot be read: line 1"):
        changed(routed, rule.model_copy(update={"value": "- &a x\n- *a"}))


def test_a_class_that_there_is_not_is_refused():
    with pytest.raises(TeamError, match="no class of agents"):
        changed(FILES, Add(number=1, kind="add", agent_class="os.system", parent="writing", position=0))
