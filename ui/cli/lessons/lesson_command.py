"""`playground lesson`: begins a lesson's file, or tests a lesson."""

from __future__ import annotations

import argparse
import logging
from typing import TYPE_CHECKING

from agents import LessonError
from ui.cli import command_line
from ui.cli.authoring.new_file import write_new_file
from ui.cli.command_line import Command
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.pipelines import Pipeline

FAILED = 1
_EXAMPLES = """\
examples:
  playground lesson test iterative_writing             its solutions pass, wrong ones get their hints
  playground lesson new my_agent --agents ./mine       writes ./mine/my_agent/lesson.toml to begin with
  playground lesson test my_agent --agents ./mine

exit code: 0 all as it should be · 1 something is not · 2 bad input, or a file that cannot be read
"""
_BEGIN = """\
title = "{title}"
minutes = 10
level = "easy"
goal = "Say what the learner can do afterwards."
notes = "For the teacher: what goes wrong, and what to ask."

[[steps]]
id = "events"
kind = "predict"
title = "What happens?"
text = "**How often is a model called?**"
points = 2
run = {{ message = {message} }}
answer = {{ take = "calls" }}
choices = [
  {{ text = "Once", value = 1, hint = "Count the model calls in the list of events." }},
  {{ text = "More than once", value = [{counts}], hint = "Count the model calls in the list of events." }},
]
reveal = "Say what the log shows, and why."

[[steps]]
id = "last"
kind = "investigate"
title = "The last word"
text = "**Select the event with the answer of {agent}**, and hand it in."
points = 1
hints = ["Look at the end of the list."]
run = {{ message = {message} }}
find = {{ what = "entry", match = {{ kind = "event", body = {{ author = "{agent}" }} }}, number = -1 }}
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("what", choices=("new", "test"), help="write a file to begin with, or test the lesson")
    command.add_argument("name", metavar="NAME", help="the pipeline")
    command.add_argument("--language", metavar="CODE", default="en", help="test the lesson in this language, e.g. ja")


def _lesson(arguments: argparse.Namespace) -> int:
    from agents.pipelines import Catalog

    logging.getLogger("agents").addHandler(logging.NullHandler())
    catalog = Catalog(command_line.agents_dir(arguments))
    pipeline = catalog.get(arguments.name)
    if arguments.what == "new":
        return _new(pipeline)
    import asyncio

    from agents.lessons import load_lesson, prove

    lesson = load_lesson(pipeline, arguments.language)
    if lesson is None:
        raise LessonError(f"{arguments.name} has no lesson. Begin one: playground lesson new {arguments.name}")
    proofs = asyncio.run(prove(lesson, pipeline, catalog))
    for proof in proofs:
        told = f": {proof.problem}" if proof.problem else ""
        print(f"{'✗' if proof.problem else '✓'} {visible_line(f'{proof.step}, {proof.tried}{told}')}")
    wrong = sum(bool(proof.problem) for proof in proofs)
    print(f"{len(proofs) - wrong} of {len(proofs)} as it should be.")
    return FAILED if wrong else 0


def _new(pipeline: Pipeline) -> int:
    import json

    from agents.lessons import LESSON_FILE
    from agents.pipelines import BUILT_IN

    path = pipeline.folder / LESSON_FILE
    if pipeline.name in BUILT_IN:
        raise LessonError(f"{pipeline.name} comes with the playground. Write a lesson for an agent of yours, with --agents.")
    message = next(iter(pipeline.card.samples), "Hello!")
    text = _BEGIN.format(
        title=json.dumps(pipeline.card.title or pipeline.name, ensure_ascii=False)[1:-1],
        message=json.dumps(message, ensure_ascii=False),
        agent=_last_agent(pipeline),
        counts=", ".join(map(str, range(2, 31))),
    )
    write_new_file(path, text)
    print(f"Wrote {visible_line(str(path))}. Test it: playground lesson test {pipeline.name}")
    return 0


def _last_agent(pipeline: Pipeline) -> str:
    agent = pipeline.root_agent
    while agent.sub_agents:
        agent = agent.sub_agents[-1]
    return agent.name


LESSON = Command(
    "lesson",
    "begin or test a lesson",
    "Writes a lesson's file to begin with, or tests a lesson: reference solutions pass, known wrong ones get their hints, "
    "and who does nothing gets no points.",
    _add_arguments,
    _lesson,
    _EXAMPLES,
)
