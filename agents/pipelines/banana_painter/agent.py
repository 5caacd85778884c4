"""The agents of the banana painter: one paints, one counts, in a loop."""

from __future__ import annotations

import base64
import random
from typing import Any

from google.genai import types

from agents import CallbackContext, LlmAgent, LoopAgent, ToolContext, exit_loop
from agents.pipelines.banana_painter.patches import count_yellow_patches
from agents.pipelines.banana_painter.plate import MOST_BANANAS, paint_plate

FEWEST, MOST = 1, 24
_PNG = "data:image/png;base64,"

PAINTER_INSTRUCTION = f"""\
You paint bananas on a plate.

Read from the request how many bananas are wanted. If it names no number, 5 are wanted: say so.
Call paint_bananas with that number, then say in one sentence what you painted. If there is a finding of the checker,
mention what went wrong before.
If the tool answers with an error, tell the person in plain words what works and call exit_loop. {FEWEST} to {MOST}
bananas have room on the plate. If the request asks for no bananas, or for other things only, paint nothing: say that you
paint bananas only, and call exit_loop. Answer in the language of the request.

Request: {{request}}

Finding: {{finding?}}
"""

CHECKER_INSTRUCTION = """\
You check a painting of bananas.

Call count_bananas; never guess. Compare its count with the number in the request. If it names no number, 5 are wanted.
If they are equal, say so and call exit_loop. Otherwise say in one sentence how many there are, how many were wanted, and
by how many the painter missed. Answer in the language of the request.

Request: {request}
"""


def paint_bananas(count: int, tool_context: ToolContext) -> dict[str, Any]:
    """Paints a plate of bananas. The painter's hand is not steady: there may be more or fewer than asked for.

    Args:
        count: How many bananas to paint, 1 to 24.
        tool_context: The state, with the seed and the number of attempts.
    """
    if not FEWEST <= count <= MOST:
        return {"error": f"The plate has room for {FEWEST} to {MOST} bananas, not {count}."}
    state = tool_context.state
    attempt = int(state.get("attempt") or 0) + 1
    seed = f"{state.get('seed')}/{state.get('requests')}/{state.get('request')}/{count}/{attempt}"
    slip = slip_of_hand(unsteadiness=int(state.get("unsteadiness") or 0), attempt=attempt, seed=seed)
    picture = paint_plate(max(0, min(count + slip, MOST_BANANAS)), seed=seed)
    state["attempt"] = attempt
    state["current_image"] = _PNG + base64.b64encode(picture).decode()
    return {"attempt": attempt, "asked_for": count, "image": types.Part.from_bytes(data=picture, mime_type="image/png")}


def slip_of_hand(*, unsteadiness: int, attempt: int, seed: str) -> int:
    """How many bananas too many (or, negative, too few) an attempt gets: at most `unsteadiness`, one less each time.

    It decreases to one at most, and never further; 0 makes no mistakes.
    """
    most = max(0, min(unsteadiness, max(1, unsteadiness - attempt + 1)))
    return random.Random(f"hand {seed}").randint(-most, most)  # noqa: S311  a slip is no secret


def count_bananas(tool_context: ToolContext) -> dict[str, Any]:
    """Counts the bananas in the painting, by its pixels."""
    image = str(tool_context.state.get("current_image") or "")
    if not image.startswith(_PNG):
        return {"error": "There is no painting yet. Paint one first with paint_bananas."}
    return {"bananas": count_yellow_patches(base64.b64decode(image.removeprefix(_PNG)))}


def begin(callback_context: CallbackContext) -> None:
    """A new request starts with a clean sheet; each request of a session has slips of its own."""
    state = callback_context.state
    state["requests"] = int(state.get("requests") or 0) + 1
    state["attempt"] = 0
    state["finding"] = ""


painter = LlmAgent(
    name="PainterAgent",
    description="Paints as many bananas as were asked for, or tries to.",
    include_contents="none",
    instruction=PAINTER_INSTRUCTION,
    tools=[paint_bananas, exit_loop],
)
checker = LlmAgent(
    name="CheckerAgent",
    description="Counts the bananas in the painting and compares.",
    include_contents="none",
    instruction=CHECKER_INSTRUCTION,
    tools=[count_bananas, exit_loop],
    output_key="finding",
)
root_agent = LoopAgent(
    name="BananaPainter",
    description="Paints bananas until the number is right.",
    sub_agents=[painter, checker],
    max_iterations=6,
    before_agent_callback=begin,
)
