"""`playground review`: what is wrong with the teams in a folder, before they run."""

from __future__ import annotations

import argparse
import logging
import sys
from typing import TYPE_CHECKING

from ui.cli import command_line
from ui.cli.command_line import Command, add_json
from ui.text.visible_text import json_line, visible_line

if TYPE_CHECKING:
    from agents.pipelines import Pipeline
    from agents.review import Finding

FOUND = 1
_ROUNDS = 5
_SIGNS = {"error": "✗", "warning": "!"}
_EXAMPLES = """\
examples:
  playground review ./mine              the agents in ./mine
  playground review ./mine --fix        the same, with what is mechanical put right in the YAML files
  playground review --json              the built-in pipelines, one JSON object a finding

exit code: 0 nothing was found · 1 something was, or a pipeline cannot be loaded · 2 bad input
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", metavar="FOLDER", nargs="?", help="folder of agents (--agents; else the built-in ones)")
    command.add_argument("--fix", action="store_true", help="put right in agents in YAML what has one way to be put right")
    add_json(command)


def _review(arguments: argparse.Namespace) -> int:
    from agents.pipelines import BUILT_IN, Catalog
    from agents.review import review_pipeline

    logging.getLogger("agents").addHandler(logging.NullHandler())  # broken pipelines are listed below
    if arguments.folder is not None:
        arguments.agents = arguments.folder
    folder = command_line.agents_dir(arguments)
    catalog = Catalog(folder)
    names = [name for name in catalog.names() if folder is None or name not in BUILT_IN]
    if arguments.fix and folder is not None:
        for _ in range(_ROUNDS):  # one fix may bring another finding, and a field is changed once a round
            if not sum([_fixed(name, catalog.get(name)) for name in names if name not in catalog.broken]):
                break
    count = 0
    for name in names:
        if name in catalog.broken:
            continue
        findings = review_pipeline(catalog.get(name))
        count += len(findings)
        for finding in findings:
            print(_row(name, finding) if arguments.json else _lines(name, finding))
        if not findings and not arguments.json:
            print(f"✓ {visible_line(name)}: nothing was found.")
    command_line.print_broken(catalog)
    return FOUND if count or catalog.broken or catalog.empty_reason else 0


def _fixed(name: str, pipeline: Pipeline) -> int:
    """Puts a team right, and says on standard error what was done; returns how many fixes there were."""
    from agents.review import fix_folder, review_pipeline

    made = fix_folder(pipeline.folder, review_pipeline(pipeline))
    for fix in made:
        print(f"playground: {visible_line(f'{name}, {fix.agent}: {fix.text}')}.", file=sys.stderr)
    return len(made)


def _row(name: str, finding: Finding) -> str:
    return json_line(
        {
            "pipeline": name,
            "rule": finding.rule.id,
            "level": finding.rule.level,
            "agent": finding.agent,
            "field": finding.field,
            "text": finding.text,
            "why": finding.rule.why,
            "fix": finding.fix.text if finding.fix else None,
        }
    )


def _lines(name: str, finding: Finding) -> str:
    where = visible_line(f"{name}, {finding.agent}, {finding.field}")
    return f"{_SIGNS[finding.rule.level]} {where}: {visible_line(finding.text)}\n    {finding.rule.id}: {finding.rule.why}"


REVIEW = Command(
    "review",
    "say what is wrong with agents before they run",
    "Looks at agents as they are, without running them: loops that nothing ends, state that nobody writes, tools that do "
    "not go together.",
    _add_arguments,
    _review,
    _EXAMPLES,
)
