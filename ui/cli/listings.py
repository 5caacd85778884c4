"""`playground pipelines`, `sessions` and `pending`: lists as text or as lines of JSON."""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from agents import PipelineLoadError
from ui.cli import command_line
from ui.cli.command_line import Command, add_json
from ui.text.visible_text import json_line, visible, visible_line

if TYPE_CHECKING:
    from agents import SessionSummary
    from agents.pipelines import Card
    from agents.runs import PendingCall

_TITLE = 48
"""Characters shown of a title."""


def _pipelines(arguments: argparse.Namespace) -> int:
    """Lists the pipelines; a broken one is reported on standard error."""
    logging.getLogger("agents").addHandler(logging.NullHandler())  # broken pipelines are listed below
    catalog = command_line.workspace(arguments).catalog
    for name in catalog.names():
        with suppress(PipelineLoadError):  # it is in `broken` now
            _print_pipeline(name, catalog.get(name).card, as_json=arguments.json)
    command_line.print_broken(catalog)
    return 0


def _print_pipeline(name: str, card: Card, *, as_json: bool) -> None:
    if as_json:
        row = {"name": name, "title": card.title, "pattern": card.pattern, "summary": card.summary}
        print(json_line({**row, "samples": list(card.samples)}))
        return
    print(f"{visible_line(name)}\n    {visible_line(f'{card.title} ({card.pattern}). {card.summary}')}")
    if card.samples:
        print(visible(f"    playground run {name} {json.dumps(card.samples[0], ensure_ascii=False)}"))


def _sessions(arguments: argparse.Namespace) -> int:
    """Lists the sessions, last changed first; a database that is not there has none, and is not made."""
    listed = 0
    for summary in _read(arguments):
        print(json_line(_row(summary)) if arguments.json else _line(summary))
        listed += 1
        if listed == arguments.limit:
            break
    if not listed and not arguments.json:
        print("There are no sessions yet. `playground pipelines` tells how to make one.")
    return 0


def _pending(arguments: argparse.Namespace) -> int:
    """Lists the calls that paused runs wait for, with the command that answers each; makes no database, either."""
    from dataclasses import asdict

    from ui.cli import terminal_words as words

    options = command_line.options(arguments)
    found: list[PendingCall] = []
    with command_line.workspace(arguments) as workspace:
        if arguments.pipeline is not None:
            workspace.catalog.get(arguments.pipeline)
        if workspace.is_stored:
            found = workspace.runs.pending(arguments.pipeline)
    for call in found:
        if arguments.json:
            print(json_line(asdict(call)))
            continue
        print(visible_line(f"{call.agent} asks: {words.question_of(call)}"))
        print(f"    {visible_line(f'{call.pipeline} · {call.title}')} · since {_moment(call.asked_at)}")
        print(visible(f"    {words.how_to_answer(call, options)}"))
    if not found and not arguments.json:
        print("Nothing waits for you.")
    return 0


def _read(arguments: argparse.Namespace) -> Iterator[SessionSummary]:
    from agents import SessionFilter

    wanted = SessionFilter(app_name=arguments.pipeline)
    with command_line.workspace(arguments) as workspace:
        is_there = workspace.is_stored and bool(workspace.runs.sessions.page(wanted, limit=0).found)
        if arguments.pipeline is not None and not is_there:
            workspace.catalog.get(arguments.pipeline)
        if is_there:
            yield from workspace.runs.sessions.each(wanted)


def _row(summary: SessionSummary) -> dict[str, str | int | float | bool | list[str]]:
    return {
        "id": summary.id,
        "pipeline": summary.app_name,
        "title": summary.title,
        "status": summary.status,
        "model": summary.model,
        "models": summary.models.splitlines(),
        "simulated": summary.simulated,
        "events": summary.events,
        "created_at": summary.created_at,
        "updated_at": summary.updated_at,
    }


def _moment(timestamp: float) -> str:
    from datetime import datetime

    return datetime.fromtimestamp(timestamp).astimezone().strftime("%Y-%m-%d %H:%M")


def _line(summary: SessionSummary) -> str:
    from ui.text.answered_by import models_of

    changed = _moment(summary.updated_at)
    title = visible_line(summary.title) or "(no message yet)"
    title = title if len(title) <= _TITLE else title[: _TITLE - 1] + "…"
    session, status, pipeline = map(visible_line, (summary.id, summary.status, summary.app_name))
    line = f"{session}  {changed}  {status:<11}  {summary.events:>5} events  {pipeline}  {title}"
    kind = models_of(summary.models.splitlines(), model=summary.model, simulated=summary.simulated)
    return f"{line}  [{visible_line(kind)}]" if kind else line


def _add_pipeline(command: argparse.ArgumentParser) -> None:
    command.add_argument("--pipeline", metavar="NAME", help="only those of this pipeline")
    add_json(command)


def _add_sessions(command: argparse.ArgumentParser) -> None:
    _add_pipeline(command)
    command.add_argument("--limit", type=_count, metavar="N", help="only the N that changed last")


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text[:9]) > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of sessions; give 1 or more")
    return int(text[:9])


PIPELINES = Command(
    name="pipelines",
    summary="list what can be run",
    description="Lists the pipelines.",
    add_arguments=add_json,
    execute=_pipelines,
)

SESSIONS = Command(
    name="sessions",
    summary="list what was run",
    description="Lists the sessions, newest first.",
    add_arguments=_add_sessions,
    execute=_sessions,
)

PENDING = Command(
    name="pending",
    summary="list what waits for you",
    description="Lists the calls that paused runs wait for.",
    add_arguments=_add_pipeline,
    execute=_pending,
)
