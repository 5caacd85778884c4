"""`LabDescription`: what a lab run measures, as one TOML file says it.

name = "formulas"
split = "train"
seeds = [0, 1]

[data]              # as `agents.lab.data.open_data` takes it
generate = "formulas"

[[arms]]
kind = "none"

[[arms]]
kind = "online"
rounds = 5

[limits]
samples = 200
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self, cast

import tomlkit
from pydantic import Field, ValidationError, model_validator

from agents.errors import LabError
from agents.lab.description.arms import KINDS, MOST_BATCH, Arm, Name, Table
from agents.lab.task import Keep
from agents.models.simulated.spec import SIMULATED
from agents.storage.given_file import read_given

MAX_DESCRIPTION_BYTES = 256 * 1024
"""Most bytes of a description."""
_MOST_REPEATS = 100
_MOST_DOTS = 64
_BETWEEN_KEYS = re.compile(r"[=,\[\]{}\n]")
_WORDS = {
    "extra_forbidden": "there is no such field",
    "union_tag_not_found": "it has no kind",
    "string_pattern_mismatch": "it may have letters, digits, blanks and . , ( ) = - _ and begins with a letter or a digit",
}


class Limits(Table):
    """Where an arm ends for each seed. It begins no sample that is likely to go beyond.

    Attributes:
        samples: Most samples of a split.
        calls: Most model calls; this one is never exceeded.
        tokens: Most tokens, sent and received.
        dollars: Most US dollars.
    """

    samples: int | None = Field(default=None, ge=1)
    calls: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    dollars: float | None = Field(default=None, gt=0)


class LabDescription(Table):
    """What a run measures.

    Attributes:
        name: The run's name; also that of its folder.
        data: The data set, as `open_data` takes it.
        scorer: The scorer, as `make_scorer` takes it; by default the data set's own.
        split: The split that the arms answer, but for offline ones.
        pipeline: The pipeline that answers.
        model: The model of its agents.
        temperature: How freely models choose their words; None leaves it to each.
        seeds: Orders of the samples: 0 is the data's own. Each arm runs once for each, always in the same order.
        repeats: In place of `seeds`: how often each arm answers in the data's own order. The repeats are counted as seeds.
        arms: What is compared.
        limits: Where an arm ends.
        workers: Samples at a time where nothing is learned.
        keep: Whose sessions are kept.
    """

    name: Name
    data: dict[str, Any] | str
    scorer: dict[str, Any] | None = None
    split: str = "train"
    pipeline: str = "ace"
    model: str = SIMULATED
    temperature: float | None = Field(default=None, ge=0, le=2)
    seeds: list[Annotated[int, Field(ge=0, lt=2**31)]] = Field(default=[0], min_length=1)
    repeats: int = Field(default=1, ge=1, le=_MOST_REPEATS, strict=True)
    arms: list[Arm] = Field(min_length=1)
    limits: Limits = Limits()
    workers: int = Field(default=1, ge=1, le=MOST_BATCH)
    keep: Keep = "wrong"

    @model_validator(mode="before")
    @classmethod
    def _repeats_are_seeds(cls, given: Any) -> Any:
        table = cast("dict[str, Any]", given)
        repeats = table.get("repeats") if isinstance(given, dict) else None
        if isinstance(repeats, int) and 1 < repeats <= _MOST_REPEATS:
            return {"seeds": [*range(repeats)], **table}
        return table

    @model_validator(mode="after")
    def _is_clear(self) -> Self:
        if self.repeats > 1 and self.seeds != [*range(self.repeats)]:
            raise ValueError("give seeds, which are orders, or repeats, which keep the order: not both")
        for title, count in Counter(arm.title for arm in self.arms).items():
            if count > 1:
                raise ValueError(f"{count} arms are called {title!r}: give each a name of its own")
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError("a seed is there twice")
        return self

    @classmethod
    def from_toml(cls, text: str, *, file: str = "The description") -> Self:
        """Reads a description.

        Args:
            text: The TOML.
            file: What to call it in errors.

        Raises:
            LabError: It cannot be read; the message names line and field.
        """
        try:
            _check_size(text, file)
            return cls.model_validate(tomllib.loads(text))
        except UnicodeEncodeError as error:
            raise LabError(f"{file} has half a character at place {error.start + 1}. Write it anew.") from None
        except tomllib.TOMLDecodeError as error:
            raise LabError(f"{file} is not TOML: {error}.") from None
        except RecursionError:
            raise LabError(f"{file} has tables or lists nested too deep. Look for brackets that do not close.") from None
        except ValidationError as error:
            told = "; ".join(problem_in(text, dict(one)) for one in error.errors()[:5])
            raise LabError(f"{file} does not describe a lab run: {told}.") from None

    @classmethod
    def read(cls, path: Path) -> Self:
        """Reads a description from a file; see `from_toml`."""
        return cls.from_toml(read_description(path), file=str(path))

    def to_toml(self) -> str:
        """The description as TOML, as `from_toml` reads it.

        Raises:
            LabError: It has a value that TOML lacks, such as None in `data`.
        """
        try:
            return tomlkit.dumps(self.model_dump(mode="json", exclude_none=True))
        except TypeError as error:
            raise LabError(f"The description cannot be written as TOML: {error}. Leave that value out.") from None


def _check_size(text: str, file: str) -> None:
    """Checks that reading takes no longer than its length allows: the time for a key grows with the square of its parts.

    Raises:
        LabError: It is too long.
        UnicodeEncodeError: It has half a character.
    """
    if len(text.encode()) > MAX_DESCRIPTION_BYTES:
        raise LabError(
            f"{file} is longer than {MAX_DESCRIPTION_BYTES // 1024} KiB, which no description is. Put data into a file "
            "of its own, and name that file."
        )
    if any(one.count(".") > _MOST_DOTS for one in _BETWEEN_KEYS.split(text)):
        raise LabError(f"{file} has a key of more than {_MOST_DOTS} parts. Look for a line with too many dots.")


def read_description(path: Path) -> str:
    """The text of a description.

    Raises:
        LabError: It cannot be read.
    """
    try:
        return read_given(path, most=MAX_DESCRIPTION_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise LabError(f"The description {str(path)!r} cannot be read: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError as error:
        raise LabError(f"The description {str(path)!r} is not UTF-8 (byte {error.start}). Save it as UTF-8.") from None


def problem_in(text: str, error: Mapping[str, Any]) -> str:
    """An error of pydantic in words, with line and field."""
    place = [one for number, one in enumerate(error["loc"]) if not (number == 2 and one in KINDS)]  # noqa: PLR2004
    line = _line_of(text, place)
    where = ".".join(str(one + 1) if isinstance(one, int) else one for one in place)
    said = str(error["msg"]).removeprefix("Value error, ")
    said = _WORDS.get(error["type"], said)
    return f"{f'line {line}, ' if line else ''}{where + ': ' if where else ''}{said[:1].lower()}{said[1:]}"


def _line_of(text: str, place: list[str | int]) -> int:
    """The number of the line that has a field, or of its table's header; 0 if it is not found."""
    tables = [str(one) for one in place if isinstance(one, str)]
    wanted = next((one for one in place if isinstance(one, int)), 0)
    seen, header, found = -1, "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.strip()
        if said.startswith("["):
            header = said.partition("]")[0].strip("[ ")
            seen += said.startswith("[[") and bool(tables) and header == tables[0]
            if tables and header == tables[0] and (not said.startswith("[[") or seen == wanted):
                found = number
            continue
        key = said.partition("=")[0].strip().strip("\"'")
        is_here = header == "" or (header in tables and (seen == wanted or seen < 0))
        if tables and key == tables[-1] and is_here and header in ("", tables[0]):
            return number
    return found
