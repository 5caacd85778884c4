"""The session view: agent graph, live event list and inspector of a session, in one component."""

from ui.session_view.component import TABS, Answer, Feedback, Tab, session_view

__all__ = ["TABS", "Answer", "Feedback", "Tab", "session_view"]
