"""What a simulated model answers for the keeper of the files.

It reads the request and the results of its own calls, and asks for what is still missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Self

from agents.models.simulated.language.detect import Language, answer_language, is_in_unread_script
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.tool_loop.errand import Errand, read_cjk_errand, read_errand
from agents.pipelines.tool_loop.findings import Finding, count_of, mentions, open_points, summary, total

_SAID = phrases_beside(__file__)
_AT_MOST = re.compile(r"at most: *+(\d{1,3})")
USUAL_CALLS = 3
MOST_SHOWN = 1_500


@dataclass(slots=True)
class Seen:
    """What the calls of this turn have brought to light.

    Attributes:
        files: Path → size, None before the files were listed.
        texts: What was read, by path.
        refusals: Why a file could not be read or written, or the files not listed, by path ("" for the list).
        written: Paths that were written.
    """

    files: dict[str, Any] | None = None
    texts: dict[str, str] = field(default_factory=dict[str, str])
    refusals: dict[str, str] = field(default_factory=dict[str, str])
    written: list[str] = field(default_factory=list[str])

    @classmethod
    def of(cls, request: SimulatedRequest) -> Self:
        """Reads this turn's calls, each with its response."""
        seen = cls()
        for name, args, response in _steps(request):
            path = str(args.get("path") or "")
            if name not in ("list_files", "read_file", "write_file"):
                continue
            if "error" in response:
                seen.refusals[path] = str(response["error"])
            elif name == "list_files":
                seen.files = dict(response.get("files") or {})
            elif name == "read_file":
                seen.texts[path] = str(response.get("text", ""))
            else:
                seen.written.append(path)
        return seen


def keep(request: SimulatedRequest) -> Reply | str:
    """The next calls that the request needs, or the answer, in the language of the request."""
    message = request.last_user_text()
    language = answer_language(message)
    if language == "en" and is_in_unread_script(message):
        return unread()
    if (errand := read_errand(message) if language == "en" else read_cjk_errand(message)) is None:
        return _SAID.say(language, "not_read")
    if errand.kind == "impossible":
        tools = ", ".join(tool.name or "" for tool in request.tools) or "none"
        return f"I cannot {errand.words[0]} anything. My tools are: {tools}."
    if errand.kind in ("no_text", "no_file"):
        return _SAID.say(language, errand.kind, path=errand.target)
    return _go_on(request, errand, Seen.of(request), language)


def _go_on(request: SimulatedRequest, errand: Errand, seen: Seen, language: Language) -> Reply | str:
    """Lists the files, reads those that are wanted, then works the result out: the first of these that is not done."""
    if not errand.paths and errand.kind != "write" and seen.files is None:
        if "" in seen.refusals:
            return _SAID.say(language, "unlisted", error=seen.refusals[""])
        return Reply(calls=[("list_files", {})], thought=_SAID.say(language, "no_list"))
    wanted = _wanted(errand, seen)
    if not_read := [path for path in wanted if path not in seen.texts and path not in seen.refusals]:
        at_once = not_read[: _calls_in_one_step(request)]
        done = len(wanted) - len(not_read)
        thought = _SAID.say(language, "next", all=len(wanted), read=done, paths=", ".join(at_once))
        return Reply(calls=[("read_file", {"path": path}) for path in at_once], thought=thought)
    refused = [
        _SAID.say(language, "unreadable", path=path, error=seen.refusals[path]) for path in wanted if path in seen.refusals
    ]
    if refused and not seen.texts:
        return "\n".join(refused)
    finding = _work_out(errand, seen, wanted)
    if errand.kind == "write" and language != "en" and (seen.written or seen.refusals):
        key = "written" if seen.written else "unwritten"
        return _SAID.say(language, key, path=errand.target, count=len(errand.text))
    return _finish(errand, seen, finding if language == "en" else _translated(finding, errand, language), refused, language)


def _translated(finding: Finding, errand: Errand, language: Language) -> Finding:
    """A finding with its sentence in another language than English, as far as it has one."""
    key = {"list": "files", "open": "open" if finding.found else "no_open"}.get(errand.kind)
    return replace(finding, answer=_SAID.say(language, key, count=len(finding.lines))) if key else finding


