"""Sessions in an address."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.state.compared import MOST, names_of, text_of

names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(str.strip)
keys = st.lists(st.tuples(names, names), max_size=MOST, unique=True)


@given(keys)
def test_an_address_names_the_sessions_that_were_written(sessions):
    assert names_of(text_of(sessions)) == sessions


def test_plain_ids_stay_readable():
    assert text_of([("ace", "3f2a-77"), ("ace", "my session")]) == "ace:3f2a-77,ace:my session"
    assert names_of("one, ,two:x,one") == [("", "one"), ("two", "x")]
