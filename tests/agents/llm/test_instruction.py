"""Instructions filled from state."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st

from agents import InMemorySessionService, InvocationContext, LlmAgent, SequentialAgent
from agents.llm.instruction import (
    Filled,
    artifact_names,
    artifact_texts,
    as_read,
    fill_template,
    filled_template,
    join_filled,
)
from agents.models.scripted import ScriptedLlm
from agents.storage.artifacts import InMemoryArtifactService
from tests.agents.stage import Actor, instruction_in, play

STATE: dict[str, Any] = {
    "name": "Ada",
    "app:name": "app Ada",
    "user:name": "user Ada",
    "temp:name": "temp Ada",
    "none": None,
    "zero": 0,
    "list": [1, "two"],
    "text_with_braces": "{name}",
    "playbook": SimpleNamespace(as_prompt=lambda: "- a rule"),
}


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("Hello {name}.", "Hello Ada."),
        ("{name}{name}", "AdaAda"),
        ("{ name }", "Ada"),
        ("{app:name}, {user:name}, {temp:name}", "app Ada, user Ada, temp Ada"),
        ("{{name}} and {{{name}}}", "Ada and Ada"),
        ("{name?}", "Ada"),
        ("[{missing?}]", "[]"),
        ("[{user:missing?}]", "[]"),
        ("[{none}]", "[]"),
        ("{zero} {list}", "0 [1, 'two']"),
        ("${name}", "${name}"),
        (r"\{name}", r"\{name}"),
        ("${{name}}", "${{name}}"),
        ('{"name": 1}', '{"name": 1}'),
        ('{"a": {"b": [1, 2]}}', '{"a": {"b": [1, 2]}}'),
        ("{}", "{}"),
        ("{two words}", "{two words}"),
        ("{1st}", "{1st}"),
        ("{other:name}", "{other:name}"),
        ("{a:b:c}", "{a:b:c}"),
        ("{name", "{name"),
        ("name}", "name}"),
        ("no braces", "no braces"),
        ("", ""),
        ("{text_with_braces}", "{name}"),
        ("{playbook}", "- a rule"),
    ],
)
def test_the_table_of_placeholders(template, filled):
    assert fill_template(template, STATE, agent_name="writer") == filled


@pytest.mark.parametrize("template", ["{missing}", "{{missing}}", "{app:missing}"])
def test_a_missing_key_is_named_with_the_agent_and_the_keys_there_are(template):
    with pytest.raises(KeyError) as missing:
        fill_template(template, {"topic": 1, "draft": 2}, agent_name="writer")
    key = template.strip("{}")
    assert str(missing.value) == (
        f"The instruction of agent 'writer' needs the state key {key!r}, which is not set. State has: draft, topic. "
        f"Set it in the start state, let an earlier agent write it with output_key={key!r}, or write {{{key}?}} if it "
        "may be missing."
    )


@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_a_text_without_braces_stays_as_it_is(text, state):
    plain = text.replace("{", "").replace("}", "")
    assert fill_template(plain, state, agent_name="a") == plain


@given(st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True), st.text(), st.text(alphabet="xyz .,\n"))
def test_values_come_in_as_they_are(key, value, around):
    """Whatever braces a value has: it is not filled again."""
    assert fill_template(f"{around}{{{key}}}{around}", {key: value}, agent_name="a") == f"{around}{value}{around}"


# -- artifacts

ARTIFACTS = {"notes.txt": "Some notes.", "user:me.md": "I am {name}.", "two words.txt": "2"}


@pytest.mark.parametrize(
    ("template", "filled", "names"),
    [
        ("{artifact.notes.txt}", "Some notes.", ("notes.txt",)),
        ("{{ artifact.notes.txt }}", "Some notes.", ("notes.txt",)),
        ("{artifact.notes.txt?}", "Some notes.", ("notes.txt",)),
        ("[{artifact.missing.txt?}]", "[]", ("missing.txt",)),
        ("{artifact.user:me.md}", "I am {name}.", ("user:me.md",)),
        ("{artifact.two words.txt}", "2", ("two words.txt",)),
        ("{name}: {artifact.notes.txt} {artifact.notes.txt}", "Ada: Some notes. Some notes.", ("notes.txt",)),
        ("${artifact.notes.txt}", "${artifact.notes.txt}", ()),
        (r"\{artifact.notes.txt}", r"\{artifact.notes.txt}", ()),
        ("{artifact.}", "{artifact.}", ()),
        ("{artifact.../etc/passwd}", "{artifact.../etc/passwd}", ()),
        ('{"artifact.notes.txt": 1}', '{"artifact.notes.txt": 1}', ()),
        ("artifact.notes.txt", "artifact.notes.txt", ()),
        ("{name}", "Ada", ()),
    ],
)
def test_the_table_of_artifact_placeholders(template, filled, names):
    assert fill_template(template, STATE, agent_name="writer", artifacts=ARTIFACTS) == filled
    assert artifact_names(template) == names


@given(st.lists(st.sampled_from(["a", "灯 台", "{topic}", "{topic?}", "{none?}", "{n}", "${x}", "{artifact.draft.md}"])))
def test_it_is_known_where_the_values_stand(pieces):
    state = {"topic": "tea 😀", "n": 42}
    filled = filled_template("|".join(pieces), state, agent_name="a", artifacts={"draft.md": "A draft."})
    values = {"topic": "tea 😀", "n": "42", "artifact.draft.md": "A draft."}
    assert [filled.text[start:end] for start, end, _ in filled.values] == [values[name] for _, _, name in filled.values]
    names = [piece.strip("{}?") for piece in pieces if piece.startswith("{") and piece != "{none?}"]
    assert [name for _, _, name in filled.values] == names
    longer = filled.at_the_end_of(f"灯{filled.text}")
    assert [longer.text[start:end] for start, end, _ in longer.values] == [values[name] for _, _, name in longer.values]


def test_templates_are_joined_with_the_places_of_their_values():
    parts = [Filled("a x", ((2, 3, "k"),)), Filled(""), Filled("y", ((0, 1, "l"),))]
    assert join_filled(parts, between="\n\n") == Filled("a x\n\ny", ((2, 3, "k"), (5, 6, "l")))
    assert join_filled([], between="\n") == Filled("")


def test_a_missing_artifact_is_named_with_the_agent_and_those_there_are():
    with pytest.raises(KeyError) as missing:
        fill_template("{artifact.draft.md}", {"draft.md": "x"}, agent_name="writer", artifacts={"b": "", "a": ""})
    assert str(missing.value) == (
        "The instruction of agent 'writer' needs the artifact 'draft.md', which is not there. There are: a, b. Let an "
        "earlier agent's tool save it with tool_context.save_artifact('draft.md', …), or write {artifact.draft.md?} "
        "if it may be missing."
    )


def test_without_an_artifact_service_the_cure_is_to_give_one():
    with pytest.raises(KeyError, match=r"keeps no artifacts\. .*Runner\(artifact_service=…\)"):
        fill_template("{artifact.draft.md}", {}, agent_name="writer")
    assert fill_template("[{artifact.draft.md?}]", {}, agent_name="writer") == "[]"


def blob(kind: str | None, data: bytes) -> types.Part:
    return types.Part(inline_data=types.Blob(mime_type=kind, data=data))


@pytest.mark.parametrize(
    ("part", "read"),
    [
        (types.Part(text="plain"), "plain"),
        (types.Part(text=""), ""),
        (blob("text/markdown; charset=utf-8", "# Ä".encode()), "# Ä"),
        (blob("application/json", b'{"a": 1}'), '{"a": 1}'),
        (blob("text/plain", b"\xff\xfe"), "[f: text/plain, 2 bytes]"),
        (blob("image/png", b"x" * 1234), "[f: image/png, 1,234 bytes]"),
        (blob(None, b"abc"), "[f: data, 3 bytes]"),
        (types.Part(file_data=types.FileData(file_uri="gs://b/a.pdf", mime_type="application/pdf")),
         "[f: application/pdf at gs://b/a.pdf]"),
    ],
)  # fmt: skip
def test_a_text_is_read_and_anything_else_is_described(part, read):
    assert as_read("f", part) == read


@pytest.mark.anyio
async def test_only_the_artifacts_that_are_named_are_loaded():
    loaded: list[str] = []

    class Watched(InMemoryArtifactService):
        async def load_artifact(self, *, filename: str, **where: Any):
            loaded.append(filename)
            return await super().load_artifact(filename=filename, **where)

    artifacts, sessions = Watched(), InMemorySessionService()
    session = await sessions.create_session(app_name="app", user_id="u")
    owner = {"app_name": "app", "user_id": "u", "session_id": session.id}
    for name in ("a", "b", "user:c"):
        await artifacts.save_artifact(**owner, filename=name, artifact=types.Part(text=f"text of {name}"))
    context = InvocationContext(
        invocation_id="i", agent=Actor(name="x"), session=session, session_service=sessions, artifact_service=artifacts
    )
    texts = await artifact_texts(("a", "user:c", "missing"), context)
    assert (texts, loaded) == ({"a": "text of a", "b": "", "user:c": "text of user:c"}, ["a", "user:c", "missing"])
    assert await artifact_texts(("a",), context.model_copy(update={"artifact_service": None})) is None


# -- as agents send them


async def instruction_sent(agent: LlmAgent, model: ScriptedLlm, **more: Any) -> str:
    agent.model = model
    played = await play(agent.root_agent, **more)
    assert played.error is None
    return instruction_in(model.requests[0])


@pytest.mark.anyio
async def test_an_instruction_is_filled_from_live_state():
    model = ScriptedLlm(script=["x"])
    assert await instruction_sent(LlmAgent(name="a", instruction="On {topic}."), model, state={"topic": "sea"}) == "On sea."


@pytest.mark.anyio
@pytest.mark.parametrize("is_async", [True, False])
async def test_a_callable_is_given_the_context_and_not_filled(is_async):
    def provide(context):
        return f"{context.agent_name} {context.state['topic']} {{topic}} {context.user_content.parts[0].text}"

    async def provide_async(context):
        return provide(context)

    agent = LlmAgent(name="a", instruction=provide_async if is_async else provide)
    assert await instruction_sent(agent, ScriptedLlm(script=["x"]), state={"topic": "sea"}) == "a sea {topic} go"


@pytest.mark.anyio
async def test_a_callable_cannot_write_state():
    def provide(context):
        context.state["topic"] = "x"

    played = await play(LlmAgent(name="a", instruction=provide, model=ScriptedLlm()))
    assert isinstance(played.error, TypeError)


@pytest.mark.anyio
async def test_the_roots_global_instruction_comes_first_for_every_agent_below():
    below = LlmAgent(name="below", instruction="Be {mood}.", model=ScriptedLlm(script=["x"]))
    root = LlmAgent(
        name="root", global_instruction="All: {mood}.", sub_agents=[SequentialAgent(name="s", sub_agents=[below])]
    )
    await play(below.parent_agent, state={"mood": "kind"})
    assert instruction_in(below.model.requests[0]) == "All: kind.\n\nBe kind."
    assert root.name == "root"


@pytest.mark.anyio
async def test_without_an_instruction_the_agent_is_told_who_it_is():
    model = ScriptedLlm(script=["x"])
    await play(LlmAgent(name="a", model=model))
    assert model.requests[0].config.system_instruction == 'You are an agent. Your internal name is "a".'


@pytest.mark.anyio
async def test_a_missing_key_ends_the_run_with_a_stored_error_that_names_it():
    tree = SequentialAgent(
        name="s",
        sub_agents=[Actor(name="a", lines=["x"]), LlmAgent(name="writer", instruction="{topic}", model=ScriptedLlm())],
    )
    played = await play(tree, state={"other": 1})
    assert isinstance(played.error, KeyError)
    stored = played.session.events[-1]
    assert (stored.author, stored.error_code) == ("writer", "MISSING_STATE_KEY")
    assert stored.error_message is not None
    assert stored.error_message.startswith("The instruction of agent 'writer' needs the state key 'topic'")


@pytest.mark.anyio
async def test_canonical_instructions_say_whether_they_are_to_be_filled():
    agent = LlmAgent(name="a", instruction="{x}", global_instruction=lambda context: "{y}")
    context: Any = None
    assert await agent.canonical_instruction(context) == ("{x}", False)
    assert await agent.canonical_global_instruction(context) == ("{y}", True)
