"""Reads the data files that lie beside the code: units, words, sentences, families of questions."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from agents.errors import AuthorError


def read_data(module: str, file: str) -> dict[str, Any]:
    """The tables of a TOML file; numbers with a point are exact.

    Args:
        module: The `__file__` of the module that the file lies beside.
        file: Its name.

    Raises:
        AuthorError: The file is missing or is no TOML; the message says where.
    """
    path = Path(module).with_name(file)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except (OSError, ValueError) as error:
        raise AuthorError(f"{file} cannot be read: {error}") from error
