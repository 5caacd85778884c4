"""The agents of the report: a writer at the top; below it agents that are used as tools."""

from __future__ import annotations

from pydantic import BaseModel, Field

from agents import AgentTool, LlmAgent
from agents.pipelines.library.tools import read_article, search_library

WRITER_INSTRUCTION = """\
You write a short report about what the person asks for.

Divide the subject into two or three questions. Give each to ResearchAssistant, all of them at once. Then write the report: a
heading for each question and below it what was found, with the ids in square brackets as they are. Say what could not be
found. Tell nothing twice and add nothing that the assistant did not find.
Answer in the language that you are written to in.
"""

ASSISTANT_INSTRUCTION = """\
You answer one research question.

Have Searcher find material. If there is any, have Summariser put it into three sentences that answer the question. Answer
with these sentences, as they are. If there is no material, answer that the collection says nothing about it.
"""

SEARCHER_INSTRUCTION = """\
You find material on a question in a collection of articles.

Search it with search_library and read with read_article what fits. Answer with the sentences that have to do with the
question, each on a line of its own, with the id of its article in square brackets. Do not judge or shorten. If nothing has
to do with the question, answer with the one word "Nothing".
"""

SUMMARISER_INSTRUCTION = """\
You choose from material what answers a question best: as many sentences as asked for, as they stand, with their ids.
"""


class SummaryRequest(BaseModel):
    """What the summariser is called with: its parameters as a tool."""

    question: str
    material: str = Field(description="Sentences with ids, one a line.")
    sentences: int = Field(default=3, ge=1, le=8, description="How many are wanted.")


searcher = LlmAgent(
    name="Searcher",
    description="Finds material on a question in the collection.",
    instruction=SEARCHER_INSTRUCTION,
    tools=[search_library, read_article],
)
summariser = LlmAgent(
    name="Summariser",
    description="Chooses from material the sentences that answer a question best.",
    instruction=SUMMARISER_INSTRUCTION,
    input_schema=SummaryRequest,
)
assistant = LlmAgent(
    name="ResearchAssistant",
    description="Answers one research question in a few sentences, with sources.",
    instruction=ASSISTANT_INSTRUCTION,
    tools=[AgentTool(searcher), AgentTool(summariser)],
)
root_agent = LlmAgent(
    name="ReportWriter",
    description="Writes a report and has the research done.",
    instruction=WRITER_INSTRUCTION,
    tools=[AgentTool(assistant)],
    output_key="report",
)
