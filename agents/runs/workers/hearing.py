"""What a server does with a worker's news: viewers see them as if the run were the server's own."""

from __future__ import annotations

from google.genai import types

from agents.event import Event
from agents.runs.values import Run
from agents.runs.watch.watch import Live
from agents.runs.workers.orders import News, Notice, Piece, Stored
from agents.session import BaseSessionService


def hear(service: BaseSessionService, run: Run, live: Live, news: News) -> None:
    """Passes one piece of news on: to those who watch the session's log, and to those who watch what it streams."""
    match news:
        case Piece():
            live.add_partial(_event(run, news))
        case Stored():
            for event_id in news.streamed:
                live.finish(event_id)
            service.notice_write(**run.key.name, last_seq=news.seq)
        case Notice():
            live.tell(news.text)
        case _:
            pass


def _event(run: Run, piece: Piece) -> Event:
    part = types.Part(text=piece.text, thought=piece.thought or None)
    return Event(
        id=piece.id,
        invocation_id=run.invocation_id,
        author=piece.author,
        branch=piece.branch,
        content=types.Content(role="model", parts=[part]),
        partial=True,
    )
