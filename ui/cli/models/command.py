"""`playground models` and `playground models pull`."""

from __future__ import annotations

import argparse

from agents import PersonError
from ui.cli.command_line import Command, add_json, database

_EXAMPLES = """\
examples:
  playground models                                    what can answer now, and what only lacks a key or a file
  playground models --json | head -n 1                 the same, one JSON object a line
  playground models pull qwen2.5-coder-1.5b-instruct   fetch a model file (1.1 GB); again after Ctrl-C: go on
  playground models pull OWNER/REPOSITORY/FILE.gguf    any other one of a public repository on the model hub

Files are kept in the models folder (PLAYGROUND_MODELS, or the user data folder) and run inside the playground, which needs
the extra: uv run --extra local playground. A mirror of the hub is named by HF_ENDPOINT. No key is sent.
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.set_defaults(pull=None)
    add_json(command)
    actions = command.add_subparsers(title="commands", metavar="COMMAND")
    pull = actions.add_parser(
        "pull",
        help="fetch a model file from the model hub",
        description="Fetches a model file into the models folder, compares its checksum, and goes on where an earlier try "
        "was cut off.",
    )
    pull.add_argument("pull", metavar="NAME", help="a known name, see `playground models`, or OWNER/REPOSITORY/FILE.gguf")


def _models(arguments: argparse.Namespace) -> int:
    from agents.models import models_folder
    from agents.runs import folder_problem

    if problem := folder_problem(models_folder(), may_be_missing=True):
        raise PersonError(
            f"The models folder {models_folder()} cannot be used: {problem} It is named by PLAYGROUND_MODELS, else it is in "
            "the user data folder."
        )
    if arguments.pull is None:
        from ui.cli.models.listing import list_models

        return list_models(database(arguments), as_json=arguments.json)
    from ui.cli.models.download import pull_model

    return pull_model(arguments.pull)


MODELS = Command(
    name="models",
    summary="list what can answer, or fetch a model file",
    description="Lists the models that can be used now, and those that only lack something.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_models,
)
