"""Teams with a graph: what their files may say, what comes of it, and what is wrong with them before they run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.genai import types

from agents import InMemorySessionService, RunConfig
from agents.errors import PipelineLoadError
from agents.models.scripted import ScriptedLlm
from agents.pipelines.catalog import Catalog
from agents.review import review_pipeline
from tests.agents.pausing_stage import answer_to, send, status, waiting

FILES = {
    "root_agent.yaml": """\
agent_class: Workflow
name: Desk
edges:
  - [START, reader.yaml, sort.yaml, {light: post.yaml, heavy: .tools.carrier}]
  - {from_node: sort, to_node: ask.yaml, route: __DEFAULT__}
  - [ask, {again: reader, done: post}]
""",
    "reader.yaml": "name: reader\ninstruction: Say light or heavy.\n",
    "sort.yaml": "agent_class: agents.teams.ChoiceNode\nname: sort\noptions: [light, heavy]\n",
    "post.yaml": "agent_class: FunctionNode\nname: post\nfunc_code: .tools.post\nretry_config: {max_attempts: 2}\n",
    "ask.yaml": "agent_class: agents.teams.QuestionNode\nname: ask\nquestion: Light or not?\noptions: [again, done]\n",
    "tools.py": "def post(node_input):\n    return f'post: {node_input}'\n\ndef carrier():\n    return 'carrier'\n",
}

UNSORTED = """\
agent_class: Workflow
name: Desk
edges:
  - [START, reader.yaml, {light: post.yaml, heavy: .tools.carrier}]
"""


@pytest.fixture
def desk(tmp_path):
    def make(**changed: str) -> Any:
        folder: Path = tmp_path / "desk"
        folder.mkdir(exist_ok=True)
        for name, text in {**FILES, **{name.replace("__", "."): text for name, text in changed.items()}}.items():
            (folder / name).write_text(text, encoding="utf-8")
        return Catalog(tmp_path).get("desk")

    return make


def found(pipeline: Any) -> list[tuple[str, str]]:
    return [(finding.rule.id, finding.agent) for finding in review_pipeline(pipeline)]


async def ran(pipeline: Any, *script: str, answers: tuple[str, ...] = ()) -> Any:
    service = InMemorySessionService()
    config = RunConfig(model=ScriptedLlm(script=list(script)))
    run = await send(pipeline.root_agent, "a parcel", service=service, config=config)
    for answer in answers:
        message: types.Content = answer_to(*waiting(run)[-1:], result=answer)
        run = await send(pipeline.root_agent, message, service=service, config=config)
    return run


@pytest.mark.anyio
@pytest.mark.parametrize(("said", "end"), [("light", "post: light"), ("Heavy.", "carrier")])
async def test_an_answer_in_words_chooses_the_edge(desk, said, end):
    run = await ran(desk(), said)
    assert (run.error, run.events[-1].output) == (None, end)


@pytest.mark.anyio
async def test_a_question_leads_back_and_on(desk):
    run = await ran(desk(), "no idea", "who knows", answers=("again", "done"))
    assert (status(run), run.events[-1].output) == ("completed", "post: done")


def test_a_good_graph_has_no_finding(desk):
    assert found(desk()) == []


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"sort__yaml": FILES["sort.yaml"].replace("heavy", "hevy")}, ("route-never-given", "sort")),
        ({"ask__yaml": FILES["ask.yaml"].replace("done]", "done, later]")}, ("route-never-taken", "ask")),
        (
            {"root_agent__yaml": UNSORTED},
            ("route-never-given", "reader"),
        ),
        (
            {
                "root_agent__yaml": FILES["root_agent.yaml"] + "sub_agents:\n  - config_path: lost.yaml\n",
                "lost__yaml": "agent_class: JoinNode\nname: lost\n",
            },
            ("node-unreached", "lost"),
        ),
        ({"ask__yaml": FILES["ask.yaml"].replace("[again, done]", "[again]")}, ("route-never-given", "ask")),
    ],
)
def test_what_is_wrong_is_found_before_it_runs(desk, changed, finding):
    assert finding in found(desk(**changed))


@pytest.mark.parametrize(
    ("edges", "why"),
    [
        ("all", "edges are a list"),
        ("\n  - START", "an edge is a mapping"),
        ("\n  - [START, writr]", "there is no node 'writr'. There are: START."),
        ("\n  - [START, writr.yaml]", "there is no file 'writr.yaml'"),
        ("\n  - [START, ../other.yaml]", "outside of the team's folder"),
        ("\n  - [START, os.system]", "neither the runtime's nor this team's"),
        ("\n  - [START, .tools.nothing]", "has no 'nothing'"),
        ("\n  - [START, {agent_class: JoinNode, name: both}]", "in a file of its own"),
        ("\n  - [START, reader.yaml, sort.yaml, reader]", "Unconditional cycle"),
        ("\n  - {from_node: START, to_node: reader.yaml, route: light}", "must not have routes"),
        ("\n  - {from_node: START, to: reader.yaml}", "an edge has from_node and to_node"),
        ("\n  - {from_node: START, to_node: reader.yaml, route: {}}", "a route is a word"),
    ],
)
def test_edges_that_cannot_be_used_are_said_so_with_their_line(desk, edges, why):
    with pytest.raises(PipelineLoadError, match=r"root_agent\.yaml, line [34]") as raised:
        desk(root_agent__yaml=f"agent_class: Workflow\nname: Desk\nedges: {edges}\n")
    assert why in str(raised.value)


def test_an_agent_that_is_called_between_is_known_to_have_written(desk):
    files = {
        "reader__yaml": FILES["reader.yaml"] + "output_key: size\n",
        "root_agent__yaml": FILES["root_agent.yaml"] + "  - [post, last.yaml]\n",
        "last__yaml": "name: last\ninstruction: 'Say {size}.'\n",
    }
    assert found(desk(**files)) == []
    first = FILES["root_agent.yaml"].replace("[START, reader.yaml", "[START, last.yaml, reader.yaml")
    assert found(desk(**files | {"root_agent__yaml": first})) == [("unwritten-state", "last")]
