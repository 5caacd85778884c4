"""What a simulated model answers for the keeper of the files.

It reads the request and the results of its own calls, and asks for what is still missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self

from agents.models.simulated.language.detect import Language, answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import Forms, Reading
from agents.models.simulated.reading.kinds import Message
from agents.pipelines.tool_loop.findings import Finding, count_of, mentions, open_points, summary, total

_SAID = phrases_beside(__file__, "simulation.toml")
_AT_MOST = re.compile(r"at most: *+(\d{1,3})")
_ARTICLES = frozenset(("the", "a", "an", "our", "my"))
_NO_PLACE = frozenset(("all", "every", "everything", "each", "file", "files", "total"))
USUAL_CALLS = 3
MOST_SHOWN = 1_500


def _unit(message: Message, at: int) -> Iterator[tuple[int, str]]:
    """What is counted, in one word: hours."""
    if at < len(message.tokens) and (token := message.tokens[at]).is_word and token.key not in _ARTICLES:
        yield at + 1, token.key


def _place(message: Message, at: int) -> Iterator[tuple[int, str]]:
    """A folder or a file by its name alone: "the days folder", "the greenhouse", "Monday"."""
    tokens = message.tokens
    begin = at + (at < len(tokens) and tokens[at].key in _ARTICLES)
    if begin < len(tokens) and tokens[begin].is_word and tokens[begin].key not in _NO_PLACE:
        end = begin + 1
        yield end + (end < len(tokens) and tokens[end].key in ("folder", "file")), tokens[begin].key


_FORMS = Forms(words_beside(__file__, "simulation.toml"), {"unit": _unit, "place": _place})


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
    if (errand := _FORMS.read(message)) is None:
        return _FORMS.refusal(message)
    seen, language = Seen.of(request), answer_language(message)
    if not errand.all("path") and errand.form != "write" and seen.files is None:
        if "" in seen.refusals:
            return _SAID.say(language, "unlisted", error=seen.refusals[""])
        return Reply(calls=[("list_files", {})], thought=_SAID.say(language, "no_list"))
    wanted = _wanted(errand, seen)
    if errand.get("place") and not wanted:
        return _FORMS.refusal(message)
    return _read(request, wanted, seen, language) or _answer(errand, seen, wanted, language)


def _read(request: SimulatedRequest, wanted: list[str], seen: Seen, language: Language) -> Reply | None:
    """The calls that read what is wanted and not read yet; None if there is nothing left to read."""
    if not (not_read := [path for path in wanted if path not in seen.texts and path not in seen.refusals]):
        return None
    at_once = not_read[: _calls_in_one_step(request)]
    thought = _SAID.say(language, "next", all=len(wanted), read=len(wanted) - len(not_read), paths=", ".join(at_once))
    return Reply(calls=[("read_file", {"path": path}) for path in at_once], thought=thought)


def _answer(errand: Reading, seen: Seen, wanted: list[str], language: Language) -> Reply | str:
    refused = [
        _SAID.say(language, "unreadable", path=path, error=seen.refusals[path]) for path in wanted if path in seen.refusals
    ]
    if refused and not seen.texts:
        return "\n".join(refused)
    finding = _work_out(errand, seen, wanted)
    if errand.form == "write" and language != "en" and (seen.written or seen.refusals):
        key = "written" if seen.written else "unwritten"
        return _SAID.say(language, key, path=errand.get("target"), count=len(errand.get("text")))
    return _finish(errand, seen, finding if language == "en" else _translated(finding, errand, language), refused, language)


def _translated(finding: Finding, errand: Reading, language: Language) -> Finding:
    """A finding with its sentence in another language than English, as far as it has one."""
    key = {"list": "files", "open": "open" if finding.found else "no_open"}.get(errand.form)
    return replace(finding, answer=_SAID.say(language, key, count=len(finding.lines))) if key else finding


def _finish(errand: Reading, seen: Seen, finding: Finding, refused: list[str], language: Language) -> Reply | str:
    """Writes the result where the request wants it written, then says it."""
    target = errand.get("path") if errand.form == "replace" else errand.get("target")
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


def _text_to_write(errand: Reading, seen: Seen, finding: Finding) -> str:
    match errand.form:
        case "write":
            return errand.get("text")
        case "copy" | "read":
            return "\n".join(seen.texts.values())
        case "replace":
            return seen.texts[errand.get("path")].replace(*_replaced(errand))
        case _:
            return finding.text


def _replaced(errand: Reading) -> tuple[str, str]:
    """What is replaced, and by what."""
    return str(errand.get("old").get("said")), str(errand.get("new").get("said"))


def _work_out(errand: Reading, seen: Seen, wanted: list[str]) -> Finding:
    """The result, from the texts of the files as far as it needs any."""
    match errand.form:
        case "list":
            files = seen.files or {}
            return Finding(
                f"There are {len(files)} files:", tuple(f"- {path}: {size} bytes" for path, size in files.items())
            )
        case "write":
            return Finding(f"{len(errand.get('text'))} characters, as you gave them.")
        case "copy":
            return Finding(f"A copy of {errand.get('path')}.")
        case "replace":
            old, new = _replaced(errand)
            count = seen.texts[errand.get("path")].count(old)
            if not count:
                return Finding(f"“{old}” does not stand in {errand.get('path')}.", found=False)
            return Finding(f"“{old}” is now “{new}”, {count} ×.")
        case _:
            return _found_in({path: seen.texts[path] for path in wanted if path in seen.texts}, errand)


def _found_in(texts: dict[str, str], errand: Reading) -> Finding:
    match errand.form:
        case "total":
            unit, name = errand.get("unit", "euros"), errand.get("name", "")
            return (None if name else count_of(unit, texts)) or total(texts, unit, name)
        case "open":
            return open_points(texts)
        case "search":
            return mentions(texts, [word for word in errand.get("said").split() if word.lower() not in _ARTICLES])
        case "summarise":
            return summary(texts)
        case _:
            return Finding(f"{' and '.join(texts)}:", tuple(_shown(text) for text in texts.values()))


def _wanted(errand: Reading, seen: Seen) -> list[str]:
    """The files that are to be read: those named, else those of the place, else all."""
    if errand.form in ("write", "list"):
        return []
    if named := errand.all("path"):
        return list(dict.fromkeys(named))
    files = [path for path in seen.files or {} if path != errand.get("target")]
    if place := errand.get("place"):
        return _pointed_to(files, {place})
    return (_pointed_to(files, {"todo", "tasks"}) if errand.form == "open" else []) or files


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
