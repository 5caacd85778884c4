"""Changes of YAML: what the text says afterwards, and what of it stays as it was."""

from __future__ import annotations

from copy import deepcopy
from difflib import unified_diff

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.teams.yaml_edit import with_data, written
from agents.teams.yaml_text import YamlError, read_yaml

TEXT = """\
# The writer of the team.
# It begins each round.

agent_class: LlmAgent   # ADK's
name: "writer"
# the fast one
model: gemini-2.5-flash
instruction: |  # for the model
  下書きを書く。 😀 #1
  # not a comment

  Second.

# what it may call
tools:   # in this order
  # ends the loop
  - name: exit_loop  # no args
  # a die
  - name: team.tools.roll
    args:
      sides: 3
sub_agents: [{config_path: a.yaml}]
"""


def lines_changed(**changes) -> list[str]:
    """The lines that go and come when fields are set, or with None removed."""
    data = read_yaml(TEXT).data
    for key, value in changes.items():
        if value is None:
            del data[key]
        else:
            data[key] = value
    after = with_data(TEXT, data)
    assert read_yaml(after).data == data
    return [
        line for line in unified_diff(TEXT.splitlines(), after.splitlines(), n=0) if not line.startswith(("---", "+++", "@"))
    ]


DATA = read_yaml(TEXT).data
EXIT, ROLL = DATA["tools"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"name": "作家"}, ['-name: "writer"', '+name: "作家"']),
        ({"agent_class": "LoopAgent"}, ["-agent_class: LlmAgent   # ADK's", "+agent_class: LoopAgent  # ADK's"]),
        ({"model": None}, ["-# the fast one", "-model: gemini-2.5-flash"]),
        ({"model": "a: b"}, ["-model: gemini-2.5-flash", "+model: 'a: b'"]),
        ({"model": True}, ["-model: gemini-2.5-flash", "+model: true"]),
        ({"output_key": "draft"}, ["+output_key: draft"]),
        (
            {"tools": [ROLL, EXIT]},
            [
                "-  # ends the loop",
                "-  - name: exit_loop  # no args",
                "+  # ends the loop",
                "+  - name: exit_loop  # no args",
            ],
        ),
        ({"tools": [EXIT, {**ROLL, "args": {"sides": 6}}]}, ["-      sides: 3", "+      sides: 6"]),
        (
            {"tools": [EXIT, ROLL, {"name": "x", "args": {"a": [1]}}]},
            ["+  - name: x", "+    args:", "+      a:", "+        - 1"],
        ),
        ({"tools": [ROLL]}, ["-  # ends the loop", "-  - name: exit_loop  # no args"]),
        (
            {"sub_agents": [{"config_path": "b.yaml"}]},
            ["-sub_agents: [{config_path: a.yaml}]", "+sub_agents: [{config_path: b.yaml}]"],
        ),
    ],
)
def test_only_the_lines_of_a_change_are_others(changes, expected):
    assert lines_changed(**changes) == expected


def test_a_text_of_several_lines_is_written_as_one_reads_it_and_keeps_the_comment_of_its_first_line():
    assert [line for line in lines_changed(instruction="一行目\n\n二行目") if line.startswith("+")] == [
        "+instruction: |-  # for the model",
        "+  一行目",
        "+  二行目",
    ]
    assert "+instruction: 短い  # for the model" in lines_changed(instruction="短い")


def test_the_keys_of_a_mapping_on_one_line_keep_their_order():
    before = {"router": [{"contains": "invoice", "to": "bills"}]}
    after = {"router": [{"contains": "invoice", "to": "accounts"}]}
    assert (
        with_data("router:\n  - {contains: invoice, to: bills}\n", after)
        == "router:\n  - {contains: invoice, to: accounts}\n"
    )
    assert with_data("{router: [{to: bills, contains: invoice}]}", before) == "{router: [{to: bills, contains: invoice}]}"


def test_a_first_field_stands_below_the_comments_of_the_file():
    assert with_data(TEXT, {"version": 1, **DATA}).startswith(
        "# The writer of the team.\n# It begins each round.\n\nversion: 1\nagent_class"
    )


def test_line_ends_of_windows_become_line_feeds():
    assert with_data("name: a\r\nmodel: b\r\n", {"name": "a", "model": "c"}) == "name: a\nmodel: c\n"


def test_tabs_that_yaml_reads_stay():
    assert with_data("name: a\t# who\nmodel:\tb\n", {"name": "a", "model": "c"}) == "name: a\t# who\nmodel: c\n"


@pytest.mark.parametrize("text", ["? name\n: a\nmodel: b\n", "{name: a, model: b}\n", "- a\n", "? a\n? b\n", ""])
def test_rare_forms_are_written_anew(text):
    assert with_data(text, {"name": "x", "tools": ["y"]}) == "name: x\ntools:\n  - y\n" or text.startswith("{")
    assert read_yaml(with_data(text, {"name": "x", "tools": ["y"]})).data == {"name": "x", "tools": ["y"]}


def test_what_yaml_cannot_hold_is_refused():
    with pytest.raises(YamlError, match="type object"):
        with_data(TEXT, {**DATA, "model": object()})
    with pytest.raises(YamlError, match="plain word"):
        with_data(TEXT, {**DATA, "args": {"<<": 1}})


TEXTS = st.one_of(st.text(max_size=12), st.text(alphabet="ab \n\r\t#:-'\"|>{}[],\\\xa0\x85\u2028日😀", max_size=30))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(TEXTS.filter(lambda key: key != "<<"), inner, max_size=4)
    ),
    max_leaves=12,
)
MAPPINGS = st.dictionaries(st.sampled_from(("name", "model", "tools", "sub_agents", "instruction")), VALUES, min_size=1)


@given(MAPPINGS, MAPPINGS)
def test_any_data_is_said_and_comments_around_it_stay(before, changes):
    text = f"# first\n\n{written(before)}# last\n"
    after = {**before, **changes}
    edited = with_data(text, deepcopy(after))
    assert repr(read_yaml(edited).data) == repr(dict(sorted_as(after, read_yaml(edited).data)))
    assert edited.startswith("# first\n\n")
    assert edited.endswith("# last\n")


def sorted_as(data, other):
    """The items of a mapping in the order of another one."""
    return [(key, data[key]) for key in other]
