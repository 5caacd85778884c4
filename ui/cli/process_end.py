"""Ends the process of the command line, also where a user package left something running in it."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

GRACE = 2.0
"""Seconds that threads have to end by themselves."""


def end_in_time(code: int) -> None:
    """Sees to it that the process ends soon with this exit code. Called last: returns, or ends the process.

    An interpreter that ends in the middle of an import may crash, and it waits for threads without a limit. A package that
    is still being imported is therefore cut off at once, and threads after `GRACE`.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    imports = sys.modules.get("agents.pipelines.package_import")  # not there: no package was imported
    if imports is not None and imports.unfinished():
        os._exit(code)
    end = threading.Timer(GRACE, os._exit, (code,))
    end.daemon = True
    end.start()
