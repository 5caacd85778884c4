"""Case files: one JSON file a case, made to be read in a diff. A bad file is named with its field and the cure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

from pydantic import ValidationError

from agents.access import OWNER, Action, User, require
from agents.cases.adk.eval_list import eval_set_of, is_eval_list
from agents.cases.adk.eval_set import EvalSetCases, cases_from_eval_set, is_eval_set
from agents.cases.case import VERSION, Case
from agents.errors import CaseError
from agents.storage.paths import folder_problem

MAX_FILE_BYTES = 1024 * 1024
"""Largest case file."""
_MOST_SHOWN = 80
_STEM = 60


@dataclass(frozen=True, slots=True)
class StoredCase:
    """A case and its file; a file in ADK's EvalSet format may have several."""

    path: Path
    case: Case


@dataclass(frozen=True, slots=True)
class CaseFolder:
    """The cases of a folder.

    Attributes:
        path: The folder.
        cases: Those that can be read, by file name.
        problems: Why the other files cannot be read, by file name.
        left_out: What EvalSets say that a case cannot, in sentences.
    """

    path: Path
    cases: Sequence[StoredCase]
    problems: Sequence[CaseError]
    left_out: Sequence[str] = ()


def cases_folder(beside: Path, agents_dir: Path | None) -> Path:
    """Where cases are kept unless a user says otherwise: `cases` beside the agents, else in the folder `beside`."""
    return (beside if agents_dir is None else agents_dir) / "cases"


def case_to_json(case: Case) -> str:
    """A case as its file has it: the same text for the same case, indented, with one line break at the end."""
    fields = case.model_dump(mode="json", exclude_defaults=True)
    fields["version"] = case.version
    fields["playbook"] = {"take": case.playbook.take, **fields.get("playbook", {})}
    fields["expect"] = [{"kind": one.kind, **found} for one, found in zip(case.expect, fields["expect"], strict=True)]
    if case.state:
        fields["state"] = dict(sorted(case.state.items()))
    shown = {name: fields[name] for name in type(case).model_fields if name in fields}
    return json.dumps(shown, ensure_ascii=False, indent=2) + "\n"


def case_from_json(text: str, *, source: str = "The case") -> Case:
    """Reads what `case_to_json` wrote.

    Args:
        text: The file's text.
        source: What to call it in a message.

    Raises:
        CaseError: It is no case; the message names the field and the cure.
    """
    return _case_of(_object_in(text, source), source)


def read_case(path: Path) -> Case:
    """Reads one case file.

    Raises:
        CaseError: It cannot be read, or has no case or several.
    """
    cases = _read(path).cases
    if len(cases) != 1:
        raise CaseError(f"{path.name} has {len(cases)} cases, and one is wanted. Read them with read_cases, by folder.")
    return cases[0]


def read_cases(folder: Path, *, pipeline: str = "") -> CaseFolder:
    """Reads all `*.json` files of a folder. One that cannot be read does not hide the others.

    Args:
        folder: The folder.
        pipeline: Of cases in ADK's formats that name none.

    Raises:
        CaseError: There is no such folder, it cannot be read, or it has no file of that kind.
    """
    if problem := folder_problem(folder):
        raise CaseError(f"The folder of cases {str(folder)!r} cannot be used: {problem} Name the folder that has the cases.")
    paths = sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())
    if not paths:
        raise CaseError(
            f"There are no cases in {str(folder)!r}: it has no .json file. Keep a finished session as a case, in its menu ⋯."
        )
    found: list[StoredCase] = []
    problems: list[CaseError] = []
    left_out: list[str] = []
    for path in paths:
        try:
            read = _read(path, pipeline)
            left_out += read.left_out
            for case in read.cases:
                found.append(_named_once(StoredCase(path, case), found))
        except CaseError as error:
            problems.append(error)
    return CaseFolder(folder, found, problems, left_out)


