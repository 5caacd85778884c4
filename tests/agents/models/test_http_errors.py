"""What goes wrong on the way to a server, whoever asks it."""

from __future__ import annotations

import email.utils
import ssl
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import ProviderError
from agents.models.http_errors import asked_delay, caused_by, is_of_network, is_timeout, is_unreachable, quoted

KEY = "key-that-nobody-may-see"


def of_aiohttp(name: str, *bases: type[Exception]) -> Exception:
    """An error named as one of a library that may not be here."""
    return type(name, bases or (Exception,), {"__module__": "aiohttp.client_exceptions"})()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx2.ConnectError("refused"), "unreachable"),
        (httpx2.ConnectTimeout("slow"), "unreachable"),
        (httpx2.UnsupportedProtocol("no http://"), "unreachable"),
        (httpx2.ProxyError("407"), "unreachable"),
        (httpx2.ReadTimeout("slow"), "timeout"),
        (httpx2.ReadError("reset"), "cut"),
        (httpx2.RemoteProtocolError("Server disconnected without sending a response."), "cut"),
        (of_aiohttp("ConnectionTimeoutError", TimeoutError), "unreachable"),
        (of_aiohttp("ClientConnectorError", OSError), "unreachable"),
        (of_aiohttp("InvalidURL", ValueError), "unreachable"),
        (of_aiohttp("SocketTimeoutError", TimeoutError), "timeout"),
        (of_aiohttp("ServerDisconnectedError"), "cut"),
        (of_aiohttp("ClientConnectionResetError"), "cut"),
        (ConnectionRefusedError(), "unreachable"),
        (ConnectionResetError(), "cut"),
        (ConnectionAbortedError(), "cut"),
        (BrokenPipeError(), "cut"),
        (TimeoutError(), "timeout"),
        (ssl.SSLError(), "cut"),
        (ValueError("a bug"), "other"),
        (LookupError("Connect"), "other"),
    ],
    ids=lambda one: one if isinstance(one, str) else type(one).__name__,
)
def test_what_went_wrong_is_told_whatever_library_says_it(error, kind):
    if is_timeout(error):
        found = "timeout"
    elif is_unreachable(error):
        found = "unreachable"
    else:
        found = "cut" if is_of_network(error) else "other"
    assert found == kind


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("0", 0.0), ("12", 12.0), (" 12 ", 12.0), ("1.5", 1.5), ("-1", None), ("soon", None), ("", None), ("9" * 30, None)],
)
def test_a_delay_is_asked_for_in_seconds(header, seconds):
    assert asked_delay({"Retry-After": header}) == asked_delay({"retry-after": header}) == seconds


def test_a_delay_is_asked_for_by_a_date():
    until = datetime.now(UTC) + timedelta(seconds=90)
    assert 80 < asked_delay({"Retry-After": email.utils.format_datetime(until, usegmt=True)}) <= 90
    assert asked_delay({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert asked_delay({"Retry-After": "Wed, 21 Oct 2015 07:28:00"}) == 0


def test_no_delay_is_asked_for():
    assert asked_delay({}) is None
    assert asked_delay(None) is None


@given(st.text())
def test_any_header_is_read(header):
    delay = asked_delay({"Retry-After": header})
    assert delay is None or delay >= 0


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("No.", "No."),
        ("No", "No."),
        ("What?", "What?"),
        (" a\n b\t c ", "a b c."),
        ("", "no reason given."),
        ("x" * 400, "x" * 299 + "…"),
        ("Cannot connect ssl:<ssl.SSLContext object at 0x7f>", "Cannot connect."),
    ],
)
def test_what_a_server_says_is_one_short_sentence(said, shown):
    assert quoted(said) == shown


def wrapped(text: str) -> Exception:
    """An error that came of one that came of one that says `text`."""
    outer, middle = RuntimeError("outer"), OSError("middle")
    outer.__context__, middle.__cause__ = middle, ValueError(text)
    return outer


def test_a_cause_is_kept_unless_it_mentions_a_key(monkeypatch):
    assert caused_by(ProviderError("x"), plain := wrapped("plain"), key=KEY).__cause__ is plain
    assert caused_by(ProviderError("x"), wrapped(f"my {KEY}"), key=KEY).__cause__ is None
    monkeypatch.setenv("GEMINI_API_KEY", "another-key-in-use")
    assert caused_by(ProviderError("x"), wrapped("another-key-in-use")).__cause__ is None


def test_keys_are_taken_out_of_the_message():
    error = caused_by(ProviderError(f"{KEY} is bad.", code="400"), ValueError("x"), key=KEY)
    assert (str(error), error.code) == ("[key] is bad.", "400")
    assert str(caused_by(ProviderError("abc is bad."), ValueError("x"), key="abc")) == "abc is bad."
