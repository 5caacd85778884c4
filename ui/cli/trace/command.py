"""`playground trace`: a session as OpenTelemetry spans, as a tree for reading, in a file, or sent to a collector."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents import PersonError, SessionNotFoundError
from agents.experiments import Span, Trace, open_exporter, otlp_json, read_traces, send_traces
from agents.runs import RunManager, expanded
from ui.text.visible_text import visible_line

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to do with which session.

    Attributes:
        session_id: The session.
        content: Whether messages, arguments and results are wanted.
        send: Whether to send the spans to the collector that the environment names.
        endpoint: The collector to send them to; None for none.
        file: The file to write, "-" for standard output; None for none.
    """

    session_id: str
    content: bool = False
    send: bool = False
    endpoint: str | None = None
    file: str | None = None


def trace_session(database: Path, agents_dir: Path | None, wanted: Wanted) -> int:
    """Shows, writes or sends the traces of a session's runs.

    Args:
        database: Where sessions are kept.
        agents_dir: A folder with more pipelines.
        wanted: What to do.

    Returns:
        The exit code.

    Raises:
        SessionNotFoundError: There is no such session.
        TelemetryError: The traces cannot be sent.
        PersonError: The file cannot be written.
        DatabaseError: The database cannot be used.
    """
    sends = wanted.send or wanted.endpoint is not None
    exporter = open_exporter(wanted.endpoint) if sends else None  # first: an address may be wrong, or the extra missing
    traces = _read(database, agents_dir, wanted)
    if exporter is not None:
        ended = [trace for trace in traces if trace.status != "running"]
        if sys.stderr.isatty():  # a collector that does not answer is tried for ten seconds
            print("Sending …", file=sys.stderr)
        count = send_traces(ended, exporter)
        print(f"Sent {_number(len(ended), 'run')}, {_number(count, 'span')}.")
        if len(ended) < len(traces):
            print("A run that has not ended was left out. Send the session again when it has.")
    elif wanted.file is not None:
        _write(wanted.file, otlp_json(traces))
    else:
        for line in _lines(traces):
            print(line)
    return 0


def _read(database: Path, agents_dir: Path | None, wanted: Wanted) -> list[Trace]:
    if database.exists():  # opening it would create the file
        with RunManager(database=database, agents_dir=agents_dir) as manager:
            for found in manager.sessions.summaries():
                if found.id == wanted.session_id:
                    return read_traces(manager, found.app_name, found.id, content=wanted.content)
    raise SessionNotFoundError(
        f"There is no session {wanted.session_id!r} in {database}. `playground sessions` lists all there are; give --db the "
        "file that has it."
    )


def _write(name: str, text: str) -> None:
    if name == "-":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        print(text)
        return
    try:
        with expanded(name).open("x", encoding="utf-8") as file:
            file.write(text + "\n")
    except FileExistsError:
        raise PersonError(f"The file {name!r} is there already and is not overwritten. Give --file another name.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise PersonError(f"The file {name!r} cannot be written: {why}. Give --file another name.") from None


def _lines(traces: Sequence[Trace]) -> Iterator[str]:
    if not traces:
        yield "This session has no runs yet."
    for trace in traces:
        parts: dict[str | None, list[Span]] = {}
        for span in trace.spans:
            parts.setdefault(span.parent_id, []).append(span)
        yield f"trace {trace.spans[0].trace_id} · {visible_line(trace.status)}"
        open_spans = [(span, 1) for span in reversed(parts[None])]
        while open_spans:
            span, depth = open_spans.pop()
            yield f"{'  ' * depth}{_line(span)}"
            open_spans += [(part, depth + 1) for part in reversed(parts.get(span.span_id, []))]


def _line(span: Span) -> str:
    said = [visible_line(span.name), f"{(span.end - span.start) / _MILLION:.1f} ms"]
    told = span.attributes
    if "gen_ai.usage.input_tokens" in told:
        said.append(f"{told['gen_ai.usage.input_tokens']} + {told.get('gen_ai.usage.output_tokens', 0)} tokens")
    if "gen_ai.memory.record.count" in told:
        said.append(_number(told["gen_ai.memory.record.count"], "bullet"))
    if span.failed:
        said.append(f"failed: {visible_line(str(told['error.type']))}")
    return " · ".join(said)


def _number(count: object, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
