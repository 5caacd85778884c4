"""What a simulated model answers for the help desk and its specialists.

The help desk compares the message with the descriptions of the agents that it may transfer to; a specialist compares it
with its own topics. Both read names and descriptions in their prompts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from agents.models.simulated.language.detect import Language, answer_language, is_in_unread_script, language_of
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.request import is_context
from agents.pipelines.help_desk.topics import (
    fit,
    is_about_something,
    is_elsewhere,
    is_greeting,
    is_thanks,
    number_in,
    title_of,
)

TRANSFER = "transfer_to_agent"

_MATTERS = re.compile(r"Your matters are: (.*+)")
_DESCRIBED = re.compile(r"^[-*] (\w++): (.*)$", re.MULTILINE)
_HANDED_BACK = re.compile(rf"\[(\w++)\] called tool `{TRANSFER}`")
_SAID = phrases_beside(__file__)


def dispatch(request: SimulatedRequest) -> Reply | str:
    """Transfers to the agent whose description fits best, or asks."""
    message = request.last_user_text()
    tried = _handed_back(request)
    others = {name: about for name, about in _others(request).items() if name not in tried}
    fits = {name: fit(message, about) for name, about in others.items()}
    best = max(fits, key=lambda name: fits[name], default=None)
    if best is not None and fits[best] > 0:
        about = f"{others[best][:1].lower()}{others[best][1:]}"
        thought = _SAID.say(_language(request), "fits", agent=best, about=about)
        return Reply(calls=[(TRANSFER, {"agent_name": best})], thought=thought)
    if is_in_unread_script(message) or (language_of(message) is None and not is_greeting(message)):
        return unread()
    language = _language(request)
    matters = _SAID.say(language, "between").join(title_of(about, language) for about in _others(request).values())
    greets = is_greeting(message) and not is_about_something(message)
    return _SAID.say(language, "hello" if greets else "nobody", matters=matters)


def mend(request: SimulatedRequest) -> Reply | str:
    """Looks the user's words up in the manual."""
    message = request.last_user_text()
    if (other := _hand_back(request) or _courtesy(request)) is not None:
        return other
    if (result := request.last_answer("search_manual")) is None:
        return Reply(calls=[("search_manual", {"problem": " ".join(message.split())[:200]})])
    return str(result.get("advice") or _SAID.say(_language(request), "bring_in", error=result.get("error")))


def answer_by_number(
    request: SimulatedRequest, *, tool: str, thing: str, told: Callable[[Language, dict[str, Any]], str]
) -> Reply | str:
    """The answer of a specialist whose tool takes a number: from the message, else the one it looked up before."""
    if (other := _hand_back(request) or _courtesy(request)) is not None:
        return other
    language = _language(request)
    if (result := request.last_answer(tool)) is not None:
        return _SAID.say(language, "slip", error=result["error"]) if "error" in result else told(language, result)
    number = number_in(request.last_user_text()) or _looked_up_before(request, tool)
    return _SAID.say(language, f"ask_{thing}") if number is None else Reply(calls=[(tool, {"number": number})])


def _language(request: SimulatedRequest) -> Language:
    """The language to answer in: that of the last message with words in it."""
    messages = [said.text for said in request.history() if said.by == "user" and any(map(str.isalpha, said.text))]
    return answer_language(messages[-1]) if messages else "en"


def _looked_up_before(request: SimulatedRequest, tool: str) -> int | None:
    """What "it" is: the number of this agent's own last call."""
    calls = [part.function_call for content in request.contents for part in content.parts or () if part.function_call]
    numbers = [(call.args or {}).get("number") for call in calls if call.name == tool]
    return numbers[-1] if numbers else None


def _courtesy(request: SimulatedRequest) -> str | None:
    """The answer to thanks, a greeting or a goodbye that comes with nothing else, or to what cannot be read."""
    message = request.last_user_text()
    if is_in_unread_script(message):
        return unread()
    if is_about_something(message) or number_in(message) is not None:
        return None
    if is_greeting(message):
        return _SAID.say(_language(request), "hello_again")
    return _SAID.say(_language(request), "welcome") if is_thanks(message) else None


def _order_told(language: Language, result: dict[str, Any]) -> str:
    item = _SAID.word(language, "items", str(result.get("item")))
    where = _SAID.word(language, "places", str(result.get("where")))
    days = result.get("days_left")
    key = "order" if not days else "order_day" if days == 1 else "order_days"
    return _SAID.say(language, key, order=result.get("order"), item=item, where=where, days=days)


def _bill_told(language: Language, result: dict[str, Any]) -> str:
    times = int(result.get("times_paid", 0))
    key = "bill_unpaid" if not times else "bill_paid" if times == 1 else "bill_too_often"
    return _SAID.say(language, key, bill=result.get("bill"), amount=result.get("amount"), times=times)


def _account_told(language: Language, result: dict[str, Any]) -> str:
    standing = _SAID.word(language, "standings", str(result.get("standing")))
    key = "account_link" if result.get("link_sent") else "account"
    return _SAID.say(language, key, account=result.get("account"), standing=standing)


def _hand_back(request: SimulatedRequest) -> Reply | None:
    """A transfer back, if the message is about none of this agent's topics."""
    message = request.last_user_text()
    own = _MATTERS.search(request.instruction)
    others = _others(request)
    if own is None or not others or is_in_unread_script(message) or not is_elsewhere(message, own[1].removesuffix(".")):
        return None
    return Reply(calls=[(TRANSFER, {"agent_name": next(iter(others))})], thought=_SAID.say(_language(request), "elsewhere"))


def _others(request: SimulatedRequest) -> dict[str, str]:
    """The agents that may take over, with their descriptions, as the instruction lists them."""
    tool = next((tool for tool in request.tools if tool.name == TRANSFER), None)
    schema: dict[str, Any] = (tool.parameters_json_schema or {}) if tool else {}
    names: list[str] = schema.get("properties", {}).get("agent_name", {}).get("enum", [])
    described = dict(_DESCRIBED.findall(request.instruction))
    return {name: described.get(name, "") for name in names}


def _handed_back(request: SimulatedRequest) -> set[str]:
    """The agents that have transferred the conversation since the user's last message."""
    names: set[str] = set()
    for content in request.contents:
        texts = [part.text for part in content.parts or () if part.text]
        if is_context(content):
            names.update(found[1] for text in texts if (found := _HANDED_BACK.match(text)))
        elif content.role == "user" and texts:
            names.clear()
    return names


SIMULATION = {
    "HelpDesk": dispatch,
    "OrderAgent": partial(answer_by_number, tool="track_order", thing="order", told=_order_told),
    "BillAgent": partial(answer_by_number, tool="look_up_bill", thing="bill", told=_bill_told),
    "AccessAgent": partial(answer_by_number, tool="look_up_account", thing="account", told=_account_told),
    "RepairAgent": mend,
}
