"""Pages run without a browser, and what is on them."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

import ui
from agents.runs import RunManager

SCRIPT = Path(ui.__file__).with_name("pages") / "main.py"
STAGES = Path(__file__).parents[1] / "agents" / "runs" / "stages"


def page(**query: str | list[str]) -> AppTest:
    """The Playground."""
    return opened(AppTest.from_file(SCRIPT, default_timeout=30), query)


def with_setup(**query: str | list[str]) -> AppTest:
    """The Playground, with the panel *Setup* open."""
    at = AppTest.from_file(SCRIPT, default_timeout=30)
    at.session_state["setup"] = True
    return opened(at, query)


def gallery(**query: str | list[str]) -> AppTest:
    """The Gallery."""
    at = AppTest.from_file(SCRIPT, default_timeout=30).run()
    return opened(at.switch_page("gallery.py"), query)


def opened(at: AppTest, query: dict[str, str | list[str]]) -> AppTest:
    for name, value in query.items():
        at.query_params[name] = value
    return at.run()


def query(at: AppTest) -> dict[str, str | list[str]]:
    """What the address says; a list where it says it more than once."""
    return {name: value[0] if len(value) == 1 else value for name, value in at.query_params.items()}


def finish(manager: RunManager, pipeline: str, session: str) -> None:
    """Returns when every run of the session that has begun is over."""

    async def watch() -> None:
        kinds: list[str] = []
        async with aclosing(manager.subscribe(pipeline, session)) as items:
            async for item in items:
                kinds += [entry.kind for entry in getattr(item, "entries", ())]
                if 0 < kinds.count("run_started") <= kinds.count("run_finished"):
                    return

    asyncio.run(watch())


def labels(at: AppTest) -> list[str]:
    return [button.label for button in at.button]


def said(at: AppTest) -> str:
    """What alerts say."""
    alerts = [*at.error, *at.warning, *at.info]
    return "\n".join(element.value for element in alerts).replace("\\", "")


def links(at: AppTest) -> dict[str, str]:
    """Links to pages: label → the query that it leads to."""
    return {link.proto.label.replace("\\", ""): link.proto.query_string for link in at.get("page_link")}


def words(at: AppTest) -> str:
    """Everything that is written on the page."""
    return "\n".join(element.value for element in [*at.markdown, *at.caption]).replace("\\", "")


def listed(at: AppTest) -> dict[str, Any]:
    """What the list of sessions was given."""
    found = next(element for element in at.sidebar.get("bidi_component") if element.proto.component_name == "session_list")
    return json.loads(found.proto.json)


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].stack_trace
    return at


def now(at: AppTest, name: str) -> str:
    """The key of the widget that has a name now."""
    state = at.session_state
    numbers = state["widget_numbers"] if "widget_numbers" in state else {}  # noqa: SIM401  it has no `get`
    return f"{name}#{numbers[name]}" if name in numbers else name
