"""Times as they are in the browser, which may be in another time zone than the server."""

from __future__ import annotations

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def local_time(timestamp: float) -> datetime:
    """A time in the browser's zone; in the server's where no page is drawn or the browser names no known zone.

    Args:
        timestamp: Seconds since the epoch.
    """
    return datetime.fromtimestamp(timestamp).astimezone(_zone())


def _zone() -> tzinfo | None:
    name = st.context.timezone
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None
