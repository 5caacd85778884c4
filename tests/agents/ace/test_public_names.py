"""What `from agents.ace import …` offers."""

from __future__ import annotations

import pytest

import agents.ace


@pytest.mark.parametrize("name", agents.ace.__all__)
def test_every_public_name_loads_and_is_kept(name):
    assert getattr(agents.ace, name) is vars(agents.ace)[name]
    assert name in dir(agents.ace)


def test_another_name_is_refused_with_those_that_there_are():
    known = "ANSWER_KEY, AceSettings, Add, ApplyDelta, BY_USER, "
    with pytest.raises(AttributeError, match=f"has no attribute 'Playbok'; it has {known}"):
        _ = agents.ace.Playbok
