"""The command `playground`: serves the app, runs pipelines in the terminal, answers waiting calls, lists what there is.

Each command imports what it needs when it is called, because some imports are slow.
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import AnswerError, MessageError, PersonError, PlaygroundError
from ui.cli import command_line, diagnostics
from ui.cli.sharing import code_command, export_command, import_command
from ui.text.visible_text import visible

if TYPE_CHECKING:
    from ui.cli.run import Setting

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130

GRACE = 2.0
"""Seconds that threads have to end by themselves."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: Arguments; by default those of the process, which is then ended afterwards.

    Returns:
        The exit code.
    """
    if argv is not None:
        return _main(argv)
    diagnostics.install()
    code = _main(None)
    end_in_time(code)
    return code


def end_in_time(code: int) -> None:
    """Makes the process end soon with this exit code. Call it last: it returns, or ends the process.

    An interpreter that exits during an import may crash, and it waits for threads without a limit. So the process ends at
    once if a package is still being imported, and after `GRACE` if threads still run.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    imports = sys.modules.get("agents.pipelines.package_import")  # None: no package was imported
    if imports is not None and imports.unfinished():
        os._exit(code)
    end = threading.Timer(GRACE, os._exit, (code,))
    end.daemon = True
    end.start()


def _main(argv: Sequence[str] | None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        try:
            arguments = command_line.parser().parse_args(argv)
            code = _COMMANDS[arguments.command](arguments)
        finally:
            sys.stdout.flush()
    except PlaygroundError as error:
        print(f"playground: {visible(str(error))}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard what is still to be flushed
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _serve(arguments: argparse.Namespace, **more: Any) -> int:
    from ui.server import serve

    serve(
        host=arguments.host,
        port=arguments.port,
        database=_database(arguments),
        agents_dir=_agents_dir(arguments),
        open_browser=not arguments.no_browser,
        **more,
    )
    return 0


def _open(arguments: argparse.Namespace) -> int:
    from urllib.parse import urlencode

    at = {} if arguments.event is None else {"at": arguments.event}
    return _serve(arguments, path=f"/?{urlencode({'pipeline': arguments.pipeline, 'session': arguments.session, **at})}")


def _check(arguments: argparse.Namespace) -> int:
    from ui.cli.check.command import Wanted, check

    wanted = Wanted(
        database=_database(arguments),
        agents_dir=_agents_dir(arguments),
        folder=arguments.folder,
        model=arguments.model,
        repeat=arguments.repeat,
        junit=arguments.junit,
        options=_options(arguments),
    )
    return check(wanted)


def _lab(arguments: argparse.Namespace) -> int:
    from ui.cli.lab.command import Wanted, run_lab

    wanted = Wanted(
        action=arguments.action,
        names=tuple(getattr(arguments, "names", ())),
        as_json=getattr(arguments, "json", False),
        target=getattr(arguments, "html", None) or getattr(arguments, "folder", ""),
        database=_database(arguments),
        agents_dir=_agents_dir(arguments),
        options=_options(arguments),
        ray=getattr(arguments, "ray", None) or "",
    )
    return run_lab(wanted)


def _run(arguments: argparse.Namespace) -> int:
    state = dict(map(command_line.state_value, arguments.state))
    message = _standard_input() if arguments.message == "-" else arguments.message
    from agents.pipelines import Fault
    from ui.cli.run import Order, run_once

    order = Order(
        pipeline=arguments.pipeline,
        message=message,
        session_id=arguments.session,
        state=state,
        faults=tuple(map(Fault.parse, arguments.fault)),
        agent_models=command_line.agent_models(arguments),
    )
    return run_once(order, _setting(arguments))


def _answer(arguments: argparse.Namespace) -> int:
    if arguments.args is not None and not arguments.approve:
        raise AnswerError("--args belongs to --approve: only a call that is approved is made.")
    response = command_line.response_of(arguments)
    if not _database(arguments).exists():
        raise AnswerError(
            f"Nothing waits for an answer: there are no sessions in {_database(arguments)}. "
            "Give --db the file that the run was started with."
        )
    from ui.cli.run import Reply, run_once

    reply = Reply(
        session_id=arguments.session,
        call_id=arguments.call,
        response=response,
        is_choice=arguments.choose is not None,
        agent_models=command_line.agent_models(arguments),
    )
    return run_once(reply, _setting(arguments))


def _pipelines(arguments: argparse.Namespace) -> int:
    from ui.cli.listings import list_pipelines

    return list_pipelines(_agents_dir(arguments), as_json=arguments.json)


def _sessions(arguments: argparse.Namespace) -> int:
    from ui.cli.listings import list_sessions

    return list_sessions(_database(arguments), _agents_dir(arguments), pipeline=arguments.pipeline, as_json=arguments.json)


def _pending(arguments: argparse.Namespace) -> int:
    from ui.cli.listings import list_pending

    return list_pending(
        _database(arguments),
        _agents_dir(arguments),
        pipeline=arguments.pipeline,
        as_json=arguments.json,
        options=_options(arguments),
    )


def _export(arguments: argparse.Namespace) -> int:
    return export_command.export_session(
        _database(arguments),
        _agents_dir(arguments),
        session_id=arguments.session,
        format=arguments.format,
        scopes=arguments.scopes,
        output=arguments.output,
    )


def _import(arguments: argparse.Namespace) -> int:
    return import_command.import_file(
        _database(arguments),
        _agents_dir(arguments),
        file=arguments.file,
        pipeline=arguments.pipeline,
        options=_options(arguments),
    )


def _code(arguments: argparse.Namespace) -> int:
    return code_command.write_code(
        _database(arguments),
        _agents_dir(arguments),
        session_id=arguments.session,
        adk=arguments.adk,
        file=arguments.file,
    )


def _trace(arguments: argparse.Namespace) -> int:
    from ui.cli.trace.command import Wanted, trace_session

    wanted = Wanted(arguments.session, arguments.content, arguments.send, arguments.endpoint, arguments.file)
    return trace_session(_database(arguments), _agents_dir(arguments), wanted)


def _models(arguments: argparse.Namespace) -> int:
    from agents.models import models_folder
    from agents.runs import folder_problem

    if problem := folder_problem(models_folder(), may_be_missing=True):
        raise PersonError(
            f"The models folder {models_folder()} cannot be used: {problem} It is named by PLAYGROUND_MODELS, else it is in "
            "the user data folder."
        )
    from ui.cli.models import list_models, pull_model

    return (
        list_models(_database(arguments), as_json=arguments.json) if arguments.pull is None else pull_model(arguments.pull)
    )


def _demo(arguments: argparse.Namespace) -> int:
    from ui.demo.opening import DEMOS, LAB, STORY, WATCH, begin

    known = ", ".join(f"`playground demo {name}`, {about}" for name, about in DEMOS.items())
    if arguments.demo is None:
        raise PersonError(f"Which demo? There is {known}.")
    if arguments.demo not in DEMOS:
        raise PersonError(f"There is no demo {arguments.demo!r}. There is {known}.")
    if arguments.figures and arguments.demo == WATCH:
        raise PersonError(f"--figures belongs to `playground demo {STORY}` and to the demos of the Lab, not to `{WATCH}`.")
    has_choices = arguments.seed is not None or arguments.queries is not None
    if arguments.figures and arguments.demo in LAB:
        if has_choices:
            raise PersonError(f"--seed and --queries belong to `playground demo {STORY} --figures`: this demo is one run.")
        from ui.demo.lab.figures import print_figures as print_lab_figures

        return print_lab_figures(arguments.demo)
    if arguments.figures:
        from ui.demo.figures import print_figures

        return print_figures(seed=arguments.seed, queries=arguments.queries)
    if has_choices:
        raise PersonError("--seed and --queries belong to --figures: in the browser, the demo has questions of its own.")
    begin(arguments.demo)
    return _serve(arguments)


_COMMANDS = {
    "serve": _serve,
    "run": _run,
    "answer": _answer,
    "pipelines": _pipelines,
    "sessions": _sessions,
    "pending": _pending,
    "export": _export,
    "import": _import,
    "code": _code,
    "trace": _trace,
    "models": _models,
    "check": _check,
    "lab": _lab,
    "open": _open,
    "demo": _demo,
}


def _setting(arguments: argparse.Namespace) -> Setting:
    from ui.cli.run import Setting

    return Setting(
        database=_database(arguments),
        options=_options(arguments),
        agents_dir=_agents_dir(arguments),
        model=arguments.model,
        as_json=arguments.json,
    )


def _database(arguments: argparse.Namespace) -> Path:
    from agents.runs import check_database_path, database_path, expanded

    path = expanded(arguments.db) if arguments.db else database_path()
    check_database_path(path)
    return path


def _agents_dir(arguments: argparse.Namespace) -> Path | None:
    if arguments.agents is None:
        return None
    from agents.runs import expanded, folder_problem

    folder = expanded(arguments.agents)
    if problem := folder_problem(folder):
        raise PersonError(
            f"There is no folder {arguments.agents!r} to take pipelines from: {problem} "
            "Give --agents the folder that holds your pipelines."
        )
    return folder


def _options(arguments: argparse.Namespace) -> str:
    """The options for another command to find the same sessions and pipelines."""
    given = {"--db": arguments.db, "--agents": arguments.agents}
    return "".join(f" {name} {shlex.quote(value)}" for name, value in given.items() if value)


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise MessageError(
            f"The message on standard input is not UTF-8 (byte {error.start}). Save the file as UTF-8 and try again."
        ) from None
