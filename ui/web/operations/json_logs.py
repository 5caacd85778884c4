"""Logs as JSON, one object a line, for programs that collect them: `--log-format json`."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import sys
from datetime import UTC, datetime

from agents.models import redact
from ui.access import visitor_key
from ui.web.operations import traffic


class JsonFormatter(logging.Formatter):
    """A line of JSON: time, level, logger, message, and of requests their id and user.

    A user is shown as 12 hexadecimal digits that are the same for all of their requests to one database. Keys are masked.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        text = record.getMessage()
        if record.exc_info:
            text = f"{text}\n{self.formatException(record.exc_info)}"
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact(text),
        }
        if (request := traffic.current()) is not None:
            said["request"] = request.id
            if request.user:
                said["user"] = hashed(request.user)
        if (milliseconds := getattr(record, "milliseconds", None)) is not None:
            said["milliseconds"] = milliseconds
        return json.dumps(said)


def hashed(user_id: str) -> str:
    """A user as logs show them: nobody without the database's key can tell who it is."""
    return hmac.new(visitor_key.key(), user_id.encode(), hashlib.sha256).hexdigest()[:12]


def install() -> None:
    """Has all loggers of this process, those of libraries too, write JSON to standard error. May be called again."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.root.handlers[:] = [handler, traffic.MessageCounter()]
    logging.getLogger("playground").setLevel(logging.INFO)
    for logger in list(logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):  # Streamlit's and uvicorn's have handlers of their own
            logger.handlers.clear()
            logger.propagate = True
