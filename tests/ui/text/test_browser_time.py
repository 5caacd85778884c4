"""Times in the browser's zone."""

from __future__ import annotations

import pytest

from ui.text import browser_time
from ui.text.browser_time import local_time
from ui.text.labels import ago

NEW_YEAR = 1767225600.0
"""2026-01-01 00:00 UTC."""


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch):
    class Context:
        timezone: str | None = None

    monkeypatch.setattr(browser_time.st, "context", Context)
    return Context


@pytest.mark.parametrize(
    ("name", "time"),
    [("Asia/Tokyo", "2026-01-01 09:00"), ("America/New_York", "2025-12-31 19:00"), ("UTC", "2026-01-01 00:00")],
)
def test_a_time_is_the_browsers(zone, name, time):
    zone.timezone = name
    assert f"{local_time(NEW_YEAR):%Y-%m-%d %H:%M}" == time


@pytest.mark.parametrize("name", [None, "", "Nowhere/At all", "../../etc/passwd", "/etc/passwd"])
def test_a_zone_that_is_unknown_is_the_servers(zone, name):
    zone.timezone = name
    assert local_time(NEW_YEAR).timestamp() == NEW_YEAR


def test_a_day_in_words_is_the_browsers(zone):
    zone.timezone = "Asia/Tokyo"
    assert ago(NEW_YEAR, now=NEW_YEAR + 9 * 86400) == "1 Jan"
    zone.timezone = "America/New_York"
    assert ago(NEW_YEAR, now=NEW_YEAR + 9 * 86400) == "31 Dec 2025"
