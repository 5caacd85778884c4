"""What a user package says of itself is text on every page, never Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from streamlit.testing.v1 import AppTest

from agents.runs import RunManager
from agents.workspace import Workspace
from tests.ui.stage import SCRIPT, gallery, opened, page, sound
from ui.state import runs

EVIL = "[click](http://evil) **bold** :red[x] $x$ <img src=x onerror=alert(1)> `c` :material_home: \u202eback"
ESCAPED = [
    r"\[click\]\(http\u2060\:\/\/evil\)",
    r"\*\*bold\*\*",
    r"\:red\[x\]",
    r"\$x\$",
    r"\<img src\=x onerror\=alert\(1\)\>",
    r"\`c\`",
    r"\\u202eback",
]
MARKED = re.compile(r"(?<!\\)(?:\[click|\*\*bold|:red\[x|\$x|<img|`c`)|:material_home|\u202e")
AS_HTML = re.compile("<img|\u202e")
AS_TEXT = {
    *("options", "default", "placeholder", "raw_values", "raw_value", "code_text", "spec", "alt", "body_html", "json"),
    *("value", "set_value", "string_value", "id", "key", "user_key", "query_string", "formatted_options"),
}
"""Fields that Streamlit shows as text, or not at all."""

SOURCE = f"""
from agents import LlmAgent, SequentialAgent
EVIL = {EVIL!r}

def tool(x: str) -> str:
    return x
tool.__doc__ = tool.__name__ = EVIL

root_agent = SequentialAgent(
    name="Root", description=EVIL, sub_agents=[LlmAgent(name="Writer", description=EVIL, instruction=EVIL, tools=[tool])]
)
"""
CARD = f"""
from agents.runtime.fault import Fault
from agents.pipeline import Break, Card, Control
EVIL = {EVIL!r}
card = Card(
    title="T " + EVIL, pattern=EVIL, summary=EVIL, lesson="By its author.", samples=(EVIL,), ends_when=EVIL,
    controls=(
        Control(key="a", label=EVIL, kind="switch", default=True, help=EVIL),
        Control(key="b", label=EVIL, kind="choice", default=EVIL, choices=(EVIL, "other"), help=EVIL),
    ),
    breaks=(Break(title=EVIL, look_for=EVIL, faults=(Fault.parse("Writer:fail_before:1"),)),),
)
"""


@pytest.fixture(params=["a card of its own", "no card"])
def hostile(quiet_world, tmp_path, request) -> Iterator[RunManager]:
    for name, agent in {"evil": SOURCE, "broken": f"raise ValueError({EVIL!r})"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "agent.py").write_text(agent)
    if request.param == "a card of its own":
        (tmp_path / "evil" / "card.py").write_text(CARD)
    runs.adopt(Workspace(None, agents_dir=tmp_path))
    assert "evil" in runs.manager().catalog.names()
    yield runs.manager()
    runs.close()


def texts(message: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a message that is sent to the browser, with the names of its fields."""
    for field, value in message.ListFields():
        many = value if field.is_repeated and not hasattr(value, "items") else [value]
        for one in many:
            where = f"{path}.{field.name}"
            if field.type == FieldDescriptor.TYPE_MESSAGE and hasattr(one, "ListFields"):
                yield from texts(one, where)
            elif isinstance(one, str):
                yield f"{path}.hidden label" if field.name == "label" and is_hidden(message) else where, one


def is_hidden(message: Any) -> bool:
    """Whether a widget's label is not drawn."""
    return hasattr(message, "label_visibility") and message.label_visibility.value != 0


def drawn(at: AppTest) -> list[tuple[str, str]]:
    """All texts that Streamlit may take for Markdown."""

    def walk(node: Any) -> Iterator[tuple[str, str]]:
        if (proto := getattr(node, "proto", None)) is not None:
            yield from texts(proto, type(proto).__name__)
        for child in getattr(node, "children", {}).values():
            yield from walk(child)

    found = [pair for root in (at.main, at.sidebar, *at._tree.children.values()) for pair in walk(root)]
    return [
        (where, text)
        for where, text in found
        if not where.endswith(".hidden label") and where.rpartition(".")[2] not in AS_TEXT
    ]


def looked_at(at: AppTest) -> None:
    found = drawn(sound(at))
    marked = {(where, text) for where, text in found if (AS_HTML if where == "Html.body" else MARKED).search(text)}
    assert not marked


def test_the_gallery(hostile):
    looked_at(gallery())


def test_a_lesson(hostile):
    at = gallery(pipeline="evil")
    looked_at(at)
    shown = "\n".join(text for _, text in drawn(at))
    assert all(text.replace(r"\u2060", "\u2060") in shown for text in ESCAPED)


def test_the_playground_with_its_panels(hostile):
    looked_at(page(pipeline="evil"))


def test_the_playground_with_what_an_address_says(hostile):
    looked_at(page(pipeline="evil", fault=f"{EVIL}:fail_before:1", agent_model=f"{EVIL}:{EVIL}", model=EVIL))


def test_the_page_of_a_pipeline_that_cannot_be_loaded(hostile):
    looked_at(page(pipeline="broken"))


def test_settings(hostile):
    at = AppTest.from_file(SCRIPT, default_timeout=30).run()
    looked_at(opened(at.switch_page("settings.py"), {"tab": "defaults", "pipeline": "evil"}))
