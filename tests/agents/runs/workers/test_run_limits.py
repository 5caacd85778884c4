"""The limits of others' runs, as the settings write them."""

from __future__ import annotations

import pytest

from agents.errors import PersonError
from agents.runs.workers.limits import RunLimits, read_run_limits

NOT = ["memory", "memory=-1GB", "speed=1", "seconds=1GB", "seconds=0", "memory=1MB", "events=1e9", "events=٣"]


def test_limits_that_are_not_written_are_the_usual_ones():
    assert read_run_limits("") == RunLimits()
    assert read_run_limits(" memory=1GB  events=5 ") == RunLimits(memory=1024**3, events=5)


@pytest.mark.parametrize("text", NOT)
def test_what_is_no_limit_is_refused_with_a_sentence(text):
    with pytest.raises(PersonError, match="PLAYGROUND_RUN_LIMITS has"):
        read_run_limits(text)


@pytest.mark.parametrize(("own", "seconds"), [(None, 60), (5, 5), (500, 60), (0, 60), (-1, 60)])
def test_a_card_may_set_less_and_not_more(own, seconds):
    card = {} if own is None else {"max_seconds": own}
    assert RunLimits(seconds=60).of(card) == {"max_seconds": seconds, "max_events": 20_000}
