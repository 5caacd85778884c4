"""The agents of iterative writing: a writer, then a loop of a critic and a refiner."""

from __future__ import annotations

from agents import LlmAgent, LoopAgent, SequentialAgent, ToolContext

COMPLETION_PHRASE = "No major issues found."

WRITER_INSTRUCTION = """\
You write the first draft of a very short story.

Three to six sentences of plain prose about the topic below: one place, one person, one moment. It is a draft: get
something down that others can work on. If the topic is not in English, or is a question, let it stand in the story
as somebody's words.

Answer with the draft alone, without a title or a remark.

<topic>
{initial_topic}
</topic>
"""

CRITIC_INSTRUCTION = f"""\
You are the critic of a very short story. Judge the document below by these criteria, the most important first:

- Length: at least 5 sentences.
- Ending: the last sentence closes the story; it looks back, or says what stayed.
- Senses: at least 2 things can be heard, smelled, tasted or touched.
- Feeling: a feeling is named.
- Openings: no two sentences in a row begin with the same word.
- Numbers: at least 1 quantity is exact; "several" and "a few" are not.
- Clichés: no worn phrase, such as "needless to say".
- Voice: whoever acts is the subject; nothing "was done by" anybody.
- Empty words: none of very, really, quite, rather, suddenly, somehow.

The words of the topic itself are not yours to judge.

If criteria are not met, answer with the one or two worst, one a line: the criterion's name, a colon, what is wrong and
what to do. Do not rewrite the document.
If all are met, answer with exactly "{COMPLETION_PHRASE}" and nothing else.

<document>
{{current_document}}
</document>

<topic>
{{initial_topic}}
</topic>
"""

REFINER_INSTRUCTION = f"""\
You refine a very short story by what its critic says.

If the criticism is exactly "{COMPLETION_PHRASE}", call the tool exit_loop and write nothing.
Otherwise mend what the criticism names, and only that: every other sentence stays as it is, and so do the words of the
topic. Answer with the whole document, without a remark.

<document>
{{current_document}}
</document>

<criticism>
{{criticism}}
</criticism>

<topic>
{{initial_topic}}
</topic>
"""


def exit_loop(tool_context: ToolContext) -> dict[str, str]:
    """Ends the refinement. Call this only when the criticism says that nothing is left to mend."""
    tool_context.actions.escalate = True
    tool_context.actions.skip_summarization = True
    return {}


initial_writer = LlmAgent(
    name="InitialWriterAgent",
    description="Writes the first draft about the topic.",
    include_contents="none",
    instruction=WRITER_INSTRUCTION,
    output_key="current_document",
)
critic = LlmAgent(
    name="CriticAgent",
    description="Names the one or two worst weaknesses of the document, or says that none is left.",
    include_contents="none",
    instruction=CRITIC_INSTRUCTION,
    output_key="criticism",
)
refiner = LlmAgent(
    name="RefinerAgent",
    description="Mends what the critic named, or ends the loop.",
    include_contents="none",
    instruction=REFINER_INSTRUCTION,
    tools=[exit_loop],
    output_key="current_document",
)
refinement_loop = LoopAgent(
    name="RefinementLoop",
    description="Critic and refiner take turns.",
    sub_agents=[critic, refiner],
    max_iterations=5,
)
root_agent = SequentialAgent(
    name="IterativeWriting",
    description="Drafts a very short story, then improves it until its critic is satisfied.",
    sub_agents=[initial_writer, refinement_loop],
)
