"""What is printed when a class begins: where learners join, with which code, and the links of those who hold it."""

from __future__ import annotations

import sys

import streamlit as st

from agents import PlaygroundError
from ui.access import door
from ui.access.guard import current_reach
from ui.classroom.pages import join_url
from ui.text.visible_text import visible


def announce() -> None:
    """Opens the class of this process, if it holds one, and prints its address and code."""
    gate = door.current()
    if gate is None:
        return
    from ui.classroom.room import room  # brings the runtime, a second of imports

    try:
        found = room()
    except PlaygroundError as error:
        print(f"playground: The class cannot be opened: {visible(str(error))}", file=sys.stderr, flush=True)
        return
    assert found is not None
    join = join_url(f"127.0.0.1:{st.get_option('server.port')}")
    base = join.removesuffix("/join")
    print(
        f"  Learners join at {join} with the code {found.classroom.code}\n"
        f"  The wall, for the projector: {base}/wall (open it in a browser that took one of the links)\n"
        f"  A teacher's link for another machine: {base}{door.TEACHER}?token={gate.token}\n",
        flush=True,
    )
    if not current_reach().is_shared:
        print("  Only this machine can join. For phones in this network, start with --host 0.0.0.0\n", flush=True)
