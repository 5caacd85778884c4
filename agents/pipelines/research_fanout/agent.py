"""The agents of the research: three researchers side by side, then one that joins what they found."""

from __future__ import annotations

from agents import CallbackContext, LlmAgent, ParallelAgent, SequentialAgent
from agents.pipelines.library.tools import read_article, search_library

RESEARCHER_INSTRUCTION = """\
You research a topic for others, from one viewpoint only: VIEWPOINT.

Search the collection with search_library, and read with read_article what fits. Then answer with two or three notes, each a
line that begins with a hyphen: one sentence from an article, with the article's id in square brackets. Leave out what does
not belong to your viewpoint, however interesting.
If the collection has nothing for you, answer with the one word "Nothing".

Signs of your viewpoint: SIGNS

<topic>
{topic}
</topic>
"""

SYNTHESIS_INSTRUCTION = """\
You join the notes of three researchers into one short answer about a topic.

Write a paragraph for each viewpoint that has notes, beginning with its name in bold, and keep the ids in square brackets.
Tell each fact once, even if two researchers found it. Add nothing of your own. If a viewpoint has no notes, say so in a
last sentence. If none has, say only that the collection says nothing about the topic.
Answer in the language of the topic.

<history>
{history_notes}
</history>

<science>
{science_notes}
</science>

<everyday>
{everyday_notes}
</everyday>

<topic>
{topic}
</topic>
"""


def researcher(name: str, *, viewpoint: str, signs: str, output_key: str) -> LlmAgent:
    """One of the researchers: the same task and the same tools, another viewpoint, another key in state."""
    return LlmAgent(
        name=name,
        description=f"Looks for {viewpoint}.",
        instruction=RESEARCHER_INSTRUCTION.replace("VIEWPOINT", viewpoint).replace("SIGNS", signs),
        tools=[search_library, read_article],
        output_key=output_key,
    )


def begin(callback_context: CallbackContext) -> None:
    """A new topic has no notes yet: what one researcher does not find must not come from the topic before."""
    callback_context.state.update({"history_notes": "", "science_notes": "", "everyday_notes": ""})


researchers = ParallelAgent(
    name="Researchers",
    description="All look at the same time.",
    sub_agents=[
        researcher(
            "Historian",
            viewpoint="how it came about, who did it and when",
            signs="years, ago, first, invented, patented, built, discovered, founded, developed, century",
            output_key="history_notes",
        ),
        researcher(
            "Scientist",
            viewpoint="what it is made of, how it works and why",
            signs="because, heat, light, water, gas, energy, molecules, atoms, forms, moves, field",
            output_key="science_notes",
        ),
        researcher(
            "Observer",
            viewpoint="what people do with it and what it changed for them",
            signs="people, use, used, today, cheap, trade, world, town, towns, ships, homes, houses, life",
            output_key="everyday_notes",
        ),
    ],
)
synthesiser = LlmAgent(
    name="Synthesiser",
    description="Joins the notes into one answer.",
    include_contents="none",
    instruction=SYNTHESIS_INSTRUCTION,
    output_key="answer",
)
root_agent = SequentialAgent(
    name="ResearchFanout",
    description="Researches a topic from three viewpoints at once, then joins the notes.",
    sub_agents=[researchers, synthesiser],
    before_agent_callback=begin,
)
