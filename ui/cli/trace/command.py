"""`playground trace`: a session as OpenTelemetry spans, as a tree for reading, in a file, or sent to a collector."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agents import PersonError, SessionNotFoundError
from ui.cli import command_line
from ui.cli.command_line import Command
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.telemetry import Span, Trace

_MILLION = 1_000_000
_EXAMPLES = """\
examples:
  playground trace 3f2a…                                      show the spans as a tree; nothing is sent
  playground trace 3f2a… --endpoint http://localhost:4318     send them to a collector, by OTLP over HTTP
  playground trace 3f2a… --send                               send them where OTEL_EXPORTER_OTLP_ENDPOINT says
  playground trace 3f2a… --file trace.json                    write them as OTLP JSON; "-" is standard output
  playground trace 3f2a… --send --content                     with messages, instructions, arguments and results

Sending needs the extra: uv run --extra otel playground trace … A run that is sent again has the same ids. To send each run
when it ends, set PLAYGROUND_OTEL to "on", or to "content".
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("session", metavar="SESSION", help="its id; see `playground sessions`")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--send", action="store_true", help="send them to the collector that OTEL_… variables name")
    where.add_argument("--endpoint", metavar="URL", help="send them to this collector")
    where.add_argument("--file", metavar="FILE", help='write them to a new file as OTLP JSON; "-" is standard output')
    command.add_argument("--content", action="store_true", help="with messages, instructions, arguments and results")


def _trace(arguments: argparse.Namespace) -> int:
    from agents.telemetry import open_exporter, otlp_json, send_traces

    sends = arguments.send or arguments.endpoint is not None
    exporter = open_exporter(arguments.endpoint) if sends else None  # first: an address may be wrong, or the extra missing
    traces = _read(arguments)
    if exporter is not None:
        ended = [trace for trace in traces if trace.status != "running"]
        if sys.stderr.isatty():  # a collector that does not answer is tried for ten seconds
            print("Sending …", file=sys.stderr)
        count = send_traces(ended, exporter)
        print(f"Sent {_number(len(ended), 'run')}, {_number(count, 'span')}.")
        if len(ended) < len(traces):
            print("A run that has not ended was left out. Send the session again when it has.")
    elif arguments.file is not None:
        _write(arguments.file, otlp_json(traces))
    else:
        for line in _lines(traces):
            print(line)
    return 0


def _read(arguments: argparse.Namespace) -> list[Trace]:
    from agents.telemetry import read_traces

    with command_line.workspace(arguments) as workspace:
        if workspace.is_stored and (found := workspace.runs.sessions.find(None, arguments.session)) is not None:
            return read_traces(workspace.runs, found.app_name, found.id, content=arguments.content)
    raise SessionNotFoundError(
        f"There is no session {arguments.session!r} in {workspace.database}. `playground sessions` lists all there "
        "are; give --db the file that has it."
    )


def _write(name: str, text: str) -> None:
    if name == "-":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        print(text)
        return
    from agents.runs import expanded

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


TRACE = Command(
    name="trace",
    summary="show or send a session as OpenTelemetry spans",
    description="Makes OpenTelemetry spans of a session's log: runs, agents, model calls, tools and playbook changes.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_trace,
)
