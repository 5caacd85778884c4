"""`playground pipelines`, `sessions` and `pending`: lists as text or as lines of JSON."""

from __future__ import annotations

import json
import logging
import sys
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from agents import PipelineLoadError, SessionSummary
from agents.pipelines import Card, Catalog, failure_reason
from agents.runs import PendingCall, RunManager
from ui.cli import terminal_words as words
from ui.text.answered_by import kind_of_model
from ui.text.visible_text import json_line, visible, visible_line

_TITLE = 48
"""Characters shown of a title."""


def list_pipelines(agents_dir: Path | None, *, as_json: bool) -> int:
    """Lists pipelines; a broken one is reported on standard error.

    Args:
        agents_dir: A folder with more pipelines.
        as_json: One JSON object a line, instead of text for reading.

    Returns:
        The exit code.
    """
    logging.getLogger("agents").addHandler(logging.NullHandler())  # broken pipelines are listed below
    catalog = Catalog(agents_dir)
    for name in catalog.names():
        with suppress(PipelineLoadError):  # it is in `broken` now
            _print_pipeline(name, catalog.get(name).card, as_json=as_json)
    for name, trace in catalog.broken.items():
        reason = visible_line(failure_reason(trace))
        print(f"playground: the pipeline {visible_line(name)} cannot be loaded: {reason}", file=sys.stderr)
    return 0


def _print_pipeline(name: str, card: Card, *, as_json: bool) -> None:
    if as_json:
        row = {"name": name, "title": card.title, "pattern": card.pattern, "summary": card.summary}
        print(json_line({**row, "samples": list(card.samples)}))
        return
    print(f"{visible_line(name)}\n    {visible_line(f'{card.title} ({card.pattern}). {card.summary}')}")
    if card.samples:
        print(visible(f"    playground run {name} {json.dumps(card.samples[0], ensure_ascii=False)}"))


def list_sessions(database: Path, agents_dir: Path | None, *, pipeline: str | None, as_json: bool) -> int:
    """Lists sessions, last changed first.

    Args:
        database: Where they are kept; one that is not there has none, and is not made.
        agents_dir: A folder with more pipelines.
        pipeline: Only those of this pipeline.
        as_json: One JSON object a line, instead of text for reading.

    Returns:
        The exit code.

    Raises:
        PipelineNotFoundError: There is no such pipeline.
        DatabaseError: The database cannot be used.
    """
    found = _read(database, agents_dir, pipeline)
    for summary in found:
        print(json_line(_row(summary)) if as_json else _line(summary))
    if not found and not as_json:
        print("There are no sessions yet. `playground pipelines` tells how to make one.")
    return 0


def list_pending(database: Path, agents_dir: Path | None, *, pipeline: str | None, as_json: bool, options: str = "") -> int:
    """Lists the calls that paused runs wait for, with the command that answers each.

    Args:
        database: Where sessions are kept; one that is not there has none, and is not made.
        agents_dir: A folder with more pipelines.
        pipeline: Only those of this pipeline.
        as_json: One JSON object a line, instead of text for reading.
        options: The options with which another command finds the same sessions and pipelines.

    Returns:
        The exit code.

    Raises:
        PipelineNotFoundError: There is no such pipeline.
        DatabaseError: The database cannot be used.
    """
    if pipeline is not None:
        Catalog(agents_dir).get(pipeline)
    found: list[PendingCall] = []
    if database.exists():
        with RunManager(database=database, agents_dir=agents_dir) as manager:
            found = manager.pending(pipeline)
    for call in found:
        if as_json:
            print(json_line(asdict(call)))
            continue
        print(visible_line(f"{call.agent} asks: {words.question_of(call)}"))
        print(f"    {visible_line(f'{call.pipeline} · {call.title}')} · since {_moment(call.asked_at)}")
        print(visible(f"    {words.how_to_answer(call, options)}"))
    if not found and not as_json:
        print("Nothing waits for you.")
    return 0


def _read(database: Path, agents_dir: Path | None, pipeline: str | None) -> list[SessionSummary]:
    if not database.exists():
        if pipeline is not None:
            Catalog(agents_dir).get(pipeline)
        return []
    with RunManager(database=database, agents_dir=agents_dir) as manager:
        found = manager.sessions.summaries(pipeline)
        if pipeline is not None and not found:
            manager.catalog.get(pipeline)
        return found


def _row(summary: SessionSummary) -> dict[str, str | int | float | bool]:
    return {
        "id": summary.id,
        "pipeline": summary.app_name,
        "title": summary.title,
        "status": summary.status,
        "model": summary.model,
        "simulated": summary.simulated,
        "events": summary.events,
        "created_at": summary.created_at,
        "updated_at": summary.updated_at,
    }


def _moment(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp).astimezone().strftime("%Y-%m-%d %H:%M")


def _line(summary: SessionSummary) -> str:
    changed = _moment(summary.updated_at)
    title = visible_line(summary.title) or "(no message yet)"
    title = title if len(title) <= _TITLE else title[: _TITLE - 1] + "…"
    session, status, pipeline = map(visible_line, (summary.id, summary.status, summary.app_name))
    line = f"{session}  {changed}  {status:<11}  {summary.events:>5} events  {pipeline}  {title}"
    kind = kind_of_model(summary.model, simulated=summary.simulated)
    return f"{line}  [{visible_line(kind)}]" if kind else line
