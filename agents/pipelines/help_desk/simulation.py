"""What a simulated model answers for the help desk and its specialists.

The help desk compares the message with the descriptions of those that it may hand over to; a specialist compares it with
its own matters. Neither knows the tree: both read names and descriptions in what they are sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agents.models.simulated import Reply, SimulatedRequest
from agents.pipelines.help_desk.topics import fit, is_about_something, is_elsewhere, number_in

TRANSFER = "transfer_to_agent"

_MATTERS = re.compile(r"Your matters are: (.*+)")
_DESCRIBED = re.compile(r"^[-*] (\w++): (.*)$", re.MULTILINE)
_HANDED_BACK = re.compile(rf"\[(\w++)\] called tool `{TRANSFER}`")
_GREETING = re.compile(r"\A\W*+(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings)\b", re.IGNORECASE)
_THANKS = re.compile(r"\b(?:thanks?|thank you|cheers|great|perfect|bye|okay|ok)\b", re.IGNORECASE)


def dispatch(request: SimulatedRequest) -> Reply | str:
    """Hands over to whoever's description fits best, or asks."""
    message = request.last_user_text()
    tried = _handed_back(request)
    others = {name: about for name, about in _others(request).items() if name not in tried}
    fits = {name: fit(message, about) for name, about in others.items()}
    best = max(fits, key=lambda name: fits[name], default=None)
    if best is not None and fits[best] > 0:
        thought = f"{best} fits: it {others[best][:1].lower()}{others[best][1:]}"
        return Reply(calls=[(TRANSFER, {"agent_name": best})], thought=thought)
    matters = "; ".join(_matters(about) for about in _others(request).values())
    if not is_about_something(message) and _GREETING.match(message):
        return f"Hello! There is help with {matters}. What is it about?"
    return f"I have nobody for that, I am afraid. There is help with {matters}. Is it one of these?"


def track(request: SimulatedRequest) -> Reply | str:
    """Says where an order is."""
    return _by_number(request, "track_order", "order", _order_told)


def look_up(request: SimulatedRequest) -> Reply | str:
    """Says how a bill stands."""
    return _by_number(request, "look_up_bill", "bill", _bill_told)


def mend(request: SimulatedRequest) -> Reply | str:
    """Looks the person's words up in the manual."""
    message = request.last_user_text()
    if (other := _hand_back(request) or _courtesy(message)) is not None:
        return other
    if (result := _result_of(request, "search_manual")) is None:
        return Reply(calls=[("search_manual", {"problem": " ".join(message.split())[:200]})])
    return str(result.get("advice") or f"{result.get('error')} Please bring it in, so that somebody can look at it.")


def _by_number(request: SimulatedRequest, tool: str, thing: str, told: Callable[[dict[str, Any]], str]) -> Reply | str:
    """The answer of a specialist whose tool takes a number: from the message, else the one it looked up before."""
    message = request.last_user_text()
    if (other := _hand_back(request) or _courtesy(message)) is not None:
        return other
    if (result := _result_of(request, tool)) is not None:
        return f"{result['error']} Is there a slip in it?" if "error" in result else told(result)
    number = number_in(message) or _looked_up_before(request, tool)
    if number is None:
        return f"Which {thing} is it? Please tell me its number, four digits."
    return Reply(calls=[(tool, {"number": number})])


def _looked_up_before(request: SimulatedRequest, tool: str) -> int | None:
    """What "it" is: the number of this agent's own last call."""
    calls = [part.function_call for content in request.contents for part in content.parts or () if part.function_call]
    numbers = [(call.args or {}).get("number") for call in calls if call.name == tool]
    return numbers[-1] if numbers else None


def _courtesy(message: str) -> str | None:
    """The answer to thanks, a greeting or a goodbye that comes with nothing else."""
    if is_about_something(message) or number_in(message) is not None:
        return None
    if _GREETING.match(message):
        return "Hello! What can I look up for you?"
    return "You are welcome." if _THANKS.search(message) else None


def _order_told(result: dict[str, Any]) -> str:
    days = result.get("days_left")
    left = f", {days} day{'s' if days != 1 else ''} from you" if days else ""
    return f"Order {result.get('order')}, {result.get('item')}, is {result.get('where')}{left}."


def _bill_told(result: dict[str, Any]) -> str:
    often = {0: "not been paid yet", 1: "been paid once, as it should be"}
    paid = often.get(result.get("times_paid", 0), f"been paid {result.get('times_paid')} times")
    more = " That is too often: a colleague has to send the rest back, I cannot." if result.get("times_paid", 0) > 1 else ""
    return f"Bill {result.get('bill')} is over {result.get('amount')} euros and has {paid}.{more}"


def _hand_back(request: SimulatedRequest) -> Reply | None:
    """A transfer back, if the message is about something that is none of this agent's matters."""
    message = request.last_user_text()
    own = _MATTERS.search(request.instruction)
    others = _others(request)
    if own is None or not others or not is_elsewhere(message, own[1].removesuffix(".")):
        return None
    return Reply(calls=[(TRANSFER, {"agent_name": next(iter(others))})], thought="This is none of my matters.")


def _others(request: SimulatedRequest) -> dict[str, str]:
    """Those who may take over, with their descriptions, as the instruction lists them."""
    tool = next((tool for tool in request.tools if tool.name == TRANSFER), None)
    schema: dict[str, Any] = (tool.parameters_json_schema or {}) if tool else {}
    names: list[str] = schema.get("properties", {}).get("agent_name", {}).get("enum", [])
    described = dict(_DESCRIBED.findall(request.instruction))
    return {name: described.get(name, "") for name in names}


def _handed_back(request: SimulatedRequest) -> set[str]:
    """Who has handed the conversation on since the person last spoke."""
    names: set[str] = set()
    for content in request.contents:
        texts = [part.text for part in content.parts or () if part.text]
        if content.role == "user" and texts and texts[0] != "For context:":
            names.clear()
        names.update(found[1] for text in texts if (found := _HANDED_BACK.match(text)))
    return names


def _matters(description: str) -> str:
    return description.removeprefix("Helps with ").removesuffix(".")


def _result_of(request: SimulatedRequest, tool: str) -> dict[str, Any] | None:
    results = request.tool_results(tool)
    return (results[-1].response or {}) if results else None


SIMULATION = {"HelpDesk": dispatch, "OrderAgent": track, "BillAgent": look_up, "RepairAgent": mend}
