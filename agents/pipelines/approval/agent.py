"""The agents of approval: one reads payments from a request, one makes them, one writes the receipts."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from agents import CallbackContext, FunctionTool, LlmAgent, SequentialAgent, ToolContext

USUAL_LIMIT = 100.0
MOST = 100_000.0

PREPARE_INSTRUCTION = """\
You read payments from a request: whom to pay, how many euros, and what for.

Leave out what names nobody to pay, no amount, or another currency than euros. Do not add up, round or convert anything.

<request>
{request}
</request>
"""

PAY_INSTRUCTION = """\
You make the payments below.

Call send_payment once for each of them, all in one step. Then say what became of each, a line for each, in their order:
"Paid:" with the amount, the payee and the receipt's number as the tool gave them, or "Not paid:" with the amount, the
payee and the reason. A person may have changed an amount: what the tool says was paid is what counts. Never try again.
If the request has an amount in another currency, convert nothing: write "Not paid:" with the amount as it stands there, and
that you pay in euros only.
If there are no payments and no such amounts, call nothing and say what a request must name: whom to pay, and how many euros.
Write all of it in the language of the request.

<payments>
{payments}
</payments>
"""

RECEIPT_INSTRUCTION = """\
You write the closing note to whoever asked for payments.

List a receipt for each payment that was made, from the ledger. If something was not paid, say so kindly, give the reason
that was given, and say what they can do. Make nothing up.
Write in the language of the outcome.

<ledger>
{ledger}
</ledger>

<outcome>
{outcome?}
</outcome>
"""


class Payment(BaseModel):
    """One payment that was asked for."""

    payee: str
    amount: float = Field(description="In euros.")
    purpose: str = ""


async def send_payment(
    payee: str,
    amount: Annotated[float, Field(gt=0, le=MOST)],
    tool_context: ToolContext,
    purpose: str = "",
) -> dict[str, Any]:
    """Sends money. It cannot be called back.

    Args:
        payee: Who gets it.
        amount: How many euros.
        tool_context: The state, with the ledger.
        purpose: What it is for.
    """
    state = tool_context.state
    number = int(state.get("payments_made") or 0) + 1
    entry = {"receipt": f"R-{number:04}", "payee": payee, "amount": round(amount, 2), "purpose": purpose}
    state["payments_made"] = number
    state["ledger"] = [*(state.get("ledger") or []), entry]
    return entry


def is_above_limit(amount: float, tool_context: ToolContext) -> bool:
    """Whether the user must approve a payment. Called by the runtime, with the arguments of the call."""
    return amount > float(tool_context.state.get("limit", USUAL_LIMIT))


def begin(callback_context: CallbackContext) -> None:
    """A new request starts with an empty ledger; receipts are numbered on."""
    callback_context.state["payments"] = []
    callback_context.state["ledger"] = []
    callback_context.state["outcome"] = ""


prepare = LlmAgent(
    name="PrepareAgent",
    description="Reads the payments from the request.",
    include_contents="none",
    instruction=PREPARE_INSTRUCTION,
    output_schema=list[Payment],
    output_key="payments",
)
pay = LlmAgent(
    name="PayAgent",
    description="Makes the payments; above the limit, a person is asked first.",
    instruction=PAY_INSTRUCTION,
    tools=[FunctionTool(send_payment, require_confirmation=is_above_limit, read_only_hint=False)],
    output_key="outcome",
)
receipt = LlmAgent(
    name="ReceiptAgent",
    description="Writes the receipts, or why there is none.",
    include_contents="none",
    instruction=RECEIPT_INSTRUCTION,
)
root_agent = SequentialAgent(
    name="Approval",
    description="Prepares payments, makes them with a person's approval where that is needed, and writes receipts.",
    sub_agents=[prepare, pay, receipt],
    before_agent_callback=begin,
)
