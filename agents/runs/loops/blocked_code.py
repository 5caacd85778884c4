"""What a thread that does not respond is doing: which agent, at which line."""

from __future__ import annotations

import linecache
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from agents.agent import BaseAgent
from agents.models.connections import redact
from agents.runs.loops.thread_end import frame_of

_MOST_CODE = 100


@dataclass(frozen=True, slots=True)
class BlockedCode:
    """The code that blocks an event loop.

    Attributes:
        agent: The name of the agent that runs it; "" if there is none.
        place: Its line, e.g. "fetch, tools.py line 12: time.sleep(20)".
        stack: The whole stack, for the log.
    """

    agent: str
    place: str
    stack: str


def blocked_code(ident: int, folder: Path) -> BlockedCode | None:
    """What a thread does now; None if it has ended.

    Args:
        ident: The thread's `ident`.
        folder: The folder of the package whose code it runs: its innermost line there is named.
    """
    if (innermost := frame_of(ident)) is None:
        return None
    frames = [innermost]
    while (caller := frames[-1].f_back) is not None:
        frames.append(caller)
    own = next((frame for frame in frames if Path(frame.f_code.co_filename).is_relative_to(folder)), innermost)
    agent = next((frame.f_locals["self"].name for frame in frames if _is_agents(frame)), "")
    return BlockedCode(agent, _place(own), redact("".join(traceback.format_stack(innermost))))


def _is_agents(frame: FrameType) -> bool:
    """Whether a method of an agent runs in it. Other frames' variables are not read: copying them takes time."""
    names = frame.f_code.co_varnames[:1]
    return names == ("self",) and isinstance(frame.f_locals.get("self"), BaseAgent)


def _place(frame: FrameType) -> str:
    file, line, function = frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
    code = redact(linecache.getline(file, line).strip())
    said = f": {code[:_MOST_CODE]}" if code else ""
    return f"{function}, {Path(file).name} line {line}{said}"
