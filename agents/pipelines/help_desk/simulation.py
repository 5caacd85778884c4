"""What a simulated model answers for the help desk and its specialists.

The forms that are read are named after matters. The help desk transfers to the agent whose description speaks of the matter;
a specialist hands back what its instruction does not name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from agents.models.simulated.language.detect import Language, answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import Reading, forms_beside
from agents.models.simulated.request import is_context

TRANSFER = "transfer_to_agent"

_MATTERS = re.compile(r"Your matters are: (.*+)")
_DESCRIBED = re.compile(r"^[-*] (\w++): (.*)$", re.MULTILINE)
_HANDED_BACK = re.compile(rf"\[(\w++)\] called tool `{TRANSFER}`")
_WORD = re.compile(r"\w++")
_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")


def dispatch(request: SimulatedRequest) -> Reply | str:
    """Transfers to the agent whose description speaks of the matter, greets, or refuses."""
    message, language, others = request.last_user_text(), _language(request), _others(request)
    reading = _FORMS.read(message)
    if reading and reading.form == "hello":
        matters = (about.removeprefix("Helps with ").removesuffix(".") for about in others.values())
        listed = _SAID.say(language, "between").join(_SAID.word(language, "matters", one) for one in matters)
        return _SAID.say(language, "hello", matters=listed)
    if reading and reading.form == "thank":
        return _SAID.say(language, "welcome")
    tried = _handed_back(request)
    fitting = [name for name, about in others.items() if name not in tried and reading and _speaks_of(about, reading)]
    if not fitting:
        return _FORMS.refusal(message)
    about = others[fitting[0]]
    thought = _SAID.say(language, "fits", agent=fitting[0], about=f"{about[:1].lower()}{about[1:]}")
    return Reply(calls=[(TRANSFER, {"agent_name": fitting[0]})], thought=thought)


def mend(request: SimulatedRequest) -> Reply | str:
    """Looks the user's words up in the manual."""
    message = request.last_user_text()
    if (other := _not_own(request, _FORMS.read(message))) is not None:
        return other
    if (result := request.last_answer("search_manual")) is None:
        return Reply(calls=[("search_manual", {"problem": " ".join(message.split())[:200]})])
    return str(result.get("advice") or _SAID.say(_language(request), "bring_in", error=result.get("error")))


def answer_by_number(
    request: SimulatedRequest, *, tool: str, thing: str, told: Callable[[Language, dict[str, Any]], str]
) -> Reply | str:
    """The answer of a specialist whose tool takes a number: from the message, or for "it" the one it looked up before."""
    message, language = request.last_user_text(), _language(request)
    reading = _FORMS.read(message)
    is_number = reading is not None and reading.form == "given"
    if not is_number and (other := _not_own(request, reading)) is not None:
        return other
    if (result := request.last_answer(tool)) is not None:
        return _SAID.say(language, "slip", error=result["error"]) if "error" in result else told(language, result)
    number = reading.get("number") if reading else None
    if number is None and reading and reading.get("it"):
        number = _looked_up_before(request, tool)
    if number is None:
        return _SAID.say(language, f"ask_{thing}")
    return _FORMS.refusal(message) if number % 1 else Reply(calls=[(tool, {"number": int(number)})])


def _language(request: SimulatedRequest) -> Language:
    """The language to answer in: that of the last message with words in it."""
    messages = [said.text for said in request.history() if said.by == "user" and any(map(str.isalpha, said.text))]
    return answer_language(messages[-1]) if messages else "en"


def _looked_up_before(request: SimulatedRequest, tool: str) -> int | None:
    """What "it" is: the number of this agent's own last call."""
    calls = [part.function_call for content in request.contents for part in content.parts or () if part.function_call]
    numbers = [(call.args or {}).get("number") for call in calls if call.name == tool]
    return numbers[-1] if numbers else None


def _speaks_of(matters: str, reading: Reading) -> bool:
    """Whether a description names the matter that a form is named after."""
    return reading.form in _WORD.findall(matters.lower())


def _not_own(request: SimulatedRequest, reading: Reading | None) -> Reply | str | None:
    """The answer of a specialist to what is none of its matters; None if it is one."""
    own, others = _MATTERS.search(request.instruction), list(_others(request))
    if reading and (own is None or _speaks_of(own[1], reading)):
        return None
    if reading and reading.form == "thank":
        return _SAID.say(_language(request), "welcome")
    if reading is None or not others:
        return _FORMS.refusal(request.last_user_text())
    return Reply(calls=[(TRANSFER, {"agent_name": others[0]})], thought=_SAID.say(_language(request), "elsewhere"))


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
