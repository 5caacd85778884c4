"""A model that says what it was told."""

from agents.models.parrot.spec import PROVIDER

from agents.model import BaseLlm, LlmResponse
from agents.models.answer import content_of
from agents.models.connections import connection


class Parrot(BaseLlm):
    """Says the last thing that it heard, and where it would have asked."""

    @classmethod
    def supported_models(cls):
        return PROVIDER.name_patterns

    @classmethod
    async def list_models(cls):
        return ["parrot/ara", "parrot/kea"]

    async def generate_content_async(self, llm_request, stream=False):
        heard = llm_request.contents[-1].parts[-1].text
        yield LlmResponse(content=content_of(f"{heard} at {connection(PROVIDER.name).base_url}"), stop_reason="end_turn")
