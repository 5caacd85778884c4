"""An agent that hands the conversation to the one of two that knows about it."""

from google.adk.agents import LlmAgent

orders = LlmAgent(
    name="orders",
    description="Knows about orders, prices, invoices and delivery.",
    instruction="Answer questions about orders in two or three sentences. Ask for the order number if you need it.",
)
repairs = LlmAgent(
    name="repairs",
    description="Helps with devices that are broken or do not start.",
    instruction="Name the most likely cause of the fault, and one thing to try first.",
)
root_agent = LlmAgent(
    name="front_desk",
    description="Hands each question to the agent that knows about it.",
    instruction="Transfer each question to the agent that knows about it. If none does, say what can be asked here.",
    sub_agents=[orders, repairs],
)
