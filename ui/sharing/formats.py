"""The formats in which a session is exported."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents import PlaygroundError

if TYPE_CHECKING:
    from agents.runs import RunManager
    from agents.sharing import SessionFile

_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        title: What it is called.
        about: What it is for.
        ending: What a file's name ends with.
        mime: Its media type.
    """

    title: str
    about: str
    ending: str
    mime: str


FORMATS = {
    "html": Format("Page", "One HTML file that replays the session in any browser, offline.", "html", "text/html"),
    "jsonl": Format("JSON lines", "All of it, without loss. It can be imported again.", "jsonl", "application/jsonl"),
    "adk": Format("ADK session", "Events and state, as google-adk reads them.", "json", "application/json"),
    "code": Format("Python", "Code that runs it again; the Code tab also has it for google-adk.", "py", "text/x-python"),
    "atif": Format("ATIF", "An agent trajectory (1.8), for programs that evaluate agents.", "json", "application/json"),
}


def written(manager: RunManager, file: SessionFile, name: str, *, session: str) -> str:
    """The text of a session's file in a format.

    Args:
        manager: Where the session is.
        file: The session as a file holds it.
        name: The format.
        session: Its id here; an imported one has another in its file.
    """
    match name:
        case "adk":
            from agents.sharing import to_adk

            return to_adk(file) + "\n"
        case "atif":
            from agents.transcripts import to_atif

            return to_atif(file) + "\n"
        case "code":
            return _code(manager, file, session)
        case "html":
            return _page(manager, file)
        case _:
            return file.to_text()


def file_name(file: SessionFile, name: str) -> str:
    """A name for the file."""
    title = _NOT_IN_A_NAME.sub("_", file.title).strip("_.")[:_LONGEST] or "session"
    return f"{_NOT_IN_A_NAME.sub('_', file.pipeline)}-{title}.{FORMATS[name].ending}"


def _code(manager: RunManager, file: SessionFile, session: str) -> str:
    from agents.sharing import session_code

    code = session_code(manager, file.pipeline, session, scopes=file.scopes)
    return code.playground or "".join(f"# {sentence}\n" for sentence in code.playground_lacks)


def _page(manager: RunManager, file: SessionFile) -> str:
    from agents.models import price_rows
    from agents.pipelines import describe_tree
    from ui.sharing.page import session_page

    try:
        tree = describe_tree(manager.catalog.get(file.pipeline).root_agent)
    except PlaygroundError:
        tree = None  # the pipeline is gone, or broken: the page has no graph then
    return session_page(file, tree=tree, prices=price_rows(manager.models.preferences.price_table))
