"""Sessions as a data set: the first message of each is the question, the right answer is what the session was told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agents.ace.roles.feedback import split_message
from agents.ace.roles.instructions import TRUTH_KEY
from agents.errors import DataSetError, SessionFileError
from agents.event import Event
from agents.lab.data.data_set import Problem
from agents.lab.sample import Sample
from agents.log import EVENT_KIND
from agents.sharing.desk import read_shared
from agents.sharing.reader import MAX_SESSION_FILE_BYTES
from agents.sharing.session_file import SessionFile
from agents.storage.given_file import open_given

ABOUT = (
    "Questions that were really asked. Of each session only the first message is used: what follows rests on what was said "
    "before. A right answer is known where a user or a file gave one; a thumb is none."
)
_SUFFIXES = {".jsonl", ".json"}


def samples_of_folder(folder: Path) -> Iterator[Sample | Problem]:
    """The samples of a folder of exported sessions, and what is none; in the order of file names.

    Raises:
        DataSetError: The folder cannot be read, or a file in it lies elsewhere.
    """
    root = folder.resolve()
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES)
    except OSError as error:
        raise DataSetError(f"The folder {folder.name!r} cannot be read: {error.strerror}. Name the folder itself.") from None
    for path in paths:
        if not path.resolve().is_relative_to(root):
            raise DataSetError(f"{path.name} is a link out of {folder.name!r}. Replace it by the file itself.")
        try:
            with open_given(path) as file:
                content = file.read(MAX_SESSION_FILE_BYTES + 1)  # the reader refuses what is larger
            yield sample_of_session(read_shared(content), path.name)
        except OSError as error:
            yield Problem(path.name, 0, "malformed", f"it cannot be read: {error.strerror}.")
        except SessionFileError as error:
            yield Problem(path.name, 0, "malformed", str(error))


def sample_of_session(file: SessionFile, name: str) -> Sample | Problem:
    """The sample of a session."""
    events = (entry.event() for entry in file.entries if entry.kind == EVENT_KIND)
    asked = next((event for event in events if event.author == "user" and event.text), None)
    if asked is None:
        return Problem(name, 0, "empty", "nobody asks anything in this session.")
    question = split_message(asked.text)
    truth = _told(asked) or question.ground_truth
    return Sample(id=name, question=question.query, truth=truth, labels={"pipeline": file.pipeline})


def _told(event: Event) -> str | None:
    """The right answer that came along as state."""
    told = event.actions.state_delta.get(TRUTH_KEY)
    return str(told).strip() or None if isinstance(told, str | int | float) else None
