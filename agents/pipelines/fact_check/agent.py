"""The agents of the fact check: a writer, a critic that looks every claim up, and an editor for one revision."""

from __future__ import annotations

from google.genai import types
from pydantic import BaseModel, Field

from agents import CallbackContext, LlmAgent, ReadonlyContext, SequentialAgent
from agents.pipelines.library.tools import read_article, search_library

WRITER_INSTRUCTION = """\
You answer a question in a few sentences.

Search the collection with search_library, and read with read_article what fits. Take two to four sentences from it and put
the article's id in square brackets into each. Then add as many sentences as the line Remembered says that you know without
looking them up, with no brackets.
If you are given a claim instead of a question, answer with the claim as it stands, and no more: it will be checked.
If no article is about what is asked, answer "The collection says nothing about" and what, and no more. An article that only
shares words with the question is about something else. Answer in the language of the question.

Remembered: {from_memory}

<question>
{question}
</question>
"""

CRITIC_INSTRUCTION = """\
You check the facts of a draft. Only the collection counts, however likely something sounds.

Each sentence of the draft is a claim, except what it says about the collection itself. Look all claims up at once, each
with a call of search_library. Then judge them by what was found: a claim is supported if a sentence of an article says the
same, with the same numbers. Give that article as the source. If an article says something else, give it as the source
and quote its sentence. Do not mend anything yourself.

<draft>
{draft}
</draft>
"""

EDITOR_INSTRUCTION = """\
You revise a draft by the findings of its critic.

Leave supported claims as they are. In place of an unsupported claim write what the collection says, if the finding quotes
it, with its source; else leave the claim out. Answer with the whole text, and add nothing.

<findings>
{findings}
</findings>

<draft>
{draft}
</draft>
"""


class Finding(BaseModel):
    """What the critic found out about one claim."""

    claim: str = Field(description="The sentence as it stands in the draft.")
    supported: bool
    source: str = Field(default="", description="The id of the article that decides it, if one does.")
    says: str = Field(default="", description="If it is not supported: the article's own sentence, if there is one.")


class Review(BaseModel):
    """What the critic answers with."""

    findings: list[Finding]


def editor_instruction(context: ReadonlyContext) -> str:
    """The editor's instruction with the findings as lines: it is easier to work by than JSON."""
    findings = "\n".join(_as_line(Finding(**found)) for found in context.state["review"]["findings"])
    return EDITOR_INSTRUCTION.replace("{findings}", findings, 1).replace("{draft}", context.state["draft"], 1)


def _as_line(found: Finding) -> str:
    if found.supported:
        return f"- supported: {found.claim}"
    return f"- unsupported: {found.claim}" + (f" => {found.says} [{found.source}]" if found.says else "")


def skip_if_nothing_is_to_mend(callback_context: CallbackContext) -> types.Content | None:
    """Before the editor: skips the model if the draft has no faults, or was not checked."""
    draft, review = callback_context.state["draft"], callback_context.state["review"]
    if review is None or not draft:
        return _said("There is no answer, since nobody has checked one.")
    if all(found["supported"] for found in review["findings"]):
        return _said(draft)
    return None


def _said(text: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=text)])


def begin(callback_context: CallbackContext) -> None:
    """A new question has no draft, no review and no answer yet."""
    callback_context.state.update({"draft": "", "review": None, "answer": ""})


writer = LlmAgent(
    name="FactWriter",
    description="Answers from the collection, and adds what it remembers.",
    include_contents="none",
    instruction=WRITER_INSTRUCTION,
    tools=[search_library, read_article],
    output_key="draft",
)
critic = LlmAgent(
    name="FactCritic",
    description="Looks up every claim of the draft and lists what the collection does not support.",
    include_contents="none",
    instruction=CRITIC_INSTRUCTION,
    tools=[search_library],
    output_schema=Review,
    output_key="review",
)
editor = LlmAgent(
    name="FactEditor",
    description="Mends or leaves out what is unsupported.",
    include_contents="none",
    instruction=editor_instruction,
    output_key="answer",
    before_agent_callback=skip_if_nothing_is_to_mend,
)
root_agent = SequentialAgent(
    name="FactCheck",
    description="Answers a question, checks every claim of the answer, and revises it once.",
    sub_agents=[writer, critic, editor],
    before_agent_callback=begin,
)
