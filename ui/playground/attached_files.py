"""Files of a chat message: pictures and documents go to the model as they are, texts as text after the message."""

from __future__ import annotations

from collections.abc import Sequence

from google.genai import types

from agents import MessageError
from agents.models import attachments, provider_of
from agents.runs import MAX_FILE_BYTES, MAX_FILES, decoded
from ui.dependencies.streamlit_private import UploadedFile, free_upload

PICTURES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
}
DOCUMENTS = {"pdf": "application/pdf"}
TEXTS = ("txt", "md", "csv", "tsv", "json", "jsonl", "yaml", "yml", "toml", "xml", "log", "py", "js", "sql")
OFFERED = (*PICTURES, *DOCUMENTS, *TEXTS)
"""The endings that can be chosen; what a model does not take is refused with the reason."""


def read(text: str, files: Sequence[UploadedFile], model: str) -> tuple[str, list[types.Part]]:
    """The message and the parts that go with it.

    Args:
        text: What was typed; may be empty if there are files.
        files: What was attached.
        model: The model of the next run, which must take them.

    Raises:
        MessageError: The model does not take a file, or a file cannot be read.
    """
    if len(files) > MAX_FILES:
        raise MessageError(f"{len(files)} files are attached; a message takes {MAX_FILES}. Send them in several messages.")
    said, parts = [text] if text.strip() else [], list[types.Part]()
    for file in files:
        ending = file.name.rpartition(".")[2].lower()
        if file.size > MAX_FILE_BYTES:
            raise MessageError(f"{file.name} is larger than {MAX_FILE_BYTES // 1024**2} MiB. Send a smaller one.")
        if ending in TEXTS:
            said.append(f"{file.name}:\n{_decoded(file)}")
            continue
        if why := _refusal(ending, model):
            raise MessageError(f"{file.name} was not sent: {why}.")
        mime_type = (PICTURES | DOCUMENTS)[ending]
        parts.append(types.Part(inline_data=types.Blob(data=file.getvalue(), mime_type=mime_type, display_name=file.name)))
    for file in files:
        free_upload(file)
    if not said and parts:
        said.append(", ".join(part.inline_data.display_name or "" for part in parts if part.inline_data))
    return "\n\n".join(said), parts


def _refusal(ending: str, model: str) -> str:
    """Why a model does not take such a file, as the end of a sentence; "" if it does."""
    kind = (PICTURES | DOCUMENTS).get(ending)
    if kind is None:
        return "files of this kind cannot be read"
    taken = attachments(model)
    if provider_of(model) is None or kind in taken.mime_types:  # of a class of the user's own nothing is known
        return ""
    return f"{taken.about.rstrip('.')}. Choose another model, or send it as text"


def _decoded(file: UploadedFile) -> str:
    try:
        return decoded(file.getvalue())
    except UnicodeDecodeError:
        raise MessageError(
            f"{file.name} was not sent: it is no text in UTF-8, UTF-16 or Windows-1252. Save it as UTF-8 first."
        ) from None
