"""`PlainFeedback`: stands in for the reflector where there is none. The curator then gets the feedback as it is."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.answer import content_of

PLAIN = "no-reflector"


class PlainFeedback(BaseLlm):
    """Passes the feedback in a reflector's prompt on as a reflection without any analysis. No model is called."""

    model: str = PLAIN

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """See `BaseLlm`."""
        _, _, rest = llm_request.system_instruction.rpartition("<feedback>")
        feedback = rest.partition("</feedback>")[0].strip()
        reflection: dict[str, Any] = {
            "reasoning": [],
            "error_identification": "Not analysed: there is no reflector.",
            "root_cause_analysis": "",
            "correct_approach": feedback,
            "key_insight": feedback,
            "bullet_tags": [],
        }
        yield LlmResponse(content=content_of(json.dumps(reflection, ensure_ascii=False)), stop_reason="end_turn")
