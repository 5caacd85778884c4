"""Reads the `.env` file beside an agent, as ADK does. Sets nothing, and no text of a file is in an error."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from agents.errors import PipelineLoadError
from agents.storage.given_file import read_given
from agents.storage.given_text import decoded

_LARGEST = 64 * 1024


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
    from dotenv import dotenv_values  # only needed where there is a file

    found = {name: value for name, value in dotenv_values(stream=StringIO(text)).items() if value is not None}
    for name, value in found.items():
        if "\0" in name + value:
            raise PipelineLoadError(f"{file} has a NUL character at {name[:80]!r}, which no variable holds. Remove it.")
    return found
