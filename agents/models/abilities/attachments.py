"""Which files a model takes in a message, known without asking its server."""

from __future__ import annotations

import mimetypes
from typing import NamedTuple

from agents.models.providers import provider_of

TEXTS = ("text/plain", "text/csv", "text/markdown", "text/html", "application/json")
"""Files that every model takes: as text."""

_ENDINGS = {"text/markdown": (".md",), "text/plain": (".txt",), "image/jpeg": (".jpg", ".jpeg"), "image/webp": (".webp",)}


class Attachments(NamedTuple):
    """The files that a model takes.

    Attributes:
        mime_types: Their types, e.g. "image/png".
        file_types: The endings of their names, e.g. "png".
        about: A sentence for users.
    """

    mime_types: tuple[str, ...]
    file_types: tuple[str, ...]
    about: str


def attachments(model: str) -> Attachments:
    """The files that a model takes in a message.

    Args:
        model: Its name, as in `LLMRegistry`. A model of a class of the user's own takes texts, as far as is known.
    """
    provider = provider_of(model)
    own = provider.mime_types if provider else ()
    kinds = (*own, *TEXTS)
    about = provider.files_about if provider and own else f"{model} takes text files only, as text."
    return Attachments(kinds, tuple(dict.fromkeys(ending for kind in kinds for ending in _endings(kind))), about)


def is_text(mime_type: str | None) -> bool:
    """Whether a file of this type can be sent as text."""
    kind = (mime_type or "").partition(";")[0].strip().lower()
    return kind.startswith("text/") or kind == "application/json" or kind.endswith(("+json", "+xml", "/xml", "/yaml"))


def _endings(kind: str) -> tuple[str, ...]:
    found = _ENDINGS.get(kind) or (mimetypes.guess_extension(kind) or "",)
    return tuple(ending.removeprefix(".") for ending in found if ending)
