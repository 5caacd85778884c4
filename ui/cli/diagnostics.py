"""Redacts the process's diagnostics: log records, warnings and uncaught exceptions are printed without keys and safely.

Libraries log tracebacks, too, and an exception's message may quote a key.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import warnings
from types import TracebackType
from typing import Any, TextIO

from ui.text.visible_text import visible


def install() -> None:
    """Redacts all diagnostics of this process; for programs, not for libraries and tests."""
    logging.setLogRecordFactory(_record)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    warnings.showwarning = _warning


def safe(text: str) -> str:
    """`text` without keys, and with terminal control characters made visible."""
    from agents.models import redact

    return visible(redact(text))


def _record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    """A log record whose message and traceback are safe with every formatter."""
    record = logging.LogRecord(*args, **kwargs)
    try:
        record.msg, record.args = safe(record.getMessage()), None
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = safe(_shown(*record.exc_info)).rstrip()  # a formatter uses this text if it is set
    except Exception:  # noqa: BLE001  an argument whose `__str__` fails; logging never raises
        record.msg, record.args, record.exc_info = "A log record that cannot be shown.", None, None
    return record


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    print(safe(_shown(kind, error, trace)), end="", file=sys.stderr)


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and args.exc_type is not SystemExit:
        name = args.thread.name if args.thread else "unknown"
        print(
            safe(f"Exception in thread {name}:\n{_shown(args.exc_type, args.exc_value, args.exc_traceback)}"),
            file=sys.stderr,
        )


def _warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(safe(warnings.formatwarning(message, category, filename, lineno, line)), end="", file=file or sys.stderr)


def _shown(kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> str:
    return "".join(traceback.format_exception(kind, error, trace))