class CaseFiles:
    """A folder's case files, to be changed. What changes one may raise `NotPermittedError`.

    Attributes:
        folder: The folder; it need not exist.
    """

    def __init__(self, folder: Path, *, user: User = OWNER) -> None:
        self.folder, self._user = folder, user

    def _check_place(self, path: Path) -> None:
        """Checks that the user may change a file: one of this folder, the owner any."""
        is_here = path.parent.resolve() == self.folder.resolve()
        require(self._user, Action.USE_CASES, of=None if is_here else OWNER.id)

    def write(self, case: Case) -> Path:
        """Writes a case into a new file of the folder, which is made if it is missing.

        Raises:
            CaseError: The folder has a case of that name, or cannot be written.
        """
        require(self._user, Action.USE_CASES)
        folder = self.folder
        text = case_to_json(case)
        if len(text.encode(errors="replace")) > MAX_FILE_BYTES:
            raise CaseError(
                f"The case would be larger than {MAX_FILE_BYTES // 1024} KiB: its messages or start state are too long for "
                "one."
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            taken = {one.case.name for one in read_cases(folder).cases} if any(folder.glob("*.json")) else set[str]()
            if case.name in taken:
                raise CaseError(f"There is a case {case.name!r} already. Choose another name, or delete its file.")
            stem = _stem_of(case.name)
            for number in range(1, len(taken) + 1000):
                path = folder / (f"{stem}.json" if number == 1 else f"{stem}-{number}.json")
                try:
                    with path.open("x", encoding="utf-8", newline="\n") as file:
                        file.write(text)
                except FileExistsError:
                    continue
                return path
        except OSError as error:
            raise CaseError(
                f"The case cannot be written into {str(folder)!r}: {error.strerror}. Choose another folder."
            ) from None
        raise CaseError(f"There are too many files called {stem!r} in {str(folder)!r}. Choose another name.")

    def delete(self, stored: StoredCase) -> str:
        """Removes the file of a case; its text, for `restore`.

        Raises:
            CaseError: The file has other cases too, has become another case, or cannot be removed.
        """
        require(self._user, Action.USE_CASES)
        self._check_place(stored.path)
        path, name = stored.path, stored.case.name
        cases = _read(path).cases
        if [case.name for case in cases] != [name]:
            raise CaseError(
                f"{path.name} has {'other cases too' if len(cases) > 1 else 'another case by now'}, so it is left as it is. "
                f"Take {name[:_MOST_SHOWN]!r} out of it in an editor."
            )
        try:
            text = path.read_bytes().decode("utf-8")  # with its own line breaks
            path.unlink()
        except OSError as error:
            raise CaseError(f"{path.name} cannot be removed: {error.strerror}. Remove it by hand.") from None
        return text

    def restore(self, path: Path, text: str) -> None:
        """Writes the file of a case again that `delete` removed.

        Raises:
            CaseError: There is a file of that name again, or it cannot be written.
        """
        self._check_place(path)
        try:
            with path.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
        except FileExistsError:
            raise CaseError(f"There is a file {path.name} again. Rename it, then try once more.") from None
        except OSError as error:
            raise CaseError(f"{path.name} cannot be written: {error.strerror}. Is its folder still there?") from None


def _stem_of(name: str) -> str:
    """A file's name without its ending: letters and digits of any script, the rest as hyphens."""
    words = "".join(letter if letter.isalnum() else " " for letter in name.casefold()).split()
    return "-".join(words)[:_STEM].strip("-") or "case"


def _named_once(stored: StoredCase, before: Sequence[StoredCase]) -> StoredCase:
    other = next((one for one in before if one.case.name == stored.case.name), None)
    if other is not None:
        raise CaseError(
            f"{stored.path.name}: name: {stored.case.name[:_MOST_SHOWN]!r} is the name of the case in {other.path.name}. "
            "Give each case a name of its own."
        )
    return stored


def _read(path: Path, pipeline: str = "") -> EvalSetCases:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise CaseError(f"{path.name} is larger than {MAX_FILE_BYTES // 1024} KiB, which no case is. Remove it.")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CaseError(f"{path.name} is not UTF-8 (byte {error.start}). Save it as UTF-8.") from None
    except OSError as error:
        raise CaseError(f"{path.name} cannot be read: {error.strerror}.") from None
    given = _json_in(text, path.name)
    left_out: list[str] = []
    if is_eval_list(given):
        name = path.name.removesuffix(".json").removesuffix(".test").removesuffix(".evalset")
        given = eval_set_of(given, name=name, source=path.name, left_out=left_out)
    if isinstance(given, dict) and is_eval_set(found := cast("dict[str, Any]", given)):
        read = cases_from_eval_set(found, source=path.name, pipeline=pipeline)
        return EvalSetCases(read.cases, [*left_out, *read.left_out])
    if isinstance(given, dict) and set(cast("dict[str, Any]", given)) == {"criteria"}:
        return EvalSetCases([], [f"{path.name}: ADK's criteria for its metrics. Cases have expectations of their own."])
    return EvalSetCases([_case_of(_object_in(text, path.name), path.name)])


def _object_in(text: str, source: str) -> dict[str, Any]:
    given = _json_in(text, source)
    if not isinstance(given, dict):
        raise CaseError(f"{source} is no case: it is not a JSON object. Remove it from the folder of cases.")
    return cast("dict[str, Any]", given)


def _json_in(text: str, source: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise CaseError(f"{source} is not JSON ({where}). Mend it, or keep the session as a case again.") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _case_of(given: dict[str, Any], source: str) -> Case:
    version = given.get("version")
    if isinstance(version, int) and version > VERSION:
        raise CaseError(
            f"{source}: version: it is {version}, made by a newer Agent Playground; this one reads up to {VERSION}. "
            "Use the newer one."
        )
    try:
        return Case.model_validate(given)
    except ValidationError as error:
        raise CaseError(f"{source}: {_first_problem(error)}") from None


def _first_problem(error: ValidationError) -> str:
    """The first problem of a file: its field, what is wrong, and how many more there are."""
    first = error.errors(include_url=False, include_input=True)[0]
    field = ".".join(map(str, first["loc"])) or "the case"
    message, context = first["msg"].removeprefix("Value error, "), first.get("ctx") or {}
    match first["type"]:
        case "missing":
            told = "it is missing. Add it."
        case "extra_forbidden":
            told = "a case has no such field. Remove it, or look for a typing error."
        case "union_tag_invalid":
            told = f"{str(context.get('tag'))[:_MOST_SHOWN]!r} is unknown. Write one of {context.get('expected_tags')}."
        case _:
            shown = (
                json.dumps(first["input"], ensure_ascii=False, default=str)[:_MOST_SHOWN].encode(errors="replace").decode()
            )
            told = f"{message}. It is {shown}."
    more = error.error_count() - 1
    return f"{field}: {told}" + (
        f" There {'is 1 more problem' if more == 1 else f'are {more} more problems'}." if more else ""
    )
