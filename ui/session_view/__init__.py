"""The session view: a session's agent graph, live event list and inspector in one component."""

from ui.session_view.component import TABS, Answer, Feedback, Tab, session_view

__all__ = ["TABS", "Answer", "Feedback", "Tab", "session_view"]
