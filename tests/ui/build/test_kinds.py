"""The fields of a form are those of the class."""

from __future__ import annotations

import inspect

import pytest

from ui.build.kinds import KINDS, control_of, fields_of, kind_of


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.label)
def test_every_field_is_one_of_its_class_and_explained(kind):
    for field in fields_of(kind):
        assert field["name"] in inspect.signature(kind.agent_class).parameters or field["name"] == "func_code"
        assert field["help"]


def test_simple_fields_that_are_not_in_sight_are_folded():
    [agent] = [kind for kind in KINDS if kind.label == "agent"]
    folded = {field["name"]: field["kind"] for field in fields_of(agent) if field["folded"]}
    assert folded["output_retries"] == "number"
    assert folded["disallow_transfer_to_peers"] == "switch"
    assert not {"before_model_callback", "planner", "output_schema"} & folded.keys()


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("Agent", "agent"),
        ("LoopAgent", "loop"),
        ("google.adk.agents.LoopAgent", "loop"),
        ("agents.RoutedAgent", "router"),
        ("Workflow", "graph"),
        ("agents.teams.QuestionNode", "question"),
        (".tools.LoopAgent", None),
        ("my_team.tools.LoopAgent", None),
    ],
)
def test_a_class_is_known_by_its_name_in_a_file(written, label):
    kind = kind_of(written)
    assert (kind and kind.label) == label


def test_a_field_of_another_class_has_no_control():
    assert control_of("LoopAgent", "max_iterations") == "number"
    assert control_of("LoopAgent", "instruction") is None
    assert control_of(".tools.Mine", "instruction") is None
