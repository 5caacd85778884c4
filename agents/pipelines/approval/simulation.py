"""What a simulated model answers for the three agents of approval.

Each reads its own instruction and the results of its own calls. None knows the limit, and none knows of the question that
a person is asked: the runtime asks it, not the model.
"""

from __future__ import annotations

import ast
import json
from typing import Any, cast

from agents.models.simulated import Reply, SimulatedRequest
from agents.pipelines.approval.reading import read_payments

WHAT_IS_MISSING = "There is nothing to pay. A request must name whom to pay, and how many euros."
NOT_PAID = "Not paid:"


def prepare(request: SimulatedRequest) -> Reply:
    """The payments in the request, as JSON."""
    _, _, asked = request.instruction.partition("\n<request>\n")
    payments = read_payments(asked.rpartition("\n</request>")[0])
    return Reply(json.dumps(payments, ensure_ascii=False), thought=f"{_count(len(payments))} in the request.")


def pay(request: SimulatedRequest) -> Reply | str:
    """Calls send_payment for each payment, then tells what became of it."""
    payments = _listed(request, "payments")
    if not payments:
        return WHAT_IS_MISSING
    results = request.tool_results("send_payment")
    if not results:
        return Reply(calls=[("send_payment", payment) for payment in payments], thought=f"{_count(len(payments))} to make.")
    told = [_told(payment, result.response or {}) for payment, result in zip(payments, results, strict=False)]
    return "\n".join(told)


def close(request: SimulatedRequest) -> str:
    """Receipts from the ledger, and a kind word on what was not paid."""
    made = [_receipt(entry) for entry in _listed(request, "ledger")]
    outcome = request.section("outcome")
    refused = [line.removeprefix(NOT_PAID).strip() for line in outcome.splitlines() if line.startswith(NOT_PAID)]
    if not made and not refused:
        return f"No payment was made. {outcome}".strip()
    said = ["Thank you, this is done:", *made] if made else []
    if refused:
        said += ["I am sorry, this was not paid:", *(f"- {line}" for line in refused)]
        said += ["You can ask again with another amount, or talk to whoever decides about it."]
    return "\n".join(said)


def _told(payment: dict[str, Any], result: dict[str, Any]) -> str:
    asked = _amount(payment.get("amount"))
    if "receipt" not in result:
        return f"{NOT_PAID} {asked} to {payment.get('payee')}. {_reason(str(result.get('error') or 'No receipt came.'))}"
    said = f"Paid: {_amount(result.get('amount'))} to {result.get('payee')}, receipt {result['receipt']}."
    changed = [name for name in ("amount", "payee") if payment.get(name) != result.get(name)]
    before = ", ".join(asked if name == "amount" else str(payment.get(name)) for name in changed)
    return f"{said} Asked for was: {before}." if changed else said


def _reason(error: str) -> str:
    """A tool's error as one line for people; of wrong arguments only what is wrong with them."""
    line = " ".join(error.split())
    _, begins, rest = line.partition("wrong arguments. ")
    wrong, ends, _ = rest.rpartition(". Its parameters are")
    return f"{wrong}." if begins and ends else line


def _receipt(entry: dict[str, Any]) -> str:
    purpose = f", for {entry['purpose']}" if entry.get("purpose") else ""
    return f"- {entry.get('receipt')}: {_amount(entry.get('amount'))} to {entry.get('payee')}{purpose}"


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


def _amount(amount: Any) -> str:
    return f"{amount:,.2f} euros" if isinstance(amount, int | float) else f"{amount} euros"


def _count(number: int) -> str:
    return f"{number} payment" if number == 1 else f"{number} payments"


SIMULATION = {"PrepareAgent": prepare, "PayAgent": pay, "ReceiptAgent": close}
