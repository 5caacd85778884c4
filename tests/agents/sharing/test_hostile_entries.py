"""An entry with one value of another kind is refused, or everything that reads a log can read it."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.errors import SessionFileError
from agents.history import Timeline
from agents.runs.recordings.recording import _folded
from agents.sharing import SessionFile, read_session_file, to_adk
from agents.sharing.arrival import Arrival
from tests.agents.sharing.test_reader import whole

WRONG = [None, 7, -1, True, "x", "", [], [1], {}, {"a": 1}, "\ud83d", 1e300]
READERS: dict[str, Callable[[SessionFile], Any]] = {
    "import": lambda file: Arrival(file, ("p", "u", "12345678"), with_playbooks=True).log(),
    "cursor": lambda file: Timeline(file.entries),
    "replay": lambda file: _folded(file.entries).runs(),
    "adk": to_adk,
    "scopes": lambda file: file.within(()).to_text(),
    "sizes": lambda file: file.state_sizes(),
    "page": lambda file: file.playbook_revisions(),
}


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield (*above, key)
        yield from places(below, (*above, key))


def changed(line: dict[str, Any], place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    line = copy.deepcopy(line)
    held = line["body"]
    for key in place[:-1]:
        held = held[key]
    held[place[-1]] = value
    return line


@settings(max_examples=150, deadline=None)
@given(data=st.data(), wrong=st.sampled_from(WRONG))
def test_a_value_of_another_kind(data, wrong):
    lines = [json.loads(line) for line in whole().splitlines()]
    number = data.draw(st.sampled_from([at for at, line in enumerate(lines) if line["type"] == "entry"]))
    place = data.draw(st.sampled_from(list(places(lines[number]["body"]))))
    lines[number] = changed(lines[number], place, wrong)
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # google-genai warns of what its enumerations lack
        try:
            file = read_session_file(content)
        except SessionFileError as error:
            assert str(error).startswith(f"Line {number + 1}: ")  # noqa: PT017  what is raised or not is drawn
            return
        for read in READERS.values():
            read(replace(file))
