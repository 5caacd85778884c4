"""Ends the process of the command line, even if a user package has left threads or imports running."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

GRACE = 2.0
"""Seconds that threads have to end by themselves."""


def end_in_time(code: int) -> None:
    """Makes the process end soon with this exit code. Call it last: it returns, or ends the process.

    An interpreter that exits during an import may crash, and it waits for threads without a limit. So the process ends at
    once if a package is still being imported, and after `GRACE` if threads still run.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    imports = sys.modules.get("agents.pipelines.package_import")  # None: no package was imported
    if imports is not None and imports.unfinished():
        os._exit(code)
    end = threading.Timer(GRACE, os._exit, (code,))
    end.daemon = True
    end.start()
