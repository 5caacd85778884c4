"""Faults as they are written down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import FaultError
from agents.runtime.fault import FAULT_KINDS, Fault


@given(
    target=st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,20}", fullmatch=True) | st.just("*"),
    kind=st.sampled_from(sorted(FAULT_KINDS)),
    call=st.integers(0, 99_999),
)
def test_what_is_written_is_read_again(target, kind, call):
    fault = Fault(target=target, kind=kind, call=call)
    assert Fault.parse(str(fault)) == fault


def test_the_call_may_be_left_out():
    assert Fault.parse(" Writer:refuse ") == Fault(target="Writer", kind="refuse", call=1)


@pytest.mark.parametrize("text", ["", "Writer", ":refuse", "Writer:explode", "Writer:refuse:x", "a b:refuse", "W:refuse:-1"])
def test_anything_else_is_refused_with_the_form_to_use(text):
    with pytest.raises(FaultError, match="TARGET:KIND"):
        Fault.parse(text)
