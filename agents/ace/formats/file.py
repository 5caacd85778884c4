"""Decodes the bytes of a playbook file, or says why it cannot be one."""

from __future__ import annotations

from agents.ace.formats.shapes import refuse
from agents.errors import PlaybookFormatError

MAX_PLAYBOOK_BYTES = 5_000_000
"""Most bytes of a file."""

_UNPACK = "Unpack or export it, and import the text that is in it"
_ANOTHER = "Choose the file of the playbook, a text or JSON"
_OTHER_KINDS = {
    b"PK\x03\x04": ("a ZIP archive", _UNPACK),
    b"\x1f\x8b": ("a gzip archive", _UNPACK),
    b"SQLite format 3\x00": ("a SQLite database", _UNPACK),
    b"\x89PNG": ("a picture (PNG)", _ANOTHER),
    b"\xff\xd8\xff": ("a picture (JPEG)", _ANOTHER),
    b"GIF8": ("a picture (GIF)", _ANOTHER),
    b"RIFF": ("a picture, a sound or a film (RIFF)", _ANOTHER),
    b"%PDF": ("a PDF", _ANOTHER),
}
_UTF_16 = b"\xff\xfe", b"\xfe\xff"


def playbook_file_text(content: bytes) -> str:
    """The text of a file.

    Raises:
        PlaybookFormatError: It is empty, too large, an archive, or not text in UTF-8; the message names the line.
    """
    check_size(len(content))
    for start, (kind, cure) in _OTHER_KINDS.items():
        if content.startswith(start):
            refuse("The file", f"this is {kind}, not a text. {cure}")
    if content.startswith(_UTF_16):
        raise _not_utf_8(1)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf_8(content.count(b"\n", 0, error.start) + 1) from None
    if not text or text.isspace():
        refuse("The file", "it is empty. Choose another one")
    return text


def check_size(size: int) -> None:
    """Refuses a file that is too large.

    Raises:
        PlaybookFormatError: It has more bytes than are read.
    """
    if size > MAX_PLAYBOOK_BYTES:
        refuse(
            "The file",
            f"it has {size / 1e6:,.1f} MB, and {MAX_PLAYBOOK_BYTES / 1e6:,.0f} MB is the most, since a model reads a "
            "playbook. Import the part that is needed",
        )


def _not_utf_8(line: int) -> PlaybookFormatError:
    return PlaybookFormatError(
        f"Line {line}: this is not text in UTF-8. Save the file with that encoding, or paste its text below."
    )
