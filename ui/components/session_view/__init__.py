"""The session view: a session's agent graph, live event list and inspector in one component."""

from ui.components.session_view.component import TABS, Answer, Feedback, SessionViewState, Tab, session_view

__all__ = ["TABS", "Answer", "Feedback", "SessionViewState", "Tab", "session_view"]
