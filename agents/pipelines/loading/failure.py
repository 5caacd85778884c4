"""Why a pipeline package cannot be loaded: in a sentence, and as a text with the traceback. Both are without keys."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from pydantic import ValidationError

from agents.errors import PipelineLoadError
from agents.models.connections import redact
from agents.pipelines.loading.missing_modules import explain_missing

MOST_FAILURE_TEXT = 20_000
"""Characters of an error that are kept: its first and its last half."""

_MOST_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """Why a package cannot be loaded.

    Attributes:
        reason: One line: the error, whole, and where in the package it was raised.
        text: The traceback from the package's own first line on; one sentence for modules that are not installed; of an
            error of this project, its message alone.
        missing: The modules that are not installed, if that is the reason.
    """

    reason: str
    text: str
    missing: frozenset[str] = frozenset()


def failure_of(error: BaseException, folder: Path) -> LoadFailure:
    """The failure that an error is.

    Args:
        error: What was raised, of any type; showing it may raise in turn.
        folder: The package's folder.
    """
    try:
        if type(error) is PipelineLoadError:
            return failed(str(error))
        if (missing := explain_missing(error, folder)) is not None:
            return failed(missing[0], missing[1])
        trace = _from_within(error.__traceback__, folder)
        text = "".join(traceback.format_exception(type(error), error, trace))
        return LoadFailure(_short(redact(_reason(error, trace, folder))), _short(redact(text).rstrip()))
    except BaseException:  # noqa: BLE001  the error is the package's own class, and may do anything when it is shown
        return failed(f"It raised an error of type {type(error).__qualname__}, which cannot be shown.")


def failed(sentence: str, missing: frozenset[str] = frozenset()) -> LoadFailure:
    """A failure that a sentence says all of."""
    text = _short(redact(sentence))
    return LoadFailure(" ".join(text.split()), text, missing)


def _reason(error: BaseException, trace: TracebackType | None, folder: Path) -> str:
    lines = traceback.format_exception_only(error)
    if isinstance(error, SyntaxError):  # the lines before the last show the code
        what, line = lines[-1], error.lineno
        file = Path(error.filename) if error.filename else None
    else:
        what = _validation(error) if isinstance(error, ValidationError) else "".join(lines)
        file, line = _place(trace, folder)
    where = "" if file is None else f" ({_relative(file, folder)}, line {line})"
    return f"{' '.join(what.split())}{where}"


def _validation(error: ValidationError) -> str:
    """Each problem of pydantic's error, without the addresses of its documentation."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    said = [f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in problems[:_MOST_PROBLEMS]]
    more = f"; and {len(problems) - len(said)} more" if len(problems) > len(said) else ""
    return f"ValidationError of {error.title}: {'; '.join(said)}{more}"


def _place(trace: TracebackType | None, folder: Path) -> tuple[Path | None, int | None]:
    """File and line of the last frame in the package."""
    inner = [frame for frame in traceback.extract_tb(trace) if Path(frame.filename).is_relative_to(folder)]
    return (Path(inner[-1].filename), inner[-1].lineno) if inner else (None, None)


def _relative(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name


def _from_within(trace: TracebackType | None, folder: Path) -> TracebackType | None:
    """The traceback from the first frame on whose code lies in `folder`; none of it if no code there ran."""
    while trace is not None and not Path(trace.tb_frame.f_code.co_filename).is_relative_to(folder):
        trace = trace.tb_next
    return trace


def _short(text: str) -> str:
    if len(text) <= MOST_FAILURE_TEXT:
        return text
    half = MOST_FAILURE_TEXT // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"
