"""`playground usage` and `playground audit`: what users use, and who changed what."""

from __future__ import annotations

import argparse

from ui.cli import command_line
from ui.cli.command_line import Command, add_json
from ui.text.visible_text import json_line, visible_line


def _usage(arguments: argparse.Namespace) -> int:
    """Lists the users with what they use; a database that is not there has none, and is not made."""
    from agents.runs import in_words

    with command_line.workspace(arguments) as workspace:
        everyone = workspace.runs.use.everyone() if workspace.is_stored else {}
        for user, uses in sorted(everyone.items()):
            if arguments.json:
                print(json_line({"user": user, **{use.limit: {"used": use.used, "limit": use.most} for use in uses}}))
                continue
            print(visible_line(user))
            for use in uses:
                most = "" if use.most is None else f" of {in_words(use.limit, use.most)}"
                print(f"    {use.limit:<12} {in_words(use.limit, use.used)}{most}")
    if not everyone and not arguments.json:
        print("Nobody has used anything yet.")
    return 0


def _audit(arguments: argparse.Namespace) -> int:
    """Lists the entries, the newest first."""
    from datetime import datetime

    from agents.access import Wanted

    wanted, left, before, listed = Wanted(arguments.user, arguments.what), arguments.limit, None, 0
    with command_line.workspace(arguments) as workspace:
        while workspace.is_stored and left:
            rows, before = workspace.runs.audit.read(wanted, limit=min(left, 500), before=before)
            left, listed = left - len(rows), listed + len(rows)
            for row in rows:
                if arguments.json:
                    print(json_line(row._asdict()))
                    continue
                at = datetime.fromtimestamp(row.at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
                told = f"{at}  {row.who}  {row.what}: {row.of or '-'}"
                print(visible_line(told + (f"  from {row.came_from}" if row.came_from else "")))
            if before is None:
                break
    if not listed and not arguments.json:
        print("Nothing was changed or refused yet.")
    return 0


def _add_audit(command: argparse.ArgumentParser) -> None:
    command.add_argument("--user", metavar="ID", help="only what this user did")
    command.add_argument("--what", metavar="ACTIVITY", help='only this, e.g. "deleted" or "was refused"')
    command.add_argument(
        "--limit", type=command_line.positive, default=100, metavar="N", help="the newest N; 100 by default"
    )
    add_json(command)


USAGE = Command(
    name="usage",
    summary="list what users use",
    description="Lists the users with what they use of their limits.",
    add_arguments=add_json,
    execute=_usage,
)

AUDIT = Command(
    name="audit",
    summary="list who changed what",
    description="Lists who changed what, and which rights were refused, the newest first.",
    add_arguments=_add_audit,
    execute=_audit,
)
