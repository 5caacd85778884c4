"""An App: an agent, and a plugin that sees each request to a model."""

from datetime import UTC, datetime

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.plugins.base_plugin import BasePlugin


class Today(BasePlugin):
    """Tells every agent what day it is."""

    async def before_model_callback(self, *, callback_context, llm_request):
        """Adds a line to the instruction."""
        llm_request.append_instructions([f"Today is {datetime.now(UTC):%A, %Y-%m-%d}."])


root_agent = LlmAgent(
    name="assistant",
    description="Answers questions about days and dates.",
    instruction="Answer the user in a few sentences. Write dates as YYYY-MM-DD.",
)
app = App(name="new_package", root_agent=root_agent, plugins=[Today(name="today")])
