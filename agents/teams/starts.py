"""Teams to begin with: small ones that run as they are, one for each way in which agents work together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent

from agents.teams.team_files import ROOT


@dataclass(frozen=True, slots=True)
class Start:
    """A team to begin with.

    Attributes:
        name: What the new team may be called.
        title: A few words.
        summary: One sentence: what it does.
        message: What it can be asked, to try it.
        files: Its files.
    """

    name: str
    title: str
    summary: str
    message: str
    files: Mapping[str, str]


def _files(**texts: str) -> dict[str, str]:
    return {ROOT if name == "root" else f"{name}.yaml": dedent(text).lstrip() for name, text in texts.items()}


STARTS: tuple[Start, ...] = (
    Start(
        "writer_and_critic",
        "A writer and a critic",
        "One agent writes, the other objects, and they go on until the critic is satisfied.",
        "a lighthouse keeper",
        _files(
            root="""
                # The critic ends the loop with its tool exit_loop.
                agent_class: LoopAgent
                name: writing
                description: Writes a short text and improves it.
                max_iterations: 4
                sub_agents:
                  - config_path: writer.yaml
                  - config_path: critic.yaml
                """,
            writer="""
                agent_class: LlmAgent
                name: writer
                description: Writes the text.
                instruction: |
                  Write a short text about what the user asks for, in the user's language.
                  If there is criticism, write the whole text again and change what it names.

                  Criticism: {criticism?}
                output_key: draft
                """,
            critic="""
                agent_class: LlmAgent
                name: critic
                description: Says what is wrong with the text.
                instruction: |
                  Read the text below. Name at most two things that would make it better, in one sentence each.
                  If nothing important is wrong, call exit_loop instead.

                  Text: {draft}
                output_key: criticism
                tools:
                  - name: exit_loop
                """,
        ),
    ),
    Start(
        "front_desk",
        "A router over two",
        "The first agent reads the question and hands it to the one of two that knows about it.",
        "Where is my order 4711?",
        _files(
            root="""
                # It chooses by the descriptions of the agents below it.
                agent_class: LlmAgent
                name: front_desk
                description: Hands each question to the agent that knows about it.
                instruction: |
                  Read the question and transfer it to the agent that knows about it. Do not answer it yourself.
                  If it is about neither, say what can be asked here.
                sub_agents:
                  - config_path: orders.yaml
                  - config_path: repairs.yaml
                """,
            orders="""
                agent_class: LlmAgent
                name: orders
                description: Knows about orders, prices, invoices and delivery.
                instruction: |
                  Answer the question about an order, a price, an invoice or a delivery in two or three sentences.
                  Ask for the order number if you need it.
                """,
            repairs="""
                agent_class: LlmAgent
                name: repairs
                description: Helps with devices that are broken or do not start.
                instruction: |
                  Help with a device that is broken: name the most likely cause, and one thing to try first.
                  Ask which device it is if you do not know.
                """,
        ),
    ),
    Start(
        "two_views",
        "Two at once, and one who joins",
        "Two agents work on the request at the same time, and a third makes one answer of both.",
        "We want to open the shop on Sundays.",
        _files(
            root="""
                agent_class: SequentialAgent
                name: two_views
                description: Looks at a plan from two sides and advises.
                sub_agents:
                  - config_path: views.yaml
                  - config_path: adviser.yaml
                """,
            views="""
                # Both run at the same time, so each writes to a state key of its own.
                agent_class: ParallelAgent
                name: views
                description: Looks at the plan from two sides.
                sub_agents:
                  - config_path: supporter.yaml
                  - config_path: doubter.yaml
                """,
            supporter="""
                agent_class: LlmAgent
                name: supporter
                description: Says what speaks for the plan.
                instruction: Give the two best reasons for what the user plans, in one sentence each.
                output_key: reasons
                """,
            doubter="""
                agent_class: LlmAgent
                name: doubter
                description: Says what may go wrong.
                instruction: Name the two greatest risks of what the user plans, in one sentence each.
                output_key: risks
                """,
            adviser="""
                agent_class: LlmAgent
                name: adviser
                description: Weighs both and advises.
                instruction: |
                  Advise the user in three sentences: weigh the reasons against the risks, and say what to do first.

                  Reasons: {reasons}
                  Risks: {risks}
                """,
        ),
    ),
    Start(
        "my_team",
        "Blank",
        "One agent that answers.",
        "What can you do?",
        _files(
            root="""
                agent_class: LlmAgent
                name: assistant
                description: Answers the user.
                instruction: Answer the user in a few sentences, in the user's language.
                """,
        ),
    ),
)
"""In the order in which they are offered."""
