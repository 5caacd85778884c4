"""An exception's traceback as a JSON value: file, line, function and source of each frame, without keys.

An event keeps it in `custom_metadata`, so that it survives storage and exports.
"""

from __future__ import annotations

import logging
import sysconfig
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from agents.errors import MissingStateKeyError, PlaygroundError
from agents.models.connections import redact

TRACEBACK = "traceback"
"""The key in `custom_metadata` of an event that ended a run."""
TRACEBACKS = "tracebacks"
"""The key in `custom_metadata` of tool responses: tracebacks by call id."""
MISSING_STATE_KEY = "missing_state_key"
"""The key in `custom_metadata` of an event that ended a run: {"key", "agent"} of an instruction that needs a state key."""

_MOST_FRAMES = 30
_MOST_CAUSES = 5
_LONGEST_TEXT = 1000
_RUNTIME = Path(__file__).parent.parent
_USERS_FOLDERS = (_RUNTIME / "pipelines",)
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})

_log = logging.getLogger(__name__)


def traceback_value(error: BaseException) -> dict[str, Any]:
    """The traceback of `error` with those of its causes.

    Returns:
        `{"type", "message", "frames", "left_out"}`, the frames from the outermost to the one that raised:
        `{"file", "path", "line", "function", "source", "own"}`. `own` says that the frame is the author's code, not this
        runtime's or a library's. "left_out" counts frames in the middle that are not kept. With a cause, "cause" is the
        same of it, and "context" says that the error was raised while the cause was handled, not `from` it.
    """
    return _value(error, set())


def failure_marks(error: Exception) -> dict[str, Any]:
    """What an event that tells of `error` keeps in `custom_metadata`: {} for one of ours from no author's code."""
    value = traceback_value(error)
    marks: dict[str, Any] = {}
    if not isinstance(error, PlaygroundError) or _has_own_frame(value):
        marks[TRACEBACK] = value
    if isinstance(error, MissingStateKeyError) and error.key:
        marks[MISSING_STATE_KEY] = {"key": error.key, "agent": error.agent}
    return marks


def _has_own_frame(value: dict[str, Any]) -> bool:
    return any(frame["own"] for frame in value["frames"]) or ("cause" in value and _has_own_frame(value["cause"]))


def log_failure(what: str, error: BaseException) -> None:
    """Writes an error with its traceback, without keys, to the server's log."""
    _log.error("%s\n%s", redact(what), redact("".join(traceback.format_exception(error))))


def _value(error: BaseException, seen: set[int]) -> dict[str, Any]:
    seen.add(id(error))
    kept, left_out = _within_limit(_frames(error.__traceback__))
    value: dict[str, Any] = {
        "type": type(error).__name__,
        "message": _text(str(error)),
        "frames": [_frame(frame) for frame in kept],
        "left_out": left_out,
    }
    is_context = error.__cause__ is None
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and id(cause) not in seen and len(seen) < _MOST_CAUSES:
        value |= {"cause": _value(cause, seen), "context": is_context}
    return value


def _frames(trace: TracebackType | None) -> list[traceback.FrameSummary]:
    """The frames with their source as it was loaded, where the loader keeps it: the file may be another by now."""
    frames = traceback.extract_tb(trace)
    for place, (frame, line) in enumerate(traceback.walk_tb(trace)):
        lines = getattr(frame.f_globals.get("__loader__"), "lines", None)
        if isinstance(lines, list) and 0 < line <= len(kept := cast("list[str]", lines)):
            frames[place] = traceback.FrameSummary(frames[place].filename, line, frames[place].name, line=kept[line - 1])
    return frames


def _within_limit(frames: list[traceback.FrameSummary]) -> tuple[list[traceback.FrameSummary], int]:
    """The first and the last frames, and how many between them are left out."""
    if (left_out := len(frames) - _MOST_FRAMES) <= 0:
        return frames, 0
    half = _MOST_FRAMES // 2
    return [*frames[:half], *frames[-half:]], left_out


def _frame(frame: traceback.FrameSummary) -> dict[str, Any]:
    return {
        "file": Path(frame.filename).name,
        "path": _text(frame.filename),
        "line": frame.lineno,
        "function": _text(frame.name),
        "source": _text((frame.line or "").strip()),
        "own": _is_own(frame.filename),
    }


def _is_own(filename: str) -> bool:
    """Whether a file is neither this runtime's nor a library's."""
    path = Path(filename)
    if any(path.is_relative_to(folder) for folder in _USERS_FOLDERS):
        return True
    return not (filename.startswith("<") or path.is_relative_to(_RUNTIME) or any(map(path.is_relative_to, _LIBRARIES)))


def _text(text: str) -> str:
    short = redact(text).encode(errors="replace").decode()
    return short if len(short) <= _LONGEST_TEXT else f"{short[: _LONGEST_TEXT - 1]}…"
