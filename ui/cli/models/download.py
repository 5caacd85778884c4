"""`playground models pull`: fetches a model file, and shows how far it is."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from agents.models import INSTALL_LOCAL, LOCAL_PREFIX, find_file, lacks_extra, pull_file
from ui.cli.models.listing import size
from ui.text.visible_text import visible_line

_BAR = 30
_REDRAW = 0.1
_TENTHS = 10


def pull_model(name: str) -> int:
    """Fetches a model file into the models folder.

    Args:
        name: A name of the catalogue, or OWNER/REPOSITORY/FILE.gguf.

    Returns:
        The exit code.

    Raises:
        ModelFileError: There is no such file, or it cannot be fetched.
    """
    wanted = find_file(name)
    bar = ProgressBar(sys.stderr, wanted.file)
    try:
        pulled = pull_file(wanted, bar.show)
    finally:
        bar.end()
    what = "It is there already" if pulled.already else "Fetched"
    print(f"{what}: {visible_line(str(pulled.path))} ({size(pulled.file_bytes)})")
    compared = "compared with the hub's" if pulled.verified else "the hub gives none to compare with"
    print(f"SHA-256 {pulled.sha256}, {compared}")
    print(f'Use it with: playground run PIPELINE "…" --model {LOCAL_PREFIX}{wanted.name}')
    if lacks_extra():
        print(f"It needs the extra `local`: start with `{INSTALL_LOCAL}`.")
    return 0


class ProgressBar:
    """Shows the progress of a download: a line that is redrawn on a terminal, else a line for each tenth.

    Args:
        stream: The output.
        what: The name of the download.
    """

    def __init__(self, stream: TextIO, what: str) -> None:
        self._stream = stream
        self._what = visible_line(what)
        self._live = stream.isatty()
        self._drawn = 0.0
        self._tenth = -1
        self._width = 0

    def show(self, done: int, total: int) -> None:
        """Shows that `done` of `total` bytes have arrived."""
        if self._live:
            now = time.monotonic()
            if done < total and now - self._drawn < _REDRAW:
                return
            self._drawn = now
            filled = round(_BAR * done / total)
            line = f"{self._what}  {'█' * filled}{'░' * (_BAR - filled)} {done / total:4.0%}  {size(done)} of {size(total)}"
            self._stream.write(f"\r{line:<{self._width}}")
            self._width = len(line)
        elif (tenth := _TENTHS * done // total) > self._tenth:
            self._tenth = tenth
            self._stream.write(f"{self._what}: {tenth * _TENTHS}% of {size(total)}\n")
        self._stream.flush()

    def end(self) -> None:
        """Ends the line."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