def _finish(errand: Errand, seen: Seen, finding: Finding, refused: list[str], language: Language) -> Reply | str:
    """Writes the result where the request wants it written, then says it."""
    target = errand.target
    if target is not None and not finding.found:
        return f"{finding.answer} So I wrote nothing to {target}."
    if target is None:
        return "\n".join((finding.answer, *finding.lines, *refused))
    if target in seen.refusals:
        return f"I could not write {target}. {seen.refusals[target]}"
    if target not in seen.written:
        text = _text_to_write(errand, seen, finding)
        thought = _SAID.say(language, "to_write", path=target)
        return Reply(calls=[("write_file", {"path": target, "text": text})], thought=thought)
    return "\n".join((f"{finding.answer.rstrip(':.')}. It is in {target}.", *finding.lines, *refused))


def _text_to_write(errand: Errand, seen: Seen, finding: Finding) -> str:
    match errand.kind:
        case "write":
            return errand.text
        case "copy":
            return seen.texts[errand.paths[0]]
        case "replace":
            return seen.texts[errand.paths[0]].replace(errand.words[0], errand.text)
        case "read":
            return "\n".join(seen.texts.values())
        case _:
            return finding.text


def _work_out(errand: Errand, seen: Seen, wanted: list[str]) -> Finding:
    """The result, from the texts of the files as far as it needs any."""
    match errand.kind:
        case "list":
            files = seen.files or {}
            return Finding(
                f"There are {len(files)} files:", tuple(f"- {path}: {size} bytes" for path, size in files.items())
            )
        case "write":
            return Finding(f"{len(errand.text)} characters, as you gave them.")
        case "copy":
            return Finding(f"A copy of {errand.paths[0]}.")
        case "replace":
            count = seen.texts[errand.paths[0]].count(errand.words[0])
            if not count:
                return Finding(f"“{errand.words[0]}” does not stand in {errand.paths[0]}.", found=False)
            return Finding(f"“{errand.words[0]}” is now “{errand.text}”, {count} ×.")
        case _:
            return _found_in({path: seen.texts[path] for path in wanted if path in seen.texts}, errand)


def _found_in(texts: dict[str, str], errand: Errand) -> Finding:
    match errand.kind:
        case "total" if errand.unit in ("file", "files"):
            return Finding(f"{len(texts)} files.", tuple(f"- {path}" for path in texts))
        case "total":
            return count_of(errand.unit, texts) or total(texts, errand.unit, errand.words[1:])
        case "open":
            return open_points(texts)
        case "search" if words := [word for word in errand.words if not _pointed_to(texts, {word.lower()})]:
            return mentions(texts, words)
        case "read" | "search":
            return Finding(f"{' and '.join(texts)}:", tuple(_shown(text) for text in texts.values()))
        case _:
            return summary(texts)


def _wanted(errand: Errand, seen: Seen) -> list[str]:
    """The files that are to be read: those named, else those that the words point to, else all."""
    if errand.kind in ("write", "list"):
        return []
    if errand.paths:
        return list(errand.paths)
    files = [path for path in seen.files or {} if path != errand.target]
    words = set(errand.request) | ({"todo", "tasks"} if errand.kind == "open" else set[str]())
    return _pointed_to(files, words) or files


def _pointed_to(files: Iterable[str], words: set[str]) -> list[str]:
    """Files whose folder or name is one of the words: "the days folder", "shopping", "Monday"."""
    named: list[str] = []
    for path in files:
        *folders, name = path.lower().split("/")
        if words & {*folders, name.rpartition(".")[0], *(folder.removesuffix("s") for folder in folders)}:
            named.append(path)
    return named


def _steps(request: SimulatedRequest) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """This turn's calls with their responses, in order."""
    calls: list[tuple[str, dict[str, Any]]] = []
    for content in request.contents:
        parts = content.parts or []
        made = [(call.name or "", dict(call.args or {})) for part in parts if (call := part.function_call)]
        if not made and any(part.text and not part.thought for part in parts):
            calls = []
        calls += made
    results = [dict(result.response or {}) for result in request.tool_results()]
    return [(name, args, result) for (name, args), result in zip(calls, results, strict=False)]


def _calls_in_one_step(request: SimulatedRequest) -> int:
    found = _AT_MOST.search(request.instruction)
    return max(1, int(found[1])) if found else USUAL_CALLS


def _shown(text: str) -> str:
    return text.rstrip() if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN].rstrip()}… ({len(text)} characters in all)"


SIMULATION = {"FileKeeper": keep}
