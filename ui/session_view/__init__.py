"""The session view: agent graph, live event list and inspector of a session, in one component."""

from ui.session_view.component import Answer, Feedback, WhatIf, session_view
from ui.session_view.lesson import lesson_of

__all__ = ["Answer", "Feedback", "WhatIf", "lesson_of", "session_view"]
