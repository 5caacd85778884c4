"""The Lessons page, top to bottom: the course, a lesson, or what is printed or read by the teacher."""

from __future__ import annotations

from pathlib import Path

from ui.lessons import lesson_page, overview, reading
from ui.lessons.found import find
from ui.shell import styles
from ui.shell.page_scripts import top_of_page
from ui.state import places
from ui.state.address import Address

_STYLE = Path(__file__).parent / "css" / "page.css"


def show(here: Address) -> None:
    """Draws the page."""
    places.manager()  # says what is wrong with the database, if something is
    styles.apply(_STYLE)
    top_of_page(f"{here.pipeline} {here.step} {here.topic}")
    if here.pipeline is None:
        reading.of_course(here) if here.topic else overview.show(here)
        return
    lesson = find(here)
    if here.topic:
        reading.of_lesson(lesson)
    else:
        lesson_page.show(lesson)
