"""The agents of the sum desk: a quick one, a careful one with a tool, and a router that has a small model judge."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from google.genai import types

from agents import (
    BaseAgent,
    InvocationContext,
    LlmAgent,
    LlmRequest,
    RoutedAgent,
    RouteDecision,
    RoutingErrorContext,
    ask_model,
)
from agents.errors import ProviderError
from agents.pipelines.complexity_router.sums import work_out

CLASSIFIER_INSTRUCTION = """\
You judge how much work a request is. Count the steps of arithmetic that it takes.

Answer with one word: "simple" if it takes at most {steps} step(s), "complex" if it takes more.
"""

QUICK_INSTRUCTION = """\
You do sums in your head: at most {quick_steps} step(s). Answer with the sum and its result.
If a sum takes more steps, say so and do not guess. If there is no sum, say what you are for.
"""

CAREFUL_INSTRUCTION = """\
You do sums step by step. Call calculate for each step, for those together that do not wait for each other; never work
anything out yourself. Then show the steps with their results, and the result of the whole.
"""


def calculate(left: float, sign: Literal["+", "-", "*", "/"], right: float) -> dict[str, Any]:
    """Does one step of arithmetic.

    Args:
        left: The first number.
        sign: What to do with the two.
        right: The second number.
    """
    try:
        return {"result": float(work_out(Decimal(str(left)), sign, Decimal(str(right))))}
    except ArithmeticError as error:
        return {"error": str(error)}


def question(context: InvocationContext) -> LlmRequest:
    """What the classifier is asked: the person's message, and nothing else of the conversation."""
    steps = int(context.session.state.get("quick_steps", 1))
    return LlmRequest(
        contents=[context.user_content] if context.user_content else [],
        config=types.GenerateContentConfig(
            system_instruction=CLASSIFIER_INSTRUCTION.format(steps=steps),
            temperature=0,
            labels={"adk_agent_name": "ComplexityClassifier"},
        ),
    )


async def by_complexity(
    agents: Mapping[str, BaseAgent], context: InvocationContext, error_context: RoutingErrorContext | None = None
) -> RouteDecision:
    """Asks the classifier; whatever goes wrong with that leads to the careful agent, which can do simple things too."""
    if error_context is not None:
        return RouteDecision("complex", "The agent that was chosen failed.")
    try:
        answer = await ask_model(context, question(context))
    except ProviderError as error:
        return RouteDecision("complex", f"The classifier failed ({error.code}): better careful than wrong.")
    word = answer.text.strip(' ."\n').lower()
    if word in agents:
        return RouteDecision(word, f"The classifier says: {word}.")
    return RouteDecision("complex", f"The classifier's answer is none of the keys: {answer.text[:40]!r}.")


quick = LlmAgent(
    name="QuickSums",
    description="Answers at once, without tools.",
    include_contents="none",
    instruction=QUICK_INSTRUCTION,
)
careful = LlmAgent(
    name="CarefulSums",
    description="Works step by step, with a tool for each step.",
    include_contents="none",
    instruction=CAREFUL_INSTRUCTION,
    tools=[calculate],
)
root_agent = RoutedAgent(
    name="ComplexityRouter",
    description="Has a small model judge a request, and the quick or the careful agent answer it.",
    agents={"simple": quick, "complex": careful},
    router=by_complexity,
)
