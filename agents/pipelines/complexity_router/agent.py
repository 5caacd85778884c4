"""A quick agent, a thorough one with more tools, and a router that has a small model judge which is to answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
from agents.models.simulated.language.characters import shortened
from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import equals, value_of, write
from agents.pipelines.library.tools import read_article, search_library

MOST_SHOWN = 80
"""Characters of the classifier's answer that a reason has."""

CLASSIFIER_INSTRUCTION = """\
You judge how much work a request is, in whatever language it is written.

Answer "simple" for a short fact, or for sums of at most {steps} step(s) of arithmetic; "complex" for more steps, a
comparison, a why or an explanation, a plan, or several questions or parts. Behind the word and a colon, say what shows it:
"complex: 4 steps".
"""

QUICK_INSTRUCTION = """\
You answer at once: sums of at most {quick_steps} step(s), which you do in your head, and short facts, which you look up with
one call of search_library. Answer with the sum and its result, or with one sentence and the article's id in brackets.
If a sum takes more steps, or no article is about the fact, say so and do not guess. The articles are in English. Answer in
the language of the question.
"""

THOROUGH_INSTRUCTION = """\
You answer thoroughly. For sums, call calculate for each step, for those together that do not wait for each other; never work
anything out yourself. Then show the steps with their results, and the result of the whole.
For anything else, call search_library for each part of the question, read what fits with read_article, and answer each part
with sentences of the articles and their ids in brackets. If no article is about a part, say so. The articles are in English.
Answer in the language of the question.
"""


def calculate(step: str) -> dict[str, Any]:
    """Does one step of arithmetic.

    Args:
        step: Two numbers and a sign, or a function: "12.5 * 3", "15 % of 240", "2^10", "sqrt(16)".
    """
    try:
        expression = parse(step, names=False)
        return {"result": f"{write(expression)} {equals(value_of(expression))}"}
    except (ValueError, ArithmeticError) as error:
        return {"error": str(error)}


def question(context: InvocationContext) -> LlmRequest:
    """The classifier's request: the user's message, and nothing else of the conversation."""
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
    """Asks the classifier; any error leads to the thorough agent, which can do simple things too."""
    if error_context is not None:
        return RouteDecision("complex", "The agent that was chosen failed.")
    try:
        answer = await ask_model(context, question(context))
    except ProviderError as error:
        return RouteDecision("complex", f"The classifier failed ({error.code}): better thorough than wrong.")
    word = answer.text.partition(":")[0].strip(' ."\n').lower()
    if word in agents:
        return RouteDecision(word, f"The classifier says “{shortened(answer.text.strip(), MOST_SHOWN)}”.")
    return RouteDecision("complex", f"The classifier's answer is none of the keys: {answer.text[:40]!r}.")


quick = LlmAgent(
    name="QuickAgent",
    description="Answers short sums and facts at once.",
    include_contents="none",
    instruction=QUICK_INSTRUCTION,
    tools=[search_library],
)
thorough = LlmAgent(
    name="ThoroughAgent",
    description="Works step by step: calculates, searches and reads.",
    include_contents="none",
    instruction=THOROUGH_INSTRUCTION,
    tools=[calculate, search_library, read_article],
)
root_agent = RoutedAgent(
    name="ComplexityRouter",
    description="Has a small model judge a request, and the quick or the thorough agent answer it.",
    agents={"simple": quick, "complex": thorough},
    router=by_complexity,
)
