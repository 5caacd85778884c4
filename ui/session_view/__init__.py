"""The session view: agent graph, live event list and inspector of a session, in one component."""

from ui.session_view.component import Answer, Feedback, session_view

__all__ = ["Answer", "Feedback", "session_view"]
