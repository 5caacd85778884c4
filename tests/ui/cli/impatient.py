"""`playground` whose sessions wait a short time only for a lock to go or a disk to have room. Run by `-m`."""

import sys

from agents.storage.sessions.sqlite import SqliteSessionService
from agents.storage.sqlite import patience
from ui.cli.main import main

SECONDS, TELL_SECONDS = 1.5, 0.2
"""Seconds until a write is given up, and until a wait is told."""

if __name__ == "__main__":
    SqliteSessionService.__init__.__kwdefaults__["busy_timeout"] = SECONDS
    patience.TELL_SECONDS = TELL_SECONDS
    sys.exit(main())
