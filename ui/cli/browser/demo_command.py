"""`playground demo`: a demo in the browser, or its figures in the terminal."""

from __future__ import annotations

import argparse

from agents import PersonError
from ui.cli.browser import serving
from ui.cli.command_line import Command, natural, positive

_EXAMPLES = """\
examples:
  playground demo ace                                 step through it in the browser
  playground demo learn                               watch it learn: sixty questions, right and wrong
  playground demo ace --port 9000 --db demo.db        on another port, with its sessions and playbook in demo.db
  playground demo ace --figures                       no browser: what is learned over a stream of questions
  playground demo ace --figures --seed 7 --queries 60
  playground demo collapse                            a text that is rewritten as a whole, beside single changes
  playground demo world                               a rule changes, and a bullet becomes wrong
  playground demo poison                              a false answer, what it touched, and one undo
  playground demo race                                one worker, sixteen, and sixteen that overwrite each other
  playground demo race --figures                      no browser: what that run comes to

Each start has a new, empty playbook ("demo 1" or "learning 1", then 2 …), or a new lab run ("demo collapse", then
"demo collapse-2" …; a run that was cut off goes on). Nothing of yours is touched, and nothing of it is deleted.
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "demo",
        metavar="NAME",
        nargs="?",
        help="which one: ace, a playbook that grows across sessions; learn, its share of right answers; of the Lab: "
        "collapse, world, poison, race",
    )
    command.add_argument("--figures", action="store_true", help="no browser: measure it, and print the figures")
    command.add_argument("--seed", metavar="N", type=natural, help="of ace, with --figures: which questions are drawn (1)")
    command.add_argument("--queries", metavar="N", type=positive, help="of ace, with --figures: how many are asked (240)")
    serving.add_options(command)


def _demo(arguments: argparse.Namespace) -> int:
    from ui.demo.opening import begin
    from ui.demo.preset import DEMOS, LAB, STORY, WATCH

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
    return serving.serve(arguments)


DEMO = Command(
    name="demo",
    summary="a demo in the browser",
    description="Serves the app with a demo in it: a guided story, step by step; sixty questions played at a speed; or a "
    "lab run and the moments to look at.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_demo,
)
