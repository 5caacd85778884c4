"""What a simulated model answers for the planner and the doer.

One function serves both. The request shows which one it is: only the doer has a tool that writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import forms_beside
from agents.pipelines.planning_mode.lists import Step, changed, path_of, read_plan, steps_of

_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")


class _Work(NamedTuple):
    """What a request comes to: the files that change, the steps that change them, a sentence for each that is not needed."""

    files: dict[str, str]
    steps: list[Step]
    notes: list[str]


def keep_lists(request: SimulatedRequest) -> Reply | str:
    """Lists, reads, and then plans or writes, according to the tools that there are."""
    message = request.last_user_text()
    if (reading := _FORMS.read(message)) is None:
        return _FORMS.refusal(message)
    say = _SAID.texts[answer_language(message)]
    if reading.form == "go" and not request.may_call("write_file"):
        return say["only_plan"]
    if (listed := request.last_answer("list_files")) is None:
        return Reply(calls=[("list_files", {})])
    paths = list(listed.get("files", {}))
    if reading.form in ("show", "lists"):
        shown = [path_of(named, paths) for named in reading.all("list")] if reading.form == "show" else paths
        return _read(request, shown, say, lambda texts: _shown(texts, say)) if all(shown) else _no_list(paths, say)
    steps = read_plan(request.section("Plan")) if reading.form == "go" else steps_of(reading, paths)
    if steps is None:
        return _no_list(paths, say)
    wanted = [path for path in paths if path in {step.path for step in steps}]
    return _read(request, wanted, say, lambda texts: _carried_out(request, _worked_out(steps, texts, say), say))


def _read(
    request: SimulatedRequest, wanted: list[str], say: dict[str, str], then: Callable[[dict[str, str]], Reply | str]
) -> Reply | str:
    """Reads the files that are wanted, then goes on with their texts."""
    read = [result.response or {} for result in request.tool_results("read_file")]
    if wanted and not read:
        return Reply(calls=[("read_file", {"path": path}) for path in wanted])
    if failed := [str(result["error"]) for result in read if "error" in result]:
        return say["unread"].format(errors=" ".join(failed))
    return then({str(result["path"]): str(result["text"]) for result in read if "text" in result})


def _shown(texts: dict[str, str], say: dict[str, str]) -> str:
    return "\n\n".join(f"{path}:\n{text.strip()}" for path, text in texts.items()) or say["nothing_to_do"]


def _no_list(paths: list[str], say: dict[str, str]) -> str:
    return say["no_list"].format(paths=", ".join(paths))


def _carried_out(request: SimulatedRequest, work: _Work, say: dict[str, str]) -> Reply | str:
    return _done(request, work, say) if request.may_call("write_file") else _planned(work, say)


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


SIMULATION = {"Planner": keep_lists, "Doer": keep_lists}
