"""Two agents at the same time, and a third that joins their answers."""

from google.adk.agents import LlmAgent, ParallelAgent, SequentialAgent

supporter = LlmAgent(
    name="supporter",
    description="Says what speaks for the plan.",
    instruction="Give the two best reasons for what the user plans, in one sentence each.",
    output_key="reasons",
)
doubter = LlmAgent(
    name="doubter",
    description="Says what may go wrong.",
    instruction="Name the two greatest risks of what the user plans, in one sentence each.",
    output_key="risks",
)
adviser = LlmAgent(
    name="adviser",
    description="Weighs both and advises.",
    instruction="Advise the user in three sentences: weigh the reasons against the risks.\n\n"
    "Reasons: {reasons}\n\nRisks: {risks}",
)
root_agent = SequentialAgent(
    name="two_views",
    description="Looks at a plan from two sides and advises.",
    sub_agents=[
        ParallelAgent(name="views", description="Both sides at once.", sub_agents=[supporter, doubter]),
        adviser,
    ],
)
