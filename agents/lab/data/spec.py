"""Data sets by specification: what a run's configuration says of its data, and the set that it opens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from agents.errors import DataSetError
from agents.lab.data.data_set import DataSet, Malformed, Problem, Split
from agents.lab.data.file_set import FileSet
from agents.lab.data.fractions import check_fractions
from agents.lab.data.generated.formulas import FORMULAS, HOUSE_RULES
from agents.lab.data.generated.free_advice import FREE_ADVICE
from agents.lab.data.generated.moving_world import moving_world
from agents.lab.data.generated_set import GeneratedSet, Kind
from agents.lab.data.listed_set import ABOUT_CASES, ABOUT_SESSIONS, ListedSet, samples_of_cases, samples_of_folder
from agents.lab.data.tables.columns import Fields
from agents.lab.sample import Sample

MAX_COUNT = 1_000_000
_SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "csv"}
_DRAWN: dict[str, Kind] = {"formulas": FORMULAS, "house_rules": HOUSE_RULES, "free_advice": FREE_ADVICE}


class _Spec(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _Columns(_Spec):
    question: str = ""
    answer: str = ""
    labels: list[str] = []


class _Files(_Spec):
    """One `file`, divided by `split`; or `files` by split."""

    file: str = ""
    files: dict[Literal["train", "validation", "test"], str] = {}
    format: Literal["jsonl", "csv"] | None = None
    columns: _Columns = _Columns()
    split: dict[Literal["train", "validation", "test"], float] = {}
    seed: int = 0
    malformed: Malformed = "skip"
    name: str = ""

    @model_validator(mode="after")
    def _names_one_or_several(self) -> Self:
        if bool(self.file) == bool(self.files):
            raise ValueError("give either file or files")
        if self.files and self.split:
            raise ValueError("files are the splits already, so split has no meaning")
        return self


class _Folder(_Spec):
    """A folder of `cases`, or one of exported `sessions`."""

    cases: str = ""
    sessions: str = ""
    split: dict[Literal["train", "validation", "test"], float] = {}
    seed: int = 0
    malformed: Malformed = "skip"
    name: str = ""

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if bool(self.cases) == bool(self.sessions):
            raise ValueError("give either cases or sessions")
        return self


class _Generated(_Spec):
    """A generator, by name."""

    generate: Literal["formulas", "house_rules", "free_advice"]
    seed: int = 1
    count: int = Field(default=240, ge=1, le=MAX_COUNT)
    name: str = ""

    def kind(self) -> Kind:
        return _DRAWN[self.generate]


class _MovingWorld(_Spec):
    """The generator whose world changes before the training sample at `change_at`; by default in the middle."""

    generate: Literal["moving_world"]
    seed: int = 1
    count: int = Field(default=120, ge=1, le=MAX_COUNT)
    change_at: int | None = Field(default=None, ge=0)
    name: str = ""

    def kind(self) -> Kind:
        return moving_world(self.count // 2 if self.change_at is None else self.change_at, self.seed)


_GENERATED: TypeAdapter[_Generated | _MovingWorld] = TypeAdapter(
    Annotated[_Generated | _MovingWorld, Field(discriminator="generate")]
)


def open_data(spec: Mapping[str, Any], *, folder: Path | None = None) -> DataSet:
    """Opens a data set.

    Examples of specifications::

        {"generate": "formulas", "seed": 1, "count": 240}
        {"generate": "moving_world", "seed": 1, "count": 120, "change_at": 60}
        {"file": "questions.jsonl", "split": {"train": 0.6, "validation": 0.2, "test": 0.2}, "seed": 1}
        {"cases": "cases"}, {"sessions": "exported"}
        {"files": {"train": "train.csv", "test": "test.csv"}, "columns": {"question": "Frage", "answer": "Antwort"}}

    A line that is no sample is skipped and listed in the set's problems; with `"malformed": "stop"` it is an error. Without
    `split`, every sample of a `file` is for training.

    Args:
        spec: The specification.
        folder: Where files are looked for; no path leads out of it. By default the working directory.

    Raises:
        DataSetError: The specification is wrong, or a file cannot be read.
    """
    try:
        if "generate" in spec:
            given = _GENERATED.validate_python(dict(spec))
            return GeneratedSet(given.name or given.generate, given.kind(), seed=given.seed, count=given.count)
        if "cases" in spec or "sessions" in spec:
            return _open_folder(TypeAdapter(_Folder).validate_python(dict(spec)), folder or Path.cwd())
        return _open_files(TypeAdapter(_Files).validate_python(dict(spec)), folder or Path.cwd())
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}".lstrip(": ") for one in error.errors())
        raise DataSetError(f"This is no specification of a data set. {problems}.") from None


def _open_files(spec: _Files, folder: Path) -> DataSet:
    fractions: dict[Split, float] | None = None
    files: dict[Split, Path] = {}
    if spec.files:
        files.update((split, path_in(folder, name)) for split, name in spec.files.items())
    else:
        fractions = _fractions(spec.split)
        files["all"] = path_in(folder, spec.file)
    formats = {spec.format or _SUFFIXES.get(path.suffix.lower(), "") for path in files.values()}
    if len(formats) != 1 or "" in formats:
        raise DataSetError('The format of the files is not clear from their names. Add format: "jsonl" or "csv".')
    columns = spec.columns
    return FileSet(
        spec.name or " + ".join(path.name for path in files.values()),
        files,
        Fields(columns.question, columns.answer, tuple(columns.labels)),
        is_csv=formats == {"csv"},
        fractions=fractions,
        seed=spec.seed,
        malformed=spec.malformed,
    )


def _open_folder(spec: _Folder, folder: Path) -> DataSet:
    path = path_in(folder, spec.cases or spec.sessions)
    found: Iterable[Sample | Problem] = samples_of_cases(path) if spec.cases else samples_of_folder(path)
    return ListedSet(
        spec.name or path.name,
        found,
        about=ABOUT_CASES if spec.cases else ABOUT_SESSIONS,
        scorer={"kind": "expected" if spec.cases else "folded"},
        fractions=_fractions(spec.split),
        seed=spec.seed,
        malformed=spec.malformed,
    )


def _fractions(split: Mapping[Literal["train", "validation", "test"], float]) -> dict[Split, float]:
    fractions: dict[Split, float] = {**split} or {"train": 1.0}
    check_fractions(fractions)
    return fractions


def is_table(path: Path) -> bool:
    """Whether a file is a table by its name; else it is JSON."""
    return _SUFFIXES.get(path.suffix.lower()) == "csv"


def path_in(folder: Path, name: str) -> Path:
    """The path of a file in a folder.

    Raises:
        DataSetError: The name leads out of the folder, also by a link, or is no name.
    """
    try:
        root = folder.resolve()
        path = (root / name).resolve()
        is_there = path.exists()
    except (OSError, ValueError, RuntimeError):
        raise DataSetError(f"{name!r} is no name of a file. Name one in {str(folder)!r}.") from None
    if not path.is_relative_to(root):
        raise DataSetError(f"{name!r} is outside of {str(folder)!r}. Move the file there, and name it without a path.")
    if not is_there:
        raise DataSetError(f"There is no {name!r} in {str(folder)!r}. Check the name.")
    return path
