"""What a simulated model answers for the planner and the doer.

One function serves both. The request shows which one it is: only the doer has a tool that writes.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.planning_mode.cjk_requests import read_cjk_request, tells_to_go_ahead
from agents.pipelines.planning_mode.lists import Step, changed, lists_named_in, read_plan, read_request

_GO_AHEAD = re.compile(
    r"\b(?:go ahead|do (?:it|that|so)|carry|proceed|execute)\b|\A\W*+(?:yes|ok(?:ay)?|now)\b", re.IGNORECASE
)
_ALL = re.compile(r"\b(?:lists|files|all|everything)\b", re.IGNORECASE)


class _Work(NamedTuple):
    """What a request comes to: the files that change, the steps that change them, a sentence for each that is not needed."""

    files: dict[str, str]
    steps: list[Step]
    notes: list[str]


def keep_lists(request: SimulatedRequest) -> Reply | str:
    """Lists, reads, and then plans or writes, according to the tools that there are."""
    listed = request.tool_results("list_files")
    if not listed:
        return Reply(calls=[("list_files", {})])
    paths = list((listed[-1].response or {}).get("files", {}))
    message, may_write = request.last_user_text(), request.may_call("write_file")
    say = phrases_beside(__file__, "sentences.toml").texts[answer_language(message)]
    steps, named, goes_ahead = _understood(message, paths)
    if not steps and goes_ahead:
        if not may_write:
            return say["only_plan"]
        steps = read_plan(request.section("Plan"))
    wanted = [path for path in paths if path in {step.path for step in steps}] if steps else named
    read = [result.response or {} for result in request.tool_results("read_file")]
    if wanted and not read:
        return Reply(calls=[("read_file", {"path": path}) for path in wanted])
    texts = {str(result["path"]): str(result["text"]) for result in read if "text" in result}
    if failed := [str(result["error"]) for result in read if "error" in result]:
        return say["unread"].format(errors=" ".join(failed))
    if not steps:
        return _shown(texts) if texts else _what_i_can(paths, say)
    work = _worked_out(steps, texts, say)
    return _done(request, work, say) if may_write else _planned(work, say)


def _understood(message: str, paths: list[str]) -> tuple[list[Step], list[str], bool]:
    """The steps that a message asks for, the files that it names, and whether it says to go ahead."""
    if answer_language(message) != "en":
        steps, named = read_cjk_request(message, paths)
        return steps, named, tells_to_go_ahead(message)
    named = lists_named_in(message, paths) or (paths if _ALL.search(message) else [])
    return read_request(message, paths), named, _GO_AHEAD.search(message) is not None


def _worked_out(steps: list[Step], texts: dict[str, str], say: dict[str, str]) -> _Work:
    files, needed, notes = dict(texts), list[Step](), list[str]()
    for step in steps:
        text, why_not = changed(files.get(step.path), step)
        if text is not None and not why_not:
            files[step.path] = text
            needed.append(step)
        elif why_not:
            notes.append(say["not_needed"].format(why=why_not, step=step))
    return _Work({path: text for path, text in files.items() if texts.get(path) != text}, needed, notes)


def _planned(work: _Work, say: dict[str, str]) -> str:
    lines = [f"{number}. {step}" for number, step in enumerate(work.steps, 1)] or [say["nothing_to_do"]]
    return "\n".join([*lines, *work.notes, *([say["unchanged"]] if work.steps else [])])


def _done(request: SimulatedRequest, work: _Work, say: dict[str, str]) -> Reply | str:
    written = [result.response or {} for result in request.tool_results("write_file")]
    if work.files and not written:
        return Reply(calls=[("write_file", {"path": path, "text": text}) for path, text in work.files.items()])
    if failed := [str(result["error"]) for result in written if "error" in result]:
        return say["unwritten"].format(errors=" ".join(failed))
    lines = [say["done"], *(f"- {step}" for step in work.steps)] if work.steps else [say["nothing_done"]]
    return "\n".join([*lines, *work.notes])


def _shown(texts: dict[str, str]) -> str:
    return "\n\n".join(f"{path}:\n{text.strip()}" for path, text in texts.items())


def _what_i_can(paths: list[str], say: dict[str, str]) -> str:
    there_are = say["there_are"].format(paths=", ".join(paths)) if paths else say["there_is_none"]
    return say["what_i_can"].format(there_are=there_are)


SIMULATION = {"Planner": keep_lists, "Doer": keep_lists}
