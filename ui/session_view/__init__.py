"""The session view: a session's agent graph, live event list and inspector in one component."""

from ui.session_view.component import Answer, Feedback, session_view

__all__ = ["Answer", "Feedback", "session_view"]
