"""Callbacks, and the address that they go to, while the browser asks for something else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.testing.v1 import AppTest

from tests.ui.stage import query
from ui.dependencies import streamlit_private
from ui.state import address
from ui.state.address import Address
from ui.state.quick_input import uninterrupted


def ask_meanwhile(at: str) -> None:
    """What a browser does that sends something else while a callback is at work."""
    context = get_script_run_ctx()
    assert context is not None
    assert context.script_requests is not None
    context.script_requests.request_rerun(RerunData(query_string=at, page_script_hash=context.page_script_hash))


def interrupted() -> None:
    ask_meanwhile("")
    st.session_state["first"] = True
    st.session_state["second"] = True


def going() -> None:
    ask_meanwhile("pipeline=p&session=old")
    address.go(Address(pipeline="p", session="new"))
    address.go(Address(pipeline="p", session="new", event="7"))


def clicked(callback: Callable[[], None]) -> AppTest:
    """A page with one button, after it was clicked."""

    def script(callback: "Callable[[], None]") -> None:  # noqa: UP037  run without this module's imports
        import streamlit as st

        from ui.state import address

        st.button("Do", key="do", on_click=callback)
        st.number_input("Heard", key="heard", on_change=lambda: address.heard(st.session_state["heard"]), value=0)
        here = address.current()
        st.text(f"{here.session} {here.event}")

    at = AppTest.from_function(script, args=(callback,))
    at.query_params.update({"pipeline": "p", "session": "old"})
    at.run()
    return at.button(key="do").click().run()


def test_streamlit_ends_a_callback_when_something_else_is_asked():
    assert "second" not in clicked(interrupted).session_state


def test_a_callback_is_done_to_its_end_and_what_was_asked_meanwhile_comes_next():
    at = clicked(uninterrupted(interrupted))
    assert at.session_state["second"]
    assert [text.value for text in at.text] == ["None None"], "the address that was asked for meanwhile"


def test_inside_of_another_it_changes_nothing():
    def twice() -> None:
        uninterrupted(interrupted)()
        del st.session_state["second"]
        interrupted()

    at = clicked(uninterrupted(twice))
    assert at.session_state["second"]


def test_without_a_browser_it_is_just_called():
    done: list[str] = []
    uninterrupted(done.append)("x")
    assert done == ["x"]


def test_what_is_asked_before_the_browser_has_heard_is_answered_at_the_new_address():
    at = clicked(uninterrupted(going))
    assert at.text[0].value == "new 7"
    assert query(at) == {"pipeline": "p", "session": "new", "event": "7"}


def back() -> None:
    address.go(Address(pipeline="p", session="new"))


def hear(at: AppTest, number: int) -> None:
    """The browser has the address of the writing with this number."""
    at.number_input(key="heard").set_value(number).run()


def asked(at: AppTest, **wanted: str) -> str:
    """What the page shows when it is asked for at an address, as a browser would after the click."""
    at.query_params.clear()
    at.query_params.update(wanted)
    return at.run().text[0].value


def test_an_address_that_was_never_left_is_taken_as_it_is():
    assert asked(clicked(back), pipeline="p", session="other") == "other None"


def test_each_place_that_was_left_in_a_hurry_leads_to_the_last():
    def twice() -> None:
        address.go(Address(pipeline="p", session="between"))
        address.go(Address(pipeline="p", session="new"))

    for left in ("old", "between"):
        assert asked(clicked(twice), pipeline="p", session=left) == "new None"


def test_one_may_go_back_to_a_place_that_was_left_in_a_hurry():
    def there_and_back() -> None:
        address.go(Address(pipeline="p", session="new"))
        address.go(Address(pipeline="p", session="old"))

    assert asked(clicked(there_and_back), pipeline="p", session="old") == "old None"


def test_a_request_counts_as_sent_before_the_address_came_until_the_browser_has_said_that_it_came():
    at = clicked(back)
    assert asked(at, pipeline="p", session="old") == "new None"
    hear(at, at.session_state["address_written"] - 1)  # of the first writing; the late request led to a second
    assert asked(at, pipeline="p", session="old") == "old None"


def test_what_the_browser_says_of_an_earlier_address_is_not_said_of_the_last():
    def twice() -> None:
        address.go(Address(pipeline="p", session="between"))
        address.go(Address(pipeline="p", session="new"))

    at = clicked(twice)
    hear(at, at.session_state["address_written"] - 1)
    assert asked(at, pipeline="p", session="between") == "new None"


@pytest.mark.parametrize("part", [{"event": "9", "tab": "json"}, {"agent": "A"}, {"some_other": "filter"}])
def test_a_request_that_is_behind_may_have_another_part_of_the_browser(part):
    assert asked(clicked(back), pipeline="p", session="old", **part) == "new None"


def test_another_tab_is_another_place():
    at = clicked(lambda: address.go(Address(pipeline="p", session="old", tab="two")))
    asked(at, pipeline="p", session="old")
    assert query(at)["tab"] == "two"
    asked(at, pipeline="p", session="old", tab="three")
    assert query(at)["tab"] == "three"


def test_each_writing_is_counted_for_the_view():
    at = clicked(back)
    before = at.session_state["address_written"]
    asked(at, pipeline="p", session="old")
    assert at.session_state["address_written"] == before + 1, "the browser is told once more"


def test_the_browsers_back_button_leads_back(monkeypatch: pytest.MonkeyPatch):
    at = clicked(back)

    with monkeypatch.context() as patch:
        patch.setattr(streamlit_private, "is_history_navigation", lambda: True)
        assert asked(at, pipeline="p", session="old") == "old None"
    assert asked(at, pipeline="p", session="old") == "old None", "and stays there"


def stepping() -> None:
    import streamlit as st

    from ui.state.quick_input import if_chosen, key_for

    def show(number: int) -> None:
        st.session_state["number"] = number

    number = st.session_state.setdefault("number", 1)
    st.button("Next", key="next", on_click=show, args=(number + 1,))
    st.slider("Number", 0, 9, key=key_for("slider", number), on_change=if_chosen(show), args=("slider",))


def test_a_request_from_before_a_widget_showed_a_new_value_changes_nothing():
    at = AppTest.from_function(stepping).run()
    late = at._tree.get_widget_states()
    at.button(key="next").click().run()
    at._run(late)
    assert at.session_state["number"] == 2


def test_each_choice_counts_also_one_of_a_value_that_was_there_before():
    at = AppTest.from_function(stepping).run()
    for number in (5, 1, 5):
        at.slider[0].set_value(number).run()
        assert at.session_state["number"] == number
