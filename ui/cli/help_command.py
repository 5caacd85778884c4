"""`playground help`: the documents in the terminal, as Markdown."""

from __future__ import annotations

import argparse

from agents import PersonError
from ui.cli.command_line import Command


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("topic", metavar="TOPIC", nargs="?", help="a page, e.g. models; without it, the list of all")


def _help(arguments: argparse.Namespace) -> int:
    """Prints a page, or the list."""
    from ui.text import documents

    if arguments.topic is None:
        print("Topics of `playground help TOPIC`:")
        group = ""
        for page in documents.pages().values():
            if page.group != group:
                group = page.group
                print(f"\n{group}")
            print(f"  {page.topic:<16}{page.about}")
        return 0
    topic = arguments.topic.lower().removesuffix(".md")
    if topic not in documents.pages():
        raise PersonError(f"There is no page {arguments.topic!r}. Topics: {', '.join(documents.pages())}.")
    print(documents.text_of(topic).rstrip())
    return 0


HELP = Command(
    name="help",
    summary="print a page of the documents",
    description="Prints a page of the documents as Markdown; without a topic, the list of pages.",
    add_arguments=_add_arguments,
    execute=_help,
    examples="""\
examples:
  playground help                   all topics
  playground help models            one page
  playground help lab | less        one page, screen by screen
""",
)
