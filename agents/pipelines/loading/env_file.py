"""Reads the `.env` file beside an agent, as ADK does. Sets nothing, and no text of a file is in an error."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

from agents.config import environment_with
from agents.errors import PipelineLoadError
from agents.storage.given_file import decoded, read_given

_LARGEST = 64 * 1024
# python-dotenv's patterns take time that grows with the square of these two.
_LONGEST_LINE = 8 * 1024
_MOST_REFERENCES = 100


def read_env(file: Path) -> dict[str, str]:
    """The variables of a file, `${NAME}` expanded; none where there is no such file, or a folder of that name.

    Raises:
        PipelineLoadError: It cannot be read, or a variable cannot be set.
    """
    if not file.is_file():
        return {}
    try:
        text = decoded(read_given(file, most=_LARGEST))
    except UnicodeDecodeError:
        raise PipelineLoadError(f"{file} is no text in UTF-8, UTF-16 or Windows-1252. Save it as UTF-8.") from None
    except OSError as error:
        raise PipelineLoadError(f"{file} cannot be read: {error.strerror}. Mend or remove it.") from None
    if max(map(len, text.replace("\r", "\n").split("\n"))) > _LONGEST_LINE:
        raise PipelineLoadError(f"{file} has a line of more than {_LONGEST_LINE:,} characters. Shorten it.")
    if text.count("${") > _MOST_REFERENCES:
        raise PipelineLoadError(f"{file} has more than {_MOST_REFERENCES} times `${{`. Write out some of the values.")
    from dotenv.main import DotEnv  # only needed where there is a file

    found = _expanded(DotEnv(None, StringIO(text), interpolate=False).parse(), file)
    for name, value in found.items():
        if "\0" in name + value:
            raise PipelineLoadError(f"{file} has a NUL character at {name[:80]!r}, which no variable holds. Remove it.")
    return found


def _expanded(pairs: Iterable[tuple[str, str | None]], file: Path) -> dict[str, str]:
    """The variables with the values of those that they refer to: a few lines may double a text until memory ends."""
    from dotenv.variables import parse_variables

    found: dict[str, str] = {}
    known = ChainMap[str, str | None](found, environment_with())  # pyright: ignore[reportArgumentType]  never written to
    size = 0
    for name, value in pairs:
        if value is not None:
            found[name] = "".join(atom.resolve(known) for atom in parse_variables(value))
            if (size := size + len(found[name])) > _LARGEST:
                raise PipelineLoadError(
                    f"The values in {file} have more than {_LARGEST:,} characters once `${{…}}` is replaced. Shorten them."
                )
    return found
