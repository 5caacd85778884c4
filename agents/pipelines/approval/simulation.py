"""What a simulated model answers for the three agents of approval.

Each reads its own instruction and the results of its own calls. The limit and the confirmation are the runtime's: no
simulation sees them.
"""

from __future__ import annotations

import ast
import json
from typing import Any, cast

from agents.models.simulated.language.detect import LANGUAGES, Language, answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import forms_beside
from agents.models.simulated.reading.money import Money

_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")
_MOST_LETTERS = 80


def prepare(request: SimulatedRequest) -> Reply:
    """The payments in the request, as JSON."""
    _, _, asked = request.instruction.partition("\n<request>\n")
    text = asked.rpartition("\n</request>")[0]
    payments, _ = read_payments(text)
    said = json.dumps(payments, ensure_ascii=False)
    return Reply(said, thought=_count(answer_language(text), "in_request", len(payments)))


def read_payments(message: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The payments in euros that a message asks for, and the amounts in other currencies as they are written."""
    reading = _FORMS.read(message)
    payments: list[dict[str, Any]] = []
    others: list[str] = []
    for asked in reading.all("payment") if reading else ():
        amount: Money = asked.get("amount")
        if amount.currency == "EUR":
            payee, purpose = asked.get("payee")[:_MOST_LETTERS], asked.get("purpose", "")[:_MOST_LETTERS]
            payments.append({"payee": payee, "amount": float(amount.amount), "purpose": purpose})
        else:
            others.append(amount.written)
    return payments, others


def pay(request: SimulatedRequest) -> Reply | str:
    """Calls send_payment for each payment, then tells what became of it."""
    payments, message = _listed(request, "payments"), request.last_user_text()
    language = answer_language(message)
    _, others = read_payments(message)
    left_out = [_SAID.say(language, "other_currency", amounts=", ".join(others))] if others else []
    if not payments and not left_out:
        return _FORMS.refusal(message)
    results = request.tool_results("send_payment")
    if payments and not results:
        calls = [("send_payment", payment) for payment in payments]
        return Reply(calls=calls, thought=_count(language, "to_make", len(payments)))
    told = [_told(language, payment, result.response or {}) for payment, result in zip(payments, results, strict=False)]
    return "\n".join([*told, *left_out])


def close(request: SimulatedRequest) -> str:
    """Receipts from the ledger, and a kind word on what was not paid."""
    outcome = request.section("outcome")
    language = answer_language(outcome)
    made = [_receipt(language, entry) for entry in _listed(request, "ledger")]
    prefixes = tuple(_SAID.say(one, "prefix") for one in LANGUAGES)
    refused = [_without(prefixes, line) for line in outcome.splitlines() if line.startswith(prefixes)]
    if not made and not refused:
        return _SAID.say(language, "no_payment", outcome=outcome).strip()
    said = [_SAID.say(language, "done"), *made] if made else []
    if refused:
        said += [_SAID.say(language, "sorry"), *(f"- {line}" for line in refused), _SAID.say(language, "again")]
    return "\n".join(said)


def _without(prefixes: tuple[str, ...], line: str) -> str:
    return next(line.removeprefix(prefix) for prefix in prefixes if line.startswith(prefix)).strip()


def _told(language: Language, payment: dict[str, Any], result: dict[str, Any]) -> str:
    asked = _amount(language, payment.get("amount"))
    if "receipt" not in result:
        reason = _reason(str(result.get("error") or _SAID.say(language, "no_receipt")))
        return _SAID.say(language, "not_paid", amount=asked, payee=payment.get("payee"), reason=reason)
    amount = _amount(language, result.get("amount"))
    said = _SAID.say(language, "paid", amount=amount, payee=result.get("payee"), receipt=result["receipt"])
    changed = [name for name in ("amount", "payee") if payment.get(name) != result.get(name)]
    before = ", ".join(asked if name == "amount" else str(payment.get(name)) for name in changed)
    return _SAID.say(language, "asked", said=said, before=before) if changed else said


def _reason(error: str) -> str:
    """A tool's error as one line for people; of wrong arguments only what is wrong with them."""
    line = " ".join(error.split())
    _, begins, rest = line.partition("wrong arguments. ")
    wrong, ends, _ = rest.rpartition(". Its parameters are")
    return f"{wrong}." if begins and ends else line


def _receipt(language: Language, entry: dict[str, Any]) -> str:
    fields = {key: entry.get(key) for key in ("receipt", "payee", "purpose")}
    key = "receipt_for" if entry.get("purpose") else "receipt"
    return _SAID.say(language, key, amount=_amount(language, entry.get("amount")), **fields)


def _listed(request: SimulatedRequest, title: str) -> list[dict[str, Any]]:
    """The list in a section of the instruction, as state writes it; [] for anything else."""
    _, _, rest = f"\n{request.instruction}".partition(f"\n<{title}>\n")
    written, _, _ = f"{rest}\n".rpartition(f"\n</{title}>\n")
    try:
        held: Any = ast.literal_eval(written) if written else []
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []
    items = cast("list[Any]", held) if isinstance(held, list) else []
    return [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]


def _amount(language: Language, amount: Any) -> str:
    return _SAID.say(language, "amount", amount=f"{amount:,.2f}" if isinstance(amount, int | float) else amount)


def _count(language: Language, key: str, number: int) -> str:
    return _SAID.say(language, f"{key}_one" if number == 1 else key, count=number)


SIMULATION = {"PrepareAgent": prepare, "PayAgent": pay, "ReceiptAgent": close}
